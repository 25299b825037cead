internal import FencelineEventJournal
internal import FencelineSQLiteStore
internal import Glibc

/// Whether the database is sound and private, and has room to grow.
package enum DatabaseCheck {
  /// Looks at a database.
  ///
  /// - Parameter path: The file; it may be missing.
  /// - Returns: What is found.
  package static func findings(_ path: String) -> [Finding] {
    guard let status = fileStatus(path) else {
      return [
        Finding("database", .ok, "There is no database '\(path)' yet; the first region makes it.")
      ] + room(beside: path)
    }
    return [soundness(path), privacy(path, status)] + room(beside: path)
  }

  private static func soundness(_ path: String) -> Finding {
    do throws(JournalError) {
      // What the journal itself refuses it explains best.
      _ = try Journal(path: path, .read)
    } catch {
      return Finding("database", .problem, error.message)
    }
    do throws(SQLiteError) {
      let connection = try Connection(path, .write)
      try connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
      let faults = try connection.rows("PRAGMA quick_check(1)") { $0.text(0) }
      guard faults == ["ok"] else {
        return Finding(
          "database", .problem, "The database '\(path)' is damaged: \(faults.first ?? "unknown").",
          advice:
            "Restore a backup, or save what can be read: sqlite3 \(quoted(path)) .recover | sqlite3 new.db")
      }
      return Finding("database", .ok, "The database '\(path)' is sound.")
    } catch {
      return Finding("database", .problem, "The database '\(path)' cannot be checked: \(error.message).")
    }
  }

  private static func privacy(_ path: String, _ status: stat) -> Finding {
    if status.st_uid != geteuid(), geteuid() != 0 {
      return Finding(
        "privacy", .warning, "The database belongs to another user.", advice: "Run this as that user.")
    }
    guard status.st_mode & 0o077 == 0 else {
      return Finding(
        "privacy", .warning, "Other users of this machine may read where you have been.",
        advice: "chmod 600 \(quoted(path))")
    }
    return Finding("privacy", .ok, "The database is for its owner alone.")
  }

  /// Bytes below which it is time to do something, and below which things go wrong.
  private static let (little, none) = (200 << 20, 10 << 20)

  private static func room(beside path: String) -> [Finding] {
    var folder = path
    repeat {
      let end = folder.lastIndex(of: "/")
      folder = end.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
    } while fileStatus(folder) == nil && folder != "/" && folder != "."
    var system = statvfs()
    guard unsafe statvfs(folder, &system) == 0 else { return [] }
    let free = Int(clamping: system.f_bavail) * Int(clamping: system.f_frsize)
    let amount = free >= 1 << 30 ? "\(free >> 30) GB" : "\(free >> 20) MB"
    // Some file systems count no files.
    if system.f_files > 0, system.f_favail == 0 {
      return [
        Finding(
          "disk", .problem, "No file can be made in '\(folder)': the disk has no inodes left.",
          advice: "Remove some files.")
      ]
    }
    if system.f_flag & UInt(ST_RDONLY) != 0 {
      return [
        Finding(
          "disk", .problem, "The file system of '\(folder)' is read-only.",
          advice: "Name a database elsewhere with --db.")
      ]
    }
    guard free >= little else {
      return [
        Finding(
          "disk", free < none ? .problem : .warning, "\(amount) are free where the database is.",
          advice: "Make room: df -h \(quoted(folder))")
      ]
    }
    return [Finding("disk", .ok, "\(amount) are free where the database is.")]
  }
}
