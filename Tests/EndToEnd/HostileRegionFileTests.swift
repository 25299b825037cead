import Foundation
import Testing

@Suite("Hostile region files") struct HostileRegionFileTests {
  static let inputs =
    [
      .init("missing", 74, "no such file or directory", ":"),
      .init("folder", 74, "is a directory", "mkdir folder"),
      .init(
        "paper.pdf", 65, "none of the files that regions are read from", "printf '%%PDF-1.7\\n' > paper.pdf"),
      .init(
        "picture.png", 65, "none of the files that regions are read from",
        "printf '\\211PNG\\r\\n\\032\\n\\0' > picture.png"),
      .init("empty", 65, "It is empty.", ": > empty"),
      .init("/dev/null", 65, "It is empty.", ":"),
      .init("blank", 65, "It is empty.", "printf ' \\n\\t ' > blank"),
      .init("hole", 65, "It is larger than 1024 MiB.", "truncate -s 3G hole"),
      .init("noise", 65, "none of the files that regions are read from", "noise"),
      .init(
        "line", 65, "not valid JSON",
        "(printf '{\"type\":\"'; head -c 50000000 /dev/zero | tr '\\0' 1) > line"),
      .init(
        "deep", 65, "no deeper nesting than 128",
        "(printf '{\"features\":'; head -c 10000 /dev/zero | tr '\\0' '['; head -c 10000 /dev/zero | tr '\\0' ']'; printf '}') > deep"
      ),
      .init(
        "number", 65, "a number that a Double can hold",
        "echo '{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1e999,47]}}' > number"),
      .init("list", 65, "a FeatureCollection of Points is needed", "echo '{\"type\":\"Polygon\"}' > list"),
      .init("log", 65, "only one track and no way-points", "cp \"$DATA/walk.gpx\" log"),
      .init(
        "bomb", 65, "a document type declaration",
        "(echo '<!DOCTYPE a [<!ENTITY a \"1\">]><kml>&a;</kml>') > bomb"),
      .init(
        "nest", 65, "more than 200 elements in one another",
        "(printf '<kml>'; head -c 2000000 /dev/zero | sed 's/\\x0/<a>/g') > nest"),
      .init("cut", 65, "not valid JSON", "head -c 1500 \"$DATA/regions.geojson\" > cut"),
    ] as [HostileLogTests.Input]

  @Test(arguments: inputs) func aFileThatHoldsNoRegionsIsRefused(_ input: HostileLogTests.Input) throws {
    let scratch = try Scratch.withRegions()
    try input.make(in: scratch)
    let before = try scratch.contents()
    let run = try scratch.fenceline("region", "import", "--update", input.name, measures: true)
    #expect(run.status == input.status, "\(run.error)")
    #expect(run.output.isEmpty && run.error.contains("'\(input.name)'") && run.error.contains(input.says))
    #expect(run.messages == run.errors && run.messages.count <= 2)
    #expect(run.seconds < 30)
    let memory = try #require(run.peakMemory)
    #expect(memory < 200 << 20)
    #expect(try scratch.contents() == before)
    try scratch.checkSoundness()
  }

  @Test func manyRegionsAreImportedAtOnce() throws {
    let scratch = try Scratch()
    let make = try scratch.shell(
      """
      awk 'BEGIN { printf "{\\"type\\":\\"FeatureCollection\\",\\"features\\":["
        for (i = 0; i < 5000; i++) printf "%s{\\"type\\":\\"Feature\\",\\"geometry\\":{\\"type\\":\\"Point\\",\\"coordinates\\":[%.5f,%.5f]},\\"properties\\":{\\"name\\":\\"same\\"}}\\n", i ? "," : "", i / 100 - 20, i % 80
        print "]}" }' > many.geojson; "$FENCELINE" region import many.geojson
      """)
    #expect(make.status == 0, "\(make.error)")
    let ids = try scratch.fenceline("region", "list", "--json").lines
    #expect(ids.count == 5000 && Set(ids).count == 5000)
    try scratch.checkSoundness()
  }
}
