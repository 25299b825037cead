#if MQTT
  internal import FencelineThreads
  internal import Glibc

  /// What the link's thread does: it connects, publishes, tells what comes, and begins again. It belongs to that thread.
  final class MQTTSession {
    /// How many messages wait for the broker's word at most.
    private static let mostUnderway = 1000
    /// Milliseconds until the first attempt after a loss, and at most.
    private static let shortestWait = 1000
    private static let longestWait = 30_000
    /// Milliseconds in which a good-bye has to be said.
    private static let farewellTime: Int64 = 500
    /// Milliseconds after which the keep-alive is looked after, whose unit is seconds.
    private static let upkeep: Int64 = 5000

    private typealias Place = (batch: Batch, index: Int)

    private let options: MQTTOptions
    private let box: LinkBox
    private let tell: @Sendable (MQTTLink.Event) -> Void
    /// What is to be sent, in order.
    private var unsent: [Place] = []
    /// What was sent, by the numbers by which it will be acknowledged.
    private var underway: [Int32: Place] = [:]
    /// What is being subscribed to, likewise.
    private var topics: [Int32: String] = [:]
    private var wait = MQTTSession.shortestWait

    init(_ options: MQTTOptions, _ box: LinkBox, tell: @escaping @Sendable (MQTTLink.Event) -> Void) {
      self.options = options
      self.box = box
      self.tell = tell
    }

    func run() {
      while !box.isClosed {
        let trouble = serve()
        let left = unsent + underway.values
        (unsent, underway, topics) = ([], [:], [:])
        let isClosed = box.isClosed
        for (batch, index) in left { batch.decide(index, isClosed ? .stopped : .failed(trouble.message)) }
        guard !isClosed else { return }
        tell(.disconnected(trouble))
        pause()
      }
    }

    /// Waits before the next attempt, until that is due or somebody wants something.
    private func pause() {
      // Not all clients of a broker that was restarted come at once.
      let milliseconds = wait * 3 / 4 + Int.random(in: 0...wait / 4)
      wait = min(wait * 2, MQTTSession.longestWait)
      let end = MonotonicClock.now + Int64(milliseconds)
      while !box.isClosed, unsent.isEmpty {
        let left = end - MonotonicClock.now
        guard left > 0 else { return }
        var request = pollfd(fd: box.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, Int32(clamping: left))
        takeOrders()
      }
    }

    /// Connects and does what there is to do until the connection is lost or the link stopped.
    ///
    /// - Returns: Why it has ended.
    private func serve() -> MQTTError {
      let connection: MQTTConnection
      do throws(MQTTError) { connection = try MQTTConnection(options) } catch { return error }
      if let trouble = box.blocking({ connection.connect() }) { return trouble }
      // What was complained of meanwhile is about something else.
      takeOrders()
      let answerDue = MonotonicClock.now + Int64(options.patience)
      while true {
        if box.isClosed {
          sayFarewell(connection)
          return stopped
        }
        if takeOrders() { return silence }
        if connection.isIn { send(connection) }
        if let trouble = step(connection, until: connection.isIn ? .max : answerDue) {
          return trouble
        }
        guard connection.isIn || MonotonicClock.now < answerDue else { return silence }
      }
    }

    private var stopped: MQTTError { MQTTError(.lost, "The link with the broker was stopped.") }

    private var silence: MQTTError {
      MQTTError(
        .unreachable,
        "Cannot use the broker at \(options.place): it takes connections and does not answer. Check that it is a broker and not overloaded."
      )
    }

    /// Takes what is to be published.
    ///
    /// - Returns: Whether the broker has left somebody waiting for too long.
    @discardableResult
    private func takeOrders() -> Bool {
      let (batches, isImpatient) = box.take()
      for batch in batches {
        for index in batch.messages.indices { unsent.append((batch, index)) }
      }
      return isImpatient
    }

    /// Sends as much as may be underway.
    private func send(_ connection: MQTTConnection) {
      let count = min(unsent.count, MQTTSession.mostUnderway - underway.count)
      guard count > 0 else { return }
      // Whoever has not waited for it publishes it again.
      for (batch, index) in unsent.prefix(count) where batch.isOpen(index) {
        let message = batch.messages[index]
        let (number, failure) = connection.publish(message)
        if let failure {
          batch.decide(index, ReasonText.result(ofPublishing: message, failure: failure))
        } else {
          underway[number] = (batch, index)
        }
      }
      unsent.removeFirst(count)
    }

    /// Waits until there is something to do, and does it.
    ///
    /// - Parameters:
    ///   - connection: With the broker.
    ///   - end: Until when to wait, in milliseconds of ``MonotonicClock``.
    /// - Returns: Why the connection is lost; nil where it is not.
    private func step(_ connection: MQTTConnection, until end: Int64) -> MQTTError? {
      let isWriter = connection.wantsToWrite
      let closed = Int16(POLLHUP) | Int16(POLLERR)
      var requests = [
        pollfd(
          fd: connection.descriptor, events: Int16(POLLIN) | (isWriter ? Int16(POLLOUT) : 0), revents: 0),
        pollfd(fd: box.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // The system forgets it.
      if !underway.isEmpty { connection.hurry() }
      let left = min(max(0, end - MonotonicClock.now), MQTTSession.upkeep)
      guard unsafe poll(&requests, 2, Int32(clamping: left)) >= 0 || errno == EINTR else {
        return MQTTError(.resources, "Cannot wait for the broker at \(options.place). Restart the service.")
      }
      let ready = requests[0].revents
      // Where the encryption is being agreed on, only reading goes on with it.
      let trouble = connection.work(
        mayRead: ready & (Int16(POLLIN) | closed) != 0 || !connection.isIn && ready != 0,
        mayWrite: ready & Int16(POLLOUT) != 0)
      let news = connection.news()
      if let refusal = take(news, connection) { return refusal }
      if let trouble { return trouble }
      // While the encryption is being agreed on, libmosquitto does not notice that the broker has gone.
      if !connection.isIn, ready & closed != 0 {
        return MQTTError(
          .lost,
          "Cannot use the broker at \(options.place): it has ended the connection before it has answered. Check whether it wants encryption."
        )
      }
      return nil
    }

    /// Takes what the broker has said.
    ///
    /// - Returns: Why it wants no connection; nil where it does.
    private func take(_ news: CallbackBox.Content, _ connection: MQTTConnection) -> MQTTError? {
      if let answer = news.answer {
        guard answer == 0 else { return ReasonText.refusal(answer, options) }
        begin(connection)
      }
      for (number, reason) in news.acknowledged {
        guard let (batch, index) = underway.removeValue(forKey: number) else { continue }
        batch.decide(index, ReasonText.result(ofPublishing: batch.messages[index], reason: reason))
      }
      for (number, reason) in news.subscribed {
        guard let topic = topics.removeValue(forKey: number), reason >= 0x80 else { continue }
        tell(.topicRefused(ReasonText.refusal(ofTopic: topic, reason, options)))
      }
      for arrival in news.arrivals { tell(.message(arrival)) }
      // What libmosquitto says of a loss is in the same place, with small numbers.
      if let farewell = news.farewell, farewell >= 0x80 {
        return ReasonText.farewell(farewell, options)
      }
      return nil
    }

    /// The broker has let the client in.
    private func begin(_ connection: MQTTConnection) {
      wait = MQTTSession.shortestWait
      for topic in options.topics { topics[connection.subscribe(to: topic)] = topic }
      if let birth = options.birth {
        // Whoever waits for it is not there; that it is acknowledged means nothing to anybody.
        _ = connection.publish(birth)
      }
      tell(.connected)
    }

    /// Publishes the will, which the broker drops where the client says good-bye, and that.
    private func sayFarewell(_ connection: MQTTConnection) {
      guard connection.isIn else { return }
      for (batch, index) in unsent + underway.values { batch.decide(index, .stopped) }
      (unsent, underway) = ([], [:])
      if let will = options.will {
        let batch = Batch([will])
        unsent = [(batch, 0)]
        send(connection)
        let end = MonotonicClock.now + MQTTSession.farewellTime
        while !batch.isDecided, MonotonicClock.now < end, step(connection, until: end) == nil {
          takeOrders()
        }
      }
      connection.disconnect()
    }
  }
#endif
