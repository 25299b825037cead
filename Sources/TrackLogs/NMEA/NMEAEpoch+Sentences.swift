import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning

extension NMEAEpoch {
  /// Takes a sentence that gives this epoch's time.
  ///
  /// - Parameters:
  ///   - sentence: Its fields.
  ///   - kind: One of the kinds that carry a time.
  ///   - talker: Who says it.
  ///   - time: Its own time of day in milliseconds.
  /// - Returns: What is wrong with it; nil where nothing is.
  mutating func take(
    _ sentence: NMEASentence, _ kind: NMEAKind, _ talker: NMEATalker, time: Int
  ) -> LogOmission? {
    switch kind {
    case .rmc: takeRMC(sentence, talker, time)
    case .gga: takeGGA(sentence, talker)
    case .gns: takeGNS(sentence, talker)
    case .gll: takeGLL(sentence, talker)
    case .pubx00: takePUBX(sentence)
    default: nil
    }
  }

  private mutating func takeRMC(_ sentence: NMEASentence, _ talker: NMEATalker, _ time: Int) -> LogOmission? {
    let status = sentence.letter(2)
    let mode = sentence.letter(12)
    if status == UInt8(ascii: "V") || mode == UInt8(ascii: "N") { invalid.append(talker) }
    note(mode: mode)
    guard status == UInt8(ascii: "A") || status == UInt8(ascii: "D"), mode != UInt8(ascii: "N") else {
      return nil
    }
    if status == UInt8(ascii: "A") { said.hasConfirmedRMC = true }
    if said.recommendedDate == nil, let date = sentence.date(9) {
      said.recommendedDate = .init(date: date, timeOfDay: time)
    }
    said.speedByRMC.fill(sentence.speed(7, perUnit: NMEASentence.knot))
    said.courseByRMC.fill(sentence.course(8))
    return locate(sentence, 3, .rmc, talker)
  }

  private mutating func takeGGA(_ sentence: NMEASentence, _ talker: NMEATalker) -> LogOmission? {
    guard !sentence.isEmpty(6) else {
      invalid.append(talker)
      return nil
    }
    guard let quality = sentence.wholeNumber(6) else { return .malformedPosition }
    switch quality {
    case 0:
      invalid.append(talker)
      return nil
    case 6: said.isEstimated = true
    case 7, 8: said.isSimulated = true
    default: break
    }
    said.hasConfirmedGGA = true
    said.hdopByGGA.fill(sentence.dilution(8))
    said.altitude.fill(sentence.number(9))
    return locate(sentence, 2, .gga, talker)
  }

  private mutating func takeGNS(_ sentence: NMEASentence, _ talker: NMEATalker) -> LogOmission? {
    // Some receivers send one more GNS for each constellation, with neither position nor mode.
    guard !sentence.isEmpty(2), !sentence.isEmpty(4), !sentence.isEmpty(6) else { return nil }
    guard sentence.anyLetter(6, where: { $0 != UInt8(ascii: "N") }) else {
      invalid.append(talker)
      return nil
    }
    if sentence.anyLetter(6, where: { $0 == UInt8(ascii: "E") }) { said.isEstimated = true }
    if sentence.anyLetter(6, where: { $0 == UInt8(ascii: "M") || $0 == UInt8(ascii: "S") }) {
      said.isSimulated = true
    }
    said.hdopByGNS.fill(sentence.dilution(8))
    said.altitude.fill(sentence.number(9))
    return locate(sentence, 2, .gns, talker)
  }

  private mutating func takeGLL(_ sentence: NMEASentence, _ talker: NMEATalker) -> LogOmission? {
    let status = sentence.letter(6)
    let mode = sentence.letter(7)
    if status == UInt8(ascii: "V") || mode == UInt8(ascii: "N") { invalid.append(talker) }
    note(mode: mode)
    guard status == UInt8(ascii: "A") || status == UInt8(ascii: "D") || status == 0, mode != UInt8(ascii: "N")
    else { return nil }
    return locate(sentence, 1, .gll, talker)
  }

