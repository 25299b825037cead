import FencelineCivilTime
import FencelineDelivery
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineNotifying
import FencelineThreads
import Synchronization

extension Parcel {
  /// When the samples happen.
  static let moment = Timestamp(milliseconds: 1_796_000_000_000)

  /// A crossing of a device.
  static func crossing(
    _ number: Int64 = 1, device: String = "van", region: String = "office", kind: Crossing.Kind = .entry
  ) -> Parcel {
    let crossing = Crossing(
      device: device, region: region, kind: kind, at: moment, confirmedAt: moment, earliest: moment,
      latest: moment, cause: .observed, notify: true,
      coordinate: Coordinate(latitude: 52.5, longitude: 13.25))
    return Parcel(
      number: number, key: "key-\(number)", device: device, at: moment,
      json: ["device": .text(device), "region": .text(region), "kind": .text(kind.rawValue)],
      title: "The \(device) is at the office", body: "Since a minute", crossing: crossing, run: 3,
      sequence: 17,
      place: Place(region: region, title: "The office", latitude: 52.5, longitude: 13.25, radius: 100))
  }

  /// A notification.
  static func notification(
    _ number: Int64 = 1, app: String = "fence", identifier: String? = nil, title: String = "Arrived",
    body: String = "At the depot", level: InterruptionLevel = .active, actions: [NotificationAction] = [],
    presentation: PresentationOptions = [.banner, .list, .sound],
    change: (inout NotificationContent) -> Void = { _ in }
  ) -> Parcel {
    var content = NotificationContent()
    content.title = title
    content.body = body
    content.interruptionLevel = level
    content.sound = .default
    change(&content)
    return Parcel(
      number: number, key: "note-\(number)", device: "", at: moment,
      json: ["number": .integer(Int(number)), "title": .text(title)], title: title, body: body, level: level,
      notification: Notification(
        number: number, app: app, identifier: identifier ?? "request-\(number)", content: content,
        actions: actions, presentation: presentation))
  }
}

extension ChannelKind {
  /// What carries for a channel that is called `test`.
  func carrier(
    _ values: [String: [String]], context: ChannelContext = ChannelContext(version: "1")
  ) throws -> any Carrier {
    try make(ChannelSetup(name: "test", values: values), context)
  }

  /// The sentence by which a set-up is refused; nil where it is taken.
  func trouble(_ values: [String: [String]]) -> String? {
    do {
      _ = try carrier(values)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension Carrier {
  /// Carries on a thread as the service's are, and waits for that.
  ///
  /// - Returns: What was reported, by the parcels' numbers, in order.
  func carried(_ parcels: Parcel..., doing work: @escaping @Sendable (() -> Void) -> Void = { $0() })
    -> [(number: Int64, outcome: CarryOutcome)]
  {
    carried(parcels, doing: work)
  }

  /// Carries several; `work` can do something around that on the same thread.
  func carried(_ parcels: [Parcel], doing work: @escaping @Sendable (() -> Void) -> Void = { $0() })
    -> [(number: Int64, outcome: CarryOutcome)]
  {
    let reports = Reports()
    let thread = RunnerThread {
      work {
        self.carry(parcels) { parcel, outcome in
          reports.all.withLock { $0.append((parcel.number, outcome)) }
        }
      }
    }
    thread?.join()
    return reports.all.withLock { $0 }
  }
}

/// What a carrier has reported.
final class Reports: Sendable {
  let all = Mutex<[(number: Int64, outcome: CarryOutcome)]>([])
}
