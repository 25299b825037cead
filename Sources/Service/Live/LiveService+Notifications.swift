internal import FencelineAttachments
internal import FencelineEventJournal
internal import FencelineSystemdLink
internal import Glibc

/// What the service does for notifications beside the engine.
extension LiveService {
  /// The machine is in another time zone, or the rules of its zone have changed.
  func takeZone() {
    tzset()
    engine.configureCentre(configuration)
    log.write(.info, "The time zone was changed; what is due by local time was worked out anew.")
  }

  /// Removes files that no notification needs any more.
  func collectAttachments() {
    do {
      let needed = try NotificationCentre(journal, configuration.centre).attachments()
      AttachmentStore(database: path).collect(olderThan: LiveService.attachmentGrace) { needed.contains($0) }
    } catch {
      // The journal's trouble is told where fixes meet it.
    }
  }

  /// Seconds in which whoever has copied a file names it in a request.
  private static let attachmentGrace = 3600
}
