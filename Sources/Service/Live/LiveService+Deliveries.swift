internal import FencelineAttachments
internal import FencelineCivilTime
internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelineLiveSources
internal import FencelineNotifying
internal import FencelinePositioning
internal import FencelineSystemdLink
internal import Glibc

/// A channel as the service runs it.
struct RunningChannel {
  /// How it is set up.
  var stored: StoredChannel
  /// What carries; nil where it cannot.
  var courier: Courier?
  /// Why not, or what else does not work of it, a sentence.
  var problem: String?
  /// Before when nothing is handed out, in milliseconds since the machine began: the journal could not be read.
  var restsUntil: Int64 = .min
  /// What was wrong with the journal then.
  var journalProblem: String?
}

/// What leaves the service by its channels.
extension LiveService {
  /// Milliseconds after which a channel that could not be set up is tried again: a file may be there now.
  static let setUpAgainEvery: Int64 = 60_000
  /// Milliseconds after which a journal is read again that could not be.
  private static let readAgainEvery: Int64 = 1_000
  /// Milliseconds that the end waits for what is being carried.
  private static let patienceWithCouriers: Int64 = 3_000

  private var outbox: LiveOutbox { engine.recorder.outbox }

  /// Hands out what is due to channels that take it.
  func deliver(at now: Arrival) {
    if outbox.edition != channelEdition || now.boot >= nextSetUp { setUpChannels(at: now) }
    for news in outbox.takeNews() { tell(news) }
    guard !engine.isStuck else { return }
    let moment = Moment(now)
    for (number, channel) in running {
      guard let courier = channel.courier, channel.restsUntil <= now.boot else { continue }
      while courier.room > 0, let due = outbox.nextDue(number), due <= now.boot {
        do {
          let items = try outbox.handOut(number, most: courier.carrier.most, at: moment)
          guard !items.isEmpty else { break }
          let centre = NotificationCentre(journal, engine.recorder.notifications.centre.settings)
          let attachments = AttachmentStore(database: path)
          courier.carry(items.map { Parcel($0, centre, attachments) })
          running[number]?.journalProblem = nil
        } catch {
          if channel.journalProblem != error.message { engine.teller.problem(error.message) }
          running[number]?.journalProblem = error.message
          running[number]?.restsUntil = now.boot + LiveService.readAgainEvery
          break
        }
      }
    }
  }

  private func tell(_ news: OutboxNews) {
    switch news.kind {
    case .fails(let detail): log.write(.warning, "The channel \(news.name) fails, and tries again. \(detail)")
    case .works: log.write(.notice, "The channel \(news.name) works again.")
    case .gaveUp(let number, let detail):
      engine.teller.problem("The channel \(news.name) has given delivery \(number) up. \(detail)")
    case .switchedOff(let detail):
      engine.teller.problem("The channel \(news.name) was switched off. \(detail)")
    }
  }

  /// Milliseconds until a channel that takes something has something to carry.
  func deliveryPatience(at now: Arrival) -> Int32 {
    guard !engine.isStuck else { return .max }
    var wait = max(0, nextSetUp.subtractingReportingOverflow(now.boot).partialValue)
    for (number, channel) in running {
      guard let courier = channel.courier, courier.room > 0, let due = outbox.nextDue(number) else {
        continue
      }
      // What is due at once has no time of its own.
      wait = min(wait, max(due, channel.restsUntil, now.boot) - now.boot)
    }
    return Int32(clamping: wait)
  }

  /// Makes couriers for the channels that there are, and ends those of the ones that there are not any more or are set up otherwise.
  private func setUpChannels(at now: Arrival) {
    channelEdition = outbox.edition
    nextSetUp = .max
    let wanted = outbox.channels.filter(\.isEnabled)
    for (number, channel) in running where !wanted.contains(where: { $0.number == number }) {
      channel.courier?.stop()
      running[number] = nil
    }
    for stored in wanted {
      let old = running[stored.number]
      if let old, old.courier != nil, old.stored.isSetUp(as: stored) {
        running[stored.number]?.stored = stored
        continue
      }
      old?.courier?.stop()
      var channel = RunningChannel(stored: stored)
      do throws(ChannelError) {
        channel.courier = try courier(for: stored)
      } catch {
        channel.problem = error.message
        nextSetUp = min(nextSetUp, now.boot + LiveService.setUpAgainEvery)
        if old?.problem != error.message { log.write(.error, error.message, kind: .problem) }
      }
      running[stored.number] = channel
    }
    setUpFeeds(at: now)
  }

