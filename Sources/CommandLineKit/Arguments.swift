/// What was given on a command line, read by the declarations: `arguments[radius]`.
package struct Arguments: Sendable {
  /// From the program down to the command that runs.
  package let path: [Command]
  let values: [String: [any Sendable]]

  /// The option's value, nil where it was not given.
  package subscript<Value>(option: Option<Value>) -> Value? { values[option.parameter.key]?.last as? Value }

  /// All values of a repeatable option, in order.
  package subscript<Value>(all option: Option<Value>) -> [Value] { given(option.parameter) }

  /// Whether the flag was given, and not its inverse after it.
  package subscript(flag: Flag) -> Bool { self[ifGiven: flag] ?? false }

  /// True for the flag, false for its inverse, nil for neither.
  package subscript(ifGiven flag: Flag) -> Bool? { values[flag.parameter.key]?.last as? Bool }

  /// The value of a required positional of this command; parsing has seen to it that there is one.
  package subscript<Value>(positional: Positional<Value>) -> Value {
    guard let value = self[ifGiven: positional] else {
      preconditionFailure("\(positional.parameter.key) is no required positional of \(path.map(\.name))")
    }
    return value
  }

  /// The value of an optional positional, nil where it was not given.
  package subscript<Value>(ifGiven positional: Positional<Value>) -> Value? {
    self[all: positional].first
  }

  /// All values of a repeatable positional, in order.
  package subscript<Value>(all positional: Positional<Value>) -> [Value] { given(positional.parameter) }

  private func given<Value>(_ parameter: Parameter) -> [Value] {
    (values[parameter.key] ?? []).compactMap { $0 as? Value }
  }
}
