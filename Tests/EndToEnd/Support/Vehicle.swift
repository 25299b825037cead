import FencelineCivilTime
import FencelineTestSupport
import Foundation
import Synchronization

/// A vehicle on a straight road to the north, from 47 N 8 E, with a receiver that sends where it is.
final class Vehicle: Sendable {
  /// A moment at which it was at a perimeter.
  struct Meeting {
    /// Whether the perimeter was met from outside.
    var isEntry: Bool
    /// Seconds since 1970, by the receiver.
    var time: Double
  }

  private struct State {
    var output: SampleReceiver.Output
    /// Metres along the road.
    var place: Double
    var goal: Double
    var speed = 60.0
    var milliseconds: Int64
    var shift: Int64 = 0
    var isRunning = true
    var sent: [(time: Timestamp, place: Double)] = []
  }

  private let state: Mutex<State>

  /// A ten-thousandth of a minute of latitude at 47 degrees, in metres.
  private static let step = 0.185_285

  /// The latitude so many metres along the road.
  static func latitude(at metres: Double) -> Double { 47 + metres / step / 600_000 }

  /// A vehicle that stands still and sends.
  ///
  /// - Parameters:
  ///   - place: Metres along the road, 0 to 1,850.
  ///   - output: What its receiver sends at first.
  ///   - rate: How often, in hertz.
  ///   - send: Where it sends to.
  init(
    at place: Double = 400, _ output: SampleReceiver.Output = .fix, rate: Int = 5,
    to send: @escaping @Sendable (String) -> Void
  ) {
    state = Mutex(
      State(output: output, place: place, goal: place, milliseconds: 1_000 / Int64(rate)))
    Thread { [weak self] in
      while let wait = self?.next(send) { usleep(UInt32(wait) * 1_000) }
    }.start()
  }

  /// A vehicle whose receiver is on a serial line.
  convenience init(
    at place: Double = 400, _ output: SampleReceiver.Output = .fix, rate: Int = 5, on line: PseudoTerminal
  ) {
    self.init(at: place, output, rate: rate) { line.write($0) }
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  /// Sends an epoch.
  ///
  /// - Returns: Milliseconds until the next one.
  private func next(_ send: (String) -> Void) -> Int64? {
    let epoch = state.withLock { state -> (text: String, wait: Int64)? in
      guard state.isRunning else { return nil }
      let every = state.milliseconds
      let time = Timestamp(milliseconds: Vehicle.now / every * every + state.shift)
      let reach = state.speed * Double(every) / 1_000
      state.place += min(max(state.goal - state.place, -reach), reach)
      if state.output == .fix || state.output == .undated { state.sent.append((time, state.place)) }
      let number = Int((state.place / Vehicle.step).rounded())
      return (SampleReceiver.epoch(state.output, at: time, number: number), every)
    }
    guard let epoch else { return nil }
    if !epoch.text.isEmpty { send(epoch.text) }
    return epoch.wait - Vehicle.now % epoch.wait
  }

  /// Drives to a place and waits until it is there.
  ///
  /// - Parameters:
  ///   - goal: Metres along the road.
  ///   - speed: In metres a second.
  func drive(to goal: Double, speed: Double = 60) {
    state.withLock { state in
      state.goal = goal
      state.speed = speed
    }
    while state.withLock({ $0.place != goal }) { usleep(20_000) }
  }

  /// Sends something else from now on.
  func send(_ output: SampleReceiver.Output) { state.withLock { $0.output = output } }

  /// Sets the receiver's clock so many seconds off the true time.
  func shiftClock(by seconds: Int64) { state.withLock { $0.shift = seconds * 1_000 } }

  /// Sends nothing any more.
  func stop() { state.withLock { $0.isRunning = false } }

  /// How many positions were sent.
  var fixes: Int { state.withLock { $0.sent.count } }

  /// The receiver's time of the last position that was sent, in seconds since 1970.
  var lastTime: Double { state.withLock { Double($0.sent.last?.time.milliseconds ?? 0) / 1_000 } }

  /// When it met a perimeter, by the positions that were sent.
  func meetings(centre: Double, radius: Double) -> [Meeting] {
    let sent = state.withLock { $0.sent }
    var meetings: [Meeting] = []
    for (a, b) in zip(sent, sent.dropFirst()) {
      let (before, after) = (abs(a.place - centre) - radius, abs(b.place - centre) - radius)
      guard (before <= 0) != (after <= 0) else { continue }
      let part = before / (before - after)
      let (start, end) = (Double(a.time.milliseconds), Double(b.time.milliseconds))
      meetings.append(Meeting(isEntry: after <= 0, time: (start + part * (end - start)) / 1_000))
    }
    return meetings
  }
}
