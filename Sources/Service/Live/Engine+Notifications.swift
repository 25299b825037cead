internal import FencelineCivilTime
internal import FencelineEventJournal
internal import FencelineJSONText
internal import FencelineNotifying

/// What people are told.
extension Engine {
  /// When the notification centre has something to do by itself.
  var nextNotification: Timestamp? { (try? recorder.notifications.centre.nextDue()) ?? nil }

  /// Tells what was committed.
  func tellNotifications() {
    for event in recorder.notifications.takeEvents() {
      switch event {
      case .notification(let notification) where notification.state == .asked:
        if !askForeground(notification) {
          // Nobody is there any more to decide.
          recorder.notifications.answer(notification.number, notification.presentation)
        }
      case .notification(let notification):
        withdrawQuestion(notification.number)
        teller.notification(notification)
      case .ended(let app, let identifier, let reason): teller.requestEnded(app, identifier, reason)
      case .problem(let sentence): teller.problem(sentence)
      }
    }
  }

  /// Lets the centre behave as it is configured.
  func configureCentre(_ configuration: Configuration) {
    let isForeground = recorder.notifications.centre.settings.isForeground
    recorder.notifications.centre.settings = configuration.centre
    recorder.notifications.centre.settings.isForeground = isForeground
    recorder.notifications.clocksHaveChanged()
  }
}
