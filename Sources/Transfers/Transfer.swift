package import CFencelineCurl
internal import FencelineThreads
internal import Glibc
internal import Synchronization

/// One transfer at a time over libcurl, on whatever thread has it; connections stay open for the next one to the same peer.
///
/// A blocking call of libcurl's notices only once a second that it should end, and may wait for a name server as long as that likes. Here the
/// transfer runs in a set of its own, which can be woken from another thread.
// Only `interrupt` is called by others than the one that has it, and libcurl allows what that does.
@safe package final class Transfer: @unchecked Sendable {
  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var lists: [UnsafeMutablePointer<curl_slist>?] = unsafe []
  private let isInterrupted = Atomic(false)

  /// Takes a piece of what arrives; false ends the transfer.
  package var take: (([UInt8]) -> Bool)?
  /// Takes lines of what is spoken, the peer's and ours, where ``listen()`` was called.
  package var hear: ((_ line: [UInt8], _ isOurs: Bool) -> Void)?
  /// Milliseconds after which also the farewell is cut short, for which libcurl has a limit of its own, of two minutes; nil for that.
  package var limit: Int64?
  private var start: Int64 = 0
  /// What is sent where ``upload(_:)`` was called, and how much of it has been.
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// Whether connections to this machine and its link are refused.
  private var refusesLocal = false
  fileprivate(set) var wasLocal = false
  private(set) var isCut = false

  /// Nil where there is no memory for it.
  package init?() {
    guard let easy = unsafe curl_easy_init() else { return nil }
    guard let multi = unsafe curl_multi_init() else {
      unsafe curl_easy_cleanup(easy)
      return nil
    }
    unsafe self.easy = unsafe easy
    unsafe self.multi = unsafe multi
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe curl_multi_cleanup(multi)
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe errorText.deallocate()
  }

  /// Forgets everything that was set, but not the connections.
  ///
  /// - Parameter refusesLocal: Whether connections to loopback and link-local addresses are refused, whatever name has led there.
  package func reset(refusesLocal: Bool) {
    unsafe curl_easy_reset(easy)
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe lists = []
    (take, hear, outgoing, sent, limit) = (nil, nil, [], 0, nil)
    (self.refusesLocal, wasLocal, isCut) = (refusesLocal, false, false)
    unsafe errorText.pointee = 0
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe fenceline_set_handle(easy, CURLOPT_ERRORBUFFER, errorText)
    unsafe fenceline_set_opener(easy, Transfer.open, own)
    unsafe fenceline_set_writer(easy, Transfer.write, own)
    // While a mail server thinks about a mail, libcurl waits by itself, and asks once a second.
    unsafe fenceline_set_watcher(easy, Transfer.watch, own)
    set(CURLOPT_NOSIGNAL, 1)
    // A name server that does not answer holds nobody up.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, 0)
    // Variables of the environment may name one.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOPROXY, "")
  }

  /// Sets a number.
  package func set(_ option: CURLoption, _ value: Int) { unsafe fenceline_set_number(easy, option, value) }

  /// Sets a text; it is copied.
  package func set(_ option: CURLoption, _ value: String) { unsafe fenceline_set_text(easy, option, value) }

  /// Sets a list of texts.
  package func set(_ option: CURLoption, _ values: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values { unsafe list = curl_slist_append(list, value) }
    unsafe lists.append(list)
    unsafe fenceline_set_list(easy, option, list)
  }

  /// Sets whose certificates are trusted, instead of those of the system.
  package func trust(only file: String) {
    set(CURLOPT_CAINFO, file)
    unsafe fenceline_set_text(easy, CURLOPT_CAPATH, nil)
  }

  /// Sets what is posted.
  package func post(_ body: [UInt8]) {
    // A null pointer would be taken for a body that is still to come.
    unsafe fenceline_set_body(easy, body + [0], body.count)
  }

  /// Sets what is sent as a file.
  package func upload(_ bytes: [UInt8]) {
    outgoing = bytes
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe fenceline_set_reader(easy, Transfer.read, own, bytes.count)
  }

  /// Has ``hear`` told what is spoken.
  package func listen() {
    unsafe fenceline_set_listener(easy, Transfer.debug, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs it to its end.
  ///
  /// - Returns: How it has ended; nil where ``interrupt()`` has ended it.
  package func run() -> CURLcode? {
    start = MonotonicClock.now
    unsafe curl_multi_add_handle(multi, easy)
    defer { unsafe curl_multi_remove_handle(multi, easy) }
    while !isInterrupted.load(ordering: .acquiring) {
      var running: Int32 = 0
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
      let end = unsafe fenceline_end(multi)
      if end >= 0 {
        let code = CURLcode(UInt32(end))
        guard code == CURLE_ABORTED_BY_CALLBACK else { return code }
        return isInterrupted.load(ordering: .acquiring) ? nil : CURLE_OPERATION_TIMEDOUT
      }
      if running == 0 { return CURLE_FAILED_INIT }
      unsafe curl_multi_poll(multi, nil, 0, 1000, nil)
    }
    return nil
  }

  /// Ends it, from any thread; it is not used again.
  func interrupt() {
    isInterrupted.store(true, ordering: .releasing)
    unsafe curl_multi_wakeup(multi)
  }

  /// A number that is known of it.
  package func number(_ what: CURLINFO) -> Int { unsafe fenceline_number(easy, what) }
  /// A large number that is known of it.
  package func longNumber(_ what: CURLINFO) -> Int { unsafe fenceline_long_number(easy, what) }
  /// A text that is known of it.
  package func text(_ what: CURLINFO) -> String? {
    unsafe fenceline_text(easy, what).map { unsafe String(cString: $0) }
  }
  /// What libcurl says of its failure, which may name the peer.
  var reason: String { unsafe String(cString: errorText) }
}

extension Transfer {
  private static func own(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let open: curl_opensocket_callback = { context, _, address in
    guard let own = unsafe Transfer.own(context), let address = unsafe address else { return -1 }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(unsafe fenceline_address(address, &bytes))
    let peer = InternetAddress(bytes: Array(bytes[..<count]))
    if own.refusesLocal, peer?.isLocal ?? true {
      own.wasLocal = true
      return -1
    }
    let kind = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return unsafe socket(address.pointee.family, kind, address.pointee.protocol)
  }

  private static let watch: curl_xferinfo_callback = { context, _, _, _, _ in
    guard let own = unsafe Transfer.own(context) else { return 1 }
    let isLate = own.limit.map { MonotonicClock.now - own.start > $0 } ?? false
    return isLate || own.isInterrupted.load(ordering: .acquiring) ? 1 : 0
  }

  private static let write: curl_write_callback = { bytes, size, count, context in
    guard let own = unsafe Transfer.own(context) else { return 0 }
    guard let take = own.take else { return size * count }
    let piece = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: size * count))
    guard take(piece) else {
      own.isCut = true
      return 0
    }
    return size * count
  }

  private static let read: curl_read_callback = { buffer, size, count, context in
    guard let own = unsafe Transfer.own(context), let buffer = unsafe buffer else { return 0 }
    let piece = own.outgoing[own.sent...].prefix(size * count)
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyBytes(from: piece)
    own.sent += piece.count
    return piece.count
  }

  private static let debug: curl_debug_callback = { _, kind, bytes, count, context in
    guard let own = unsafe Transfer.own(context),
      kind == CURLINFO_HEADER_IN || kind == CURLINFO_HEADER_OUT
    else { return 0 }
    own.hear?(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)), kind == CURLINFO_HEADER_OUT)
    return 0
  }
}
