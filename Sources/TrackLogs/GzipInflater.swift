import CFencelineZlib

/// Unpacks a gzip stream, of one member or several, piece by piece.
@safe
struct GzipInflater: ~Copyable {
  /// What an attempt to unpack came to.
  enum Outcome {
    /// Output was made; there may be more.
    case progress
    /// All input given so far is used up.
    case needsInput
    /// The last member ended and what follows is no further one.
    case trailingBytes
    /// The packed bytes are not what a gzip program writes.
    case damaged
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8]
  private var inputStart = 0
  private var inputEnd = 0
  private var isBetweenMembers = false
  private var hasEnded = false

  /// Whether the input may end here: a member is complete and no other begun.
  var isComplete: Bool { hasEnded || (isBetweenMembers && inputStart == inputEnd) }
  /// Whether more packed bytes are wanted before anything can be unpacked.
  var wantsInput: Bool { !hasEnded && inputStart == inputEnd }

  init(inputCapacity: Int) {
    input = [UInt8](repeating: 0, count: inputCapacity)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 15 is the largest window; 16 more asks for a gzip header.
    let status = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib cannot be set up")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Takes packed bytes from `fill`, which puts them into the buffer it gets and says how many.
  ///
  /// - Precondition: ``wantsInput``.
  mutating func refill(
    _ fill: (inout [UInt8]) throws(TrackLogError) -> Int
  ) throws(TrackLogError) -> Int {
    inputStart = 0
    inputEnd = 0
    inputEnd = try fill(&input)
    return inputEnd
  }

  /// Takes packed bytes that are already there.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    input.replaceSubrange(0..<min(bytes.count, input.count), with: bytes)
    inputStart = 0
    inputEnd = bytes.count
  }

  /// Unpacks into `output` from `start` on.
  ///
  /// - Returns: Bytes made, and how it went.
  mutating func inflate(into output: inout [UInt8], from start: Int) -> (count: Int, outcome: Outcome) {
    if hasEnded { return (0, .trailingBytes) }
    if isBetweenMembers, !beginNextMember() {
      guard inputStart < inputEnd else { return (0, .needsInput) }
      hasEnded = true
      return (0, .trailingBytes)
    }
    guard inputStart < inputEnd else { return (0, .needsInput) }
    let room = output.count - start
    let status = unsafe input.withUnsafeMutableBufferPointer { packed in
      unsafe output.withUnsafeMutableBufferPointer { plain in
        unsafe stream.pointee.next_in = packed.baseAddress.map { unsafe $0 + inputStart }
        unsafe stream.pointee.avail_in = UInt32(inputEnd - inputStart)
        unsafe stream.pointee.next_out = plain.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_out = UInt32(room)
        return unsafe CFencelineZlib.inflate(stream, Z_NO_FLUSH)
      }
    }
    inputStart = unsafe inputEnd - Int(stream.pointee.avail_in)
    let count = unsafe room - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END:
      isBetweenMembers = true
      return (count, .progress)
    case Z_OK, Z_BUF_ERROR:
      return (count, count == 0 && inputStart == inputEnd ? .needsInput : .progress)
    default:
      hasEnded = true
      return (count, .damaged)
    }
  }

  /// Whether another member begins at the input's start; anything else after a member is padding, as tape blocks have it.
  private mutating func beginNextMember() -> Bool {
    guard inputStart < inputEnd, input[inputStart] == 0x1f else { return false }
    isBetweenMembers = false
    return unsafe inflateReset(stream) == Z_OK
  }
}

@available(*, unavailable)
extension GzipInflater: Sendable {}
