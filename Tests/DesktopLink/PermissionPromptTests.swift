import FencelineTestSupport
import Testing

@testable import FencelineDesktopLink

@Suite("Permission prompt", .timeLimit(.minutes(2))) struct PermissionPromptTests {
  /// Asks on a thread of its own, does something meanwhile, and gives the answer.
  private func ask(
    _ session: DesktopSession, usage: String? = "Reminders when you leave a place.", seconds: Double = 30,
    meanwhile: () throws -> Void
  ) throws -> PermissionPrompt.Answer {
    let answer = Awaited<PermissionPrompt.Answer>()
    let thread = BackgroundThread { [address = session.address] in
      answer.give(
        PermissionPrompt.ask(appName: "Errands <2>", usage: usage, seconds: seconds, address: address))
    }
    defer { thread.join() }
    try meanwhile()
    return try #require(answer.wait(milliseconds: 20_000))
  }

  /// dunst hands the actions to a program of the user's choice, which chooses one.
  @Test(arguments: [("-v Don", .allowed), ("Don", .refused)] as [(String, PermissionPrompt.Answer)])
  func chosenFromTheMenuOfDunst(_ pattern: String, _ expected: PermissionPrompt.Answer) throws {
    let session = try DesktopSession(.dunst, options: "dmenu = /bin/grep \(pattern)")
    #expect(PermissionPrompt.isAvailable(address: session.address))
    let answer = try ask(session) {
      try session.wait("the question") { try session.count() == 1 }
      try session.run("dunstctl", "context")
    }
    #expect(answer == expected)
    try session.wait("the question to go") { try session.count() == 0 }
    #expect(try session.run("dunstctl", "history").contains("Allow “Errands <2>” to send notifications?"))
  }

  @Test func refusedByAClickOnNotificationDaemon() throws {
    let session = try DesktopSession(.notificationDaemon)
    let answer = try ask(session, usage: nil) {
      try session.wait("the question") { try session.windows().count == 1 }
      Attachment.record(try session.screenshot(), named: "permission.png")
      try session.click(right: 85, -37)
    }
    #expect(answer == .refused)
  }

  @Test func putAwayIsNoAnswer() throws {
    let session = try DesktopSession(.dunst)
    let answer = try ask(session, usage: "") {
      try session.click(right: 40, 20, button: 3)
    }
    #expect(answer == .dismissed)
    #expect(try session.run("dunstctl", "history").contains("The app gives no reason."))
  }

  /// notification-daemon tells of it as an action, which was not offered.
  @Test func aClickBesideTheButtonsIsNoAnswer() throws {
    let session = try DesktopSession(.notificationDaemon)
    let answer = try ask(session) { try session.click(right: 300, 20) }
    #expect(answer == .dismissed)
  }

  @Test func afterTheTimeTheQuestionGoes() throws {
    let session = try DesktopSession(.dunst)
    let answer = try ask(session, seconds: 0.2) {}
    #expect(answer == .dismissed)
    try session.wait("the question to go") { try session.count() == 0 }
  }

  @Test func whereNobodyShowsItThatIsSaid() throws {
    let session = try DesktopSession()
    #expect(!PermissionPrompt.isAvailable(address: session.address))
    let answer = try ask(session) {}
    #expect(answer == .unavailable(DesktopLinkError.noServer.message))
    // The server goes while the question stands.
    let other = try DesktopSession(.dunst)
    let late = try ask(other, seconds: 1) {
      try other.wait("the question") { try other.count() == 1 }
      other.killServer()
    }
    #expect(late == .unavailable(DesktopLinkError.noServer.message))
  }
}
