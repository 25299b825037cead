import FencelineNotifying
import Testing

@testable import FencelineDelivery
@testable import FencelineDesktopLink

/// How parcels become notifications of the desktop.
@Suite("Desktop mapping") struct DesktopMappingTests {
  @Test func quietOnesAreLowAndSilentAndShort() {
    for parcel in [
      Parcel.notification(level: .passive), .notification(level: .active, presentation: [.list, .sound]),
      .notification(level: .timeSensitive, presentation: [.list]),
    ] {
      let shown = DesktopNotification(parcel, appName: nil)
      #expect(shown.urgency == .low && shown.suppressesSound && shown.soundName == nil)
      #expect(shown.expiry == .milliseconds(5000) && !shown.isResident && !shown.isTransient)
    }
  }

  @Test func usualOnesAreNormal() {
    for level in [InterruptionLevel.active, .timeSensitive] {
      let shown = DesktopNotification(.notification(level: level), appName: nil)
      #expect(shown.urgency == .normal && !shown.suppressesSound && shown.expiry == .serversChoice)
      #expect(shown.soundName == "message-new-instant" && !shown.isResident && !shown.isTransient)
    }
    let unlisted = DesktopNotification(.notification(presentation: [.banner]), appName: nil)
    #expect(unlisted.isTransient && unlisted.suppressesSound)
    let silent = DesktopNotification(.notification { $0.sound = nil }, appName: nil)
    #expect(silent.suppressesSound && silent.soundName == nil)
    let bell = DesktopNotification(
      .notification { $0.sound = NotificationSound(name: "bell.oga") }, appName: nil)
    #expect(bell.soundName == "bell")
  }

  @Test func criticalOnesStayWhateverIsSet() {
    for presentation in [[.banner, .list, .sound], []] as [PresentationOptions] {
      let parcel = Parcel.notification(level: .critical, presentation: presentation)
      let shown = DesktopNotification(parcel, appName: nil)
      #expect(shown.urgency == .critical && shown.expiry == .never && shown.isResident && !shown.isTransient)
      #expect(!shown.suppressesSound && shown.soundName == "dialog-warning" && parcel.isVisible)
    }
    #expect(!Parcel.notification(presentation: [.sound]).isVisible)
    #expect(Parcel.notification(presentation: [.list]).isVisible && Parcel.crossing().isVisible)
  }

  @Test func actionsAreButtonsAndTextsAreReplies() {
    let actions = [
      NotificationAction(identifier: "go", title: "Go"),
      NotificationAction(
        identifier: "answer", title: "Answer", textInput: .init(buttonTitle: "Send it", placeholder: "Say")),
      NotificationAction(identifier: "second", title: "Second", textInput: .init()),
    ]
    let parcel = Parcel.notification(3, actions: actions)
    let shown = DesktopNotification(parcel, appName: nil)
    #expect(shown.actions.map(\.key) == ["default", "go"])
    #expect(shown.replyPlaceholder == "Say" && shown.replyLabel == "Answer" && shown.replyButton == "Send it")
    // KDE's is the only server that takes replies, and cannot be had here: what it would tell.
    let shelf = DesktopShelf()
    let entry = DesktopShelf.Entry(number: 3, isResident: false, replyAction: parcel.replyAction)
    #expect(shelf.put(entry, "x") == nil)
    let answer = shelf.take(.action(identifier: "x", key: DesktopNotification.replyKey, reply: "Yes"))
    #expect(answer == ChannelContext.Answer(notification: 3, action: "answer", text: "Yes"))
    #expect(shelf.numbers.isEmpty)
    #expect(shelf.take(.action(identifier: "y", key: "go", reply: nil)) == nil)
    #expect(DesktopNotification(.crossing(), appName: nil).actions.isEmpty)
  }

  @Test func ofManyTheOldestAreForgotten() {
    let shelf = DesktopShelf()
    for number in 1...Int64(DesktopShelf.capacity) + 5 {
      _ = shelf.put(DesktopShelf.Entry(number: number, isResident: true, replyAction: nil), "\(number)")
    }
    #expect(shelf.numbers.count == DesktopShelf.capacity && shelf.numbers.min() == 6)
    // One that stays can be answered again.
    for _ in 1...2 { #expect(shelf.take(.action(identifier: "7", key: "go", reply: nil))?.notification == 7) }
    #expect(shelf.remove(7) == "7" && shelf.remove(7) == nil && shelf.remove(1) == nil)
  }

  @Test func longTextsAreCut() {
    let shown = DesktopNotification(
      .notification(title: String(repeating: "x", count: 101), body: String(repeating: "y", count: 501)),
      appName: nil)
    #expect(shown.summary == String(repeating: "x", count: 99) + "…")
    #expect(shown.body == String(repeating: "y", count: 499) + "…")
    let lines = DesktopNotification(.notification(body: String(repeating: "z\n", count: 100)), appName: nil)
    #expect(lines.body == String(repeating: "z\n", count: 14) + "z…")
    let fits = DesktopNotification(.notification(body: String(repeating: "z\n", count: 14)), appName: nil)
    #expect(fits.body == String(repeating: "z\n", count: 14))
  }

  @Test func itIsNamedAndStacked() {
    let parcel = Parcel.notification(app: "shop", identifier: "a", title: "", body: "b") {
      $0.threadIdentifier = "lane"
      $0.subtitle = "s"
    }
    let shown = DesktopNotification(parcel, appName: nil)
    #expect(shown.appName == "shop" && shown.summary == "shop" && shown.body == "s\nb")
    #expect(shown.stackTag == "shop/lane")
    #expect(DesktopNotification(parcel, appName: "Mine").appName == "Mine")
    #expect(DesktopNotification(.crossing(), appName: nil).appName == "Fenceline")
    let critical = Parcel.notification(level: .critical) { $0.threadIdentifier = "lane" }
    #expect(DesktopNotification(critical, appName: nil).stackTag == nil)
  }

  @Test func whatIsWrongIsSaid() {
    for (values, words) in [
      (["address": [""]], "--address of channel 'test' is empty"),
      (["app-name": ["a\0"]], "--app-name of channel 'test' is empty"),
      (["alarm": [""]], "'' is no program for --alarm"),
    ] {
      #expect(ChannelKind.desktop.trouble(values)?.contains(words) == true)
    }
    #expect(ChannelKind.desktop.trouble([:]) == nil)
  }
}
