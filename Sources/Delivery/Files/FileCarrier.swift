internal import Synchronization

/// Appends parcels to a file, a line each.
final class FileCarrier: Carrier {
  private let file: Mutex<LineFile>
  private let stopping: StopFlag
  private let warn: @Sendable (String) -> Void
  /// What was warned of, so that it is not said for each parcel.
  private let complaint = Mutex<String?>(nil)

  /// What appends to a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rotation: When it is renamed; nil for never.
  ///   - warn: Takes a sentence for the log.
  init(path: String, rotation: Rotation?, warn: @escaping @Sendable (String) -> Void) {
    let stopping = StopFlag()
    self.stopping = stopping
    file = Mutex(LineFile(path: path, rotation: rotation) { stopping.isSet })
    self.warn = warn
  }

  let most = 256

  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
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
