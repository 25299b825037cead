internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineJSONText
internal import FencelineNotifying

/// What people are told.
extension Engine {
  /// When the notification centre has something to do by itself; nil where it has not, or cannot do it.
  func nextNotification(at now: Moment) -> Timestamp? {
    isStuck ? nil : (try? recorder.notifications.nextDue(at: now)) ?? nil
  }

  /// Tells what was committed.
  func tellNotifications() {
    for event in recorder.notifications.takeEvents() {
      switch event {
      case .notification(let notification) where notification.state == .asked:
        if !askForeground(notification) {
          // Nobody is there any more to decide.
          recorder.notifications.answer(notification.number, nil)
        }
      case .notification(let notification):
        withdrawQuestion(notification.number)
        teller.notification(notification)
      case .ended(let app, let identifier, let reason): teller.requestEnded(app, identifier, reason)
      case .problem(let sentence): teller.problem(sentence)
      }
    }
  }

  /// Lets programs that are in the foreground decide how notifications are presented.
  func ask(_ desk: PresentationDesk) {
    recorder.notifications.centre.settings.isForeground = { desk.isHeld($0) }
    askForeground = { notification in
      guard case .object(var members) = JSONValue.notification(notification) else { return false }
      members.append(.init("deadline", notification.until.map { .text($0.description) } ?? .null))
      return desk.ask(notification.number, app: notification.app, json: JSONValue.object(members).line)
    }
    withdrawQuestion = { desk.withdraw($0) }
  }

  /// Takes what a program in the foreground has said; nil where none is left.
  func takeAnswer(_ number: Int64, _ ways: Set<String>?) {
    recorder.notifications.answer(number, ways.map { PresentationOptions(words: $0) ?? [] })
  }

  /// Works out anew when notifications are due: somebody has set the clock.
  func clockWasSet() { recorder.notifications.clocksHaveChanged() }

  /// Lets the centre behave as it is configured.
  func configureCentre(_ configuration: Configuration) {
    let isForeground = recorder.notifications.centre.settings.isForeground
    recorder.notifications.centre.settings = configuration.centre
    recorder.notifications.centre.settings.isForeground = isForeground
    recorder.notifications.clocksHaveChanged()
  }
}
