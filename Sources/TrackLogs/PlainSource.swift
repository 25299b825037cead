/// The content of a log: a file's bytes, unpacked where they are packed with gzip.
struct PlainSource: ~Copyable {
  /// Bytes that are read at once.
  static let chunk = 64 << 10

  private var source: ByteSource
  private var inflater: GzipInflater?
  private let name: LogName
  /// Raw bytes read ahead to tell gzip by.
  private var ahead: ArraySlice<UInt8> = []
  private(set) var ending: TrackLogError?
  private(set) var hasTrailingBytes = false

  var consumed: Int64 { source.consumed }
  var size: Int64? { source.size }
  var isHollow: Bool { source.isHollow }
  var isPacked: Bool { inflater != nil }

  init(_ name: LogName) throws(TrackLogError) {
    var source = try ByteSource(name)
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var count = 0
    while count < 2 {
      let read = try source.read(into: &buffer, from: count)
      if read == 0 { break }
      count += read
    }
    if count >= 2, buffer[0] == 0x1f, buffer[1] == 0x8b {
      var unpacking = GzipInflater(inputCapacity: Self.chunk)
      unpacking.take(buffer[..<count])
      inflater = consume unpacking
    } else {
      inflater = nil
      ahead = buffer[..<count]
    }
    self.name = name
    self.source = consume source
  }

  /// Fills `buffer` from `start` on with some bytes.
  ///
  /// A file that cannot be read on or unpacked ends there; ``ending`` tells why.
  ///
  /// - Returns: How many; 0 at the end.
  mutating func read(into buffer: inout [UInt8], from start: Int) -> Int {
    guard ending == nil, start < buffer.count else { return 0 }
    do {
      if inflater != nil { return try unpack(into: &buffer, from: start) }
      if !ahead.isEmpty {
        let part = ahead.prefix(buffer.count - start)
        buffer.replaceSubrange(start..<start + part.count, with: part)
        ahead = ahead.dropFirst(part.count)
        return part.count
      }
      return try source.read(into: &buffer, from: start)
    } catch {
      ending = error
      return 0
    }
  }

  private mutating func unpack(into buffer: inout [UInt8], from start: Int) throws(TrackLogError) -> Int {
    while true {
      if inflater?.wantsInput == true {
        let count =
          try inflater?.refill { (input) throws(TrackLogError) in try source.read(into: &input) } ?? 0
        if count == 0 {
          if inflater?.isComplete != true {
            ending = TrackLogError(
              .damaged,
              "Cannot read \(name.phrase) to its end: its gzip data breaks off. What came before is kept.")
          }
          return 0
        }
      }
      guard let (count, outcome) = inflater?.inflate(into: &buffer, from: start) else { return 0 }
      switch outcome {
      case .damaged:
        ending = TrackLogError(
          .damaged,
          "Cannot read \(name.phrase) to its end: its gzip data is damaged. What came before is kept.")
        return count
      case .trailingBytes:
        hasTrailingBytes = true
        return 0
      case .progress where count > 0:
        return count
      case .progress, .needsInput:
        continue
      }
    }
  }
}

@available(*, unavailable)
extension PlainSource: Sendable {}
