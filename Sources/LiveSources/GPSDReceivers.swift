import FencelineCivilTime
import FencelinePositioning

/// The receivers of one gpsd: what they are called, what they sent last and how they are.
///
/// A receiver that the user has named has that name, unless another one that is there has it already. Of the others, a single one has the name for a sole receiver, and keeps it when
/// it comes back under another path; where there are several at once, each has its path.
struct GPSDReceivers {
  struct Receiver {
    let path: String
    /// The path as C has it, for comparing without making text.
    let key: ContiguousArray<CChar>
    /// nil before the receiver has sent anything.
    var name: String?
    /// The user's name for it that another receiver has, and that one's path.
    var taken: (name: String, by: String)?
    /// Whether it must have its path as its name: it was not the only new one.
    var hasCompany = false
    /// Whether gpsd has it.
    var isPresent = true
    var watch: ReceiverWatch
    /// The time that it gave to its last fix; nil where it gave none.
    var lastTime: Timestamp?
    var lastFix: Fix?
    var lastFixAt: Int64 = 0
  }

  private(set) var all: [Receiver] = []
  private let names: ReceiverNames
  private let soleName: String?
  private let pathPrefix: String
  private let silence: Int64

  /// - Parameters:
  ///   - names: The user's names.
  ///   - soleName: The name of a single receiver without one; nil where it has its path.
  ///   - pathPrefix: What stands before a path that is a name.
  ///   - silence: Milliseconds without a word after which one is silent.
  init(names: ReceiverNames, soleName: String?, pathPrefix: String = "", silence: Int64) {
    self.names = names
    self.soleName = soleName
    self.pathPrefix = pathPrefix
    self.silence = silence
  }

  subscript(index: Int) -> Receiver {
    get { all[index] }
    _modify { yield &all[index] }
  }

  /// Those that gpsd has.
  var present: [Int] { all.indices.filter { all[$0].isPresent } }

  /// Whether there is reason to ask gpsd how they are: it has none, or one is silent.
  var needAttention: Bool {
    !all.contains { $0.isPresent } || all.contains { $0.isPresent && $0.watch.state == .silent }
  }

  /// Where the receiver of `path` stands, which gpsd is now known to have.
  mutating func find(_ path: String, at now: Int64) -> Int {
    if let index = all.firstIndex(where: { $0.path == path }) {
      if !all[index].isPresent {
        all[index].isPresent = true
        // It may be another one that has got its path.
        all[index].name = nil
        all[index].watch = ReceiverWatch(silence: silence, at: now)
      }
      return index
    }
    all.append(
      Receiver(
        path: path, key: ContiguousArray(path.utf8CString), watch: ReceiverWatch(silence: silence, at: now)))
    return all.count - 1
  }

  /// Takes gpsd's list.
  ///
  /// - Returns: Those that it no longer has.
  mutating func take(list paths: [String], at now: Int64) -> [Int] {
    let gone = present.filter { !paths.contains(all[$0].path) }
    for index in gone { all[index].isPresent = false }
    let unnamed = paths.filter { names[$0] == nil }
    let hasNamesake = all.contains { $0.name == soleName }
    for path in paths {
      let index = find(path, at: now)
      if unnamed.count > 1, !hasNamesake, all[index].name == nil { all[index].hasCompany = true }
    }
    return gone
  }

  /// Takes it that gpsd no longer has a receiver; nil where it had none of that path.
  mutating func remove(_ path: String) -> Int? {
    guard let index = all.firstIndex(where: { $0.path == path && $0.isPresent }) else { return nil }
    all[index].isPresent = false
    return index
  }

  /// Takes it that the connection is new, and nothing is known of how they are.
  mutating func beginAnew(at now: Int64) {
    for index in all.indices { all[index].watch = ReceiverWatch(silence: silence, at: now) }
  }

  /// The name of a receiver, decided when it is first needed.
  mutating func name(of index: Int, at now: Int64) -> String {
    if let name = all[index].name { return name }
    let path = all[index].path
    all[index].taken = nil
    // One that says nothing any more may be this one under the path that it had.
    let rivals = all.indices.filter { $0 != index && all[$0].isPresent && all[$0].watch.isLively(at: now) }
    let name: String
    if let given = names[path] {
      let rival = rivals.first { all[$0].name == given && names[all[$0].path] == given }
      name = rival == nil ? given : pathName(of: index)
      all[index].taken = rival.map { (given, all[$0].path) }
    } else {
      let hasRival = rivals.contains { all[$0].name == soleName || all[$0].name == pathName(of: $0) }
      let isSole = !hasRival && !all[index].hasCompany
      name = isSole ? soleName ?? pathName(of: index) : pathName(of: index)
    }
    // Two of one name would be mixed up.
    for other in all.indices where other != index && all[other].name == name { all[other].name = nil }
    all[index].name = name
    return name
  }

  private func pathName(of index: Int) -> String { pathPrefix + all[index].path }
}
