import FencelineCommandLineKit

/// What holds for every command, for help and manual pages.
enum Topics {
  static let all = [
    Command.Topic("Exit status", statuses.map { (String($0.status), $0.meaning) }),
    Command.Topic(
      "Environment",
      [
        ("FENCELINE_DB", "The database, where --db names none."),
        ("XDG_STATE_HOME", "The folder that holds fenceline/fenceline.db, where neither names one."),
        ("TZ", "The time zone of times that are printed for people or given without a zone."),
        ("NO_COLOR", "No colours, where it is not empty."),
      ]),
    Command.Topic(
      "Files",
      [
        (
          "~/.local/state/fenceline/fenceline.db",
          "The database where nobody names another: regions, runs, crossings and visits, in SQLite."
        ),
        ("/var/lib/fenceline/fenceline.db", "The database of the system service, which --system names."),
        (
          "DATABASE-socket",
          "Beside each database on which a service runs: where 'status', 'watch' and 'doctor' ask it."
        ),
      ]),
  ]

  private static let statuses: [(status: Int32, meaning: String)] = [
    (Status.done, "Done."),
    (Status.partial, "Done, but some input was bad; each bad piece was named."),
    (Status.usage, "The command line makes no sense, or names something that there is not."),
    (Status.unreadable, "The input or the database cannot be understood."),
    (Status.unavailable, "The service is not running, or 'doctor' has found a problem."),
    (Status.bug, "A bug in fenceline."),
    (Status.cannotCreate, "Something cannot be created: a file, or a region whose id is taken."),
    (Status.inputOutput, "A file cannot be read or written."),
    (Status.busy, "Another program keeps the database to itself."),
    (Status.notPermitted, "A file may not be read or written."),
    (Status.settings, "There is no home folder, and --db names no database."),
  ]
}
