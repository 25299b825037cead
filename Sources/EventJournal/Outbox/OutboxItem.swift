package import FencelineGeofencing
package import FencelineNotifying

/// An event that a channel is to carry now.
package struct OutboxItem: Hashable, Sendable {
  /// The delivery's row.
  package var number: Int64
  /// The channel's row.
  package var channel: Int64
  /// The same for every attempt and every channel, and never another event's.
  package var key: String
  /// The device; empty where it is about none.
  package var device: String
  /// The how manieth attempt it is, from 1.
  package var attempt: Int
  /// The crossing, or the one that the notification is about.
  package var crossing: RecordedCrossing?
  /// The region that it is about, as it is now.
  package var region: Region?
  /// The notification; nil where the crossing is carried.
  package var notification: StoredNotification?
  /// What can be done with the notification.
  package var actions: [NotificationAction] = []
}

/// Something that people should hear of a channel.
package struct OutboxNews: Hashable, Sendable {
  /// What it is.
  package enum Kind: Hashable, Sendable {
    /// It has begun to fail; why.
    case fails(String)
    /// It works again.
    case works
    /// An event was given up; which, and why.
    case gaveUp(delivery: Int64, String)
    /// Its peer wants nothing any more; why.
    case switchedOff(String)
  }

  /// The channel, by its row and its name.
  package var channel: Int64
  package var name: String
  /// What it is.
  package var kind: Kind
}

/// What has become of an attempt.
package struct DeliveryOutcome: Hashable, Sendable {
  /// How it has ended.
  package enum Result: Hashable, Sendable {
    case done
    /// It is tried again; the peer asks to be left alone for so many seconds, or says nothing.
    case failed(after: Double?)
    /// The peer does not want this one.
    case refused
    /// The peer wants nothing any more.
    case gone
    /// It was not tried, and is not to be for so many seconds.
    case postponed(seconds: Double)
    /// There is no need for it any more.
    case dropped
  }

  /// The delivery's row.
  package var number: Int64
  /// How it has ended.
  package var result: Result
  /// What there is to say of it; empty: nothing.
  package var detail: String
  /// What was printed or answered.
  package var output: String?
  /// Whether it was taken and is not shown to anybody yet.
  package var isHeldBack: Bool

  /// An outcome.
  package init(
    number: Int64, _ result: Result, detail: String = "", output: String? = nil, isHeldBack: Bool = false
  ) {
    self.number = number
    self.result = result
    self.detail = detail
    self.output = output
    self.isHeldBack = isHeldBack
  }
}
