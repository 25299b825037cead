import Testing

@testable import FencelineCommandLineKit

struct ManualPageTests {
  @Test func aPageSaysWhatHelpSays() throws {
    let pages = Sample.program.manualPages(under: [Sample.program.root], date: "2026-03-01")
    #expect(
      pages.map(\.name) == [
        "fenceline", "fenceline-region", "fenceline-region-add", "fenceline-region-list",
        "fenceline-region-near",
        "fenceline-replay", "fenceline-runs", "fenceline-runs-remove", "fenceline-map",
      ])
    let runs = try #require(pages.first { $0.name == "fenceline-runs" })
    #expect(
      runs.text == #"""
        .\" Made by 'fenceline man'.
        .TH FENCELINE\-RUNS 1 2026-03-01 "fenceline 1.2.3" "User Commands"
        .nh
        .ad l
        .SH NAME
        fenceline\-runs \- list runs
        .SH SYNOPSIS
        \fBfenceline runs\fR
        [\fIoptions\fR]
        [\fICOMMAND\fR]
        .SH DESCRIPTION
        List runs.
        .SH COMMANDS
        .TP
        \fBremove\fR
        Remove runs.
        .SH COMMON OPTIONS
        .TP
        \fB\-\-db\fR \fIFILE\fR
        The database. (default: $FENCELINE_DB)
        .TP
        \fB\-\-json\fR
        Print JSON Lines.
        .TP
        \fB\-q\fR, \fB\-\-quiet\fR
        Say nothing but errors.
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Show this help.
        .SH SEE ALSO
        .BR fenceline (1),
        .BR fenceline\-map (1),
        .BR fenceline\-region (1),
        .BR fenceline\-replay (1),
        .BR fenceline\-runs\-remove (1)

        """#)
  }

  @Test func groupsAreSubsectionsAndTopicsHoldBelow() throws {
    let inner = Command("inner", "X.", options: [Sample.notify], run: { _ in 0 })
    let root = Command(
      "p", "Does.", topics: [.init("Exit status", [("0", "Done.")]), .init("Files", [("~/x", "It.")])],
      subcommands: [inner])
    let text = ManualPage([root, inner], version: "1", date: "2026-03-01").text
    #expect(text.contains(".SH OPTIONS\n.SS Notification\n.TP\n\\fB\\-\\-[no\\-]notify\\fR\n"))
    #expect(text.contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\nDone.\n.SH FILES\n.TP\n\\fB\\(ti/x\\fR\nIt.\n"))
    #expect(
      Help([root]).text.contains("\n\nExit status:\n  0           Done.\n\nFiles:\n  ~/x         It.\n"))
    #expect(!Help([root, inner]).text.contains("Exit status"))
  }

  @Test func nothingIsTakenForRoff() {
    let command = Command(
      "p", "X.", discussion: ".TH it's \\fB a-b \"c\" `d` ^~ é…🚀\n'br second",
      examples: [.init(".p \\n", "-")],
      run: { _ in 0 })
    let text = ManualPage([command], version: "1", date: "2026-03-01").text
    let first = #"\&.TH it\(aqs \efB a\-b \(dqc\(dq \(gad\(ga \(ha\(ti \[u00E9]\[u2026]\[u1F680]"#
    #expect(text.contains("\n\(first)\n.PP\n\\(aqbr second\n"))
    #expect(text.contains("\n\\fB\\&.p \\en\\fR\n\\-\n"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }
}
