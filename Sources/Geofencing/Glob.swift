/// A pattern for whole names: `*` stands for any text, `?` for one character, `[a-f]` and `[!a-f]` for one of a set or of the
/// rest; upper and lower case differ.
public struct Glob: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case anything
    case anyOne
    case exactly(Unicode.Scalar)
    case oneOf([ClosedRange<Unicode.Scalar>], inverted: Bool)

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .anything, .anyOne: true
      case .exactly(let own): own == scalar
      case .oneOf(let ranges, let inverted): ranges.contains { $0.contains(scalar) } != inverted
      }
    }
  }

  private var pieces: [Piece] = []

  /// The pattern that `text` spells; a `[` that no `]` closes stands for itself.
  public init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var place = 0
    while place < scalars.count {
      switch scalars[place] {
      case "*" where pieces.last == .anything: break
      case "*": pieces.append(.anything)
      case "?": pieces.append(.anyOne)
      case "[":
        if let (set, end) = Glob.set(in: scalars, from: place + 1) {
          pieces.append(set)
          place = end
        } else {
          pieces.append(.exactly("["))
        }
      case let scalar: pieces.append(.exactly(scalar))
      }
      place += 1
    }
  }

  /// The set that begins at `start`, and where its `]` stands; a `]` that comes first belongs to the set.
  private static func set(in scalars: [Unicode.Scalar], from start: Int) -> (Piece, end: Int)? {
    var place = start
    let inverted = place < scalars.count && scalars[place] == "!"
    if inverted { place += 1 }
    let first = place
    guard first < scalars.count, let end = scalars[(first + 1)...].firstIndex(of: "]") else { return nil }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while place < end {
      if place + 2 < end, scalars[place + 1] == "-" {
        if scalars[place] <= scalars[place + 2] { ranges.append(scalars[place]...scalars[place + 2]) }
        place += 3
      } else {
        ranges.append(scalars[place]...scalars[place])
        place += 1
      }
    }
    return (.oneOf(ranges, inverted: inverted), end)
  }

  /// Whether the pattern covers the whole of `name`.
  ///
  /// - Parameter name: Any text.
  /// - Returns: True where it does.
  /// - Complexity: O(pattern · name); a `*` that does not work out is tried again one character on, no deeper.
  public func matches(_ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    var piece = 0
    var place = 0
    var retry: (piece: Int, place: Int)?
    while place < scalars.count {
      if piece < pieces.count, pieces[piece] == .anything {
        retry = (piece, place)
        piece += 1
      } else if piece < pieces.count, pieces[piece].matches(scalars[place]) {
        piece += 1
        place += 1
      } else if let last = retry {
        retry = (last.piece, last.place + 1)
        piece = last.piece + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .anything }
  }
}
