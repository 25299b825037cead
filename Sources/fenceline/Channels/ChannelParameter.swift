import FencelineCommandLineKit
import FencelineDelivery
import FencelineJSONText
import Glibc

/// One option of a kind of channel, as the command line takes it.
struct ChannelParameter: Sendable {
  private enum Form: Sendable {
    case flag(Flag)
    case option(Option<[String]>)
    case positional(Positional<[String]>)
  }

  /// What it is.
  let option: ChannelOption
  private let form: Form

  /// An option, under a heading of help.
  init(_ option: ChannelOption, group: String?) {
    self.option = option
    form =
      option.value == .flag
      ? .flag(Flag(option.name, help: option.help, invertible: true, group: group))
      : .option(
        Option(
          option.name, value: option.valueType, help: option.help, repeatable: option.isRepeatable,
          group: group))
  }

  /// An option that several kinds have; its help says whose words are whose.
  init(shared owners: [(kind: String, option: ChannelOption)], group: String) {
    var helps: [(kinds: [String], text: String)] = []
    for (kind, option) in owners {
      if let place = helps.firstIndex(where: { $0.text == option.help }) {
        helps[place].kinds.append(kind)
      } else {
        helps.append(([kind], option.help))
      }
    }
    let first = owners[0].option
    let isSame = owners.allSatisfy { $0.option.value == first.value }
    self.init(
      ChannelOption(
        first.name, isSame ? first.value : .text("TEXT"),
        helps.map { "\($0.kinds.joined(separator: ", ")): \($0.text)" }.joined(separator: " "),
        repeatable: first.isRepeatable),
      group: group)
  }

  /// What is typed behind the channel's name.
  init(target option: ChannelOption) {
    self.option = option
    var type = option.valueType
    // Each word is an argument here, and taken as it is.
    if option.isProgram { type = .init(name: type.name, hint: type.hint) { text in [text] } }
    form = .positional(
      Positional(
        type.name, value: type, help: option.help, required: !option.isOptional,
        repeatable: option.isRepeatable || option.isProgram))
  }

  /// What a command lists.
  var declaration: any Declaration {
    switch form {
    case .flag(let flag): flag
    case .option(let option): option
    case .positional(let positional): positional
    }
  }

  /// What was given; nil where nothing was, empty where a flag was taken back.
  func values(_ arguments: Arguments) -> [String]? {
    switch form {
    case .flag(let flag): return arguments[ifGiven: flag].map { $0 ? ["true"] : [] }
    case .option(let option):
      let given = arguments[all: option]
      return given.isEmpty ? nil : Array(given.joined())
    case .positional(let positional):
      let given = Array(arguments[all: positional].joined())
      guard !given.isEmpty else { return nil }
      return option.isProgram ? ChannelParameter.program(given) : given
    }
  }

  /// A program and its arguments, word by word; the program means the same in every folder.
  static func program(_ words: [String]) -> [String] {
    words.prefix(1).map { $0.contains("/") ? absolute($0) : $0 } + words.dropFirst()
  }
}

extension ChannelOption {
  /// Whether it is a program with its arguments.
  var isProgram: Bool { if case .words = value { true } else { false } }

  /// How its text is read: as what the channel is set up with.
  fileprivate var valueType: ValueType<[String]> {
    switch value {
    case .flag: .init(name: "", hint: .text) { text in [text] }
    case .text(let name):
      .init(name: name, hint: .text) { text throws(ValueError) in
        guard !text.isEmpty else { throw ValueError("it must not be empty") }
        return [text]
      }
    case .file:
      .init(name: "FILE", hint: .file) { text throws(ValueError) in
        guard !text.isEmpty else { throw ValueError("it must not be empty") }
        return [absolute(text)]
      }
    case .words(let name):
      .init(name: name, hint: .file) { text throws(ValueError) in try words(text) }
    case .choice(let words):
      .init(name: "WORD", hint: .choices(words)) { text throws(ValueError) in
        [try ValueType<String>.choice(words, name: "WORD").parse(text)]
      }
    case .duration:
      .init(name: "DURATION", hint: .duration) { text throws(ValueError) in
        let seconds = try ValueType<Double>.duration.parse(text)
        return [seconds == seconds.rounded() && seconds < 1e15 ? String(Int(seconds)) : seconds.description]
      }
    case .number(let range):
      .init(name: "N", hint: .number) { text throws(ValueError) in
        [String(try ValueType<Int>.integer(in: range).parse(text))]
      }
    case .size:
      .init(name: "SIZE", hint: .number) { text throws(ValueError) in [String(try bytes(text))] }
    }
  }
}

/// A path that means the same in every folder.
private func absolute(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
  defer { unsafe free(folder) }
  return unsafe String(cString: folder) + "/" + path
}

/// A program and its arguments: one word, or a JSON array of several.
private func words(_ text: String) throws(ValueError) -> [String] {
  guard text.hasPrefix("[") else {
    guard !text.isEmpty else { throw ValueError("it must not be empty") }
    return ChannelParameter.program([text])
  }
  let elements = (try? JSONNode(parsing: Array(text.utf8)))?.elements ?? []
  let words = elements.compactMap(\.text)
  guard !words.isEmpty, words.count == elements.count else {
    throw ValueError("it is no JSON array of texts, such as [\"/usr/bin/logger\",\"-t\",\"gate\"]")
  }
  return words
}

/// `10M`, `500k`, `1G`, `4096`: powers of 1024.
private func bytes(_ text: String) throws(ValueError) -> Int {
  let units: [Character: Int] = ["k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
  let unit = text.last.flatMap { units[$0] }
  let digits = unit == nil ? Substring(text) : text.dropLast()
  guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
    throw ValueError("a size is a number of bytes, or one with k, M or G")
  }
  let size = number.multipliedReportingOverflow(by: unit ?? 1)
  guard !size.overflow else { throw ValueError("that is too much") }
  return size.partialValue
}
