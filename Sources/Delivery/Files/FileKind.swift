extension ChannelKind {
  /// Appends each event to a file.
  package static let file = ChannelKind(
    "file", "Append each event to a file, as JSON on a line.", audience: .machines,
    targets: [
      ChannelOption(
        "path", .file,
        "The file, by its whole path. It is made for the service's user alone; one that is there stays as it is. Another program may "
          + "rename it at any time, and a named pipe that somebody reads will do too.")
    ],
    options: [
      ChannelOption(
        "rotate-size", .size,
        "Rename it to PATH.1, and that to PATH.2, before it becomes longer. Never where unset."),
      ChannelOption(
        "keep", .number(0...1000),
        "How many old files are kept; a file that has the name of one is replaced. 5 where unset."),
    ],
    examples: [
      (
        "fenceline channel add file log /var/log/events.jsonl --rotate-size 10M",
        "Write crossings to a file."
      ),
      (
        "fenceline channel add file log /var/log/fenceline/events.jsonl",
        "The same, where logrotate cares for it."
      ),
    ],
    make: { setup, context throws(ChannelError) in
      let path = setup["path"] ?? ""
      guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw ChannelError("'\(path)' is no whole path for channel '\(setup.name)'. Begin it with '/'.")
      }
      if let journal = context.journal, FileCarrier.isPart(path, of: journal) {
        throw ChannelError(FileCarrier.isJournal(path))
      }
      var rotation: Rotation?
      if let text = setup["rotate-size"] {
        guard let size = Int64(text), size > 0 else {
          throw ChannelError(
            "'\(text)' is no size for --rotate-size of channel '\(setup.name)'. Give a number of bytes, such as 10M."
          )
        }
        rotation = Rotation(size: size, keep: try setup.whole("keep", in: 0...1000) ?? 5)
      } else if setup.isSet("keep") {
        throw ChannelError(
          "Channel '\(setup.name)' is to keep old files, but never rotates. Give --rotate-size too.")
      }
      return FileCarrier(path: path, rotation: rotation, journal: context.journal, warn: context.warn)
    })
}

extension ChannelSetup {
  /// A whole number within bounds.
  ///
  /// - Parameters:
  ///   - name: The option's name.
  ///   - bounds: What is taken.
  /// - Returns: The number; nil where it is not set.
  /// - Throws: ``ChannelError`` where it is none of those.
  func whole(_ name: String, in bounds: ClosedRange<Int>) throws(ChannelError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = Int(value), bounds.contains(number) else {
      throw ChannelError(
        "'\(value)' is no number for --\(name) of channel '\(self.name)'. Give \(bounds.lowerBound) to \(bounds.upperBound)."
      )
    }
    return number
  }
}
