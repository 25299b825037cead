import FencelineCivilTime
import FencelineService
import FencelineTestSupport
import Glibc
import Testing

struct SystemZonesTests {
  @Test(
    arguments: [
      "", "/", "/etc/passwd", "../../etc/passwd", "Europe/../UTC", "Europe/./Zurich", "Europe//Zurich",
      "Europe/Zurich/",
      "./UTC", "Europe", "Europe/Nowhere", "zone.tab", "tzdata.zi", "leapseconds", "Europe/Zürich", "UTC\n",
      "/usr/share/zoneinfo/UTC", String(repeating: "a", count: 5000),
    ])
  func whatIsNoNameOfAZone(_ name: String) {
    do throws(SystemZoneError) {
      _ = try SystemZones.zone(named: name)
      Issue.record("there is a zone '\(name)'")
    } catch {
      #expect(error.code == .unknown && error.message.contains("'\(name)'"))
    }
  }

  @Test func aNameLacksItsRegion() {
    do throws(SystemZoneError) {
      _ = try SystemZones.zone(named: "zurich")
      Issue.record("there is a zone 'zurich'")
    } catch {
      #expect(error.suggestion == "Europe/Zurich")
    }
    #expect(SystemZones.names.contains("UTC") && SystemZones.names.contains("Europe/Zurich"))
  }

  @Test func theFolderIsThatOfTheCLibrary() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("Here", Array("TZif".utf8))
      unsafe setenv("TZDIR", folder.path, 1)
      for (name, code) in [("Here", SystemZoneError.Code.unreadable), ("Europe/Zurich", .unknown)] {
        let error = #expect(throws: SystemZoneError.self) { try SystemZones.zone(named: name) }
        #expect(error?.code == code)
      }
      unsafe setenv("TZDIR", folder.path("missing"), 1)
      let error = #expect(throws: SystemZoneError.self) { try SystemZones.zone(named: "Europe/Zurich") }
      #expect(error?.code == .unreadable && error?.message.contains("tzdata") == true)
      #expect(try SystemZones.zone(named: "UTC") == .utc)
    }
  }

  /// Every zone that the database lists, at times from 1900 to 2100.
  @Test func offsetsAreThoseOfTheCLibrary() async {
    await #expect(processExitsWith: .success) {
      let names = SystemZones.names
      #expect(names.count > 300)
      var random = SplitMix64(seed: 5)
      for name in names {
        unsafe setenv("TZ", name, 1)
        tzset()
        let (named, local) = (try SystemZones.zone(named: name), try SystemZones.local())
        for _ in 0..<200 {
          var time = time_t.random(in: -2_208_988_800...4_102_444_800, using: &random)
          var parts = unsafe tm()
          unsafe localtime_r(&time, &parts)
          let instant = Timestamp(milliseconds: Int64(time) * 1000)
          let offset = unsafe parts.tm_gmtoff
          guard named.offset(at: instant) == offset, local.offset(at: instant) == offset else {
            Issue.record("\(name) at \(instant): \(named.offset(at: instant)), not \(offset)")
            break
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ("", 0), (":Asia/Tokyo", 32_400), ("/usr/share/zoneinfo/Asia/Tokyo", 32_400), ("AAA-3", 10_800),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 3600), ("EST5EDT", -18_000), ("Europe/Nowhere", 0), ("nonsense", 0),
    ] as [(String, Int)])
  func theLocalZoneIsThatOfTZ(_ text: String, _ offset: Int) async {
    await #expect(processExitsWith: .success) { [text = text as String, offset = offset as Int] in
      unsafe setenv("TZ", text, 1)
      tzset()
      let january = Timestamp(milliseconds: 1_767_225_600_000)
      let local = try SystemZones.local()
      #expect(local.offset(at: january) == offset)
      var (time, parts) = (time_t(1_767_225_600), unsafe tm())
      unsafe localtime_r(&time, &parts)
      #expect(unsafe parts.tm_gmtoff == offset)
    }
  }
}
