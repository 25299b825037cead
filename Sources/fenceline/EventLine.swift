import FencelineCivilTime
import FencelineCommandLineKit
import FencelineGeofencing
import FencelineService

/// Lines about what happens, one for each event, as 'replay' and 'watch' print them.
struct EventLine {
  let screen: Terminal.Stream
  /// Columns of the kinds of events.
  var kindWidth = 5
  /// Columns of the ids that have been seen or are expected, some at most.
  private(set) var idWidth = 0

  init(on screen: Terminal.Stream) {
    self.screen = screen
  }

  /// Makes room for an id.
  mutating func expect(_ id: String) {
    // No text is wider than it has bytes; of 100,000 ids few get further than here.
    guard idWidth < 24, id.utf8.count > idWidth else { return }
    idWidth = max(idWidth, min(24, displayWidth(printable(id))))
  }

  func text(_ crossing: Crossing, title: String?) -> String {
    var notes: [String] = []
    if crossing.cause != .observed { notes.append(crossing.cause.rawValue) }
    if !crossing.notify { notes.append("not wanted") }
    let delay = crossing.confirmedAt.seconds(since: crossing.at)
    if delay >= 1 { notes.append("confirmed +\(spanText(delay))") }
    return text(
      crossing.at, crossing.kind.rawValue, crossing.kind.tint, crossing.region, title: title,
      device: crossing.device, notes)
  }

  /// The title gives way, then the notes, so that an event stays on its line.
  func text(
    _ time: Timestamp, _ kind: String, _ tint: Style.Tint, _ id: String, title: String? = nil,
    device: String? = nil, _ notes: [String] = []
  ) -> String {
    let word = screen.style.apply(tint, to: kind)
    let padding = String(repeating: " ", count: max(0, kindWidth - kind.count))
    let id = printable(id)
    // Nothing needs room behind an id that ends the line.
    let isLast = title == nil && device?.shownName == nil && notes.isEmpty
    let space = String(repeating: " ", count: isLast ? 0 : max(0, idWidth - displayWidth(id)))
    let device = device?.shownName.map { "  [\(printable($0))]" } ?? ""
    var note = notes.isEmpty ? "" : "  (\(printable(notes.joined(separator: ", "))))"
    let clock = LocalTime.text(time)
    let width = screen.isTerminal ? screen.width : .max
    var room = width - displayWidth("\(clock)  \(kind)\(padding)  \(id)\(space)\(device)")
    note = room >= 6 ? truncated(note, to: room) : ""
    room -= displayWidth(note) + 2
    let title = title.flatMap { room >= 4 ? "  " + truncated(printable($0), to: room) : nil } ?? ""
    return "\(clock)  \(word)\(padding)  \(id)\(space)\(title)\(device)\(screen.style.dim(note))"
  }
}
