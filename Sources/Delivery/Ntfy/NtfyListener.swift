internal import CFencelineLinux
internal import FencelineHTTPCalling
internal import FencelineJSONText
internal import FencelineTransfers
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// Listens on a thread of its own for what phones answer, and begins anew whenever that breaks off.
final class NtfyListener: Sendable {
  private struct State {
    var thread: RunnerThread?
    var isStopped = false
  }

  private let access: WebAccess
  private let topic: NtfyTopic
  /// Headers that let it listen; asked for each time.
  private let login: @Sendable () throws(ChannelError) -> [(name: String, value: String)]
  /// Seconds: twice of what lies between two signs of life, and more.
  private let silence: Int
  private let wake = eventfd(0, Int32(EFD_CLOEXEC))
  private let state = Mutex(State())

  /// How many answers are remembered, so that none is passed on twice.
  private static let mostAnswers = 10_000
  /// The longest line that is read, and the longest that is waited out, in bytes.
  private static let longestLine = 65_536
  private static let mostSkipped = 4_194_304
  /// The longest pause before it begins anew, in milliseconds.
  private static let longestPause = 60_000

  init(
    _ access: WebAccess, _ topic: NtfyTopic, silence: Int = 120,
    login: @escaping @Sendable () throws(ChannelError) -> [(name: String, value: String)]
  ) {
    self.access = access
    self.topic = topic
    self.silence = silence
    self.login = login
  }

  deinit { if wake >= 0 { close(wake) } }

  func start() throws(ChannelError) {
    let isRunning = state.withLock { state in
      guard state.thread == nil, !state.isStopped else { return true }
      state.thread = wake < 0 ? nil : RunnerThread { [self] in run() }
      return state.thread != nil
    }
    guard !isRunning else { return }
    throw ChannelError(
      "Channel '\(access.setup.name)' cannot listen for answers: the system gives no more threads. End other programs, or raise the limits."
    )
  }

  /// Ends it, and waits for that.
  func stop() {
    access.client.stop()
    _ = eventfd_write(wake, 1)
    let thread = state.withLock { state in
      state.isStopped = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  private func run() {
    // Anything that has come since it was started, even if the first connection takes a while.
    var heard = Heard(since: "\(time(nil))")
    var pause = 1000
    var lastTrouble = ""
    while !state.withLock({ $0.isStopped }) {
      let before = heard.lines
      let trouble = follow(&heard)
      if heard.lines > before { (pause, lastTrouble) = (1000, "") }
      if let trouble, trouble.text != lastTrouble {
        lastTrouble = trouble.text
        access.context.warn("Answers to channel '\(access.setup.name)' are not heard: \(trouble.text)")
      }
      var request = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&request, 1, Int32(max(pause, trouble?.milliseconds ?? 0)))
      pause = min(pause * 2, NtfyListener.longestPause)
    }
  }

  /// Listens until it breaks off.
  ///
  /// - Returns: What is wrong, and how long it is to be left alone; nil where it has merely ended.
  private func follow(_ heard: inout Heard) -> (text: String, milliseconds: Int)? {
    guard let address = WebAddress("\(topic.url)/json?since=\(heard.since)") else {
      return ("its URL is none.", 0)
    }
    heard.begin()
    let own = Mutex(heard)
    defer { heard = own.withLock { $0 } }
    do {
      let request = try access.request("GET", address, headers: login(), body: nil)
      let seal = access.setup.seal
      let answered = access.context.answered
      let answer = try access.client.follow(request, silence: silence) { piece in
        let answers = own.withLock { $0.read(piece, seal) }
        for answer in answers { answered(answer) }
        return own.withLock { !$0.isEndless }
      }
      guard answer.status != 200 else {
        return own.withLock { $0.isEndless } ? ("what comes is not what ntfy says. Check --answers.", 0) : nil
      }
      let after = answer.retryAfter.map { Int(min($0, 3600) * 1000) } ?? 0
      return ("The server answered \(answer.status).", after)
    } catch let error as TransferError {
      if own.withLock({ $0.isEndless }) { return ("what comes is not what ntfy says. Check --answers.", 0) }
      return error.code == .stopped ? nil : (error.message, 0)
    } catch { return ("\(error)", 0) }
  }

  /// What has been heard so far.
  private struct Heard {
    /// What to ask for: what comes after this message.
    var since: String
    /// How many lines have come.
    var lines = 0
    /// Whether a line has no end.
    private(set) var isEndless = false
    private var line: [UInt8] = []
    /// How long the line is; what is too long is not kept.
    private var length = 0
    private var known: Set<ChannelContext.Answer> = []
    private var order: [ChannelContext.Answer] = []

    init(since: String) { self.since = since }

    /// Begins with another connection.
    mutating func begin() { (line, length, isEndless) = ([], 0, false) }

    /// Reads on; the answers that are new.
    mutating func read(_ piece: [UInt8], _ seal: String) -> [ChannelContext.Answer] {
      var answers: [ChannelContext.Answer] = []
      for byte in piece {
        if byte != 0x0a {
          length += 1
          if length <= NtfyListener.longestLine { line.append(byte) }
          guard length <= NtfyListener.mostSkipped else {
            isEndless = true
            return answers
          }
          continue
        }
        defer { (line, length) = ([], 0) }
        guard length <= NtfyListener.longestLine, let node = try? JSONNode(parsing: line),
          let event = node["event"]?.text
        else { continue }
        lines += 1
        guard event == "message" else { continue }
        if let id = node["id"]?.text, !id.isEmpty,
          id.utf8.allSatisfy({ $0 > 0x2f && $0 < 0x7b && $0 != 0x3f })
        {
          since = id
        }
        guard let answer = NtfyAnswer.read(node["message"]?.text ?? "", seal: seal),
          known.insert(answer).inserted
        else { continue }
        answers.append(answer)
        order.append(answer)
        if order.count > NtfyListener.mostAnswers { known.remove(order.removeFirst()) }
      }
      return answers
    }
  }
}
