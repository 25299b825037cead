/// What is heard when a notification is shown.
public struct NotificationSound: Hashable, Sendable {
  /// The file in the folder of sounds; nil is the usual sound.
  public var name: String?
  /// Whether it sounds although the device is mute; the app needs an entitlement.
  public var isCritical: Bool
  /// From 0 to 1, of a critical sound; nil is the loudest.
  public var volume: Double?

  /// The usual sound.
  public static let `default` = NotificationSound()
  /// The usual sound for what is critical.
  public static let defaultCritical = NotificationSound(isCritical: true)

  /// A sound.
  ///
  /// - Parameters:
  ///   - name: The file in the folder of sounds; nil is the usual sound.
  ///   - isCritical: Whether it sounds although the device is mute.
  ///   - volume: From 0 to 1, of a critical sound.
  public init(name: String? = nil, isCritical: Bool = false, volume: Double? = nil) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume
  }

  func check() throws(NotificationError) {
    if let volume, !(0...1).contains(volume) {
      throw NotificationError(
        .notificationInvalidNoContent,
        "The volume is \(volume), but a volume goes from 0 (silent) to 1 (loudest). Choose one of these.")
    }
    if volume != nil, !isCritical {
      throw NotificationError(
        .notificationInvalidNoContent,
        "Only a critical sound has a volume. Make the sound critical, or leave the volume out.")
    }
    guard let name else { return }
    guard !name.isEmpty, !name.contains("/"), name != ".", name != "..", name.utf8.count <= 255 else {
      throw NotificationError(
        .notificationInvalidNoContent,
        "The sound '\(name)' is not the name of a file. Name a file in the folder of sounds, without its path."
      )
    }
  }
}
