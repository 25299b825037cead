import FencelineCivilTime
import FencelinePositioning
import Glibc
import Testing

@testable import FencelineTrackLogs

/// A sentence with its checksum and end of line: `GPGGA,…` gives `$GPGGA,…*hh\r\n`.
func sentence(_ body: String) -> String {
  "$\(body)*\(checksum(body))\r\n"
}

/// The two digits behind the star.
func checksum(_ body: String) -> String {
  let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
  let digits = String(sum, radix: 16, uppercase: true)
  return digits.count == 1 ? "0" + digits : digits
}

/// A whole epoch of a plain receiver, at 47 N 8 E and so many ten-thousandths of a minute farther north.
func epoch(_ time: String, north: Int = 0, date: String = "010326") -> String {
  let minutes = "00." + String(String(10_000 + north % 10_000).dropFirst())
  return sentence("GPGGA,\(time),47\(minutes),N,00800.0000,E,1,08,1.0,400.0,M,48.0,M,,")
    + sentence("GPRMC,\(time),A,47\(minutes),N,00800.0000,E,10.0,90.0,\(date),,,A")
}

/// What a decoder makes of a stream, all at once or in pieces.
func decode(
  _ decoder: some LogDecoder, _ bytes: [UInt8], cutAt cuts: [Int] = []
) -> (fixes: [Fix], decoder: any LogDecoder) {
  var decoder = decoder
  var fixes: [Fix] = []
  var start = 0
  for cut in cuts.sorted() + [bytes.count] where cut > start || cut == bytes.count {
    let piece = Array(bytes[start..<cut])
    decoder.decode(piece.span, into: &fixes)
    start = cut
  }
  decoder.finish(into: &fixes)
  return (fixes, decoder)
}

/// The fixes of an NMEA stream.
func nmea(_ text: String, _ options: LogOptions = LogOptions()) -> [Fix] {
  decode(NMEADecoder(options: options), Array(text.utf8)).fixes
}

/// What an NMEA stream left out.
func nmeaTally(_ text: String) -> LogTally {
  decode(NMEADecoder(options: LogOptions()), Array(text.utf8)).decoder.tally
}

/// A file for the time of one test.
final class ScratchFile {
  let path: String

  init(_ bytes: [UInt8], name: String = "log") throws {
    var pattern = Array("/tmp/fenceline-logs-XXXXXX".utf8CString)
    let folder = unsafe pattern.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let made = unsafe buffer.baseAddress.flatMap({ unsafe mkdtemp($0) }) else { return nil }
      return unsafe String(cString: made)
    }
    path = try #require(folder) + "/" + name
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let rest = Array(bytes[written...])
      let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      try #require(count > 0)
      written += count
    }
  }

  convenience init(_ text: String, name: String = "log") throws {
    try self.init(Array(text.utf8), name: name)
  }

  deinit {
    _ = unsafe unlink(path)
    if let slash = path.lastIndex(of: "/") { _ = unsafe rmdir(String(path[..<slash])) }
  }
}

@available(*, unavailable)
extension ScratchFile: Sendable {}

/// All fixes of a file, and its reader at the end.
func readAll(_ path: String, _ options: LogOptions = LogOptions()) throws -> (
  fixes: [Fix], reader: TrackLogReader
) {
  let reader = try TrackLogReader(path: path, options: options)
  var fixes: [Fix] = []
  while try reader.read(into: &fixes) {}
  return (fixes, reader)
}

/// The same of a scratch file, which is kept until then.
func readAll(_ file: ScratchFile, _ options: LogOptions = LogOptions()) throws -> (
  fixes: [Fix], reader: TrackLogReader
) {
  try withExtendedLifetime(file) { try readAll(file.path, options) }
}

/// An instant in text.
func instant(_ text: String) throws -> Timestamp {
  try #require(ISO8601(parsing: text.utf8)).time
}
