internal import FencelineCivilTime
package import FencelineEventJournal
internal import Glibc
internal import Synchronization

extension Configuration {
  /// How the notification centre behaves on this machine.
  package var centre: CentreSettings {
    let zones = ZoneMemory()
    var settings = CentreSettings(localZone: (try? SystemZones.local()) ?? .utc) { zones.zone(named: $0) }
    settings.pendingLimit = pendingLimit
    settings.eviction = eviction
    settings.summaryTimes = summaryTimes
    settings.presentationDeadline = Int64(presentationDeadline * 1000)
    settings.showsUnanswered = showsUnanswered
    settings.hasSound = Configuration.hasSound
    return settings
  }

  /// Whether a sound of the user's or of the system has a name, with or without its ending.
  private static func hasSound(_ name: String) -> Bool {
    var folders = ["/usr/local/share/sounds", "/usr/share/sounds", "/usr/share/sounds/freedesktop/stereo"]
    if let home = unsafe getenv("XDG_DATA_HOME"), unsafe home.pointee == UInt8(ascii: "/") {
      folders.insert(unsafe String(cString: home) + "/sounds", at: 0)
    } else if let home = unsafe getenv("HOME") {
      folders.insert(unsafe String(cString: home) + "/.local/share/sounds", at: 0)
    }
    for folder in folders {
      for ending in ["", ".oga", ".ogg", ".wav"] where unsafe access("\(folder)/\(name)\(ending)", R_OK) == 0
      {
        return true
      }
    }
    return false
  }
}

/// Zones that were asked for before, so that their files are read once.
private final class ZoneMemory: Sendable {
  private let known = Mutex<[String: CivilZone?]>([:])

  func zone(named name: String) -> CivilZone? {
    known.withLock { known in
      if let zone = known[name] { return zone }
      let zone = try? SystemZones.zone(named: name)
      known[name] = .some(zone)
      return zone
    }
  }
}
