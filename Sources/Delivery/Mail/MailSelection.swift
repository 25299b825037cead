internal import FencelineNotifying

/// Which parcels go now, and in which mails.
struct MailSelection {
  /// Each is one mail, in order.
  private(set) var mails: [[Parcel]] = []
  /// What waits for the next mail.
  private(set) var waiting: [Parcel] = []

  /// - Parameters:
  ///   - parcels: In their order.
  ///   - isDue: Whether those that are not urgent go now.
  ///   - collects: Whether those become one mail.
  init(_ parcels: [Parcel], isDue: Bool, collects: Bool) {
    // What is urgent takes along what stands before it, for the order of its device.
    var rests = Dictionary(grouping: parcels, by: \.device).compactMapValues { own in
      own.lastIndex { MailSelection.isUrgent($0) }.map { $0 + 1 }
    }
    var collected: [Parcel] = []
    for parcel in parcels {
      let rest = rests[parcel.device] ?? 0
      if rest > 0 { rests[parcel.device] = rest - 1 }
      if MailSelection.isUrgent(parcel) {
        if collected.contains(where: { $0.device == parcel.device }) {
          mails.append(collected)
          collected = []
        }
        mails.append([parcel])
      } else if !isDue && rest == 0 {
        waiting.append(parcel)
      } else if collects {
        collected.append(parcel)
      } else {
        mails.append([parcel])
      }
    }
    if !collected.isEmpty { mails.append(collected) }
  }

  /// Whether a parcel does not wait for others.
  static func isUrgent(_ parcel: Parcel) -> Bool { parcel.level >= .timeSensitive }
}
