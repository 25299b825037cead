import FencelineCommandLineKit
import FencelineEventJournal
import FencelineNotifying
import FencelineRegionFiles

/// `fenceline completions` and `fenceline man`: what shells and manuals take from the declarations of the commands.
enum ShellCommands {
  private static let shell = Positional<CompletionScript>(
    "SHELL", value: .choice(name: "SHELL"), help: "The shell that is to complete.")

  static let completions = Command(
    "completions", "Print the script that completes command lines in a shell.",
    discussion: """
      Read at once it works in the shell that is running. To keep it, write it to a file where the shell looks for such scripts.
      For one user: ~/.local/share/bash-completion/completions/fenceline (bash, with the package bash-completion), _fenceline in a \
      folder of fpath (zsh), ~/.config/fish/completions/fenceline.fish (fish).
      For everyone: /usr/share/bash-completion/completions/fenceline, /usr/local/share/zsh/site-functions/_fenceline, \
      /etc/fish/completions/fenceline.fish.
      Ids of regions, devices and runs come from the database that the command line would use.
      """,
    examples: [
      .init("source <(fenceline completions bash)", "Complete in this bash; a line for ~/.bashrc."),
      .init("source <(fenceline completions zsh)", "Complete in this zsh; a line for ~/.zshrc."),
      .init(
        "fenceline completions fish | source", "Complete in this fish; a line for ~/.config/fish/config.fish."
      ),
    ],
    positionals: [shell],
    run: Session.running { session in
      let script = session.arguments[shell]
      try session.output.write(script.text(program: Fenceline.root.name, command: complete.name))
      return Status.done
    })

  private static let words = Positional<String>(
    "WORD", value: .text, help: "What has been typed, as the shell's script tells it.", repeatable: true)

  /// What the scripts ask.
  static let complete = Command(
    "__complete", "Say what a command line could go on with.", positionals: [shell, words], hidden: true,
    run: Session.running { session in
      let answer = session.arguments[shell].answer(to: session.arguments[all: words]) { words in
        Fenceline.program.completion(of: words, listing: names)
      }
      try session.output.write(answer)
      return Status.done
    })

  private static func names(_ request: ListRequest) -> [Candidate] {
    if request.list == "settings" { return SettingsCommands.candidates }
    if request.list == "zones" { return NotifyPreviewCommand.zones(beginning: request.prefix) }
    var named = request.text(of: Common.database)
    // Words come before the shell has expanded them.
    if let path = named, path.hasPrefix("~/"), let home = System.environment("HOME") {
      named = home + path.dropFirst()
    }
    if request.has(Common.system) { named = SystemDatabase.path }
    guard let path = try? Session.databasePath(named: named).path, let journal = JournalNames(path: path)
    else { return [] }
    let names =
      switch request.list {
      case "regions": journal.regions(beginning: request.prefix)
      case "devices": journal.devices(beginning: request.prefix)
      case "runs": journal.runs(beginning: request.prefix, isLive: true)
      case "replays": journal.runs(beginning: request.prefix, isLive: false)
      default:
        JournalNames.CentreNames(rawValue: request.list).map {
          journal.names(of: $0, beginning: request.prefix)
        } ?? []
      }
    return (builtIn(request) + names.map { Candidate($0.text, $0.about) }).filter {
      $0.text.hasPrefix(request.prefix)
    }
  }

  /// Names of the notification centre that are in no database.
  private static func builtIn(_ request: ListRequest) -> [Candidate] {
    switch request.list {
    case "categories": NotificationCategory.builtIn.map { Candidate($0.identifier, "") }
    case "actions":
      [Candidate("default", "it was chosen"), Candidate("dismiss", "it is put away")]
        + NotificationCategory.builtIn.flatMap { $0.actions.map { Candidate($0.identifier, $0.title) } }
    case "focuses": [Candidate(NotificationCentre.doNotDisturb, "")]
    default: []
    }
  }

  private static let commands = Positional<String>(
    "COMMAND", value: .text(name: "COMMAND", hint: .command), help: "The command, word by word.",
    defaultText: "the program", required: false, repeatable: true)
  private static let folder = Option<String>(
    "output", short: "o", value: .directory, valueName: "FOLDER",
    help:
      "Write the pages of the command and of all below it to this folder, which is made where it is missing.",
    defaultText: "one page on standard output")

  static let man = Command(
    "man", "Print the manual page of a command.",
    discussion: """
      The page is source for man, groff or mandoc; 'man -l -' shows it. man looks into ~/.local/share/man where ~/.local/bin is on the \
      PATH, into /usr/local/share/man always.
      """,
    examples: [
      .init("fenceline man region add | man -l -", "Read a page."),
      .init("fenceline man --output ~/.local/share/man/man1", "Keep all pages where man finds them."),
    ],
    positionals: [commands], options: [folder],
    run: Session.running { session in
      var path = [Fenceline.root]
      for word in session.arguments[all: commands] {
        guard let next = path[path.count - 1].subcommand(named: word) else {
          let names = path[path.count - 1].subcommands.filter { !$0.isHidden }.map(\.name)
          let suggestion = nearest(to: word, in: names).map { " Did you mean '\($0)'?" } ?? ""
          throw UsageError(
            "There is no command '\(word)' in '\(path.map(\.name).joined(separator: " "))'.\(suggestion)")
        }
        path.append(next)
      }
      let pages = Fenceline.program.manualPages(under: path, date: Fenceline.date)
      guard let folder = session.arguments[folder] else {
        try session.output.write(pages[0].text)
        return Status.done
      }
      try RegionFile.makeFolder(folder)
      for page in pages { try RegionFile.write(page.text, to: "\(folder)/\(page.name).1") }
      session.note("\(counted(pages.count, "page")) written to '\(printable(folder))'")
      return Status.done
    })
}
