import FencelineHTTPCalling
import FencelineHTTPServing
import FencelineTestSupport
import Glibc
import Synchronization
import Testing

@testable import FencelineService

@Suite("Presentation desk") struct PresentationDeskTests {
  private let folder: TemporaryFolder
  private let reports = Reports()
  private let desk: PresentationDesk
  private let server: HTTPServer
  private var socket: String { folder.path("socket") }
  private var client: LocalClient { LocalClient(unixSocket: socket) }

  init() throws {
    folder = try TemporaryFolder()
    let desk = PresentationDesk(
      answered: { [reports] in reports.add("\($0): \($1.sorted().joined(separator: ","))") },
      abandoned: { [reports] in reports.add("\($0): abandoned") })
    self.desk = desk
    // Comments come so seldom that nothing here can rely on them.
    server = try HTTPServer(unixSocket: folder.path("socket"), keepAlive: 3_600_000) { request in
      desk.answer(request) ?? .plain("none of the desk's", status: 418)
    }
  }

  @Test func ourOwnClientIsAskedAndAnswers() throws {
    #expect(!desk.isHeld("mail"))
    #expect(!desk.ask(1, app: "mail", json: "{}"))
    let engine = BackgroundThread { [desk] in
      _ = wait { desk.isHeld("mail") }
      _ = desk.ask(7, app: "mail", json: #"{"number":7,"title":"Grüezi"}"#)
    }
    var asked: [ServerEvent] = []
    var answer = ""
    try client.events("/api/v1/presentation?app=mail") { event in
      asked.append(event)
      if let body = try? client.post("/api/v1/presentation/7?app=mail", #"{"present":["list","banner"]}"#) {
        answer = "\(body.status) " + String(decoding: body.body, as: UTF8.self)
      }
      return false
    }
    engine.join()
    #expect(asked == [ServerEvent(name: "present", data: #"{"number":7,"title":"Grüezi"}"#)])
    #expect(answer == "200 {\"number\":7,\"present\":[\"banner\",\"list\"]}\n")
    #expect(reports.all == ["7: banner,list"])
    #expect(wait { !desk.isHeld("mail") })
    server.stop()
  }

  @Test func whatIsNoAnswerIsRefusedWithASentence() throws {
    let holder = try hold("mail")
    #expect(desk.ask(7, app: "mail", json: "{}"))
    let wrong: [(body: String, says: String)] = [
      ("", "is not JSON"), ("{\"present\":[\"banner\"]", "is not JSON"), ("[]", "no list 'present'"),
      ("{\"present\":\"banner\"}", "no list 'present'"), ("{\"presents\":[]}", "no list 'present'"),
      ("{\"present\":[\"baner\"]}", "'baner' is no way"), ("{\"present\":[1]}", "is a text"),
    ]
    for (body, says) in wrong {
      let answer = try post("7?app=mail", body)
      #expect(
        answer.status == 400 && answer.text.contains(says) && answer.text.contains("\"badge\""), "\(body)")
    }
    for path in ["8?app=mail", "7?app=chat", "+7?app=mail", "x?app=mail", "?app=mail", "7/8?app=mail"] {
      let answer = try post(path, "{\"present\":[]}")
      #expect(answer.status == 404, "\(path)")
    }
    #expect(try post("8?app=mail").text == "No question '8' was put to 'mail'.\n")
    #expect(try post("7").status == 400)
    #expect(try client.get("/api/v1/presentation").status == 400)
    #expect(try client.get("/api/v1/presentation?app=").status == 400)
    #expect(try client.get("/api/v1/presentation/7?app=mail").status == 405)
    #expect(try client.post("/api/v1/presentation?app=mail", "{}").status == 405)
    #expect(try client.get("/api/v1/presentations").status == 418)
    #expect(reports.all == [])
    // None of it has closed the question; no way at all is an answer.
    #expect(try post("7?app=mail").status == 200)
    #expect(reports.all == ["7: "])
    let again = try post("7?app=mail")
    #expect(again.status == 409 && again.text == "The question 7 is not open: it has been answered.\n")
    #expect(!desk.withdraw(7))
    #expect(desk.ask(9, app: "mail", json: "{}") && desk.withdraw(9) && !desk.withdraw(9))
    let late = try post("9?app=mail")
    #expect(late.status == 409 && late.text == "The question 9 is not open: its deadline is over.\n")
    #expect(reports.all == ["7: "])
    withExtendedLifetime(holder) {}
    server.stop()
  }

