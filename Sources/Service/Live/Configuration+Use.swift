internal import FencelineEventJournal
internal import FencelineGeofencing
internal import FencelinePositioning

extension Configuration {
  /// What of it decides how fixes are evaluated.
  var runSettings: RunSettings {
    RunSettings(device: nil, profile: profile.rawValue, filter: filter, startDate: nil)
  }

  /// Whether sources made for `old` have to be made anew.
  func needsOtherSources(than old: Configuration) -> Bool {
    sources != old.sources || gpsdConfidence != old.gpsdConfidence || silence != old.silence
      || device != old.device || receivers != old.receivers
  }
}
