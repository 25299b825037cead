internal import FencelineCivilTime
internal import FencelineGeofencing
internal import FencelineNotifying

extension NotificationCentre {
  /// A notification that is about to be delivered.
  struct Draft {
    var app: String
    var identifier: String
    var content: NotificationContent
    /// The number of its request and the occurrence; nil where it comes from a region or a crossing.
    var request: Int64?
    var key: Int64?
    var due: Timestamp
    var crossing: CrossingPlace?
    /// What keeps it from being shown, whatever the user allows.
    var suppression: String?

    /// An occurrence of a request.
    init(_ stored: StoredRequest, _ occurrence: Occurrence) {
      app = stored.request.app
      identifier = stored.request.identifier
      content = stored.request.content
      request = stored.number
      key = occurrence.key
      due = occurrence.at
    }

    /// A crossing that a request waits for.
    init(_ stored: StoredRequest, _ crossing: CrossingPlace, _ suppression: String?) {
      app = stored.request.app
      identifier = stored.request.identifier
      content = stored.request.content
      request = stored.number
      due = crossing.confirmedAt
      self.crossing = crossing
      self.suppression = suppression
    }

    /// What a region says by itself.
    init(
      app: String, identifier: String, content: NotificationContent, crossing: CrossingPlace,
      suppression: String?
    ) {
      self.app = app
      self.identifier = identifier
      self.content = content
      due = crossing.confirmedAt
      self.crossing = crossing
      self.suppression = suppression
    }
  }

  /// The crossing that a notification tells of.
  struct CrossingPlace {
    /// nil where a device is inside a region when the request is made.
    var run: Int64?
    var sequence: Int64?
    var region: StoredRegion?
    var device: String
    var kind: Crossing.Kind
    var at: Timestamp
    var confirmedAt: Timestamp
    /// When the visit began; nil where it is not known.
    var entered: Timestamp?
  }
}
