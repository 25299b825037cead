package import FencelineCivilTime
package import FencelineGeofencing
package import FencelineJSONText
package import FencelineNotifying

/// Something that a channel is to carry to people or machines: one crossing or one notification.
package struct Parcel: Hashable, Sendable {
  /// The circle that a crossing is about, as it is now.
  package struct Place: Hashable, Sendable {
    /// Its identifier.
    package var region: String
    /// What people call it; nil where it has no title.
    package var title: String?
    /// Its centre, in degrees.
    package var latitude: Double
    package var longitude: Double
    /// Metres.
    package var radius: Double
    /// The user's words for it.
    package var tags: [String]

    /// A circle.
    package init(
      region: String, title: String?, latitude: Double, longitude: Double, radius: Double, tags: [String] = []
    ) {
      self.region = region
      self.title = title
      self.latitude = latitude
      self.longitude = longitude
      self.radius = radius
      self.tags = tags
    }
  }

  /// What only a notification has.
  package struct Notification: Hashable, Sendable {
    /// Its number in the journal, by which answers name it; never another one's.
    package var number: Int64
    /// Whose it is, and the identifier of its request: a later one with the same two takes its place.
    package var app: String
    package var identifier: String
    /// What it says; placeholders are filled.
    package var content: NotificationContent
    /// What can be done with it, in order.
    package var actions: [NotificationAction]
    /// How it is to be shown: without `banner` quietly, without `sound` silently.
    package var presentation: PresentationOptions
    /// The files of its attachments, in their order, by whole paths.
    package var files: [String]

    /// A notification.
    package init(
      number: Int64, app: String, identifier: String, content: NotificationContent,
      actions: [NotificationAction] = [], presentation: PresentationOptions, files: [String] = []
    ) {
      self.number = number
      self.app = app
      self.identifier = identifier
      self.content = content
      self.actions = actions
      self.presentation = presentation
      self.files = files
    }
  }

  /// The delivery's number in the journal; 0 for a trial that is in no journal.
  package var number: Int64
  /// The same for every attempt and every channel, and never another event's: who remembers it acts once.
  package var key: String
  /// The device that it is about; empty where it is about none. What is about one device is carried in order.
  package var device: String
  /// The how manieth attempt this is, from 1.
  package var attempt: Int
  /// When it happened.
  package var at: Timestamp
  /// All of it, as the command line prints it with `--json`.
  package var json: JSONValue
  /// What people read first, then below that, in plain text; never empty both.
  package var title: String
  package var body: String
  /// How urgent it is.
  package var level: InterruptionLevel
  /// The crossing that it is about, its run and its number there; nil where it is about none.
  package var crossing: Crossing?
  package var run: Int64?
  package var sequence: Int64?
  /// Where that was.
  package var place: Place?
  /// The notification; nil where the crossing itself is carried.
  package var notification: Notification?

  /// What has happened, in words with points between: `crossing.entry`, `notification`.
  package var type: String {
    if notification != nil { return "notification" }
    return crossing.map { "crossing.\($0.kind.rawValue)" } ?? "test"
  }

  /// An event to be carried.
  package init(
    number: Int64, key: String, device: String, attempt: Int = 1, at: Timestamp, json: JSONValue,
    title: String,
    body: String, level: InterruptionLevel = .active, crossing: Crossing? = nil, run: Int64? = nil,
    sequence: Int64? = nil, place: Place? = nil, notification: Notification? = nil
  ) {
    self.number = number
    self.key = key
    self.device = device
    self.attempt = attempt
    self.at = at
    self.json = json
    self.title = title
    self.body = body
    self.level = level
    self.crossing = crossing
    self.run = run
    self.sequence = sequence
    self.place = place
    self.notification = notification
  }
}
