import Foundation
import Testing

/// A shell at a terminal, and someone who types.
///
/// Its `fenceline` notes the words that it gets, so that a test sees what the shell made of what it completed; to the shell's script it
/// is the program itself.
enum InteractiveShell {
  /// What is typed in one line, with tabs.
  struct Line {
    var keys: String
    /// What then comes up on the terminal, for a list of candidates; nil where the line is to be run.
    var shown: String?

    init(_ keys: String, shows shown: String? = nil) {
      self.keys = keys
      self.shown = shown
    }
  }

  /// Types lines into a shell.
  ///
  /// - Parameters:
  ///   - lines: The lines; each is run, or erased again where it is to show something.
  ///   - shell: Its path and arguments.
  ///   - scratch: The folder in which it works.
  ///   - variables: More of the environment.
  /// - Returns: The words of `fenceline`, a line for each that was run.
  /// - Throws: Where it cannot be started, or something does not come up in ten seconds.
  static func type(
    _ lines: [Line], into shell: [String], in scratch: Scratch, with variables: [String: String] = [:]
  ) throws -> [[String]] {
    let manager = FileManager.default
    try manager.createDirectory(at: scratch.folder.appending(path: "bin"), withIntermediateDirectories: false)
    let program = try scratch.write(
      "bin/fenceline",
      """
      #!/bin/sh
      case $1 in __complete | completions) exec "$FENCELINE" "$@" ;; esac
      { for word; do printf '%s\\037' "$word"; done; echo; } >> "$RECORD"
      """)
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let typed = lines.map { $0.keys + "\u{1E}" + ($0.shown ?? "") }.joined(separator: "\n")
    try scratch.write("typed", typed)
    let path = scratch.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let run = try RunningProgram(
      ["/usr/bin/env", "python3", "-c", typist, scratch.path("typed")] + shell,
      environment: scratch.environment(
        ["PATH": path, "RECORD": scratch.path("record"), "TERM": "vt100", "INPUTRC": "/dev/null"]
          .merging(variables) { $1 }), in: scratch.folder
    ).result()
    try #require(run.status == 0, "\(run.error)")
    return run.output.split(separator: "\n").map { $0.split(separator: "\u{1F}").map(String.init) }
  }

  private static let typist = #"""
    import fcntl, os, pty, select, struct, sys, termios, time
    record = os.environ["RECORD"]
    open(record, "w").close()
    process, terminal = pty.fork()
    if process == 0: os.execvp(sys.argv[2], sys.argv[2:])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = b""
    def wait(isDone, what):
        global seen
        end = time.monotonic() + 60
        while not isDone():
            if time.monotonic() > end: sys.exit(f"waited in vain for {what!r}; the terminal shows:\n{seen.decode(errors='replace')}")
            if select.select([terminal], [], [], 0.02)[0]: seen += os.read(terminal, 65536)
    def count(): return open(record, "rb").read().count(b"\n")
    for line in open(sys.argv[1], encoding="utf-8").read().split("\n"):
        keys, shown = line.split("\x1e")
        done, start = count(), len(seen)
        os.write(terminal, keys.encode())
        if shown:
            wait(lambda: shown.encode() in seen[start:], shown)
            os.write(terminal, b"\x15")
        else:
            os.write(terminal, b"\r")
            wait(lambda: count() > done, keys)
    sys.stdout.write(open(record, encoding="utf-8").read())
    """#
}