  private mutating func takePUBX(_ sentence: NMEASentence) -> LogOmission? {
    if sentence.field(8, is: "NF") {
      invalid.append(.proprietary)
      return nil
    }
    if sentence.field(8, is: "DR") {
      said.isEstimated = true
    } else if !["G2", "G3", "D2", "D3", "RK"].contains(where: { sentence.field(8, is: $0) }) {
      return nil
    }
    said.sigmaByPUBX.fill(sentence.positive(9))
    said.speedByPUBX.fill(sentence.speed(11, perUnit: NMEASentence.kilometrePerHour))
    said.courseByPUBX.fill(sentence.course(12))
    return locate(sentence, 3, .pubx00, .proprietary)
  }

  private mutating func locate(
    _ sentence: NMEASentence, _ field: Int, _ source: FixSource, _ talker: NMEATalker
  ) -> LogOmission? {
    guard let coordinate = sentence.coordinate(field) else {
      let isAbsent = sentence.isEmpty(field) && sentence.isEmpty(field + 2)
      return isAbsent ? nil : .malformedPosition
    }
    // A sentence of the same kind and talker came before, or a flood of talkers is no receiver.
    let isKnown = positions.contains { $0.source == source && $0.talker == talker }
    if positions.count < 16, !isKnown {
      positions.append(.init(coordinate: coordinate, source: source, talker: talker))
    }
    return nil
  }

  private mutating func note(mode: UInt8) {
    switch mode {
    case UInt8(ascii: "E"): said.isEstimated = true
    case UInt8(ascii: "M"), UInt8(ascii: "S"): said.isSimulated = true
    default: break
    }
  }

  /// Takes the error estimates of a GST or GBS.
  mutating func takeErrors(_ sentence: NMEASentence, _ kind: NMEAKind) {
    let first = kind == .gst ? 6 : 2
    guard let north = sentence.number(first), let east = sentence.number(first + 1), north >= 0, east >= 0,
      north + east > 0
    else { return }
    if kind == .gst { said.sigmasByGST.fill((north, east)) } else { said.sigmasByGBS.fill((north, east)) }
  }

  /// Takes what a sentence without a time says.
  mutating func take(_ content: Untimed) {
    switch content {
    case .velocity(let speed, let course):
      said.speedByVTG.fill(speed)
      said.courseByVTG.fill(course)
    case .satellites(let mode, let hdop):
      if let mode { said.satelliteMode = max(said.satelliteMode ?? 0, mode) }
      said.hdopByGSA.fill(hdop)
    case .error(let radius):
      said.radiusByPGRME.fill(radius)
    }
  }

  /// What a sentence without a time says.
  enum Untimed: Sendable {
    case velocity(speed: Double?, course: Double?)
    case satellites(mode: Int?, hdop: Double?)
    case error(radius: Double?)

    /// The content of a VTG, GSA or PGRME; nil for others and for a VTG that calls itself invalid.
    init?(_ sentence: NMEASentence, _ kind: NMEAKind) {
      switch kind {
      case .vtg:
        guard sentence.letter(9) != UInt8(ascii: "N") else { return nil }
        // Before version 2 there were no units between the values: true course, magnetic course, knots, km/h.
        let hasUnits = sentence.field(2, is: "T") || sentence.fieldCount > 5
        let speed =
          sentence.speed(hasUnits ? 5 : 3, perUnit: NMEASentence.knot)
          ?? sentence.speed(hasUnits ? 7 : 4, perUnit: NMEASentence.kilometrePerHour)
        self = .velocity(speed: speed, course: sentence.course(1))
      case .gsa:
        let mode = sentence.wholeNumber(2).flatMap { (1...3).contains($0) ? $0 : nil }
        // Twelve satellites, then PDOP, HDOP, VDOP and since 4.11 the system; longer variants have them elsewhere.
        let isStandard = (18...19).contains(sentence.fieldCount)
        self = .satellites(mode: mode, hdop: isStandard ? sentence.dilution(16) : nil)
      case .pgrme:
        self = .error(radius: sentence.positive(1))
      default:
        return nil
      }
    }
  }
}

extension Optional {
  /// Takes `value` unless there is one already.
  fileprivate mutating func fill(_ value: Wrapped?) {
    if self == nil { self = value }
  }
}
