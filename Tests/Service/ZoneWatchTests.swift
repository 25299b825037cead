import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineService

@Suite("Zone watch") struct ZoneWatchTests {
  private let folder: TemporaryFolder
  private var link: String { folder.path("etc/localtime") }

  /// `etc/localtime` leads over a link in `zoneinfo` to `zoneinfo/Europe/Zurich`.
  init() throws {
    folder = try TemporaryFolder()
    for name in ["etc", "zoneinfo", "zoneinfo/Europe", "zoneinfo/America"] { try make(name) }
    try folder.write("zoneinfo/Europe/Zurich", "Zurich")
    try folder.write("zoneinfo/America/Lima", "Lima")
    try point("zoneinfo/Europe/Busingen", to: "Zurich")
    try point("etc/localtime", to: "../zoneinfo/./Europe/Busingen")
  }

  private func make(_ name: String) throws {
    try #require(unsafe mkdir(folder.path(name), 0o755) == 0)
  }

  private func point(_ name: String, to target: String) throws {
    try #require(unsafe symlink(target, folder.path(name)) == 0)
  }

  private func move(_ old: String, _ new: String) throws {
    try #require(unsafe rename(folder.path(old), folder.path(new)) == 0)
  }

  /// Whether the descriptor is ready, and what a look says then.
  private func notices(_ watch: ZoneWatch) -> Bool {
    var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) > 0 && watch.take()
  }

  @Test func everyWayToAnotherZoneIsNoticedOnce() throws {
    let watch = try #require(ZoneWatch(link))
    #expect(!notices(watch))
    let changes: [(name: String, make: () throws -> Void)] = [
      (
        "the link is replaced",
        {
          try point("etc/new", to: "../zoneinfo/America/Lima")
          try move("etc/new", "etc/localtime")
        }
      ),
      ("the file that it leads to now is edited", { try overwrite("zoneinfo/America/Lima", "Lima, edited") }),
      (
        "a link to another name of the same zone",
        {
          unsafe unlink(link)
          try #require(
            unsafe Glibc.link(folder.path("zoneinfo/America/Lima"), folder.path("zoneinfo/Peru")) == 0)
          try point("etc/localtime", to: folder.path("zoneinfo/Peru"))
        }
      ),
      ("edited under its other name", { try overwrite("zoneinfo/America/Lima", "Lima, once more") }),
      ("the link goes", { unsafe unlink(link) }),
      ("a file comes in its place", { try folder.write("etc/localtime", "a zone") }),
      ("that is moved away", { try move("etc/localtime", "etc/old") }),
      ("a link to a place that is not there", { try point("etc/localtime", to: "../zoneinfo/Asia/Tokyo") }),
      (
        "the place comes",
        {
          try make("zoneinfo/Asia")
          _ = notices(watch)
          try folder.write("zoneinfo/Asia/Tokyo", "Tokyo")
        }
      ),
      (
        "an upgrade, as dpkg does it",
        {
          try folder.write("zoneinfo/Asia/Tokyo.dpkg-new", "Tokio")
          try move("zoneinfo/Asia/Tokyo.dpkg-new", "zoneinfo/Asia/Tokyo")
        }
      ),
      ("all zones are moved away", { try move("zoneinfo", "zones") }),
      (
        "and others put in their place",
        {
          try make("zoneinfo")
          try make("zoneinfo/Asia")
          try folder.write("zoneinfo/Asia/Tokyo", "Tokyo")
        }
      ),
      (
        "the folder of the link is replaced",
        {
          try move("etc", "old-etc")
          try make("etc")
          try point("etc/localtime", to: "../zones/America/Lima")
        }
      ),
    ]
    for (name, make) in changes {
      try make()
      #expect(notices(watch), "\(name)")
      #expect(!watch.take(), "\(name)")
    }
  }

  /// Writes into a file that is there, which stays the same file.
  private func overwrite(_ name: String, _ text: String) throws {
    let file = unsafe open(folder.path(name), O_WRONLY | O_TRUNC | O_CLOEXEC)
    try #require(file >= 0)
    _ = unsafe write(file, text, text.utf8.count)
    close(file)
  }

  @Test func theNeighboursDoNotMatter() throws {
    let watch = try #require(ZoneWatch(link))
    try folder.write("etc/passwd", "root")
    try folder.write("zoneinfo/Europe/Berlin", "Berlin")
    try folder.write("zoneinfo/America/Lima", "another one")
    #expect(!watch.take())
    #expect(!notices(watch))
  }

  @Test func linksInACircleEndTheSearch() throws {
    try point("etc/one", to: "two")
    try point("etc/two", to: "one")
    let watch = try #require(ZoneWatch(folder.path("etc/one")))
    unsafe unlink(folder.path("etc/two"))
    try folder.write("etc/two", "a zone")
    #expect(notices(watch))
  }

  @Test func theSystemsOwnZoneCanBeWatched() throws {
    let watch = try #require(ZoneWatch())
    #expect(!watch.take())
  }
}
