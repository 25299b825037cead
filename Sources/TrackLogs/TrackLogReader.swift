internal import FencelineCivilTime
package import FencelinePositioning

/// Reads the fixes of a GPS log of any format, piece by piece, with bounded memory.
///
/// ```swift
/// let reader = try TrackLogReader(path: "ride.gpx", options: LogOptions())
/// var fixes: [Fix] = []
/// while try reader.read(into: &fixes) {}
/// if reader.format.holdsWholeTrack { inTimeOrder(&fixes) }
/// ```
///
/// The format is found by content; gzip is unpacked on the way. Whatever gives no fix is counted in ``tally``.
package final class TrackLogReader {
  /// What the log is written in.
  package let format: LogFormat
  /// Why the log could not be read to its end; nil where it could, or has not been read so far. What came before counts.
  package private(set) var ending: TrackLogError?
  /// The 32 bytes of the SHA-256 of the unpacked content; nil before the end.
  package private(set) var digest: [UInt8]?

  private let name: LogName
  private let hasUnusedDate: Bool
  private var source: PlainSource
  private var decoder: any LogDecoder
  private var transcoder: UTF16Transcoder?
  private var hash = ContentDigest()
  private var buffer: [UInt8]
  /// Bytes of the buffer that are read but not yet decoded.
  private var filled: Int
  private var fixCount = 0
  private var isAtEnd = false

  /// Opens a log and finds out its format.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - options: What the user says about it.
  /// - Throws: `TrackLogError` where it cannot be opened, is empty or is no log that this program reads.
  package init(path: String, options: LogOptions) throws(TrackLogError) {
    var name = LogName(path: path)
    var source = try PlainSource(name)
    name.isPacked = source.isPacked
    var buffer = [UInt8](repeating: 0, count: PlainSource.chunk)
    var filled = 0
    while filled < buffer.count {
      let count = source.read(into: &buffer, from: filled)
      if count == 0 { break }
      filled += count
      // A pipe may bring a line a second: what it brings is not held back longer than need be.
      if source.size == nil, LogRecognition.isStreaming(buffer[..<filled], name) { break }
    }
    if filled == 0 {
      throw source.ending
        ?? TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(ForeignContent.empty)")
    }
    if source.isHollow {
      throw TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(ForeignContent.zeros)")
    }
    if let text = ForeignContent.wideText(buffer[..<filled], name) {
      throw TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(text)")
    }
    var transcoder = UTF16Transcoder(head: buffer[..<filled])
    var plain = Array(buffer[..<filled])
    if var trial = transcoder {
      plain = []
      trial.decode(buffer.span.extracting(0..<filled), into: &plain)
    }
    switch LogRecognition(head: plain, name: name) {
    case .foreign(let text): throw TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(text)")
    case .refused(let text): throw TrackLogError(.refused, "Cannot read \(name.phrase): \(text)")
    case .format(let found):
      format = found
      decoder = Self.decoder(found, options, head: plain, isTranscoded: transcoder != nil)
    case .undecided:
      format = .nmea
      var search = NMEASearch(options: options)
      try search.run(&source, &buffer, &filled, &transcoder, &hash, name, head: plain)
      decoder = search.decoder
    }
    self.name = name
    hasUnusedDate = options.startDate != nil
    self.source = source
    self.buffer = buffer
    self.filled = filled
    self.transcoder = transcoder
  }

  /// Decodes the next piece and appends its fixes.
  ///
  /// - Returns: Whether there may be more; false at the end, as every later call.
  /// - Throws: `TrackLogError` where the content turns out to be none that may be read.
  package func read(into fixes: inout [Fix]) throws(TrackLogError) -> Bool {
    guard !isAtEnd else { return false }
    let start = fixes.count
    if filled == 0 { filled = source.read(into: &buffer, from: 0) }
    let isLast = filled == 0
    if isLast {
      decoder.finish(into: &fixes)
    } else {
      updateHash(filled)
      decode(into: &fixes)
      filled = 0
    }
    fixCount += fixes.count - start
    switch decoder.fault {
    case nil: break
    case .damaged(let text):
      end(TrackLogError(.damaged, "Cannot read \(name.phrase) to its end: \(text) What came before is kept."))
    case .refused(let text):
      isAtEnd = true
      throw TrackLogError(.refused, "Cannot read \(name.phrase): \(text)")
    case .unrecognised(let text):
      isAtEnd = true
      throw TrackLogError(.unrecognised, "Cannot read \(name.phrase): \(text)")
    }
    if isLast, !isAtEnd { end(nil) }
    return !isAtEnd
  }

  /// What the log has given so far and what in it gave no fix.
  package var tally: LogTally {
    var tally = decoder.tally
    tally.fixes = fixCount
    return tally
  }

  /// What the user should know about the log as a whole; complete at the end.
  package var warnings: [String] {
    var warnings = decoder.warnings
    if hasUnusedDate, format != .nmea { warnings.append(NMEADecoder.dateIsIgnored) }
    if source.hasTrailingBytes {
      warnings.append("What follows the gzip data is no part of the log and is ignored.")
    }
    return warnings
  }

  /// How far the reading has come, in bytes of the file, and how many it has; the size is nil where it is not known.
  package var progress: (consumed: Int64, size: Int64?) { (source.consumed, source.size) }

  private func decode(into fixes: inout [Fix]) {
    let bytes = buffer
    guard transcoder != nil else {
      decoder.decode(bytes.span.extracting(0..<filled), into: &fixes)
      return
    }
    var text: [UInt8] = []
    transcoder?.decode(bytes.span.extracting(0..<filled), into: &text)
    decoder.decode(text.span, into: &fixes)
  }

  private func updateHash(_ count: Int) {
    let bytes = buffer
    hash.update(bytes.span.extracting(0..<count))
  }

  private func end(_ fault: TrackLogError?) {
    isAtEnd = true
    // A file that breaks off breaks its content too: the cause is what matters.
    ending = source.ending ?? fault
    if digest == nil {
      // After a fault, the rest still counts for the digest: the same file has the same one.
      var count = source.read(into: &buffer, from: 0)
      while count > 0 {
        updateHash(count)
        count = source.read(into: &buffer, from: 0)
      }
      digest = hash.finish()
    }
  }

  private static func decoder(
    _ format: LogFormat, _ options: LogOptions, head: [UInt8], isTranscoded: Bool
  ) -> any LogDecoder {
    switch format {
    case .nmea: NMEADecoder(options: options)
    case .gpx:
      GPXDecoder(options: options, encoding: XMLEncoding.override(head: head, isTranscoded: isTranscoded))
    case .gpsdJSON: GPSDDecoder(options: options)
    case .ownTracks: OwnTracksDecoder(options: options)
    case .google: GoogleDecoder(options: options)
    case .csv: CSVDecoder(options: options)
    }
  }
}

@available(*, unavailable)
extension TrackLogReader: Sendable {}

/// Puts the fixes of a whole recording in order of time; those of one time stay as they are.
package func inTimeOrder(_ fixes: inout [Fix]) {
  // The standard library's sort is stable but does not promise it; the place decides among equals.
  guard !areInTimeOrder([fixes]) else { return }
  let order = fixes.indices.sorted { a, b in
    fixes[a].time != fixes[b].time ? fixes[a].time < fixes[b].time : a < b
  }
  fixes = order.map { fixes[$0] }
}

/// Whether pieces of a recording, one after the other, are in order of time.
package func areInTimeOrder(_ pieces: [[Fix]]) -> Bool {
  var last: Timestamp?
  for piece in pieces {
    for place in piece.indices {
      if let last, piece[place].time < last { return false }
      last = piece[place].time
    }
  }
  return true
}
