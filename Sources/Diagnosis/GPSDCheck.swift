internal import FencelineJSONText
internal import Glibc

/// Whether gpsd answers, has receivers and hears from them.
package struct GPSDCheck: Sendable {
  /// A name or an address.
  package var host: String
  /// A number.
  package var port: String

  /// A check of the gpsd at an address: `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, with `:DEVICE` or not behind it.
  ///
  /// - Parameter address: nil comes out where it is none.
  package init?(address: String) {
    var rest = Substring(address)
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
    } else {
      host = String(rest.prefix { $0 != ":" })
      rest = rest[rest.index(rest.startIndex, offsetBy: host.count)...]
    }
    port = String(rest.dropFirst().prefix { $0 != ":" })
    if port.isEmpty { port = "2947" }
    guard !host.isEmpty, UInt16(port) != nil else { return nil }
  }

  /// Whether it is on this machine.
  private var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
  private var address: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Asks gpsd, and listens to what its receivers say.
  ///
  /// - Parameter patience: Seconds to wait for receivers to say something.
  /// - Returns: What is found.
  package func findings(patience: Double = 4) -> [Finding] {
    let connection: LineConnection
    do throws(LineConnection.Refusal) {
      connection = try LineConnection(host: host, port: port, within: 3)
    } catch {
      let advice =
        isLocal
        ? "sudo apt install gpsd && sudo systemctl enable --now gpsd.socket"
        : "Look whether gpsd on \(host) listens beyond its own machine (gpsd -G), and whether a firewall is between."
      return [
        Finding("gpsd", .problem, "gpsd does not answer at \(address): \(error.reason).", advice: advice)
      ]
    }
    let start = LineConnection.now
    guard let greeting = connection.line(until: start + 3), let version = try? JSONNode(parsing: greeting),
      version["class"]?.text == "VERSION"
    else {
      return [
        Finding(
          "gpsd", .problem, "Something answers at \(address), and it is not gpsd.",
          advice: "Give the address of gpsd with --gpsd HOST:PORT.")
      ]
    }
    let release = version["release"]?.text ?? "of unknown version"
    var findings = [Finding("gpsd", .ok, "gpsd \(release) answers at \(address).")]
    if version["proto_major"]?.number != 3 {
      findings[0] = Finding(
        "gpsd", .warning, "gpsd \(release) at \(address) speaks another version of its protocol than 3.",
        advice: "Use gpsd 3.20 or later.")
    }
    connection.send("?WATCH={\"enable\":true,\"json\":true};")
    let receivers = listen(to: connection, until: LineConnection.now + patience)
    if receivers.isEmpty { findings.append(withoutReceiver()) }
    return findings + receivers.map { finding(about: $0, patience) }
  }

  /// A receiver as far as gpsd has told of it.
  private struct Receiver {
    var path: String
    var driver: String?
    var isHeard = false
    var mode = 0
  }

  private func listen(to connection: LineConnection, until deadline: Double) -> [Receiver] {
    var receivers: [Receiver] = []
    func note(_ path: String?, _ change: (inout Receiver) -> Void) {
      guard let path else { return }
      let place = receivers.firstIndex { $0.path == path } ?? receivers.endIndex
      if place == receivers.endIndex { receivers.append(Receiver(path: path)) }
      change(&receivers[place])
    }
    var isListed = false
    while !(isListed && receivers.allSatisfy { $0.mode >= 2 }), let line = connection.line(until: deadline) {
      guard let report = try? JSONNode(parsing: line) else { continue }
      switch report["class"]?.text {
      case "DEVICES":
        isListed = true
        for device in report["devices"]?.elements ?? [] {
          note(device["path"]?.text) { $0.driver = device["driver"]?.text ?? $0.driver }
        }
      case "DEVICE": note(report["path"]?.text) { $0.driver = report["driver"]?.text ?? $0.driver }
      case "TPV":
        note(report["device"]?.text) {
          $0.isHeard = true
          $0.mode = max($0.mode, Int(report["mode"]?.number ?? 0))
        }
      case "SKY", "GST", "PPS", "TOFF": note(report["device"]?.text) { $0.isHeard = true }
      default: break
      }
    }
    return receivers
  }

  private func withoutReceiver() -> Finding {
    let tty = paths(matching: "/dev/ttyUSB*") + paths(matching: "/dev/ttyACM*")
    guard isLocal, let first = tty.first else {
      return Finding(
        "receiver", .problem, "gpsd at \(address) has no receiver.",
        advice: isLocal
          ? "Plug a receiver in, or name its port in DEVICES in /etc/default/gpsd and: sudo systemctl restart gpsd"
          : "Plug a receiver into \(host).")
    }
    return Finding(
      "receiver", .problem, "gpsd has no receiver, though there is \(first).",
      advice: "sudo gpsdctl add \(quoted(first)), and for good: DEVICES=\"\(first)\" in /etc/default/gpsd")
  }

  private func finding(about receiver: Receiver, _ patience: Double) -> Finding {
    let name = receiver.path + (receiver.driver.map { " (\($0))" } ?? "")
    if isLocal, receiver.path.hasPrefix("/"), fileStatus(receiver.path) == nil {
      return Finding(
        "receiver", .problem, "gpsd waits for \(name), which is not there.",
        advice:
          "Plug the receiver in; where its port has changed: sudo gpsdctl remove \(quoted(receiver.path))")
    }
    switch (receiver.isHeard, receiver.mode) {
    case (true, 2...):
      return Finding("receiver", .ok, "\(name) has a \(receiver.mode >= 3 ? "3D" : "2D") fix.")
    case (true, _):
      return Finding(
        "receiver", .warning, "\(name) speaks, and has no fix yet.",
        advice: "Give the antenna a free view of the sky; the first fix takes up to a quarter of an hour.")
    default:
      var advice = "Look whether it is a receiver at all, and what it sends: gpsmon \(quoted(receiver.path))"
      if isLocal, let status = fileStatus(receiver.path), status.st_mode & 0o060 != 0o060 {
        advice = "gpsd may not use it: sudo chmod 660 \(quoted(receiver.path))"
      }
      let seconds = Int(patience.rounded())
      return Finding("receiver", .problem, "\(name) has said nothing for \(seconds) s.", advice: advice)
    }
  }
}
