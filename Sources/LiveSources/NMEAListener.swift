import FencelinePositioning
import FencelineTrackLogs
import Glibc

/// Opens where sentences come from, listens, and begins again when it ends. It runs on the source's thread.
struct NMEAListener {
  /// Milliseconds of silence that end an epoch: at 4,800 bits a second a sentence takes 170 ms, but its bytes follow one
  /// another without a break.
  private static let pause = 100

  private let input: NMEAInput
  private let names: ReceiverNames
  private let usualName: String
  /// What the receiver is called; nil before that is needed, for links to a port come only after the port.
  private var name: String?
  private let thread: SourceThread
  private let counts: SourceCounts
  private let silence: Int64
  private var voice: SourceVoice
  private var decoder: LiveNMEADecoder
  private var watch: ReceiverWatch
  private var backoff = Backoff()
  private var reports: [LiveNMEADecoder.Report] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var sentences = 0
  /// Whether bytes have come since the last sentence.
  private var hasBytes = false

  init(
    _ input: NMEAInput, _ options: SourceOptions, thread: SourceThread, counts: SourceCounts,
    voice: SourceVoice
  ) {
    self.input = input
    self.thread = thread
    self.counts = counts
    self.voice = voice
    silence = Int64(options.silence * 1000)
    names = ReceiverNames(options.receivers, linkFolders: options.linkFolders)
    usualName = options.hasCompany ? input.path : options.device ?? Fix.defaultDevice
    decoder = LiveNMEADecoder(options: LogOptions())
    watch = ReceiverWatch(silence: silence, at: Arrival.now.boot)
  }

  mutating func run() {
    voice.tell(.connecting)
    while !thread.isStopping {
      let trouble = follow()
      guard !thread.isStopping else { return }
      if case .open = input { return voice.tell(.noReceiver, trouble) }
      voice.tell(input.absence, trouble)
      guard thread.sleep(backoff.next()) else { return }
    }
  }

  /// Opens the input and listens until it ends or the source is to end.
  ///
  /// - Returns: What went wrong.
  private mutating func follow() -> String {
    let descriptor: Int32
    do throws(OpeningFailure) {
      let input = input
      descriptor = try thread.blocking { () throws(OpeningFailure) in try input.open() }
    } catch {
      return input.sentence(error)
    }
    defer { input.close(descriptor) }
    watch = ReceiverWatch(silence: silence, at: Arrival.now.boot)
    hasBytes = false
    name = nil
    let trouble = listen(to: descriptor)
    let now = Arrival.now
    decoder.finish(at: now.utc, into: &reports)
    deliver(now)
    return trouble
  }

  private mutating func listen(to descriptor: Int32) -> String {
    while true {
      let now = Arrival.now
      if watch.check(at: now.boot) { tellState(now) }
      let untilCheck = watch.nextCheck.map { Int($0 - now.boot) } ?? 60_000
      let isPausing = decoder.awaitsPause
      switch thread.wait(for: descriptor, isPausing ? Self.pause : untilCheck) {
      case .stop: return ""
      case .timeOut:
        guard isPausing else { continue }
        let now = Arrival.now
        decoder.pause(at: now.utc, into: &reports)
        deliver(now)
      case .ready:
        if let trouble = read(descriptor) { return trouble }
      }
    }
  }

  /// Reads what has come.
  ///
  /// - Returns: What went wrong; nil where nothing has.
  private mutating func read(_ descriptor: Int32) -> String? {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      // A byte is left for the end of a datagram.
      unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count - 1)
    }
    guard count >= 0 else {
      let code = errno
      if code == EINTR || code == EAGAIN { return nil }
      // So ends a pseudo-terminal whose other side was closed.
      return code == EIO ? input.ending : input.sentence(OpeningFailure(code))
    }
    var length = count
    if case .udp = input {
      // A datagram ends what it holds, and one that holds nothing ends nothing else.
      buffer[count] = 0x0a
      length += 1
    } else if count == 0 {
      return input.ending
    }
    let now = Arrival.now
    hasBytes = true
    let bytes = buffer
    decoder.decode(bytes.span.extracting(0..<length), at: now.utc, clock: now.boot, into: &reports)
    deliver(now)
    return nil
  }

  private mutating func deliver(_ now: Arrival) {
    if decoder.sentences > sentences {
      sentences = decoder.sentences
      hasBytes = false
      backoff.reset()
      watch.hear(at: now.boot)
    }
    for report in reports {
      switch report {
      case .noFix:
        if watch.takeNoFix(at: now.boot) { tellState(now) }
      case .fix(var fix, let mode):
        if watch.takeFix(mode: mode, at: now.boot) { tellState(now) }
        fix.device = findName()
        voice.tell(fix, now)
      }
    }
    reports.removeAll(keepingCapacity: true)
    counts.take(decoder.tally)
  }

  private mutating func tellState(_ at: Arrival) {
    guard let state = watch.state else { return }
    let detail =
      state == .silent
      ? input.silence((at.boot - watch.heardAt) / 1000, hasBytes: hasBytes) : nil
    voice.tell(findName(), state, detail, receiver: input.path, at)
  }

  private mutating func findName() -> String {
    let found = name ?? names[input.path] ?? usualName
    name = found
    return found
  }
}
