import Glibc

/// The project's side of the benchmarks: takes a command a line, answers one line of JSON each, keeps what it has built.
///
///     load PATH                            the circles of PATH.circles
///     build                                the index of them, anew
///     points|batch|safe|segments|steps FILE   queries of a file: one by one, many at once, a walk with safe distances, ways
///     remove|insert FILE                   circles, by their numbers in a file
///     update PATH                          moves the circles PATH.edits to PATH.moved, asks for PATH.random, moves them back
///     answers FILE OUT                     for each place of a file, the sum of slot + 1 of the circles that hold it
///     watch                                the circles as regions of an engine
///     engine FILE                          a device that passes by the places of a file
///     fleet FILE DEVICES THREADS           devices that start at the places of a file
///     read FILE                            a log, to fixes
///     journal FILE CROSSINGS               crossings, recorded in a new database
///     calendar FILE                        the next times of rules, in the zone of a file of the time zone database
///     add PATH COUNT SINGLY ZONE           requests into a new database, so many of them one by one
///     pending PATH                         the requests that are there
///     serve PATH FROM TO                   a service of a database that comes from one zone into another, and tells of all
@main
struct Bench {
  private var indexed = IndexBench()
  private var engine = EngineBench()

  static func main() throws {
    var bench = Bench()
    while let line = readLine() {
      print(try bench.answer(to: line.split(separator: " ").map(String.init)))
      fflush(nil)
    }
  }

  private mutating func answer(to words: [String]) throws -> Answer {
    switch (words.first, words.count) {
    case ("load", 2): return indexed.load(words[1])
    case ("build", 1): return indexed.build()
    case ("points", 2): return indexed.points(words[1])
    case ("batch", 2): return indexed.batch(words[1])
    case ("safe", 2): return indexed.walkWithSafeDisc(words[1])
    case ("segments", 2): return indexed.segments(readPlaces(words[1]))
    case ("steps", 2): return indexed.steps(words[1])
    case ("remove", 2): return indexed.remove(words[1])
    case ("insert", 2): return indexed.insert(words[1])
    case ("update", 2): return indexed.update(words[1])
    case ("answers", 3): return indexed.answers(words[1], to: words[2])
    case ("watch", 1): return engine.watch(indexed.circles)
    case ("engine", 2): return engine.device(words[1])
    case ("fleet", 4):
      return engine.fleet(words[1], devices: number(words[2]), threads: number(words[3]))
    case ("read", 2): return try readLog(words[1])
    case ("journal", 3): return try recordCrossings(words[1], count: number(words[2]))
    case ("calendar", 2): return try CalendarBench.run(zone: words[1])
    case ("add", 5):
      return try CentreBench.add(
        words[1], count: number(words[2]), singly: number(words[3]), zone: words[4])
    case ("pending", 2): return try CentreBench.list(words[1])
    case ("serve", 4): return try CentreBench.serve(words[1], zones: (words[2], words[3]))
    default: fatalError("There is no command '\(words.joined(separator: " "))'.")
    }
  }

  private func number(_ word: String) -> Int {
    guard let number = Int(word) else { fatalError("'\(word)' is no number.") }
    return number
  }
}
