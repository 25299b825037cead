/// What a value is, for shell completion and manual pages.
package enum ValueHint: Sendable, Equatable {
  case text, number, duration, length, coordinate, time, date, file, directory
  /// A command of the program; several words lead to one further down.
  case command
  case choices([String])
  /// Names that only the program can list, by the name of the list: regions, runs, devices.
  case listed(String)

  /// A region's identifier.
  package static let region = listed("regions")
  /// A run's number, or `live` or `last`.
  package static let run = listed("runs")
  /// The number of a replay.
  package static let replay = listed("replays")
  /// A device's name.
  package static let device = listed("devices")
}

/// Why a text is no value of its type: the rest of a sentence, without a period, such as
/// `a length is a number of metres, or one with m, km, nmi, ft or mi`.
package struct ValueError: Error, Equatable {
  /// What is allowed.
  package var reason: String
  /// What was probably meant.
  package var suggestion: String?

  /// An error with its reason.
  package init(_ reason: String, suggestion: String? = nil) {
    self.reason = reason
    self.suggestion = suggestion
  }
}

/// How the text of an argument becomes a value. The program makes its own beside those given here.
package struct ValueType<Value: Sendable>: Sendable {
  /// What stands for the value in help: `LENGTH`.
  package let name: String
  /// What completes it.
  package let hint: ValueHint
  /// How many of the words that are left belong to one positional value (`47.37 8.54`); they arrive joined by
  /// a space.
  package let span: @Sendable (ArraySlice<String>) -> Int
  /// Whether it is several values between commas.
  package let isList: Bool
  /// Reads the text.
  package let parse: @Sendable (String) throws(ValueError) -> Value

  /// A type of value.
  package init(
    name: String, hint: ValueHint, span: @escaping @Sendable (ArraySlice<String>) -> Int = { _ in 1 },
    isList: Bool = false, parse: @escaping @Sendable (String) throws(ValueError) -> Value
  ) {
    self.name = name
    self.hint = hint
    self.span = span
    self.isList = isList
    self.parse = parse
  }

  /// Several values in one argument, between commas: `entry,exit`.
  package func list() -> ValueType<[Value]> {
    .init(name: name + ",…", hint: hint, isList: true) { text throws(ValueError) in
      var values: [Value] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        values.append(try parse(String(part)))
      }
      return values
    }
  }
}

extension ValueType where Value == String {
  /// Any text.
  package static var text: Self { text(name: "TEXT", hint: .text) }
  /// A path of a file, or `-`.
  package static var file: Self { text(name: "FILE", hint: .file) }
  /// A path of a directory.
  package static var directory: Self { text(name: "DIRECTORY", hint: .directory) }

  /// Any text that is not empty, under the name that says what it stands for.
  package static func text(name: String, hint: ValueHint) -> Self {
    .init(name: name, hint: hint) { text throws(ValueError) in
      guard !text.isEmpty || hint == .text else { throw ValueError("it must not be empty") }
      return text
    }
  }

  /// One of a few words.
  package static func choice(_ words: [String], name: String) -> Self {
    .init(name: name, hint: .choices(words)) { text throws(ValueError) in
      guard words.contains(text) else {
        throw ValueError("choose \(words.listed(with: "or"))", suggestion: nearest(to: text, in: words))
      }
      return text
    }
  }
}

extension ValueType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases, by its raw value.
  package static func choice(name: String) -> Self {
    let words = ValueType<String>.choice(Value.allCases.map(\.rawValue), name: name)
    return .init(name: name, hint: words.hint) { text throws(ValueError) in
      guard let value = Value(rawValue: try words.parse(text)) else { throw ValueError("choose another") }
      return value
    }
  }
}

extension ValueType where Value == Int {
  /// A whole number in `range`.
  package static func integer(
    in range: ClosedRange<Int>, name: String = "N", hint: ValueHint = .number
  ) -> Self {
    .init(name: name, hint: hint) { text throws(ValueError) in
      guard let value = Int(text), range.contains(value) else {
        throw ValueError("a whole number\(bounds(range, .min, .max)) is needed")
      }
      return value
    }
  }
}
