internal import FencelineHTTPServing
internal import FencelineJSONText
internal import Synchronization

/// Asks the programs that are in the foreground how their notifications are to be presented.
///
/// A program holds the lease of its app as long as it keeps `GET /api/v1/presentation?app=ID` open, a stream of events. An event `present`
/// asks it about a notification; it answers with `POST /api/v1/presentation/NUMBER?app=ID` and `{"present":["banner","list"]}`. Where several
/// programs hold leases of one app, the newest is asked; when it goes, what it has not answered is put to the one before it.
///
/// All of it may be called by any thread. What is reported is reported outside of any lock, most often on the server's thread, and once for a
/// number: ``withdraw(_:)`` tells whether it came first.
final class PresentationDesk: Sendable {
  /// The ways to present a notification.
  static let ways: Set<String> = ["banner", "list", "sound", "badge"]
  /// How many leases there may be, of all apps: each takes a place among the server's clients.
  static let mostLeases = 16
  /// How many questions may be open.
  static let mostQuestions = 1000

  private struct Lease {
    let number: Int
    let app: String
    /// The one client's stream.
    let hub: EventHub
    /// Whether that stream is there; no question may be put before it is.
    var isHeld = false
  }

  private struct Question {
    let app: String
    let json: String
    /// The number of the lease that was asked.
    var lease: Int
  }

  private struct State {
    /// The oldest first.
    var leases: [Lease] = []
    var nextLease = 0
    var questions: [Int64: Question] = [:]
    /// The latest questions that are not open any more, so that who answers late is told so.
    var closed: [(number: Int64, app: String, why: String)] = []

    /// The lease of an app that is asked.
    func newest(_ app: String) -> Lease? { leases.last { $0.app == app && $0.isHeld } }

    mutating func close(_ number: Int64, _ why: String) -> Bool {
      guard let question = questions.removeValue(forKey: number) else { return false }
      if closed.count == mostQuestions { closed.removeFirst() }
      closed.append((number, question.app, why))
      return true
    }
  }

  private let state = Mutex(State())
  private let answered: @Sendable (_ number: Int64, _ ways: Set<String>) -> Void
  private let abandoned: @Sendable (_ number: Int64) -> Void

  /// - Parameters:
  ///   - answered: Told how a notification is to be presented: some of ``ways``, or none.
  ///   - abandoned: Told that nobody is left who could answer.
  init(
    answered: @escaping @Sendable (_ number: Int64, _ ways: Set<String>) -> Void,
    abandoned: @escaping @Sendable (_ number: Int64) -> Void
  ) {
    self.answered = answered
    self.abandoned = abandoned
  }

  /// Whether a program of the app is in the foreground.
  func isHeld(_ app: String) -> Bool {
    state.withLock { $0.newest(app) != nil }
  }

  /// Asks the newest holder of an app's lease.
  ///
  /// - Parameters:
  ///   - number: By which the answer names the notification. One that is open already is put anew.
  ///   - app: Whose notification it is.
  ///   - json: What the holder is told, with `number` and `deadline`.
  /// - Returns: Whether somebody was asked; not where nobody holds a lease, or where ``mostQuestions`` are open.
  func ask(_ number: Int64, app: String, json: String) -> Bool {
    state.withLock { state in
      guard let lease = state.newest(app),
        state.questions[number] != nil || state.questions.count < PresentationDesk.mostQuestions
      else { return false }
      state.questions[number] = Question(app: app, json: json, lease: lease.number)
      lease.hub.publish("present", data: json)
      return true
    }
  }

  /// Takes a question back, since its deadline is over; who answers it later is told so.
  ///
  /// - Returns: Whether it was open; otherwise its report has been given or is being given.
  @discardableResult
  func withdraw(_ number: Int64) -> Bool {
    state.withLock { $0.close(number, "its deadline is over") }
  }

