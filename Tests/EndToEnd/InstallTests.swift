import Foundation
import Testing

@Suite("Installation") struct InstallTests {
  /// Runs one of the two tools with the program under test.
  private func tool(
    _ name: String, _ scratch: Scratch, _ options: String..., with variables: [String: String] = [:]
  ) throws -> ProgramRun {
    try RunningProgram(
      [Project.folder.appending(path: "tools/\(name)").path] + options,
      environment: scratch.environment(variables),
      in: scratch.folder
    ).result()
  }

  private func tree(_ scratch: Scratch, _ folder: String) throws -> [String] {
    try scratch.shell("cd \"$1\" && find . | sort", folder).lines
  }

  @Test func whatIsInstalledWorksAndGoesAgain() throws {
    let scratch = try Scratch()
    // What is there already stays, empty folders too.
    _ = try scratch.shell(
      "mkdir -p dest/usr/local/share/man/man1 dest/usr/local/bin; touch dest/usr/local/bin/other dest/usr/local/share/man/man1/fenceline-other.1.gz"
    )
    let before = try tree(scratch, "dest")
    let run = try tool("install", scratch, "--destdir", "dest", "--program", Project.program)
    #expect(run.status == 0 && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
    let base = scratch.path("dest/usr/local")
    let installed = try tree(scratch, "dest")
    for file in [
      "bin/fenceline", "share/man/man1/fenceline.1.gz", "share/man/man1/fenceline-region-add.1.gz",
      "share/bash-completion/completions/fenceline", "share/zsh/site-functions/_fenceline",
      "share/fish/vendor_completions.d/fenceline.fish", "lib/systemd/system/fenceline.service",
      "lib/systemd/user/fenceline.service", "lib/sysusers.d/fenceline.conf",
    ] {
      #expect(installed.contains("./usr/local/" + file), "\(file)")
    }
    #expect(try scratch.shell("\"$1/bin/fenceline\" --version", base).status == 0)
    #expect(try scratch.shell("MANPATH=\"$1/share/man\" man -w fenceline-region-add", base).status == 0)
    #expect(
      try scratch.shell(
        "grep -q '^ExecStart=/usr/local/bin/fenceline serve' \"$1/lib/systemd/user/fenceline.service\"", base
      ).status == 0)
    #expect(try scratch.shell("bash -n \"$1/share/bash-completion/completions/fenceline\"", base).status == 0)
    // A page of an older version, over which this one is installed.
    _ = try scratch.shell(
      "touch \"$1/share/man/man1/fenceline-old.1.gz\"; echo /usr/local/share/man/man1/fenceline-old.1.gz >> \"$1/share/fenceline/installed\"",
      base)
    #expect(try tool("install", scratch, "--destdir", "dest", "--program", Project.program).status == 0)
    #expect(try tree(scratch, "dest") == installed)

    let removal = try tool("uninstall", scratch, "--destdir", "dest")
    #expect(removal.status == 0 && removal.error.isEmpty, "\(removal.error)")
    #expect(try tree(scratch, "dest") == before)
    let again = try tool("uninstall", scratch, "--destdir", "dest")
    #expect(
      again.status == 1 && again.errors.count == 1 && again.error.contains("nothing is installed there"))
  }

  @Test func aUserInstallsAtHomeAndKeepsTheDatabase() throws {
    let scratch = try Scratch()
    _ = try scratch.shell("mkdir home")
    let home = [
      "HOME": scratch.path("home"), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "FENCELINE_DB": "",
    ]
    #expect(try tool("install", scratch, "--user", "--program", Project.program, with: home).status == 0)
    let add = try scratch.shell(
      "\"$HOME/.local/bin/fenceline\" region add office 47 8 100 --quiet", with: home)
    #expect(add.status == 0, "\(add.error)")
    #expect(try tree(scratch, "home").contains("./.config/systemd/user/fenceline.service"))
    let run = try tool("uninstall", scratch, "--user", with: home)
    #expect(run.status == 0)
    #expect(
      run.error
        == "\n== Uninstalled. What was recorded is still in \(scratch.path("home"))/.local/state/fenceline.\n"
    )
    #expect(
      try tree(scratch, "home") == [
        ".", "./.local", "./.local/state", "./.local/state/fenceline",
        "./.local/state/fenceline/fenceline.db",
      ])
  }

  @Test func systemdTakesTheUnits() throws {
    let scratch = try Scratch()
    guard try scratch.shell("command -v systemd-analyze").status == 0 else {
      try Test.cancel("systemd is not installed")
    }
    #expect(try tool("install", scratch, "--destdir", "dest", "--program", Project.program).status == 0)
    // systemd looks whether the program is where the unit says.
    let script = """
      export XDG_RUNTIME_DIR=$PWD MANPATH=$PWD/dest/usr/local/share/man
      for scope in system user; do
        mkdir $scope
        sed "s|/usr/local/bin|$PWD/dest&|" dest/usr/local/lib/systemd/$scope/fenceline.service > $scope/fenceline.service
        systemd-analyze --$scope verify $scope/fenceline.service || exit 1
      done
      """
    let verification = try scratch.shell(script)
    #expect(
      verification.status == 0 && verification.error.isEmpty && verification.output.isEmpty,
      "\(verification.error)")
    // How much of the machine a taken-over service would have: 10 is all of it.
    let security = try scratch.shell(
      "systemd-analyze security --offline=true --threshold=25 --no-pager system/fenceline.service")
    #expect(security.status == 0, "\(security.output)\(security.error)")
    let exposure = security.output.firstMatch(of: /exposure level for fenceline.service: ([\d.]+)/).flatMap {
      Double($0.1)
    }
    #expect(exposure.map { $0 <= 2.5 } == true)
    let account = try scratch.shell(
      "mkdir -p root/etc && systemd-sysusers --root=root \"$PWD\"/dest/usr/local/lib/sysusers.d/fenceline.conf && grep -c fenceline root/etc/passwd root/etc/group"
    )
    #expect(account.status == 0, "\(account.error)")
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let scratch = try Scratch()
    for options in [["--prefx", "x"], ["--prefix"], ["--program", "/none"]] {
      let run = try RunningProgram(
        [Project.folder.appending(path: "tools/install").path] + options, environment: scratch.environment(),
        in: scratch.folder
      ).result()
      #expect(run.status == 1 && run.errors.count == 1 && run.messages.count == 1, "\(options) \(run.error)")
    }
    let help = try tool("install", scratch, "--help")
    #expect(help.status == 0 && help.output.contains("tools/install --user"))
    let prefix = try tool("install", scratch, "--prefix", "/proc/none", "--program", Project.program)
    #expect(prefix.status == 1)
    #expect(
      prefix.errors == ["error: '/proc/none' cannot be made. Run this as root, or with --user or --prefix."])
    #expect(try scratch.names == [])
  }
}
