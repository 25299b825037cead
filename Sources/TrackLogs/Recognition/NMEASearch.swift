import FencelinePositioning
import Glibc

/// Reads on through rubbish until the first NMEA sentence.
struct NMEASearch {
  private(set) var decoder: NMEADecoder

  init(options: LogOptions) {
    decoder = NMEADecoder(options: options)
  }

  /// Feeds the decoder until it has seen a sentence; what has been read last is left undecoded in `buffer`.
  ///
  /// - Parameters:
  ///   - source: Where it comes from.
  ///   - buffer: What was read last.
  ///   - filled: How much of it.
  ///   - transcoder: What makes text of it.
  ///   - hash: The digest of what was decoded.
  ///   - name: The log's name.
  ///   - head: Its first bytes, which tell what it is where there is no sentence.
  /// - Throws: `TrackLogError` where there is none to the end.
  mutating func run(
    _ source: inout PlainSource, _ buffer: inout [UInt8], _ filled: inout Int,
    _ transcoder: inout UTF16Transcoder?,
    _ hash: inout ContentDigest, _ name: LogName, head: [UInt8]
  ) throws(TrackLogError) {
    var isZero = true
    var text: [UInt8] = []
    var nothing: [Fix] = []
    while filled > 0 {
      if isZero { isZero = Self.isZero(buffer, filled) }
      var trial = decoder
      var trialTranscoder = transcoder
      if trialTranscoder != nil {
        text.removeAll(keepingCapacity: true)
        trialTranscoder?.decode(buffer.span.extracting(0..<filled), into: &text)
        trial.decode(text.span, into: &nothing)
      } else {
        trial.decode(buffer.span.extracting(0..<filled), into: &nothing)
      }
      if trial.hasSeenSentence { return }
      hash.update(buffer.span.extracting(0..<filled))
      decoder = trial
      transcoder = trialTranscoder
      filled = source.read(into: &buffer, from: 0)
    }
    var last = decoder
    last.finish(into: &nothing)
    if last.hasSeenSentence { return }
    if let ending = source.ending, ending.code == .cannotRead { throw ending }
    let reason = isZero ? ForeignContent.zeros : ForeignContent.unknown(head, name)
    throw TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(reason)")
  }

  private static func isZero(_ buffer: [UInt8], _ count: Int) -> Bool {
    guard count > 0, buffer[0] == 0 else { return false }
    return unsafe buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      // All bytes equal their successors.
      return unsafe memcmp(start, start + 1, count - 1) == 0
    }
  }
}
