/// Commands that make a log of what is none, ready to be pasted into a shell.
///
/// What they write gets the file's name with an ending more, so that nothing else is written over.
struct Conversion: Sendable {
  /// What the command reads: the file, or the name to save standard input or what is in a gzip file under.
  let file: String
  private let saved: String?
  private let unpacking: String

  /// The commands for a log.
  ///
  /// - Parameters:
  ///   - name: The log.
  ///   - ending: The ending of such a file, for what came by standard input.
  init(_ name: LogName, _ ending: String) {
    saved = name.isStandardInput ? "log.\(ending)" + (name.isPacked ? ".gz" : "") : nil
    // A name that begins with a dash would be taken for an option.
    let path = saved ?? (name.path.hasPrefix("-") ? "./" + name.path : name.path)
    file = name.isPacked ? "\(path).\(ending)" : path
    unpacking = name.isPacked ? "gzip -dc < \(shellWord(path)) > \(shellWord(file))" : ""
  }

  /// `Convert it: ` and a command of gpsbabel, which writes GPX.
  func gpsbabel(_ format: String, _ filters: String = "") -> String {
    let mode = filters.isEmpty ? "-t " : ""
    return convert(
      "gpsbabel \(mode)-i \(format) -f \(shellWord(file))\(filters) -o gpx -F \(shellWord(file + ".gpx"))")
  }

  /// `Convert it: ` and a command of GDAL, which writes the columns of points as CSV.
  func ogr2ogr() -> String {
    convert(
      "ogr2ogr -f CSV -t_srs EPSG:4326 -lco GEOMETRY=AS_XY \(shellWord(file + ".csv")) \(shellWord(file))")
  }

  /// `Convert it: ` and a command that reads the file and writes another.
  func filter(_ command: String, _ ending: String) -> String {
    convert("\(command) < \(shellWord(file)) > \(shellWord(file + ending))")
  }

  /// `Unpack it: ` and a command; a packer that goes by the ending of names may be given the file by standard input instead.
  func unpack(_ command: String, ending: String, otherwise filter: String) -> String {
    let known = file.hasSuffix(ending)
    return introduced(
      "Unpack",
      known ? "\(command) \(shellWord(file))" : "\(filter) < \(shellWord(file)) > \(shellWord(file + ".log"))"
    )
  }

  /// `Unpack it: ` and a command; none for what is packed with gzip twice, as once need be undone.
  func unpack(_ command: String = "") -> String { introduced("Unpack", command) }

  private func convert(_ command: String) -> String { introduced("Convert", command) }

  private func introduced(_ verb: String, _ command: String) -> String {
    let order = saved.map { "Save it in a file, say \($0), and \(verb.lowercased()) that" } ?? "\(verb) it"
    let commands = [unpacking, command].filter { !$0.isEmpty }
    return "\(order): \(commands.joined(separator: " && "))"
  }
}

/// A text as one word of a shell.
///
/// Plain names stay as they are, others are quoted. What is not to be printed is written in numbers, as bash, ksh and zsh
/// read them.
func shellWord(_ text: String) -> String {
  func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
      || "/._-+:,@%".unicodeScalars.contains(scalar)
  }
  func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
  let scalars = text.unicodeScalars
  if !scalars.isEmpty, scalars.allSatisfy(isPlain) { return text }
  var word = ""
  guard scalars.allSatisfy(isPrintable) else {
    for scalar in scalars {
      if isPrintable(scalar) {
        if scalar == "'" || scalar == "\\" { word += "\\" }
        word.unicodeScalars.append(scalar)
      } else {
        for byte in Character(scalar).utf8 {
          word += (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }
      }
    }
    return "$'\(word)'"
  }
  for scalar in scalars { word += scalar == "'" ? "'\\''" : String(Character(scalar)) }
  return "'\(word)'"
}
