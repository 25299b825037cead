internal import FencelineCivilTime
package import FencelineEventJournal
package import FencelineLiveSources
internal import Glibc

extension Moment {
  /// The present.
  package static var now: Moment { Moment(.now) }

  /// The moment at which something came.
  package init(_ arrival: Arrival) {
    self.init(utc: arrival.utc, boot: arrival.boot, bootID: Moment.ownBoot)
  }

  /// Which start of the machine this is; empty where the system does not say.
  ///
  /// - Source: random(4), /proc/sys/kernel/random/boot_id.
  private static let ownBoot: String = {
    let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
  }()
}
