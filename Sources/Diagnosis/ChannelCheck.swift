package import FencelineCivilTime
package import FencelineDelivery
internal import FencelineEventJournal
internal import Glibc

/// Whether channels carry what they should, as far as that can be said without sending anything.
package enum ChannelCheck {
  /// Looks at the channels of a database.
  ///
  /// - Parameters:
  ///   - path: The file; what is wrong with it is not said here.
  ///   - now: The time.
  /// - Returns: What is found, channel by channel; nothing where there are none.
  package static func findings(_ path: String, at now: Timestamp) -> [Finding] {
    guard fileStatus(path) != nil else { return [] }
    do throws(JournalError) {
      let journal = try Journal(path: path, .read)
      let counts = try journal.deliveryCounts()
      return try journal.channels().flatMap { channel in
        findings(channel, counts[channel.number] ?? .init(), path, now)
      }
    } catch { return [] }
  }

  private static func findings(
    _ channel: StoredChannel, _ counts: DeliveryCounts, _ path: String, _ now: Timestamp
  ) -> [Finding] {
    var found = state(channel, counts, path, now)
    if counts.dead > 0 {
      let name = channel.name
      found.append(
        problem(
          "\(deliveries(counts.dead)) of the channel '\(name)' \(counts.dead == 1 ? "was" : "were") given up."
            + (counts.lastDeath.map { " \($0)" } ?? ""),
          "fenceline deliveries retry --channel \(name) --state dead; to forget them: fenceline deliveries drop --channel \(name) --state dead"
        ))
    }
    if found.isEmpty {
      found.append(
        counts.lastDone == nil
          ? Finding(
            "channel", .ok, "The channel '\(channel.name)' has carried nothing yet.",
            advice: "fenceline channel test \(channel.name)")
          : Finding("channel", .ok, "The channel '\(channel.name)' is as it should be."))
    }
    return found
  }

  private static func state(
    _ channel: StoredChannel, _ counts: DeliveryCounts, _ path: String, _ now: Timestamp
  ) -> [Finding] {
    let name = channel.name
    guard channel.isEnabled else {
      let waiting =
        counts.waiting > 0 ? "; \(deliveries(counts.waiting)) wait\(counts.waiting == 1 ? "s" : "")" : ""
      let advice = "fenceline channel enable \(name)"
      if let reason = channel.problem {
        return [
          problem("The channel '\(name)' was switched off\(waiting). \(reason)", "Mend that, then: \(advice)")
        ]
      }
      let text = "The channel '\(name)' is switched off\(waiting)."
      return [
        Finding("channel", waiting.isEmpty ? .ok : .warning, text, advice: waiting.isEmpty ? nil : advice)
      ]
    }
    guard let kind = ChannelKind.named(channel.kind) else {
      return [
        problem(
          "This program knows no channels of the kind '\(channel.kind)', such as '\(name)': it is too old.",
          "Upgrade it, or: fenceline channel remove \(name)")
      ]
    }
    var found: [Finding] = []
    let setup = ChannelSetup(name: name, values: channel.options, seal: channel.seal)
    if let text = trouble(kind, setup, journal: path) {
      found.append(problem(text, "Mend that, then: fenceline channel test \(name)"))
    }
    if found.isEmpty { found = missing(kind, setup) }
    if counts.failing > 0 {
      let time = SpanText.words(max(0, counts.failingSince.map { now.seconds(since: $0) } ?? 0))
      let waiting =
        counts.waiting == 1
        ? "1 delivery waits and has been tried for \(time)"
        : "\(counts.waiting) deliveries wait, and one has been tried for \(time)"
      found.append(
        Finding(
          "channel", .warning,
          "The channel '\(name)' fails; \(waiting)."
            + (counts.lastFailure.map { " \($0)" } ?? ""),
          advice: "fenceline channel test \(name)"))
    }
    return found
  }

  /// Sees whether a channel can be set up so, without reaching for its peer. Whatever its environment should hold is taken to be there:
  /// the service has one of its own.
  ///
  /// - Parameters:
  ///   - kind: The kind of channel.
  ///   - setup: How it is set up.
  ///   - journal: The database, by any name.
  /// - Returns: Why it cannot, a sentence; nil where it can.
  package static func trouble(_ kind: ChannelKind, _ setup: ChannelSetup, journal: String) -> String? {
    let context = ChannelContext(
      version: "", journal: Journal.trueName(of: journal), environment: { environment($0) ?? "unknown" })
    do throws(ChannelError) { _ = try kind.make(setup, context) } catch { return error.message }
    return nil
  }

  /// Programs, folders and files that a channel is set up with and that are not there.
  ///
  /// - Parameters:
  ///   - kind: The kind of channel.
  ///   - setup: How it is set up.
  /// - Returns: A finding for each.
  package static func missing(_ kind: ChannelKind, _ setup: ChannelSetup) -> [Finding] {
    var found: [Finding] = []
    for option in kind.parameters {
      guard let value = setup[option.name] else { continue }
      let edit = "fenceline channel edit \(setup.name)"
      let isTarget = kind.targets.contains { $0.name == option.name }
      switch option.value {
      case .words:
        guard let text = trouble(withProgram: value) else { continue }
        let advice =
          text == notExecutable
          ? "chmod +x \(quoted(value))"
          : "Install it, or name another one: \(edit) \(isTarget ? "-- PROGRAM" : "--\(option.name) PROGRAM")"
        found.append(problem("The program '\(value)' of the channel '\(setup.name)' \(text).", advice))
      case .file where isTarget:
        let folder = value.lastIndex(of: "/").map { String(value[..<$0]) } ?? "."
        guard !folder.isEmpty, isMissing(folder) else { continue }
        found.append(
          problem(
            "The folder of '\(value)', to which the channel '\(setup.name)' writes, is not there.",
            "mkdir -p \(quoted(folder))"))
      case .file:
        guard isMissing(value) else { continue }
        found.append(
          problem(
            "The file '\(value)' of the channel '\(setup.name)' is not there.",
            "Write it, or name another one: \(edit) --\(option.name) FILE"))
      default: continue
      }
    }
    return found
  }

  private static let notExecutable = "may not be executed"

  /// - Returns: The end of a sentence about a program that cannot be run; nil where it can be.
  private static func trouble(withProgram name: String) -> String? {
    guard name.contains("/") else {
      let folders = (environment("PATH") ?? "/bin:/usr/bin").split(separator: ":")
      return folders.contains { isProgram("\($0)/\(name)") } ? nil : "is in no folder of the PATH"
    }
    if isMissing(name) { return "is not there" }
    // What may not be looked at the service may run.
    return fileStatus(name) == nil || isProgram(name) ? nil : notExecutable
  }

  private static func isMissing(_ path: String) -> Bool {
    unsafe access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = fileStatus(path), status.st_mode & S_IFMT == S_IFREG else { return false }
    return unsafe access(path, X_OK) == 0
  }

  private static func problem(_ text: String, _ advice: String) -> Finding {
    Finding("channel", .problem, text, advice: advice)
  }

  private static func deliveries(_ count: Int) -> String { count == 1 ? "1 delivery" : "\(count) deliveries" }
}
