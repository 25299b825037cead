public import FencelineCivilTime
internal import Glibc
internal import Synchronization

/// A receiver on a serial line that sends an epoch of NMEA 0183 again and again, each with the present time, as a real one does.
public final class SampleReceiver: Sendable {
  /// What it sends.
  public enum Output: Sendable {
    /// RMC, GGA, GSA and GLL with a position that moves on.
    case fix
    /// The same sentences, all saying that there is no position.
    case noFix
    /// GGA and GSA: a time of day, but no date.
    case undated
    /// Nothing.
    case nothing
  }

  /// The line that it sends to.
  public let line: PseudoTerminal
  private let state: Mutex<State>

  private struct State {
    var output: Output
    var milliseconds: Int
    var isRunning = true
    var sent: [Timestamp] = []
  }

  /// A receiver that has begun to send.
  ///
  /// - Parameters:
  ///   - line: Where to.
  ///   - output: What it sends at first.
  ///   - milliseconds: The time between two epochs.
  public init(_ line: PseudoTerminal, _ output: Output = .fix, every milliseconds: Int = 200) {
    self.line = line
    state = Mutex(State(output: output, milliseconds: milliseconds))
    let feed = Feed(line: line, receiver: self)
    let context = unsafe Unmanaged.passRetained(feed)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Feed>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    precondition(code == 0, "a test needs a thread")
    pthread_detach(thread)
  }

  /// Sends something else from now on.
  ///
  /// - Parameter output: What.
  public func send(_ output: Output) {
    state.withLock { $0.output = output }
  }

  /// The times of the epochs with a position that were sent so far.
  public var sent: [Timestamp] { state.withLock { $0.sent } }

  private final class Feed: Sendable {
    let line: PseudoTerminal
    /// Not held, so that a receiver that no test uses any more ends.
    nonisolated(unsafe) weak var receiver: SampleReceiver?

    init(line: PseudoTerminal, receiver: SampleReceiver) {
      self.line = line
      unsafe self.receiver = receiver
    }

    func run() {
      var number = 0
      while let wait = unsafe receiver?.next(number) {
        number += 1
        usleep(UInt32(wait) * 1000)
      }
    }
  }

  /// Sends the next epoch at the next whole interval of the clock.
  ///
  /// - Returns: Milliseconds until the one after it is due.
  private func next(_ number: Int) -> Int {
    let (output, every) = state.withLock { ($0.output, $0.milliseconds) }
    let now = SampleReceiver.now
    let time = Timestamp(milliseconds: now / Int64(every) * Int64(every))
    if output != .nothing {
      if output == .fix { state.withLock { $0.sent.append(time) } }
      line.write(SampleReceiver.epoch(output, at: time, number: number))
    }
    return every - Int(SampleReceiver.now - time.milliseconds) % every
  }

  private static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The sentences of one epoch, at 47 N 8 E and so many ten-thousandths of a minute farther north.
  ///
  /// - Parameters:
  ///   - output: What they say.
  ///   - time: Their time.
  ///   - number: How far north, 0 to 9,999.
  /// - Returns: Whole sentences, each with its end of line.
  public static func epoch(_ output: Output, at time: Timestamp, number: Int) -> String {
    let text = time.description
    let digits = text.filter(\.isNumber)
    let clock = digits.dropFirst(8).prefix(6) + "." + digits.dropFirst(14).prefix(2)
    let date = digits.dropFirst(6).prefix(2) + digits.dropFirst(4).prefix(2) + digits.dropFirst(2).prefix(2)
    let north = "4700." + String(10_000 + number % 10_000).dropFirst()
    let place = "\(north),N,00800.0000,E"
    let gga = "GPGGA,\(clock),\(place),1,08,1.0,400.0,M,48.0,M,,"
    let gsa = "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,1.0,1.1"
    switch output {
    case .fix:
      return sentence("GPRMC,\(clock),A,\(place),10.0,0.0,\(date),,,A") + sentence(gga) + sentence(gsa)
        + sentence("GPGLL,\(place),\(clock),A,A")
    case .noFix:
      return sentence("GPRMC,\(clock),V,,,,,,,\(date),,,N") + sentence("GPGGA,\(clock),,,,,0,00,99.9,,M,,M,,")
        + sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9") + sentence("GPGLL,,,,,\(clock),V,N")
    case .undated: return sentence(gga) + sentence(gsa)
    case .nothing: return ""
    }
  }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
  }
}
