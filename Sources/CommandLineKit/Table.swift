/// Rows under titles, fitted to the terminal; whole when they go to a file or pipe, but for sentences.
///
/// ```swift
/// var table = Table([.init("ID", shrinksTo: 8), .init("Radius", alignment: .right, priority: 1)])
/// table.append(["office", "100 m"])
/// try output.write(table.text(on: terminal.output))
/// ```
package struct Table: Sendable {
  /// The side that a column's cells keep to.
  package enum Alignment: Sendable { case left, right }

  /// A column and how it gives way.
  package struct Column: Sendable {
    /// What stands above it.
    package let title: String
    /// The side that its cells keep to.
    package let alignment: Alignment
    /// 0 is the most important and dropped only where nothing else is left; where room is short the highest gives way first, and
    /// of equals the last.
    package let priority: Int
    /// Columns below which it is dropped rather than shortened; nil if it may never be shortened, as a number
    /// may not.
    package let minimum: Int?
    /// Whether it is left out where all its cells are empty.
    package let hidesEmpty: Bool
    /// Whether its cells are sentences, which take what room the others leave, down to the minimum; elsewhere ``Table/longestSentence``.
    package let isSentence: Bool
    /// The colour of a cell.
    package let tint: (@Sendable (String) -> Style.Tint?)?

    /// A column; by default an important one that is never shortened.
    package init(
      _ title: String, alignment: Alignment = .left, priority: Int = 0, shrinksTo minimum: Int? = nil,
      hidesEmpty: Bool = false, isSentence: Bool = false, tint: (@Sendable (String) -> Style.Tint?)? = nil
    ) {
      self.title = title
      self.alignment = alignment
      self.priority = priority
      self.minimum = minimum
      self.hidesEmpty = hidesEmpty
      self.isSentence = isSentence
      self.tint = tint
    }
  }

  /// Columns that a sentence has where there is no terminal: who needs all of it asks for one thing alone, or for JSON.
  static let longestSentence = 60

  /// From left to right.
  package let columns: [Column]
  /// What has been appended, made harmless.
  package private(set) var rows: [[String]] = []

  /// - Parameter columns: From left to right; at least one.
  package init(_ columns: [Column]) {
    precondition(!columns.isEmpty, "a table has a column at least")
    self.columns = columns
  }

  /// - Parameter cells: One for each column. Whatever could drive a terminal is replaced, so data may come
  ///   from anywhere.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells.map { printable($0) })
  }

  /// The header and the rows, each line with its newline.
  package func text(on stream: Terminal.Stream) -> String {
    let shown = layout(in: stream.isTerminal ? max(1, stream.width) : .max)
    var text = Self.header(columns, shown, stream)
    for row in rows {
      text += Self.line(row, columns, shown) { cell, column in
        guard stream.hasColour, let tint = columns[column].tint?(row[column]) else { return cell }
        return stream.style.apply(tint, to: cell)
      }
    }
    return text
  }

  typealias Place = (column: Int, width: Int)

  private func layout(in width: Int) -> [Place] {
    let used = columns.indices.filter { column in
      !columns[column].hidesEmpty || rows.contains { !$0[column].isEmpty }
    }
    let wanted = used.map { column -> Place in
      let cells = rows.map { displayWidth($0[column]) }.max() ?? 0
      let most = columns[column].isSentence && width == .max ? Self.longestSentence : .max
      return (column, max(displayWidth(columns[column].title), min(cells, most)))
    }
    return Self.fit(wanted, of: columns, in: width)
  }

  /// Which columns there is room for, and how wide each is.
  static func fit(_ wanted: [Place], of columns: [Column], in width: Int) -> [Place] {
    var shown = wanted
    for (place, (column, width)) in wanted.enumerated() where columns[column].isSentence {
      shown[place].width = min(width, columns[column].minimum ?? width)
    }
    // What is too much: the cells and two spaces between them.
    func excess() -> Int { shown.map(\.width).reduce(2 * (shown.count - 1), +) - width }
    // The least important column gives way first, and of equals the last: it is shortened, then dropped.
    let yielding = wanted.map(\.column).sorted { (columns[$0].priority, $0) > (columns[$1].priority, $1) }
    for column in yielding where excess() > 0 {
      guard let place = shown.firstIndex(where: { $0.column == column }) else { continue }
      let least = columns[column].minimum ?? .max
      let taken = min(excess(), max(0, shown[place].width - max(1, least)))
      shown[place].width -= taken
      guard excess() > 0, columns[column].priority > 0 else { continue }
      shown.remove(at: place)
    }
    for (place, (column, width)) in shown.enumerated() where columns[column].isSentence && excess() < 0 {
      let whole = wanted.first { $0.column == column }?.width ?? width
      shown[place].width = min(whole, width - excess())
    }
    while excess() > 0, shown.count > 1 { shown.removeLast() }
    if excess() > 0, !shown.isEmpty { shown[0].width = width }
    return shown
  }

  static func header(_ columns: [Column], _ shown: [Place], _ stream: Terminal.Stream) -> String {
    line(columns.map(\.title), columns, shown) { title, _ in stream.style.bold(title) }
  }

  static func line(
    _ cells: [String], _ columns: [Column], _ shown: [Place],
    style: (String, Int) -> String = { cell, _ in cell }
  ) -> String {
    var line = ""
    var pending = 0
    for (column, width) in shown {
      let cell = truncated(cells[column], to: width)
      let padding = width - displayWidth(cell)
      let isRight = columns[column].alignment == .right
      // Spaces are held back until something follows, so that no line ends in them.
      if isRight { pending += padding }
      if !cell.isEmpty {
        line += String(repeating: " ", count: pending) + style(cell, column)
        pending = 0
      }
      pending += (isRight ? 0 : padding) + 2
    }
    return line + "\n"
  }
}
