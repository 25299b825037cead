internal import FencelineCivilTime
internal import FencelineGeodesy
internal import FencelinePositioning

/// Sentences of NMEA 0183 as a GPS receiver sends them.
package struct NMEAWriter: Sendable {
  /// A kind of sentence.
  package enum Sentence: String, Hashable, Sendable, CaseIterable {
    case rmc, gga, gsa, gst, vtg, gll, zda

    /// Whether it tells the day.
    var isDated: Bool { self == .rmc || self == .zda }
  }

  /// What a receiver sends where nobody asks for other sentences.
  package static let usual: [Sentence] = [.rmc, .gga, .gsa, .gst]

  private let sentences: [Sentence]

  /// A writer of these sentences, in this order.
  package init(_ sentences: [Sentence] = usual) {
    self.sentences = sentences
  }

  /// All sentences of one epoch, each with its checksum and CR LF; empty where nothing is sent.
  package func text(_ epoch: Epoch) -> String {
    guard epoch.kind != .silent else { return "" }
    var text = ""
    for sentence in sentences where epoch.kind != .undated || !sentence.isDated {
      text += Self.framed(body(sentence, epoch))
    }
    return text
  }

  /// `$…*hh` and CR LF.
  static func framed(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  private func body(_ sentence: Sentence, _ epoch: Epoch) -> String {
    let clock = Clock(epoch.time)
    return epoch.kind == .noFix ? without(sentence, clock) : with(sentence, epoch, clock)
  }

  private func with(_ sentence: Sentence, _ epoch: Epoch, _ clock: Clock) -> String {
    let place = Self.angle(epoch.place.latitude, "NS", 2) + "," + Self.angle(epoch.place.longitude, "EW", 3)
    let knots = (epoch.speed / 1852 * 3600).fixed(3)
    let course = epoch.course.map { ($0.fixed(2) == "360.00" ? 0 : $0).fixed(2) } ?? ""
    let hdop = epoch.sigma / Accuracy.sigmaPerHDOP
    switch sentence {
    case .rmc: return "GPRMC,\(clock.time),A,\(place),\(knots),\(course),\(clock.date),,,A"
    case .gga:
      return "GPGGA,\(clock.time),\(place),1,08,\(hdop.fixed(2)),\(epoch.altitude.fixed(2)),M,0.0,M,,"
    case .gsa:
      // Dilutions of a usual sky: the vertical one half again the horizontal one.
      let (vertical, both) = (1.5 * hdop, (1 + 1.5 * 1.5).squareRoot() * hdop)
      return "GPGSA,A,3,02,05,07,09,13,20,28,30,,,,,\(both.fixed(2)),\(hdop.fixed(2)),\(vertical.fixed(2))"
    case .gst:
      let sigma = epoch.sigma.fixed(3)
      return
        "GPGST,\(clock.time),\(sigma),\(sigma),\(sigma),0.0,\(sigma),\(sigma),\((1.5 * epoch.sigma).fixed(3))"
    case .vtg: return "GPVTG,\(course),T,,M,\(knots),N,\((epoch.speed * 3.6).fixed(3)),K,A"
    case .gll: return "GPGLL,\(place),\(clock.time),A,A"
    case .zda: return clock.zda
    }
  }

  private func without(_ sentence: Sentence, _ clock: Clock) -> String {
    switch sentence {
    case .rmc: "GPRMC,\(clock.time),V,,,,,,,\(clock.date),,,N"
    case .gga: "GPGGA,\(clock.time),,,,,0,00,99.99,,M,,M,,"
    case .gsa: "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99"
    case .gst: "GPGST,\(clock.time),,,,,,,"
    case .vtg: "GPVTG,,T,,M,,N,,K,N"
    case .gll: "GPGLL,,,,,\(clock.time),V,N"
    case .zda: clock.zda
    }
  }

  /// `4722.6140000,N`: degrees and minutes to 0.2 mm.
  private static func angle(_ degrees: Double, _ letters: String, _ width: Int) -> String {
    let units = Int((abs(degrees) * 60e7).rounded())
    let (whole, rest) = units.quotientAndRemainder(dividingBy: 600_000_000)
    let minutes = digits(rest / 10_000_000, 2) + "." + digits(rest % 10_000_000, 7)
    return "\(digits(whole, width))\(minutes),\(degrees < 0 ? letters.suffix(1) : letters.prefix(1))"
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The time of day and the date, as sentences spell them.
  private struct Clock {
    let time: String
    let date: String
    let zda: String

    init(_ instant: Timestamp) {
      let day = CivilDate(instant)
      let rest = Int(instant.milliseconds - day.start.milliseconds)
      let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { digits($0, 2) }
      time = clock.joined() + "." + digits(rest % 1000, 3)
      let (dayText, month) = (digits(day.day, 2), digits(day.month, 2))
      date = dayText + month + digits(day.year % 100, 2)
      zda = "GPZDA,\(time),\(dayText),\(month),\(digits(day.year, 4)),00,00"
    }
  }
}
