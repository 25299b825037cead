import FencelineGeofencing
import FencelineTestSupport
import Testing

struct ActiveWindowTests {
  @Test(
    arguments: [
      ("08:00-18:00 Europe/Zurich", [0, 1, 2, 3, 4, 5, 6], 480, 1080, "Europe/Zurich"),
      ("Mon-Fri 08:00-18:00 Europe/Zurich", [0, 1, 2, 3, 4], 480, 1080, "Europe/Zurich"),
      ("Sat,Sun 00:00-24:00 UTC", [5, 6], 0, 1440, "UTC"),
      ("Fri-Mon 22:30-06:15 Etc/GMT+5", [0, 4, 5, 6], 1350, 375, "Etc/GMT+5"),
      ("wed 10:00-10:00 America/Port-au-Prince", [2], 600, 600, "America/Port-au-Prince"),
      ("Mon,Wed-Thu,Wed 00:00-00:01 US/East-Indiana_x", [0, 2, 3], 0, 1, "US/East-Indiana_x"),
      ("Mon-Sun  23:59-24:00  UTC", [0, 1, 2, 3, 4, 5, 6], 1439, 1440, "UTC"),
      ("Tue-Mon 01:00-02:00 UTC", [0, 1, 2, 3, 4, 5, 6], 60, 120, "UTC"),
    ] as [(String, [Int], Int, Int, String)])
  func forms(_ text: String, _ days: [Int], _ opens: Int, _ closes: Int, _ zone: String) throws {
    let window = try #require(ActiveWindow(parsing: text))
    #expect(window.days == days)
    #expect(window.opens == opens)
    #expect(window.closes == closes)
    #expect(window.zone == zone)
    #expect(ActiveWindow(parsing: window.description) == window)
  }

  @Test(
    arguments: [
      "", "08:00-18:00", "Mon-Fri 08:00-18:00", "Mon-Fri Europe/Zurich", "Mo-Fr 08:00-18:00 UTC",
      "Mon- 08:00-18:00 UTC",
      "-Fri 08:00-18:00 UTC", "Mon-Tue-Wed 08:00-18:00 UTC", "Mon, 08:00-18:00 UTC",
      "Mon,,Tue 08:00-18:00 UTC",
      "8:00-18:00 UTC", "08:00-18 UTC", "08:00 UTC", "08:00-12:00-18:00 UTC", "24:00-08:00 UTC",
      "08:00-24:01 UTC",
      "08:60-18:00 UTC", "25:00-18:00 UTC", "٠٨:00-18:00 UTC", "08:00-18:00 ../etc/passwd",
      "08:00-18:00 /etc/localtime",
      "08:00-18:00 5", "08:00-18:00 Zür", "08:00-18:00 UTC x y", "Mon 08:00-18:00 UTC x",
    ])
  func whatIsNoWindow(_ text: String) {
    #expect(ActiveWindow(parsing: text) == nil)
  }

  @Test(
    arguments: [
      ("mon,tue,wed,thu,fri 08:00-18:00 UTC", "Mon-Fri 08:00-18:00 UTC"),
      ("Sun,Sat 08:00-18:00 UTC", "Sat,Sun 08:00-18:00 UTC"),
      ("Mon-Sun 08:05-24:00 UTC", "08:05-24:00 UTC"),
      ("Fri-Mon 20:00-06:00 UTC", "Mon,Fri,Sat,Sun 20:00-06:00 UTC"),
    ] as [(String, String)])
  func itIsWrittenShort(_ text: String, _ short: String) {
    #expect(ActiveWindow(parsing: text)?.description == short)
  }
}
