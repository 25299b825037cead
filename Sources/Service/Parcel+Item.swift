package import FencelineAttachments
package import FencelineCivilTime
package import FencelineDelivery
package import FencelineEventJournal
internal import FencelineGeodesy
internal import FencelineGeofencing
package import FencelineJSONText
internal import FencelineNotifying

extension Parcel {
  /// What is to be carried of an event of the outbox.
  ///
  /// - Parameters:
  ///   - item: The event.
  ///   - centre: Says of crossings what people read.
  ///   - attachments: Where the files of notifications are.
  package init(_ item: OutboxItem, _ centre: NotificationCentre, _ attachments: AttachmentStore) {
    let place = item.region.map { region in
      Place(
        region: region.id, title: region.title, latitude: region.centre.latitude,
        longitude: region.centre.longitude, radius: region.radius, tags: region.tags)
    }
    let recorded = item.crossing
    if let stored = item.notification {
      let content = stored.content
      self.init(
        number: item.number, key: item.key, device: item.device, attempt: item.attempt, at: stored.at,
        json: .notification(stored), title: content.title,
        body: content.subtitle.isEmpty
          ? content.body : content.subtitle + (content.body.isEmpty ? "" : "\n" + content.body),
        level: OutboxItem.level(of: stored), crossing: recorded?.crossing, run: recorded?.run,
        sequence: recorded?.sequence, place: place,
        notification: Notification(
          number: stored.number, app: stored.app, identifier: stored.identifier, content: content,
          actions: item.actions, presentation: stored.presentation,
          // One for each attachment, in its place; a file that is not there cannot be read.
          files: content.attachments.map { (try? attachments.path(of: $0.hash)) ?? "" }))
      return
    }
    var json = JSONValue.null
    if let recorded { json = .crossing(recorded) }
    self.init(
      number: item.number, key: item.key, device: item.device, attempt: item.attempt,
      at: recorded?.crossing.at ?? .earliest, json: json,
      title: recorded.map { $0.title ?? $0.crossing.region } ?? "",
      body: recorded.map { centre.sentence($0.crossing) } ?? "", crossing: recorded?.crossing,
      run: recorded?.run, sequence: recorded?.sequence, place: place)
  }

  /// Something to be carried that shows whether a channel works.
  ///
  /// - Parameters:
  ///   - channel: Its name.
  ///   - now: The time.
  /// - Returns: A parcel that no journal knows.
  package static func trial(of channel: String, at now: Timestamp) -> Parcel {
    let text = "If you can read this, the channel “\(channel)” works."
    let json: JSONValue = [
      "test": true, "channel": .text(channel), "at": .text(now.description), "title": "Test",
      "body": .text(text),
    ]
    return Parcel(
      number: 0, key: "fenceline-test-\(now.milliseconds)", device: "test", at: now, json: json,
      title: "Fenceline", body: text)
  }
}

extension JSONValue {
  /// A crossing as the service tells it: with the title of its region.
  package static func crossing(_ recorded: RecordedCrossing) -> JSONValue {
    var value = crossing(recorded.crossing, run: recorded.run, sequence: recorded.sequence)
    if case .object(let members) = value {
      value = .object(members + [.init("title", recorded.title.map(JSONValue.text) ?? .null)])
    }
    return value
  }
}