  private func courier(for stored: StoredChannel) throws(ChannelError) -> Courier {
    guard let kind = ChannelKind.named(stored.kind) else {
      throw ChannelError(
        "This program knows no channels of the kind '\(stored.kind)', such as '\(stored.name)'. It was built without it, or is too old."
      )
    }
    let setup = ChannelSetup(name: stored.name, values: stored.options, seal: stored.seal)
    let carrier = try kind.make(setup, channelContext(stored.name))
    let threads = min(stored.rules.parallel ?? kind.threads.usual, kind.threads.most)
    return try Courier(carrier, threads: threads) { [mailbox] parcel, outcome in
      mailbox.post(.carried(DeliveryOutcome(parcel.number, outcome)))
    } becameFree: { [mailbox] in
      mailbox.post(.courierIsFree)
    }
  }

  func channelContext(_ name: String) -> ChannelContext {
    ChannelContext(
      version: status.version, journal: path, environment: environment,
      answered: { [mailbox] in mailbox.post(.answered($0)) },
      state: { [path] in LiveState(database: path) },
      warn: { [log] in log.write(.warning, "\(name): \($0)") })
  }

  /// Tells channels where devices are, and takes back what is shown and was answered or removed elsewhere.
  func informChannels() {
    for channel in running.values {
      guard let carrier = channel.courier?.carrier else { continue }
      let shown = carrier.shown
      if !shown.isEmpty, let gone = try? outbox.gone(of: shown) {
        for number in gone { carrier.withdraw(number) }
      }
    }
    guard running.values.contains(where: { $0.courier != nil }) else { return }
    for name in engine.deviceNames {
      guard let fix = engine.lastFix(of: name), toldPositions[name] != fix.time else { continue }
      toldPositions[name] = fix.time
      for channel in running.values { channel.courier?.carrier.note(LivePosition(fix)) }
    }
  }

  /// Takes what somebody has done with a notification that a channel has shown.
  func take(_ answer: ChannelContext.Answer) {
    do {
      let centre = engine.recorder.notifications.centre
      guard
        let result = try centre.respond(
          toNumber: answer.notification, answer.action, text: answer.text, at: .now)
      else { return }
      let number = result.response.map { ", answer \($0)" } ?? ""
      log.write(
        .notice,
        "\(result.notification.app): \(result.notification.identifier) was answered: \(answer.action)\(number)",
        kind: .notification)
      runCommands()
    } catch let error as NotificationError {
      log.write(.warning, "An answer to a notification cannot be used. \(error.message)")
    } catch {
      // The journal is in trouble: the answer is tried again when it may have passed.
      lateAnswers.append(answer)
    }
  }

  /// Takes the answers again that the journal did not.
  func takeLateAnswers() {
    let answers = lateAnswers
    lateAnswers = []
    for answer in answers { take(answer) }
  }

  /// Ends all channels; what was not carried is carried by the next service.
  func stopChannels() {
    let patience = Arrival.now.boot + LiveService.patienceWithCouriers
    // What is about to succeed is not cut off, so that nobody gets it twice.
    while running.values.contains(where: { $0.courier?.isBusy == true }),
      Arrival.now.boot < patience - LiveService.patienceWithCouriers / 2
    {
      usleep(10_000)
    }
    for channel in running.values { channel.courier?.stop() }
    for channel in running.values {
      _ = channel.courier?.waitForEnd(Int32(clamping: max(0, patience - Arrival.now.boot)))
    }
  }
}

extension StoredChannel {
  /// Whether the same carries, in the same way.
  fileprivate func isSetUp(as other: StoredChannel) -> Bool {
    kind == other.kind && name == other.name && options == other.options
      && rules.parallel == other.rules.parallel
  }
}

extension DeliveryOutcome {
  /// What has become of a parcel.
  fileprivate init(_ number: Int64, _ outcome: CarryOutcome) {
    let result: Result =
      switch outcome.result {
      case .done: .done
      case .failed(let after): .failed(after: after)
      case .refused: .refused
      case .gone: .gone
      case .postponed(let seconds): .postponed(seconds: seconds)
      }
    self.init(
      number: number, result, detail: outcome.detail, output: outcome.output, isHeldBack: outcome.isHeldBack)
  }
}
