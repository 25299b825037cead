/// Rows under titles that are printed as they come: how wide columns are is said beforehand, and no row is kept.
package struct StreamedTable: Sendable {
  /// The titles, with a newline.
  package let header: String
  private let columns: [Table.Column]
  private let shown: [Table.Place]
  private let isTerminal: Bool

  /// - Parameters:
  ///   - columns: From left to right, each with the width that it usually needs.
  ///   - stream: Where the table goes; on a terminal it is fitted like a ``Table``.
  package init(_ columns: [(column: Table.Column, width: Int)], on stream: Terminal.Stream) {
    self.columns = columns.map(\.column)
    let wanted = columns.enumerated().map { place, column -> Table.Place in
      (place, max(column.width, displayWidth(column.column.title)))
    }
    isTerminal = stream.isTerminal
    shown = Table.fit(wanted, of: self.columns, in: isTerminal ? max(1, stream.width) : .max)
    header = Table.header(self.columns, shown, stream)
  }

  /// A row. What needs more room than was thought is whole on pipes, and in columns that may not be shortened.
  ///
  /// - Parameter cells: One for each column. Whatever could drive a terminal is replaced.
  /// - Returns: The row, with a newline.
  package func line(_ cells: [String]) -> String {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    let cells = cells.map { printable($0) }
    let places = shown.map { column, width -> Table.Place in
      let isFirm = !isTerminal || columns[column].minimum == nil
      return (column, isFirm ? max(width, displayWidth(cells[column])) : width)
    }
    return Table.line(cells, columns, places)
  }
}
