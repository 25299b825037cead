import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeodesy
import FencelineGeofencing
import FencelineJSONText
import FencelineLiveSources
import FencelineService

/// The status of the service for people, on one screen.
struct StatusScreen {
  let style: Style

  /// A line: a label and what it is about.
  struct Line {
    var label = ""
    var text: String
    var tint: Style.Tint?
    /// Whether it may go on in the next row of the terminal, because it must be read to its end.
    var wraps = false
    let style: Style

    static let labelWidth = 10

    /// The line without a limit.
    var whole: String { fitted(to: .max) }

    /// The line cut to a width.
    func fitted(to width: Int) -> String {
      guard !text.isEmpty else { return style.bold(label) }
      let label = label.padded(to: Line.labelWidth)
      let room = width == .max || wraps ? Int.max : max(0, width - displayWidth(label))
      let text = truncated(printable(text), to: room)
      return style.bold(label) + (tint.map { style.apply($0, to: text) } ?? text)
    }
  }

  func lines(_ status: JSONNode) -> [Line] {
    let now = status.time("now") ?? LocalTime.now
    var lines: [Line] = []
    for problem in status.list("problems") {
      lines.append(Line(label: "problem", text: problem.text ?? "", tint: .red, wraps: true, style: style))
    }
    if status.truth("clockSynchronised") == false {
      lines.append(line("warning", "The system's clock is not synchronised.", .yellow))
    }
    let running = status.time("since").map { ", running for \(spanText(now.seconds(since: $0)))" } ?? ""
    let process = status.integer("process").map { "process \($0)" } ?? ""
    lines.append(line("service", "fenceline \(status.text("version") ?? ""), \(process)\(running)"))
    lines.append(line("database", status.text("database") ?? ""))
    if status.list("sources").isEmpty {
      lines.append(line("source", "none; positions can come by channels with --receive", .yellow))
    }
    for source in status.list("sources") { lines += self.source(source, now) }
    for device in status.list("devices") { lines += [blank] + self.device(device, now) }
    if status.list("devices").isEmpty {
      lines += [blank, line("device", "none has been heard of yet", .yellow)]
    }
    return lines + [blank] + figures(status)
  }

  private func line(_ label: String, _ text: String, _ tint: Style.Tint? = nil) -> Line {
    Line(label: label, text: text, tint: tint, style: style)
  }

  private var blank: Line { Line(text: "", style: style) }

  private func source(_ source: JSONNode, _ now: Timestamp) -> [Line] {
    let state = source.text("state") ?? "unknown"
    var text = "\(source.text("name") ?? ""): \(state)\(since(source.time("since"), now))"
    if let detail = source.text("detail") {
      text += ", \(detail)"
    } else if state == SignalState.noReceiver.rawValue, source.text("name")?.hasPrefix("owntracks ") == true {
      text += ", nobody has published anything yet"
    }
    let counts = source.counts("counts").filter { $0.count > 0 }
    if !counts.isEmpty {
      text += "; " + counts.map { "\($0.name) \(grouped($0.count))" }.joined(separator: ", ")
    }
    return [line("source", text, tint(of: state))]
  }

  private func device(_ device: JSONNode, _ now: Timestamp) -> [Line] {
    let state = device.text("state") ?? "unknown"
    var lines = [
      line(
        "device",
        "\(device.text("device") ?? ""): \(state)\(since(device.time("stateSince"), now))", tint(of: state))
    ]
    let receiver = [device.text("receiver"), device.text("source")].compactMap { $0 }
    if !receiver.isEmpty { lines.append(line("receiver", receiver.joined(separator: " at "))) }
    if let fix = device.member(["fix"]), let latitude = fix.number("latitude"),
      let longitude = fix.number("longitude")
    {
      let accuracy = fix.number("accuracy").map { " ± \(lengthText($0))" } ?? ""
      let age = device.number("age").map { ", \(ageText($0)) old" } ?? ""
      lines.append(line("fix", "\(latitude.fixed(6)), \(longitude.fixed(6))\(accuracy)\(age)"))
      let moving = motion(fix)
      if !moving.isEmpty { lines.append(line("motion", moving)) }
    } else {
      lines.append(line("fix", "none yet", .yellow))
    }
    let inside = device.list("inside")
    for (place, region) in inside.enumerated() {
      let time = region.time("since").map { ", for \(spanText(now.seconds(since: $0)))" } ?? ""
      lines.append(line(place == 0 ? "inside" : "", name(region) + time, .green))
    }
    for (place, region) in device.list("nearest").enumerated() {
      let distance =
        region.number("distance").map { gap in
          ", \(lengthText(abs(gap))) \(gap < 0 ? "inside" : "from") its perimeter"
        } ?? ""
      lines.append(line(place == 0 ? "nearest" : "", name(region) + distance))
    }
    return lines
  }

