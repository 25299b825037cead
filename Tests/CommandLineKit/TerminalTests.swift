import Testing

@testable import FencelineCommandLineKit

struct TerminalTests {
  @Test(
    arguments: [
      ([:], true, true), (["NO_COLOR": "1"], false, true), (["NO_COLOR": ""], true, true),
      (["TERM": "dumb"], false, false),
      (["TERM": "xterm"], true, true),
    ] as [([String: String], Bool, Bool)])
  func coloursFollowTheEnvironment(_ environment: [String: String], _ hasColour: Bool, _ canRedraw: Bool) {
    let terminal = Terminal(environment: { environment[$0] }, output: 132, error: 0)
    #expect(terminal.output.hasColour == hasColour)
    #expect(terminal.output.canRedraw == canRedraw)
    #expect(terminal.output.width == 132)
    #expect(terminal.error.width == 80)
  }

  @Test func eachStreamIsKnownForItself() {
    let terminal = Terminal(environment: { _ in nil }, output: nil, error: 100)
    #expect(!terminal.output.isTerminal && !terminal.output.hasColour && terminal.output.width == 80)
    #expect(terminal.error.isTerminal && terminal.error.hasColour && terminal.error.width == 100)
    #expect(Terminal.current().output.width > 0)
  }

  @Test func stylesVanishWhereTheyAreOff() {
    let off = Style(isOn: false)
    let on = Style(isOn: true)
    #expect(
      [off.bold("a"), off.dim("a"), off.red("a"), off.green("a"), off.yellow("a"), off.cyan("a")].allSatisfy {
        $0 == "a"
      })
    #expect(
      [on.bold("a"), on.dim("a"), on.red("a"), on.green("a"), on.yellow("a"), on.cyan("a")]
        == ["1", "2", "31", "32", "33", "36"].map { "\u{1B}[\($0)ma\u{1B}[0m" })
    #expect(on.bold("") == "")
  }
}

struct ProgressBarTests {
  private let stream = Terminal.Stream(isTerminal: true, width: 80, canRedraw: true)

  @Test func aBarIsDrawnAfterASecond() {
    var bar = ProgressBar(unit: "fixes", on: stream, from: 100)
    #expect(bar.update(count: 10, fraction: 0.1, at: 100.9) == nil)
    #expect(bar.finish() == nil)
    #expect(
      bar.update(count: 500_000, fraction: 0.25, at: 102)
        == "\r 25 % [#########---------------------------] 500,000 fixes, 250,000/s, 6 s left\u{1B}[K")
    #expect(bar.finish() == "\r\u{1B}[K")
    #expect(bar.finish() == nil)
  }

  @Test func itIsDrawnTenTimesASecondAtMost() {
    var bar = ProgressBar(unit: "fixes", on: stream, from: 0)
    var drawings = 0
    for step in 0...5_000 where bar.update(count: step, fraction: nil, at: Double(step) / 1_000) != nil {
      drawings += 1
    }
    #expect((38...41).contains(drawings))
  }

  @Test(
    arguments: [
      (80, 5_000, nil, 10.0, "5,000 fixes, 500/s"), (30, 5_000, 0.5, 10.0, " 50 % 5,000 fixes, 500/s, 10…"),
      (80, 1, 1.5, 10.0, "100 % [########################################] 1 fixes, 0/s, 0 s left"),
      (37, 1, 0.01, 10.0, "  1 % 1 fixes, 0/s, 16 min 30 s left"),
      (45, 1, 0.0001, 10.0, "  0 % [-----] 1 fixes, 0/s, 27 h 46 min left"),
      (80, 1, 0.0, 10.0, "  0 % [----------------------------------------] 1 fixes, 0/s"),
      (80, 1, -1.0, 10.0, "1 fixes, 0/s"), (80, 1, Double.nan, 10.0, "1 fixes, 0/s"),
    ] as [(Int, Int, Double?, Double, String)])
  func drawings(_ width: Int, _ count: Int, _ fraction: Double?, _ now: Double, _ line: String) {
    var bar = ProgressBar(
      unit: "fixes", on: Terminal.Stream(isTerminal: true, width: width, canRedraw: true), from: 0)
    let text = bar.update(count: count, fraction: fraction, at: now)
    #expect(text == "\r\(line)\u{1B}[K")
    #expect(displayWidth(line) < width)
  }

  @Test func itIsSilentWhereNothingCanBeRedrawn() {
    for stream in [Terminal.plain.error, Terminal.Stream(isTerminal: true, canRedraw: false)] {
      var bar = ProgressBar(unit: "fixes", on: stream, from: 0)
      #expect(bar.update(count: 1, fraction: 0.5, at: 60) == nil)
      #expect(bar.finish() == nil)
    }
  }

  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ]
      as [(Int, String)])
  func thousandsAreGrouped(_ number: Int, _ text: String) {
    #expect(grouped(number) == text)
  }
}
