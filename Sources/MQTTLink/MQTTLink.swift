internal import CFencelineLinux
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// A connection with an MQTT broker, by libmosquitto.
///
/// A thread of its own connects, and connects again whenever the connection was lost, after ever longer waits; what is to be published
/// ends such a wait. Nothing is kept for later: whoever publishes learns what the broker has, and tries again what it has not.
///
/// ```swift
/// let link = try MQTTLink(MQTTOptions(host: "localhost", port: 1883, clientID: "door")) { _ in }
/// link.publish([MQTTMessage("door/state", "open")], within: 5000) { _, result in print(result) }
/// ```
package final class MQTTLink: Sendable {
  /// What happens to the connection, and what comes by it.
  package enum Event: Sendable {
    /// The broker has let the client in; the topics are being subscribed to.
    case connected
    /// There is no connection, and another one will be tried.
    case disconnected(MQTTError)
    /// The broker does not let the client subscribe to a topic; a sentence says so.
    case topicRefused(String)
    /// Something was published that was subscribed to.
    case message(MQTTArrival)
  }

  /// The longest message that is received, in bytes. Brokers of MQTT 5 are told not to send much longer ones.
  package static let maximumPayload = 262_144

  /// Whether this program was built with libmosquitto.
  package static var isAvailable: Bool {
    #if MQTT
      true
    #else
      false
    #endif
  }

  private let box = LinkBox()
  private let isStopped = Mutex(false)

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - options: With what, and as whom.
  ///   - event: Is told what happens, on the link's own thread. It should return soon, and neither publish nor stop the link.
  /// - Throws: ``MQTTError`` where there can be no link. That there is no broker is an event.
  package init(_ options: MQTTOptions, event: @escaping @Sendable (Event) -> Void) throws(MQTTError) {
    #if MQTT
      guard box.exists,
        let thread = RunnerThread({ [box] in
          MQTTSession(options, box, tell: event).run()
          box.sayEnd()
        })
      else {
        throw MQTTError(
          .resources, "Cannot start another thread for MQTT. End other programs, or raise the limits.")
      }
      // Nobody waits for it longer than ``stop()`` does.
      thread.detach()
    #else
      throw MQTTError.unavailable
    #endif
  }

  deinit { stop() }

  /// Publishes messages in their order, and waits until the broker has acknowledged them.
  ///
  /// While there is no connection, one is tried at once, and where that fails, so does this.
  ///
  /// - Parameters:
  ///   - messages: What to publish.
  ///   - milliseconds: For how long to wait at most. Where the broker has not answered by then, the connection is given up.
  ///   - report: Takes what has become of each by its index, once, as soon as it is known, before this returns.
  package func publish(
    _ messages: [MQTTMessage], within milliseconds: Int, report: (Int, PublishResult) -> Void
  ) {
    guard !messages.isEmpty else { return }
    let batch = Batch(messages)
    if !box.put(batch) { batch.decideAll(.stopped) }
    let end = MonotonicClock.now + Int64(milliseconds)
    guard !batch.wait(until: end, report) else { return }
    batch.decideAll(.failed("The broker has not answered within \((milliseconds + 999) / 1000) s."))
    box.complain()
    _ = batch.wait(until: end, report)
  }

  /// Ends the connection: what is published at the moment is stopped, the will is published, and the topics stay subscribed to where the session
  /// is to last. It takes no longer than a second. A second call does nothing.
  package func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    box.close()
    box.waitForEnd(milliseconds: 1000)
  }
}
