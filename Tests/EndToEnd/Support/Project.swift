import Foundation

/// Where things are.
enum Project {
  /// The root of the project's tree.
  static let folder = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  /// The program under test: `FENCELINE_PROGRAM`, else the one that was built beside this test.
  static let program: String = {
    if let named = ProcessInfo.processInfo.environment["FENCELINE_PROGRAM"], !named.isEmpty {
      return URL(filePath: named).standardizedFileURL.path
    }
    let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let beside = test.deletingLastPathComponent().appending(path: "fenceline")
    let usual = folder.appending(path: ".build/debug/fenceline")
    return FileManager.default.isExecutableFile(atPath: beside.path) ? beside.path : usual.path
  }()

  /// The path of a sample file.
  static func data(_ name: String) -> String { folder.appending(path: "Data/\(name)").path }

  /// The sample logs.
  static let logs = ["boat.json", "bus.csv", "drive.nmea", "phone.rec", "train.gpx.gz", "walk.gpx"]
}
