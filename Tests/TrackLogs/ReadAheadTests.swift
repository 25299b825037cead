import FencelinePositioning
import Glibc
import Testing

@testable import FencelineTrackLogs

@Suite("Reading ahead", .timeLimit(.minutes(10)))
struct ReadAheadTests {
  /// What was read ahead, and the fault that ended it.
  private func readAhead(_ reader: TrackLogReader) -> (fixes: [Fix], pieces: Int, fault: TrackLogError?) {
    let ahead = ReadAhead(reader)
    var piece = ReadAhead.Piece()
    var fixes: [Fix] = []
    var pieces = 0
    do throws(TrackLogError) {
      repeat {
        try ahead.next(&piece)
        fixes += piece.fixes
        pieces += 1
      } while piece.goesOn
    } catch {
      return (fixes, pieces, error)
    }
    return (fixes, pieces, nil)
  }

  private func points(_ count: Int) -> String {
    let times = (0..<count).map { "2026-03-01T\(twoDigits($0 / 3600)):\(clock($0))Z" }
    let points = times.map { "<trkpt lat=\"47\" lon=\"8\"><time>\($0)</time></trkpt>\n" }
    return "<gpx version=\"1.1\"><trk><trkseg>\n" + points.joined()
  }

  private func clock(_ second: Int) -> String {
    "\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
  }

  private func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

  @Test("The fixes are those of the reader, in their order, and so is all that it says at the end")
  func isAsTheReader() throws {
    let log = (0..<6000).map { epoch("1\($0 % 10)0000", north: $0) + "12:00 no sentence\r\n" }.joined()
    let file = try ScratchFile(log)
    let (fixes, reader) = try readAll(file)
    let other = try TrackLogReader(path: file.path, options: LogOptions())
    let ahead = readAhead(other)
    #expect(ahead.fixes == fixes && fixes.count == 6000)
    // More of them than wait at once, so that their memory has served again.
    #expect(ahead.pieces > 10)
    #expect(ahead.fault == nil)
    #expect(other.tally == reader.tally && other.tally.count(.foreignLine) > 0)
    #expect(other.digest == reader.digest && other.digest != nil)
    #expect(other.warnings == reader.warnings)
  }

  @Test("A log that breaks off tells so after its last fix")
  func brokenLog() throws {
    let file = try ScratchFile(points(8000) + "<trkpt lat=")
    let reader = try TrackLogReader(path: file.path, options: LogOptions())
    let ahead = readAhead(reader)
    #expect(ahead.fixes.count == 8000 && ahead.fault == nil)
    #expect(reader.ending?.code == .damaged)
  }

  @Test("A fault is thrown behind what came before it")
  func faultAtItsPlace() throws {
    let file = try ScratchFile(points(8000) + String(repeating: "<a>", count: 1200))
    let direct = try TrackLogReader(path: file.path, options: LogOptions())
    var before: [Fix] = []
    let fault = #expect(throws: TrackLogError.self) {
      var piece: [Fix] = []
      while try direct.read(into: &piece) {
        before += piece
        piece = []
      }
    }
    let ahead = readAhead(try TrackLogReader(path: file.path, options: LogOptions()))
    #expect(ahead.fault == fault && ahead.fault?.code == .refused)
    #expect(ahead.fixes == before && before.count > 6000)
  }

  @Test("No more is read than some pieces, and who takes no more does not wait for a log that has not ended")
  func isBounded() throws {
    let path = "/tmp/fenceline-ahead-\(getpid())"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    defer { _ = unsafe unlink(path) }
    // Open for both, so that neither side waits for the other and the log never ends.
    let pipe = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
    defer { close(pipe) }
    let text = (0..<500).map { epoch("1\($0 % 10)0000", north: $0) }.joined()
    let log = Array(text.utf8)
    var written = try fill(pipe, with: log)
    let reader = try TrackLogReader(path: path, options: LogOptions())
    let ahead = ReadAhead(reader)
    var piece = ReadAhead.Piece()
    try ahead.next(&piece)
    #expect(!piece.fixes.isEmpty && piece.goesOn)
    // In the time in which this thread reads a log, one that did not stop would read about as much from the pipe, each time.
    let file = try ScratchFile(text)
    for _ in 0..<20 {
      written += try fill(pipe, with: log)
      _ = try readAll(file)
    }
    #expect(written < 768 << 10)
  }

  /// Writes as much as the pipe takes.
  private func fill(_ pipe: Int32, with bytes: [UInt8]) throws -> Int {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(pipe, $0.baseAddress, $0.count) }
    try #require(count > 0 || errno == EAGAIN)
    return max(0, count)
  }
}
