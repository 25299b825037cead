import Foundation
import Testing

/// A log that keeps a replay busy: `big.json`, gpsd's reports of a device that goes to and fro through the perimeters of
/// `big.geojson`.
enum BigLog {
  /// Writes the two files.
  ///
  /// - Throws: Where they cannot be made.
  static func write(fixes: Int, regions: Int, in scratch: Scratch) throws {
    let run = try scratch.shell(
      """
      awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { x = (i * 20) % 8000; if (x > 4000) x = 8000 - x
        printf "{\\"class\\":\\"TPV\\",\\"mode\\":3,\\"time\\":\\"2026-01-%02dT%02d:%02d:%02dZ\\",\\"lat\\":%.7f,\\"lon\\":8,\\"eph\\":6}\\n",
          i / 86400 + 1, i / 3600 % 24, i / 60 % 60, i % 60, 47 + x / 111000 } }' > big.json
      awk -v n="$2" 'BEGIN { print "{\\"type\\":\\"FeatureCollection\\",\\"features\\":["
        for (i = 0; i < n; i++) printf "%s{\\"type\\":\\"Feature\\",\\"geometry\\":{\\"type\\":\\"Point\\",\\"coordinates\\":[8,47]},\\"properties\\":{\\"id\\":\\"ring-%d\\",\\"radius\\":%d,\\"profile\\":\\"exact\\"}}\\n",
          i ? "," : "", i, 1000 + i
        print "]}" }' > big.geojson
      """, String(fixes), String(regions))
    try #require(run.status == 0, "\(run.error)")
  }
}
