import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineXMLText

/// Reads the track points of GPX 1.0 and 1.1 and its many dialects.
///
/// Elements are known by their local names, in any namespace or none. Each `trkseg` with fixes is a ``Fix/track`` of its own.
struct GPXDecoder: LogDecoder {
  private let stream: XMLStream
  private var points: GPXPoints
  private var hasBegun = false

  /// A reader of bytes in `encoding`, or in what the document says.
  init(options: LogOptions, encoding: String?) {
    points = GPXPoints(options: options)
    stream = XMLStream(encoding: encoding)
  }

  var tally: LogTally { points.tally }

  var fault: LogFault? {
    if let root = points.foreignRoot {
      return .unrecognised("it is an XML document of the type '\(root)', not a GPS log.")
    }
    if points.isTooDeep {
      return .refused(
        "its elements are nested more than 1,000 deep, which no GPX file needs. Export it anew.")
    }
    switch stream.failure {
    case nil: return nil
    case .documentType:
      return .refused(ForeignContent.documentType)
    case .overlongToken:
      return .damaged("a tag or comment is longer than 1 MB near line \(stream.line).")
    case .malformed(let line, let reason):
      return points.hasRoot
        ? .damaged("the XML breaks off or is damaged at line \(line) (\(reason)).")
        : .unrecognised("it begins like XML but is not well-formed at line \(line) (\(reason)).")
    }
  }

  var warnings: [String] { points.warnings }

  mutating func decode(_ bytes: Span<UInt8>, into fixes: inout [Fix]) {
    var start = 0
    if !hasBegun {
      // Blank lines before the XML declaration are an error to expat, and some writers leave them.
      while start < bytes.count, isSpace(bytes[start]) { start += 1 }
      hasBegun = start < bytes.count
    }
    if hasBegun { parse(bytes.extracting(start..<bytes.count), into: &fixes) }
  }

  mutating func finish(into fixes: inout [Fix]) {
    let nothing: [UInt8] = []
    parse(nothing.span, isFinal: true, into: &fixes)
  }

  private mutating func parse(_ bytes: Span<UInt8>, isFinal: Bool = false, into fixes: inout [Fix]) {
    // The fixes are gathered where they are wanted, instead of being copied there afterwards.
    swap(&points.fixes, &fixes)
    stream.parse(bytes, isFinal: isFinal, telling: &points)
    swap(&points.fixes, &fixes)
  }
}
