internal import Glibc
internal import Synchronization

/// Appends parcels to a file, a line each.
final class FileCarrier: Carrier {
  private let file: Mutex<LineFile>
  private let path: String
  private let journal: String?
  private let stopping: StopFlag
  private let warn: @Sendable (String) -> Void
  /// What was warned of, so that it is not said for each parcel.
  private let complaint = Mutex<String?>(nil)

  /// What appends to a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rotation: When it is renamed; nil for never.
  ///   - journal: What it must not be, nor what belongs to that; nil where there is no such thing.
  ///   - warn: Takes a sentence for the log.
  init(path: String, rotation: Rotation?, journal: String? = nil, warn: @escaping @Sendable (String) -> Void)
  {
    let stopping = StopFlag()
    self.stopping = stopping
    file = Mutex(LineFile(path: path, rotation: rotation) { stopping.isSet })
    self.path = path
    self.journal = journal
    self.warn = warn
  }

  let most = 256

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
    if let journal, FileCarrier.isPart(path, of: journal) {
      return carryEach(parcels, report: report) { _ in .failed(FileCarrier.isJournal(path)) }
    }
    var lines: [UInt8] = []
    for parcel in parcels { lines += parcel.line }
    do throws(LineFile.Trouble) {
      complain(try file.withLock { file throws(LineFile.Trouble) in try file.append(lines) })
      for parcel in parcels { report(parcel, .done) }
    } catch {
      let outcome: CarryOutcome =
        stopping.isSet ? CarryOutcome(.postponed(seconds: 0)) : .failed(error.sentence)
      // Those behind the first of a device wait.
      carryEach(parcels, report: report) { _ in outcome }
    }
  }

  func stop() { stopping.set() }

  /// Whether a file is the journal, or one that belongs to it. None is opened: who closes it would lose the locks that are held on it.
  static func isPart(_ path: String, of journal: String) -> Bool {
    var file = stat()
    let isThere = unsafe stat(path, &file) == 0
    for ending in ["", "-wal", "-shm", "-lock", "-socket", "-journal"] {
      if path == journal + ending { return true }
      var own = stat()
      if isThere, unsafe stat(journal + ending, &own) == 0, file.st_dev == own.st_dev,
        file.st_ino == own.st_ino
      {
        return true
      }
    }
    return false
  }

  static func isJournal(_ path: String) -> String {
    "'\(path)' belongs to Fenceline's own database, which events would destroy. Name another file."
  }

  private func complain(_ sentence: String?) {
    let isNew = complaint.withLock { complaint in
      defer { complaint = sentence }
      return complaint != sentence
    }
    if isNew, let sentence { warn(sentence) }
  }
}

/// Whether something was stopped.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
