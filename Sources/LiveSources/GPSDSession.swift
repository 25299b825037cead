import CFencelineGPS
import FencelineJSONText
import Glibc

/// One connection to gpsd through libgps. It belongs to one thread.
@safe final class GPSDSession {
  /// What has been read.
  enum Event {
    /// Nothing more for now.
    case nothing
    /// A TPV, which ``fix`` and ``device`` describe.
    case report
    /// Any other line; ``line`` holds it, and ``device`` the receiver that it names.
    case message
    /// The connection is lost.
    case end
  }

  /// What was read from the socket: `line` is handed out, what follows it is not looked at yet.
  private var buffer = [UInt8](repeating: 0, count: GPSDSession.longest)
  private var filled = 0
  private var consumed = 0
  private var length = 0
  /// Twice the length of gpsd's longest line: more without an end is no line of gpsd's.
  private static let longest = 20_480
  private let data: UnsafeMutablePointer<gps_data_t>

  /// Opens the connection; blocks.
  ///
  /// - Returns: nil where libgps does not succeed.
  init?(host: String, port: String) {
    // libgps keeps what was there before.
    let fresh = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
    let size = unsafe MemoryLayout<gps_data_t>.size
    unsafe UnsafeMutableRawPointer(fresh).initializeMemory(as: UInt8.self, repeating: 0, count: size)
    guard unsafe gps_open(host, port, fresh) == 0 else {
      unsafe fresh.deallocate()
      return nil
    }
    unsafe data = fresh
    unsafe NetworkSocket.keepAlive(data.pointee.gps_fd)
  }

  deinit {
    unsafe gps_close(data)
    unsafe data.deallocate()
  }

  /// What poll(2) waits for.
  var descriptor: Int32 { unsafe data.pointee.gps_fd }

  /// Asks gpsd for reports, and for the list of its receivers; it answers as often as it is asked.
  ///
  /// - Parameter device: The only receiver that counts; nil for all.
  /// - Returns: Whether the question could be sent.
  func watch(_ device: String?) -> Bool {
    guard let device else { return unsafe gps_stream(data, WATCH_ENABLE | WATCH_JSON, nil) == 0 }
    // gps_stream cuts its request off at 80 bytes, and gpsd does not tell what it has where it does not have this one.
    let path = JSONValue.text(device)
    return unsafe fenceline_gps_send(
      data, "?DEVICES;?WATCH={\"enable\":true,\"json\":true,\"device\":\(path.line)};\n") == 0
  }

  /// Reads the next line.
  ///
  /// The bytes are read here and only what is one object is given to libgps: 3.22 never returns from a line that holds two.
  func read() -> Event {
    start += consumed
    (length, consumed) = (0, 0)
    while true {
      if let end = buffer[start..<filled].firstIndex(of: 0x0a) {
        consumed = end + 1 - start
        buffer[end] = 0
        length = end - start
        while length > 0, buffer[start + length - 1] <= 0x20 { length -= 1 }
        return unpack()
      }
      if start > 0 {
        buffer.replaceSubrange(0..<(filled - start), with: Array(buffer[start..<filled]))
        filled -= start
        start = 0
      }
      guard filled < buffer.count else { return .end }
      let descriptor = descriptor
      let count = unsafe buffer.withUnsafeMutableBytes { [filled] buffer in
        unsafe recv(
          descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
          Int32(MSG_DONTWAIT))
      }
      guard count > 0 else {
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? .nothing : .end
      }
      filled += count
    }
  }
  private var start = 0

  private func unpack() -> Event {
    // Both stay as they are where a line does not mention them.
    unsafe data.pointee.set = 0
    unsafe data.pointee.dev.path.0 = 0
    guard Self.isOneObject(line) else { return .message }
    let (data, start) = unsafe (data, start)
    unsafe buffer.withUnsafeMutableBytes { buffer in
      let text = unsafe buffer.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
      _ = unsafe gps_unpack(text, data)
    }
    return Self.isTPV(line) ? .report : .message
  }

  /// The line that was read last.
  var line: ArraySlice<UInt8> { buffer[start..<(start + length)] }

  /// Whether a line is one JSON object and nothing else, as far as its brackets tell.
  static func isOneObject(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.first == 0x7b, line.last == 0x7d else { return false }
    var depth = 0
    var isInText = false
    var isEscaped = false
    for (place, byte) in zip(line.indices, line) {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5c {
          isEscaped = true
        } else if byte == 0x22 {
          isInText = false
        }
        continue
      }
      switch byte {
      case 0x22: isInText = true
      case 0x7b, 0x5b: depth += 1
      case 0x7d, 0x5d:
        depth -= 1
        if depth <= 0, place != line.indices.last { return false }
      default: break
      }
    }
    return depth == 0 && !isInText
  }

  /// The fix that the last report tells of.
  var fix: gps_fix_t { unsafe data.pointee.fix }

  /// Whether the last line names the receiver of this path, which ends with a zero.
  func isFrom(_ path: ContiguousArray<CChar>) -> Bool {
    unsafe withUnsafePointer(to: &data.pointee.dev.path) { own in
      unsafe path.withUnsafeBufferPointer { path in
        unsafe path.baseAddress.map {
          unsafe strcmp(UnsafeRawPointer(own).assumingMemoryBound(to: CChar.self), $0) == 0
        } ?? false
      }
    }
  }

  /// The receiver that the last line names; nil where it names none.
  var device: String? {
    let path = unsafe withUnsafePointer(to: &data.pointee.dev.path) { own in
      unsafe String(cString: UnsafeRawPointer(own).assumingMemoryBound(to: CChar.self))
    }
    return path.isEmpty ? nil : path
  }

  /// gpsd puts the class first.
  private static func isTPV(_ line: ArraySlice<UInt8>) -> Bool {
    let head: StaticString = #"{"class":"TPV""#
    guard line.count > head.utf8CodeUnitCount else { return false }
    return head.withUTF8Buffer { head in
      for place in head.indices where unsafe line[line.startIndex + place] != head[place] { return false }
      return true
    }
  }
}

@available(*, unavailable)
extension GPSDSession: Sendable {}