  @Test func aProgramThatIsKilledIsNoticedAtOnceAndItsQuestionsWithIt() throws {
    let holder = try hold("mail")
    #expect(desk.ask(1, app: "mail", json: "{}") && desk.ask(2, app: "mail", json: "{}"))
    #expect(try post("1?app=mail").status == 200)
    let begun = ContinuousClock.now
    holder.process.signal(SIGKILL)
    #expect(wait { reports.all.count == 2 })
    #expect(begun.duration(to: .now) < .seconds(5))
    #expect(reports.all == ["1: ", "2: abandoned"])
    #expect(!desk.isHeld("mail") && !desk.ask(3, app: "mail", json: "{}"))
    #expect(
      try post("2?app=mail").text == "The question 2 is not open: the program that was asked has ended.\n")
    server.stop()
  }

  @Test func theNewestIsAskedAndLeavesWhatIsOpenToTheOneBefore() throws {
    let old = try hold("mail")
    #expect(desk.ask(1, app: "mail", json: "{\"number\":1}"))
    #expect(wait { old.heard.contains("\"number\":1") })
    let other = try hold("chat")
    let new = try hold("mail", count: 2)
    for number: Int64 in [2, 3, 4] { #expect(desk.ask(number, app: "mail", json: "{\"number\":\(number)}")) }
    #expect(wait { new.heard.contains("\"number\":4") })
    #expect(!new.heard.contains("\"number\":1") && !old.heard.contains("\"number\":2"))
    #expect(try post("3?app=mail").status == 200)
    #expect(desk.withdraw(2))
    new.process.signal(SIGKILL)
    #expect(wait { old.heard.contains("\"number\":4") })
    #expect(!old.heard.contains("\"number\":2") && !old.heard.contains("\"number\":3"))
    // Whoever of the app's programs answers is heard.
    #expect(try post("4?app=mail", "{\"present\":[\"sound\",\"sound\"]}").status == 200)
    old.process.signal(SIGTERM)
    #expect(wait { reports.all.count == 3 })
    #expect(reports.all == ["3: ", "4: sound", "1: abandoned"])
    #expect(desk.isHeld("chat") && other.heard == "")
    server.stop()
  }

  @Test func aProgramThatHangsKeepsItsLeaseAndNobodyWaitsForIt() throws {
    let holder = try hold("mail")
    holder.process.signal(SIGSTOP)
    // More than the buffers of a socket hold.
    let json = "{\"body\":\"\(String(repeating: "x", count: 4000))\"}"
    for number in 1...Int64(PresentationDesk.mostQuestions) {
      #expect(desk.ask(number, app: "mail", json: json))
    }
    #expect(!desk.ask(2000, app: "mail", json: json))
    // One that is open may be put anew; others get room when deadlines are over.
    #expect(desk.ask(5, app: "mail", json: json))
    #expect(desk.withdraw(6) && desk.ask(2000, app: "mail", json: json))
    #expect(try post("2000?app=mail").status == 200)
    holder.process.signal(SIGKILL)
    #expect(wait { reports.all.count == PresentationDesk.mostQuestions })
    #expect(reports.all[0] == "2000: " && !reports.all.contains("6: abandoned"))
    #expect(Set(reports.all).count == PresentationDesk.mostQuestions)
    server.stop()
  }

  @Test func leasesAreBoundedAndComeFree() throws {
    var holders: [Holder] = []
    for number in 1...PresentationDesk.mostLeases { holders.append(try hold("app\(number)")) }
    let refused = try client.get("/api/v1/presentation?app=another")
    #expect(refused.status == 503)
    #expect(
      String(decoding: refused.body, as: UTF8.self)
        == "16 programs present notifications already. End one of them.\n")
    holders.removeFirst()
    #expect(wait { !desk.isHeld("app1") })
    holders.append(try hold("another"))
    #expect(desk.isHeld("another") && desk.isHeld("app16"))
    server.stop()
    #expect(!desk.isHeld("another"))
  }

  @Test func theEndOfTheServerAbandonsWhatIsOpen() throws {
    let holder = try hold("mail")
    #expect(desk.ask(1, app: "mail", json: "{}"))
    server.stop()
    #expect(reports.all == ["1: abandoned"] && !desk.isHeld("mail"))
    withExtendedLifetime(holder) {}
  }

  @Test func everyQuestionIsReportedOnceHoweverProgramsComeAndGo() throws {
    let last = Mutex<Int64>(0)
    let isOver = Mutex(false)
    let withdrawn = Mutex<[Int64]>([])
    let engine = BackgroundThread { [desk] in
      var number: Int64 = 0
      while !isOver.withLock({ $0 }) {
        if desk.ask(number + 1, app: "mail", json: "{}") {
          number += 1
          if number % 3 == 0, desk.withdraw(number) { withdrawn.withLock { $0.append(number) } }
        }
        usleep(200)
      }
      last.withLock { $0 = number }
    }
    let programs = (0..<4).map { seed in
      BackgroundThread { [client] in
        for round in 0..<40 {
          var heard = 0
          _ = try? client.events("/api/v1/presentation?app=mail") { _ in
            heard += 1
            // Guessed numbers: most are not open, some are.
            let guess = (round * 7 + heard) * (seed + 1)
            _ = try? client.post("/api/v1/presentation/\(guess)?app=mail", "{\"present\":[]}")
            return heard < 5
          }
        }
      }
    }
    for program in programs { program.join() }
    isOver.withLock { $0 = true }
    engine.join()
    let asked = last.withLock { $0 }
    let taken = withdrawn.withLock { $0 }
    #expect(wait { reports.all.count + taken.count >= asked })
    let numbers = reports.all.compactMap { Int64($0.prefix { $0 != ":" }) } + taken
    #expect(asked > 100 && numbers.sorted() == Array(1...asked))
    server.stop()
  }

  // MARK: -

  /// What the desk has told, in order: `5: banner,list`, `6: abandoned`.
  private final class Reports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A program in the foreground: curl, which writes what it hears into a file.
  private struct Holder {
    let process: ChildProcess
    let folder: TemporaryFolder
    let file: String
    /// Without the comments.
    var heard: String {
      folder.text(file).split(separator: "\n").filter { $0 != ": " }.joined(separator: "\n")
    }
  }

  /// Starts a program and waits until it holds a lease, beside others of the app.
  private func hold(_ app: String, count: Int = 1) throws -> Holder {
    let file = "\(app)-\(count)"
    let process = try ChildProcess(
      [
        "curl", "--silent", "--no-buffer", "--unix-socket", socket,
        "http://localhost/api/v1/presentation?app=\(app)",
      ], output: folder.path(file))
    let holder = Holder(process: process, folder: folder, file: file)
    try #require(wait { folder.text(file).contains(": \n\n") })
    #expect(desk.isHeld(app))
    return holder
  }

  private func post(_ path: String, _ body: String = "{\"present\":[]}") throws -> (status: Int, text: String)
  {
    let answer = try client.post("/api/v1/presentation/" + path, body)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }
}

/// Waits for something; ten seconds at most.
private func wait(until isTrue: () -> Bool) -> Bool {
  for _ in 0..<2000 {
    if isTrue() { return true }
    usleep(5_000)
  }
  return false
}
