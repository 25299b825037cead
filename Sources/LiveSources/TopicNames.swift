/// Which device is meant by a topic.
///
/// It is called by what stands below the levels that all topics that are subscribed to have in common: with `owntracks/+/+`, the messages
/// on `owntracks/alice/phone` are those of `alice/phone`.
struct TopicNames: Sendable {
  /// The longest name, in bytes.
  private static let longest = 200
  /// How many levels are left out.
  private let common: Int

  init(_ topics: [String]) {
    let heads = topics.map(TopicNames.head)
    guard var common = heads.first else {
      self.common = 0
      return
    }
    for head in heads.dropFirst() {
      let same = zip(common, head).prefix { $0 == $1 }.count
      common = Array(common.prefix(same))
    }
    self.common = common.count
  }

  /// The levels before the first that stands for several; of a topic that is one by itself all but the last two.
  private static func head(_ topic: String) -> [Substring] {
    var levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    if levels.first == "$share" { levels.removeFirst(min(2, levels.count)) }
    guard let place = levels.firstIndex(where: { $0 == "+" || $0 == "#" }) else {
      return levels.dropLast(2)
    }
    return Array(levels[..<place])
  }

  /// The name of the device; nil where there is none, or none that can be shown.
  subscript(topic: String) -> String? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let name = levels.dropFirst(min(common, levels.count - 1)).joined(separator: "/")
    let isLegible = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    return !name.isEmpty && name.utf8.count <= TopicNames.longest && isLegible ? name : nil
  }
}
