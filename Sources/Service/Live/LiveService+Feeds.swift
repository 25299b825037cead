internal import FencelineDelivery
internal import FencelineEventJournal
internal import FencelineGeodesy
internal import FencelineGeofencing
internal import FencelineLiveSources
internal import FencelineRegionFiles
internal import FencelineSystemdLink
internal import FencelineThreads

/// What comes in by channels: positions, and regions.
extension LiveService {
  /// Metres, of regions that come without a radius; OwnTracks' own are never so.
  private static let usualRadius = 100.0
  /// How many reports wait for the journal at most.
  private static let mostReports = 1_000
  /// What tells regions that devices have published from those of people.
  private static let tag = "owntracks"

  /// Makes sources of the channels that receive, and ends those of the ones that do not any more.
  func setUpFeeds(at now: Arrival) {
    let wanted = running.values.filter { $0.courier != nil && $0.stored.receives }.map(\.stored)
    for (number, feed) in feeds
    where !wanted.contains(where: { $0.number == number && $0.options == feed.channel.options }) {
      end(feed.source)
      feeds[number] = nil
    }
    for channel in wanted where feeds[channel.number] == nil {
      let setup = ChannelSetup(name: channel.name, values: channel.options, seal: channel.seal)
      do {
        guard let input = try ChannelKind.ownTracksInput(setup, channelContext(channel.name)) else {
          continue
        }
        let source = OwnTracksSource(
          options: input.options, topics: input.topics, acceptsWaypoints: input.acceptsWaypoints,
          options: LiveService.sourceOptions(configuration))
        feeds[channel.number] = (channel, source)
        nameSources()
        try start(source)
        running[channel.number]?.problem = nil
      } catch {
        feeds[channel.number] = nil
        nextSetUp = min(nextSetUp, now.boot + LiveService.setUpAgainEvery)
        let sentence = "\(error)"
        if running[channel.number]?.problem != sentence { log.write(.error, sentence, kind: .problem) }
        running[channel.number]?.problem = sentence
      }
    }
    nameSources()
  }

  /// Makes all sources of channels anew: what the user says about sources has changed.
  func renewFeeds() {
    for feed in feeds.values { end(feed.source) }
    feeds = [:]
    setUpFeeds(at: .now)
  }

  /// Ends a source that is not wanted any more. It may take a moment, for which nobody should wait here.
  private func end(_ source: any LiveSource) {
    engine.forget(source: source.name)
    guard let thread = RunnerThread({ source.stop() }) else { return source.stop() }
    thread.detach()
  }

  /// Takes regions that a device has published.
  func take(_ report: ReportedRegions) {
    if reports.count >= LiveService.mostReports {
      log.write(
        .error,
        "Regions that \(reports.removeFirst().device) has published are lost: the journal cannot be written.")
    }
    reports.append(report)
    takeReports()
  }

  /// Works off what devices have published, in its order, as far as the journal can be written.
  func takeReports() {
    while let report = reports.first, isTaken(report) { reports.removeFirst() }
  }

  /// Watches what a device wants to have watched, and no longer what it does not.
  ///
  /// - Returns: False where the journal cannot be written now.
  private func isTaken(_ report: ReportedRegions) -> Bool {
    do {
      let all = try journal.regions(inOrder: false).map(\.region)
      let known = all.filter { $0.tags.contains(LiveService.tag) }
      var regions: [Region] = []
      if let document = report.document {
        let found = try RegionImport(document, name: report.device, radius: LiveService.usualRadius)
        for entry in found.entries where entry.problems.isEmpty {
          var region = entry.region
          region.title = region.title ?? region.id
          region.id = LiveService.identifier(report.device, region.title ?? region.id)
          // A region of somebody else's is not touched.
          let isOthers = all.contains { $0.id == region.id } && !known.contains { $0.id == region.id }
          guard !isOthers else { continue }
          // What was said of it here stays.
          if var old = known.first(where: { $0.id == region.id }) {
            (old.centre, old.radius, old.title) = (region.centre, region.radius, region.title)
            region = old
          } else {
            region.tags = [LiveService.tag]
          }
          if !regions.contains(where: { $0.id == region.id }) { regions.append(region) }
        }
        for problem in found.problems {
          log.write(.warning, "\(report.source): a way-point of \(report.device) cannot be used. \(problem)")
        }
      }
      let gone = report.unwatched.map { LiveService.identifier(report.device, $0) }
      let removed = known.map(\.id).filter(gone.contains)
      let change = try journal.store(regions, update: true)
      _ = try journal.removeRegions(removed)
      engine.recorder.lookForEdits()
      let count = change.added.count + change.updated.count + removed.count
      if count > 0 {
        log.write(
          .notice,
          "\(report.device) has published its regions: \(change.added.count) added, \(change.updated.count) changed, \(removed.count) removed."
        )
      }
    } catch let error as JournalError where error.code == .busy || error.code == .cannotWrite {
      return false
    } catch {
      log.write(
        .error, "The regions that \(report.device) has published cannot be used. \(error)", kind: .problem)
    }
    return true
  }

  /// The identifier of a device's own region.
  private static func identifier(_ device: String, _ name: String) -> String {
    String("\(device)/\(name)".map { $0.isWhitespace || $0.isNewline ? "-" : $0 })
  }
}
