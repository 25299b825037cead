import FencelineRegionFiles
import FencelineTestSupport
import Testing

struct RegionFileTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("regions.geojson")
    try RegionFile.write("ü\n", to: path)
    #expect(try RegionFile.contents(of: path) == Array("ü\n".utf8))
    let long = String(repeating: "0123456789", count: 20_000)
    try RegionFile.write(long, to: path)
    #expect(try RegionFile.contents(of: path) == Array(long.utf8))
    #expect(folder.names == ["regions.geojson"])
  }

  @Test func aDeviceIsWrittenAsItIs() throws {
    try RegionFile.write("gone", to: "/dev/null")
    #expect(try RegionFile.contents(of: "/dev/null") == [])
  }

  @Test func filesThatCannotBeReadOrWrittenAreNamed() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: RegionFileError.self) {
      try RegionFile.contents(of: folder.path("a\u{1B}"))
    }
    #expect(missing?.code == .cannotRead)
    #expect(missing?.message == "Cannot read '\(folder.path("a?"))': no such file or directory.")
    let directory = #expect(throws: RegionFileError.self) { try RegionFile.contents(of: folder.path) }
    #expect(directory?.message == "Cannot read '\(folder.path)': is a directory.")
    let nowhere = #expect(throws: RegionFileError.self) {
      try RegionFile.write("x", to: folder.path("none/a.geojson"))
    }
    #expect(nowhere?.code == .cannotCreate)
    #expect(nowhere?.message == "Cannot write '\(folder.path("none/a.geojson"))': no such file or directory.")
    let full = #expect(throws: RegionFileError.self) { try RegionFile.write("x", to: "/dev/full") }
    #expect(full?.code == .cannotWrite)
    #expect(full?.message == "Cannot write '/dev/full': no space left on device.")
    #expect(folder.names == [])
  }
}
