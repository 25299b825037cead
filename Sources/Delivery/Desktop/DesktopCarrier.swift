internal import FencelineDesktopLink
internal import FencelineNotifying
internal import Synchronization

/// Shows parcels on the desktop, and tells what is done with them there.
final class DesktopCarrier: Carrier {
  private let channel: String
  private let address: String?
  private let appName: String?
  private let alarm: CriticalAlarm?
  private let answered: @Sendable (ChannelContext.Answer) -> Void
  private let shelf = DesktopShelf()

  private enum LinkState { case none, there(DesktopLink), stopped }
  /// It is connected when there is something to show.
  private let state = Mutex(LinkState.none)

  /// What shows.
  ///
  /// - Parameters:
  ///   - channel: What the user calls the channel.
  ///   - address: The bus; nil for that of the session.
  ///   - appName: Who notifies; nil for the app of each.
  ///   - alarm: The program for what is critical and its arguments; empty for none.
  ///   - context: Takes answers and warnings.
  init(
    channel: String, address: String?, appName: String?, alarm: [String], context: ChannelContext
  ) {
    self.channel = channel
    self.address = address
    self.appName = appName
    self.alarm = alarm.isEmpty ? nil : CriticalAlarm(alarm, channel: channel, warn: context.warn)
    answered = context.answered
  }

  let most = 16

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    carryEach(parcels, report: report, one: carry)
  }

  func stop() {
    let last = state.withLock { state in
      defer { state = .stopped }
      return state
    }
    if case .there(let link) = last { link.stop() }
    alarm?.stop()
  }

  var shown: [Int64] { shelf.numbers }

  func withdraw(_ notification: Int64) {
    guard let identifier = shelf.remove(notification) else { return }
    let state = state.withLock { $0 }
    if case .there(let link) = state { link.close(identifier: identifier) }
  }

  private func carry(_ parcel: Parcel) -> CarryOutcome {
    guard let link else { return CarryOutcome(.postponed(seconds: 0)) }
    guard parcel.isVisible else { return CarryOutcome(.done, "It is to be neither shown nor listed.") }
    let identifier = parcel.desktopIdentifier
    // An answer may be faster than this goes on.
    let before = parcel.notification.map { notification in
      let entry = DesktopShelf.Entry(
        number: notification.number, isResident: parcel.level == .critical, replyAction: parcel.replyAction)
      return shelf.put(entry, identifier)
    }
    do throws(DesktopLinkError) {
      try link.show(DesktopNotification(parcel, appName: appName), identifier: identifier)
    } catch {
      if let before { shelf.restore(before, identifier) }
      switch error.code {
      case .stopped, .wrongThread: return CarryOutcome(.postponed(seconds: 0))
      case .refused: return CarryOutcome(.refused, error.message)
      case .noBus, .noServer, .noAnswer:
        if parcel.attempt == 1 { soundAlarm(parcel) }
        return .failed(error.message)
      }
    }
    guard parcel.level == .critical else { return .done }
    soundAlarm(parcel)
    return link.isPaused() == true ? DesktopCarrier.heldBack : .done
  }

  private static let heldBack = CarryOutcome(
    .done, "The desktop is not to be disturbed, and may hold it back.", isHeldBack: true)

  private func soundAlarm(_ parcel: Parcel) {
    if parcel.level == .critical { alarm?.sound(for: parcel) }
  }

  /// The link, which is made where there is none; nil once it was stopped.
  private var link: DesktopLink? {
    state.withLock { state in
      switch state {
      case .there(let link): return link
      case .stopped: return nil
      case .none:
        let link = DesktopLink(address: address) { [shelf, answered] event in
          if let answer = shelf.take(event) { answered(answer) }
        }
        state = .there(link)
        return link
      }
    }
  }
}
