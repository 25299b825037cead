import FencelineTestSupport
import Testing

@testable import FencelineDesktopLink

/// What servers are told, by what they say that they can.
@Suite("Arguments of Notify") struct ArgumentTests {
  private let able = ServerInfo(
    name: "able", version: "1", capabilities: ["actions", "body", "body-markup", "inline-reply"])
  private let plain = ServerInfo(name: "plain", version: "1", capabilities: ["body"])

  private let whole = DesktopNotification(
    appName: "Fence\tline", summary: "Two\nlines", body: "1 < 2 & 3\n\u{202E}x", icon: "/tmp/ä b.png",
    actions: [.init(key: "go", label: "Go")], urgency: .critical, isTransient: true, isResident: true,
    suppressesSound: true, soundName: "bell", imagePath: "face-smile", stackTag: "tag",
    expiry: .milliseconds(1500), replyPlaceholder: "Write …", desktopEntry: "fenceline")

  @Test func aServerThatCanAllIsToldAll() {
    let arguments = whole.arguments(replacing: 7, on: able, isRepeated: false)
    #expect(
      arguments == [
        .text("Fenceline"), .unsigned(7), .text("file:///tmp/%C3%A4%20b.png"), .text("Two lines"),
        .text("1 &lt; 2 &amp; 3\nx"), .texts(["go", "Go", "inline-reply", "Reply"]),
        .variants([
          "urgency": .byte(2), "transient": .truth(true), "resident": .truth(true),
          "suppress-sound": .truth(true), "sound-name": .text("bell"), "image-path": .text("face-smile"),
          "x-dunst-stack-tag": .text("tag"), "x-canonical-private-synchronous": .text("tag"),
          "desktop-entry": .text("fenceline"), "x-kde-reply-placeholder-text": .text("Write …"),
          "x-kde-reply-submit-button-text": .text("Send"),
        ]), .signed(1500),
      ])
  }

  @Test func aServerThatCanLittleIsToldLittle() {
    let simple = DesktopNotification(
      appName: "Fenceline", summary: "Hello", body: "1 < 2", actions: [.init(key: "go", label: "Go")],
      replyPlaceholder: "Write")
    #expect(
      simple.arguments(replacing: 0, on: plain, isRepeated: false) == [
        .text("Fenceline"), .unsigned(0), .text(""), .text("Hello"), .text("1 < 2"), .texts([]),
        .variants(["urgency": .byte(1)]), .signed(-1),
      ])
    // Whoever sees it again does not hear it again.
    #expect(
      simple.arguments(replacing: 0, on: plain, isRepeated: true)[6]
        == .variants(["urgency": .byte(1), "suppress-sound": .truth(true)]))
  }

  @Test(
    arguments: [(.never, 0), (.serversChoice, -1), (.milliseconds(0), 1), (.milliseconds(9), 9)]
      as [(DesktopNotification.Expiry, Int32)])
  func expiry(_ expiry: DesktopNotification.Expiry, _ milliseconds: Int32) {
    var notification = whole
    notification.expiry = expiry
    #expect(notification.arguments(replacing: 0, on: plain, isRepeated: false).last == .signed(milliseconds))
  }

  @Test func longTextIsCut() {
    let long = String(repeating: "&", count: ServerText.maximumLength)
    #expect(ServerText.lines(long, .none) == long)
    #expect(ServerText.line(long + "&") == long + "…")
  }

  @Test func marksAreTextForEveryServer() {
    #expect(ServerText.lines("<b> & \n", .read) == "&lt;b&gt; &amp; \n")
    #expect(ServerText.lines("<b> & \n", .none) == "<b> & \n")
    #expect(ServerText.lines("<b> & \n", .unknown) == "‹b› & \n")
    #expect(ServerText.line("<b> & \n", .read) == "&lt;b&gt; &amp;  ")
    let label = DesktopNotification(
      appName: "A", summary: "S", actions: [DesktopNotification.Action(key: "k", label: "1 & 2")])
    for (name, text) in [("Notification Daemon", "1 &amp; 2"), ("dunst", "1 & 2")] {
      let server = ServerInfo(name: name, version: "1", capabilities: ["actions"])
      let arguments = label.arguments(replacing: 0, on: server, isRepeated: false)
      #expect(arguments[5] == .texts(["k", text]))
    }
  }

  @Test func ofManyPostsTheOldestAreForgotten() {
    var board = PostBoard()
    for number in 0...PostBoard.capacity {
      let post = Post(notification: whole, identifier: "\(number)", serverID: UInt32(number), shown: 0)
      #expect(board.put(post) == nil)
    }
    #expect(board.identifiers == (1...PostBoard.capacity).map(String.init))
  }

  @Test func ofAPostThatIsShownAgainTheRestOfItsTimeIsLeft() {
    var kept = whole
    kept.isTransient = false
    let post = Post(notification: kept, identifier: "x", shown: 1000)
    #expect(post.rest(at: 2000)?.expiry == .milliseconds(500))
    #expect(post.rest(at: 2500) == nil)
    #expect(Post(notification: whole, identifier: "x", shown: 1000).rest(at: 1001) == nil)
  }
}
