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

  /// gpsd's longest line has 10,240 bytes; what is cut off here still counts as read.
  private var buffer = [UInt8](repeating: 0, count: 16_384)
  private var length = 0
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
  func read() -> Event {
    // Both stay as they are where a line does not mention them.
    unsafe data.pointee.set = 0
    unsafe data.pointee.dev.path.0 = 0
    let data = unsafe data
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      unsafe gps_read(data, buffer.baseAddress, Int32(buffer.count))
    }
    guard count != 0 else { return .nothing }
    guard count > 0 else { return errno == EINTR || errno == EAGAIN ? .nothing : .end }
    // libgps counts the end of the line, where it has put a zero.
    length = min(Int(count), buffer.count)
    while length > 0, buffer[length - 1] <= 0x20 { length -= 1 }
    return Self.isTPV(line) ? .report : .message
  }

  /// The line that was read last.
  var line: ArraySlice<UInt8> { buffer[..<length] }

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
