package import FencelineCivilTime
internal import Glibc

/// Instants and spans for people, in the zone of the system or of TZ.
package enum LocalTime {
  /// `2026-03-18 00:49:11`.
  package static func text(_ time: Timestamp) -> String {
    var instant = time_t(time.split(by: 1000).whole)
    var parts = unsafe tm()
    unsafe localtime_r(&instant, &parts)
    let date = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map {
      twoDigits($0)
    }
    let clock = unsafe [Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)].map { twoDigits($0) }
    return date.joined(separator: "-") + " " + clock.joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String {
    (number < 10 ? "0" : "") + String(number)
  }

  /// The zone's name: `Europe/Zurich`, or what the C library calls it.
  package static var zone: String {
    guard let text = variable("TZ") else { return systemZone }
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    if hasZone(name) { return plain(name) }
    // A rule of POSIX holds a number, and a file's name may be given whole; anything else means UTC to the C library.
    let isRule = name.utf8.contains { (0x30...0x39).contains($0) } || name.hasPrefix("/")
    return isRule ? plain(abbreviation) : "UTC (TZ names no zone)"
  }

  /// TZ may name any file, and that file any abbreviation.
  private static func plain(_ name: String) -> String {
    name.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? name : "the zone of TZ"
  }

  private static var systemZone: String {
    guard let link = unsafe realpath("/etc/localtime", nil) else { return "UTC" }
    defer { unsafe free(link) }
    let path = unsafe String(cString: link)
    guard let range = path.firstRange(of: "/zoneinfo/") else { return "UTC" }
    let name = String(path[range.upperBound...])
    return name == "Etc/UTC" ? "UTC" : name
  }

  /// What the C library calls the zone at the moment: `CET`; a TZ that it does not understand means UTC to it.
  private static var abbreviation: String {
    var instant = time_t(now.milliseconds / 1000)
    var parts = unsafe tm()
    unsafe localtime_r(&instant, &parts)
    return unsafe parts.tm_zone.map { unsafe String(cString: $0) } ?? "UTC"
  }

  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The instant at which a local clock shows what `time` shows in UTC; an hour that does not exist moves on, one that
  /// exists twice is the first.
  package static func instant(showing time: Timestamp) -> Timestamp {
    let date = CivilDate(time)
    let milliseconds = time.milliseconds - date.start.milliseconds
    let rest = Int32(milliseconds / 1000)
    func seconds(daylightSaving: Int32) -> (value: time_t, isExact: Bool) {
      var parts = unsafe tm()
      unsafe parts.tm_year = Int32(date.year - 1900)
      unsafe parts.tm_mon = Int32(date.month - 1)
      unsafe parts.tm_mday = Int32(date.day)
      unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (rest / 3600, rest / 60 % 60, rest % 60)
      unsafe parts.tm_isdst = daylightSaving
      let value = unsafe mktime(&parts)
      // mktime moves on what does not exist, and what is not of the kind asked for.
      let isExact = unsafe parts.tm_hour == rest / 3600 && parts.tm_min == rest / 60 % 60
      return (value, isExact)
    }
    // Left to itself, mktime takes either of two equal hours, as its last call would have it.
    let kinds = [seconds(daylightSaving: 1), seconds(daylightSaving: 0)].filter(\.isExact).map(\.value)
    let instant = kinds.min() ?? seconds(daylightSaving: -1).value
    return Timestamp(milliseconds: Int64(instant) * 1000 + milliseconds % 1000)
  }

  /// The local day that holds an instant.
  package static func date(of time: Timestamp) -> CivilDate {
    var instant = time_t(time.split(by: 1000).whole)
    var parts = unsafe tm()
    unsafe localtime_r(&instant, &parts)
    // The calendar's own arithmetic starts from a day that every month has.
    let first = unsafe CivilDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: 1)
    let day = unsafe Int(parts.tm_mday) - 1
    return first.map { CivilDate(daysSince1970: $0.daysSince1970 + day) } ?? CivilDate(time)
  }

  /// The instant at which a local day begins; where the clock goes forward at midnight, at one.
  /// A day that a zone has left out has no length: it begins with the next.
  package static func start(of date: CivilDate) -> Timestamp {
    let start = instant(showing: date.start)
    if self.date(of: start) == date { return start }
    return instant(showing: CivilDate(daysSince1970: date.daysSince1970 + 1).start)
  }
}

extension LocalTime {
  /// Whether the system's time zone database has a zone; any is believed where there is no database.
  package static func hasZone(_ name: String) -> Bool {
    let folder = SystemZones.folder
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else { return true }
    return unsafe stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