  /// Answers the requests of holders; nil where the path is none of theirs.
  func answer(_ request: HTTPRequest) -> HTTPAnswer? {
    let root = "/api/v1/presentation"
    guard request.path == root || request.path.hasPrefix(root + "/") else { return nil }
    let method = request.path == root ? "GET" : "POST"
    guard request.method == method else {
      return .plain("Only \(method) is answered here.", status: 405)
    }
    guard let app = request.query["app"], !app.isEmpty else {
      return .plain("The query must name the app: '?app=com.example.mail'.", status: 400)
    }
    return method == "GET" ? lease(app) : take(request.path.dropFirst(root.count + 1), app, request.body)
  }

  private func lease(_ app: String) -> HTTPAnswer {
    let hub: EventHub? = state.withLock { state in
      guard state.leases.count < PresentationDesk.mostLeases else { return nil }
      state.nextLease += 1
      let number = state.nextLease
      let hub = EventHub(capacity: PresentationDesk.mostQuestions) { [weak self] clients in
        if clients > 0 { self?.begin(number) } else { self?.end(number) }
      }
      state.leases.append(Lease(number: number, app: app, hub: hub))
      return hub
    }
    guard let hub else {
      return .plain(
        "\(PresentationDesk.mostLeases) programs present notifications already. End one of them.", status: 503
      )
    }
    return .events(hub)
  }

  private func begin(_ lease: Int) {
    state.withLock { state in
      guard let place = state.leases.firstIndex(where: { $0.number == lease }) else { return }
      state.leases[place].isHeld = true
    }
  }

  /// Puts the questions of a lease that has ended to the newest one that is left of its app, and reports them where there is none.
  private func end(_ lease: Int) {
    let orphans: [Int64] = state.withLock { state in
      guard let place = state.leases.firstIndex(where: { $0.number == lease }) else { return [] }
      let app = state.leases.remove(at: place).app
      let heir = state.newest(app)
      var orphans: [Int64] = []
      for (number, question) in state.questions.sorted(by: { $0.key < $1.key })
      where question.lease == lease {
        if let heir {
          state.questions[number]?.lease = heir.number
          heir.hub.publish("present", data: question.json)
        } else if state.close(number, "the program that was asked has ended") {
          orphans.append(number)
        }
      }
      return orphans
    }
    for number in orphans { abandoned(number) }
  }

  private func take(_ text: Substring, _ app: String, _ body: [UInt8]) -> HTTPAnswer {
    let ways: Set<String>
    do { ways = try Self.ways(body) } catch { return .plain(error.message, status: 400) }
    let unknown = HTTPAnswer.plain("No question '\(text)' was put to '\(app)'.", status: 404)
    guard let number = Int64(text), String(number) == text else { return unknown }
    let refusal: HTTPAnswer? = state.withLock { state in
      if state.questions[number]?.app == app {
        _ = state.close(number, "it has been answered")
        return nil
      }
      guard let closed = state.closed.last(where: { $0.number == number && $0.app == app }) else {
        return unknown
      }
      return .plain("The question \(number) is not open: \(closed.why).", status: 409)
    }
    if let refusal { return refusal }
    answered(number, ways)
    return .json(
      JSONValue.object([
        .init("number", .integer(Int(number))), .init("present", .array(ways.sorted().map(JSONValue.text))),
      ]).line)
  }

  private struct Refusal: Error {
    var message: String

    init(_ fault: String) {
      message =
        "\(fault). Send {\"present\":[…]} with some of \"banner\", \"list\", \"sound\" and \"badge\", or none."
    }
  }

  /// The ways that a body names.
  private static func ways(_ body: [UInt8]) throws(Refusal) -> Set<String> {
    let node: JSONNode
    do { node = try JSONNode(parsing: body) } catch { throw Refusal("The body is not JSON: \(error)") }
    guard let words = node["present"]?.elements else { throw Refusal("The body has no list 'present'") }
    var found: Set<String> = []
    for word in words {
      guard let text = word.text else { throw Refusal("A way to present a notification is a text") }
      guard ways.contains(text) else { throw Refusal("'\(text)' is no way to present a notification") }
      found.insert(text)
    }
    return found
  }
}
