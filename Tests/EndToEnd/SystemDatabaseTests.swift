import Foundation
import Testing

/// The database of the system service, in a /var/lib that only the test sees.
@Suite("System database") struct SystemDatabaseTests {
  /// Runs a script where /var/lib is empty but for what `prepare` makes there; `nobody WORDS…` is the program run as who owns nothing.
  private func run(_ script: String, in scratch: Scratch) throws -> ProgramRun {
    guard geteuid() == 0, try scratch.shell("unshare -m mount -t tmpfs none /var/lib").status == 0 else {
      try Test.cancel("only root may have a /var/lib of its own")
    }
    try scratch.write(
      "script",
      """
      mount -t tmpfs none /var/lib
      nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$FENCELINE" "$@"; }
      system() { setpriv --reuid=102 --regid=102 --clear-groups "$FENCELINE" "$@"; }
      install_service() { mkdir -m 700 /var/lib/fenceline; chown 102:102 /var/lib/fenceline; }
      mkdir home; chmod 777 home . 
      nobody --version > /dev/null || exit 99
      \(script)
      """)
    let run = try scratch.shell(
      "unshare -m sh -c '. ./script'",
      with: ["FENCELINE_DB": "", "XDG_STATE_HOME": "", "HOME": scratch.path("home")])
    if run.status == 99 { try Test.cancel("nobody may not run the program where it lies") }
    return run
  }

  @Test func rootMakesItForTheServiceAndOthersAreToldToUseSudo() throws {
    let scratch = try Scratch()
    let run = try run(
      """
      "$FENCELINE" --system region add a 1 2 50; echo $?
      install_service
      "$FENCELINE" --system region list; echo $?
      "$FENCELINE" --system region add a 1 2 50; echo $?
      stat -c '%n %a %u %g' /var/lib/fenceline/*
      system --system region add b 1 2 50; echo $?
      "$FENCELINE" --system --json region list | grep -c id
      stat -c '%u' /var/lib/fenceline/* | sort -u
      nobody --system region list; echo $?
      nobody --system region add c 1 2 50; echo $?
      nobody --system --db x region list; echo $?
      """, in: scratch)
    #expect(
      run.lines == [
        "73", "0", "0", "/var/lib/fenceline/fenceline.db 600 102 102", "0", "2", "102", "77", "77", "64",
      ], "\(run.output)\(run.error)")
    #expect(run.errors.count == 4)
    #expect(run.errors[0].contains("the system service is not installed"))
    #expect(
      run.errors[1].contains("is not yours to read. Use sudo.")
        && run.errors[2].contains("to change. Use sudo."))
    #expect(run.errors[3].contains("--system names a database"))
    #expect(run.error.contains("warning: The system service has no database yet."))
  }

  @Test func whoseOwnDatabaseHoldsNothingIsToldOfIt() throws {
    let scratch = try Scratch()
    let hint = "The system service keeps another in /var/lib/fenceline: add --system."
    let run = try run(
      """
      nobody runs
      install_service; echo one >&2
      for list in runs history 'region list' visits; do nobody $list; done; echo two >&2
      nobody -q runs; nobody --db other.db runs; echo three >&2
      nobody region add a 1 2 50; nobody runs; echo four >&2
      """, in: scratch)
    let parts = run.error.components(separatedBy: .newlines).split {
      ["one", "two", "three", "four"].contains($0)
    }
    #expect(parts.map { part in part.count { $0.hasSuffix(hint) } } == [0, 4, 0, 0, 0], "\(run.error)")
  }
}
