import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineCommandLineKit

/// What has been written, piece by piece.
private final class Pieces {
  var texts: [String] = []
  var limit = Int.max
  var failure: Int32?

  func take(_ bytes: ArraySlice<UInt8>) -> Int {
    if let failure { return -Int(failure) }
    let taken = bytes.prefix(limit)
    texts.append(String(decoding: taken, as: UTF8.self))
    return taken.count
  }
}

struct OutputTests {
  @Test func piecesEndWithALine() throws {
    let pieces = Pieces()
    let output = Output(capacity: 10, isImmediate: false, sink: pieces.take)
    for word in ["ab\n", "cd\n", "efgh", "ij\nkl", "m"] { try output.write(word) }
    #expect(pieces.texts == ["ab\ncd\n", "efghij\n"])
    try output.flush()
    #expect(pieces.texts.joined() == "ab\ncd\nefghij\nklm")
    #expect(pieces.texts.dropLast().allSatisfy { $0.hasSuffix("\n") })
  }

  @Test func aLineLongerThanTheBufferIsForcedOut() throws {
    let pieces = Pieces()
    let output = Output(capacity: 4, isImmediate: false, sink: pieces.take)
    try output.write("abcdef")
    #expect(pieces.texts == ["abcdef"])
  }

  @Test func aTerminalGetsEachLineAtOnce() throws {
    let pieces = Pieces()
    let output = Output(isImmediate: true, sink: pieces.take)
    try output.write("a")
    #expect(pieces.texts == [])
    try output.writeLine("b")
    #expect(pieces.texts == ["ab\n"])
  }

  @Test func shortWritesLoseNothing() throws {
    let pieces = Pieces()
    pieces.limit = 3
    let output = Output(capacity: 16, isImmediate: false, sink: pieces.take)
    let text = (0..<100).map { "line \($0)\n" }.joined()
    for character in text { try output.write(String(character)) }
    try output.flush()
    #expect(pieces.texts.joined() == text)
  }

  @Test func aBrokenPipeIsQuiet() {
    let pieces = Pieces()
    pieces.failure = EPIPE
    let output = Output(capacity: 1, isImmediate: false, sink: pieces.take)
    let error = #expect(throws: OutputError.self) { try output.write("a\n") }
    #expect(error?.isBrokenPipe == true)
    #expect(error?.status == 0)
    #expect(error?.message == "")
    pieces.failure = nil
    #expect(throws: OutputError.self) { try output.write("b") }
    #expect(throws: OutputError.self) { try output.flush() }
    #expect(pieces.texts == [])
  }

  @Test func aFullDiskIsReported() throws {
    let full = unsafe open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let output = Output(isImmediate: false) { System.write($0, to: full) }
    try output.write("a\n")
    let error = #expect(throws: OutputError.self) { try output.flush() }
    #expect(error?.status == 74)
    #expect(error?.message == "Cannot write to standard output: no space left on device.")
  }

  @Test func thisProcessesOutputTakesNothing() throws {
    try Output(to: Terminal.plain.output).flush()
    writeError("")
  }

  @Test func aTerminalIsAskedForItsColumns() throws {
    #expect(System.columns(of: -1) == nil)
    #expect(System.environment("PATH") != nil)
    #expect(System.environment("NO_SUCH_VARIABLE") == nil)
    // A pseudo-terminal that has been given no size.
    let terminal = unsafe open("/dev/ptmx", O_RDWR)
    guard terminal >= 0 else { return }
    defer { close(terminal) }
    #expect(System.columns(of: terminal) == 0)
  }
}