  private func motion(_ fix: JSONNode) -> String {
    var parts: [String] = []
    if let speed = fix.number("speed") { parts.append("\((speed * 3.6).trimmed(1)) km/h") }
    if let course = fix.number("course") { parts.append("towards \(course.trimmed(0))° \(wind(course))") }
    if let altitude = fix.number("altitude") { parts.append("altitude \(altitude.trimmed(0)) m") }
    return parts.joined(separator: ", ")
  }

  private func figures(_ status: JSONNode) -> [Line] {
    var lines = [
      line(
        "regions",
        status.integer("regions") == 0
          ? "none; add one with 'fenceline region add'" : grouped(status.integer("regions") ?? 0))
    ]
    let rejected = status.counts("fixes", "rejected").filter { $0.count > 0 }
    let fixes =
      [
        "\(grouped(status.integer("fixes", "read") ?? 0)) read",
        "\(grouped(status.integer("fixes", "accepted") ?? 0)) accepted",
      ]
      + rejected.map { "\(grouped($0.count)) \($0.name)" }
    lines.append(line("fixes", fixes.joined(separator: ", ")))
    let crossings = status.counts("crossings").map { kind, count in
      counted(count, kind, Crossing.Kind(rawValue: kind)?.plural)
    }
    lines.append(line("crossings", crossings.joined(separator: ", ")))
    let dropped = status.integer("queues", "fixes", "dropped") ?? 0
    lines.append(
      line(
        "waiting",
        "\(counted(status.integer("queues", "fixes", "waiting") ?? 0, "fix", "fixes")) of at most "
          + "\(grouped(status.integer("queues", "fixes", "capacity") ?? 0)), \(grouped(dropped)) dropped; "
          + "\(counted(status.integer("deliveries", "waiting") ?? 0, "delivery", "deliveries"))",
        dropped > 0 ? .yellow : nil))
    let commit =
      status.time("journal", "lastCommit").map { "last written \(LocalTime.text($0))" }
      ?? "nothing written yet"
    let unwritten = status.integer("journal", "waiting") ?? 0
    let fault = status.text("journal", "problem")
    lines.append(
      line(
        "journal",
        commit + (unwritten > 0 ? ", \(grouped(unwritten)) waiting" : "") + (fault.map { ": \($0)" } ?? ""),
        fault == nil ? nil : .red))
    for channel in status.list("deliveries", "channels") {
      let words = [("waiting", "waiting"), ("failing", "failing"), ("dead", "given up")].compactMap {
        key, word in
        channel.integer(key).flatMap { $0 > 0 ? "\(grouped($0)) \(word)" : nil }
      }
      var text = "\(channel.text("channel") ?? "") (\(channel.text("kind") ?? ""))"
      text += channel.truth("enabled") == false ? ", off" : ""
      text += words.isEmpty ? "" : ": " + words.joined(separator: ", ")
      if let rest = channel.number("rests") { text += "; tried again in \(spanText(rest.rounded(.up)))" }
      if let failure = channel.text("lastFailure") { text += ". \(failure)" }
      let isWell = words.count == 0 || words == ["\(grouped(channel.integer("waiting") ?? 0)) waiting"]
      lines.append(line("channel", text, isWell ? nil : .yellow))
    }
    let lost = status.integer("queues", "watchers", "dropped") ?? 0
    lines.append(
      line(
        "watchers",
        grouped(status.integer("queues", "watchers", "clients") ?? 0)
          + (lost > 0 ? ", \(counted(lost, "event")) dropped for slow ones" : "")))
    if let memory = status.number("memory") {
      lines.append(line("memory", "\((memory / 1e6).trimmed(1)) MB"))
    }
    return lines
  }

  private func name(_ region: JSONNode) -> String {
    [region.text("region"), region.text("title")].compactMap { $0 }.joined(separator: "  ")
  }

  private func since(_ time: Timestamp?, _ now: Timestamp) -> String {
    time.map { " for \(spanText(max(0, now.seconds(since: $0))))" } ?? ""
  }

  private func ageText(_ seconds: Double) -> String {
    seconds < 10 ? "\(max(0, seconds).trimmed(1)) s" : spanText(seconds)
  }

  private func tint(of state: String) -> Style.Tint {
    switch state {
    case "2D", "3D": .green
    default: .yellow
    }
  }

  /// The nearest of eight winds: `NE`.
  private func wind(_ course: Double) -> String {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    guard course.isFinite else { return "" }
    return names[Int((course / 45).rounded().remainder(dividingBy: 8) + 8) % 8]
  }
}

extension String {
  /// The text with spaces behind it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth(self)))
  }
}
