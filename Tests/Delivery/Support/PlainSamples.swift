import FencelineCivilTime
import FencelineDelivery
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineNotifying
import Synchronization
import Testing

enum Samples {
  /// A crossing.
  static func crossing(
    key: String = "k-1", title: String = "Entered office", region: String = "office",
    device: String = "phone",
    number: Int64 = 1, level: InterruptionLevel = .active
  ) -> Parcel {
    let at = Timestamp(milliseconds: 1_772_323_413_892)
    let coordinate = Coordinate(latitude: 52.5, longitude: 13.25)
    let crossing = Crossing(
      device: device, region: region, kind: .entry, at: at, confirmedAt: at, earliest: at, latest: at,
      cause: .observed, notify: true, coordinate: coordinate)
    return Parcel(
      number: number, key: key, device: device, at: at,
      json: ["kind": "entry", "region": .text(region), "device": .text(device)], title: title,
      body: "phone came in", level: level, crossing: crossing, run: 7, sequence: 3)
  }

  /// A notification.
  static func notification(
    key: String = "n-1", number: Int64 = 12, title: String = "Buy milk", body: String = "And bread",
    level: InterruptionLevel = .active, thread: String? = nil, actions: [NotificationAction] = [],
    files: [String] = [], attachments: [NotificationAttachment] = []
  ) -> Parcel {
    var content = NotificationContent()
    content.title = title
    content.body = body
    content.threadIdentifier = thread
    content.interruptionLevel = level
    content.attachments = attachments
    let notification = Parcel.Notification(
      number: number, app: "shop", identifier: "milk", content: content, actions: actions,
      presentation: [.banner],
      files: files)
    return Parcel(
      number: number, key: key, device: "", at: Timestamp(milliseconds: 1_772_323_413_892),
      json: ["id": .integer(Int(number)), "title": .text(title)], title: title, body: body, level: level,
      notification: notification)
  }
}

extension Carrier {
  /// Carries parcels and tells their outcomes by their numbers.
  func outcomes(_ parcels: [Parcel]) -> [Int64: CarryOutcome] {
    var outcomes: [Int64: CarryOutcome] = [:]
    carry(parcels) { outcomes[$0.number] = $1 }
    return outcomes
  }

  /// Carries one.
  func outcome(_ parcel: Parcel) throws -> CarryOutcome { try #require(outcomes([parcel])[parcel.number]) }
}

extension ChannelKind {
  /// Makes a carrier, of options by their names.
  func chatCarrier(
    _ values: [String: [String]], environment: [String: String] = [:],
    answered: @escaping @Sendable (ChannelContext.Answer) -> Void = { _ in },
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> any Carrier {
    let context = ChannelContext(
      version: "1.2", environment: { environment[$0] }, answered: answered, warn: warn)
    return try make(ChannelSetup(name: "chat", values: values, seal: "5ea1"), context)
  }
}
