internal import FencelineGeofencing
public import FencelineJSONText

extension Focus {
  /// As it is stored and told.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [.init("id", .text(identifier))]
    func add(_ name: String, _ texts: [String]) {
      if !texts.isEmpty { members.append(.init(name, .array(texts.map(JSONValue.text)))) }
    }
    add("schedule", schedule.map(\.description))
    if let region { members.append(.init("inside", .text(region))) }
    add("allowApps", allowedApps.sorted())
    add("allowCategories", allowedCategories.sorted())
    members.append(.init("allowTimeSensitive", .boolean(allowsTimeSensitive)))
    return .object(members)
  }

  /// What was stored; nil where another hand has spoilt it.
  public init?(_ node: JSONNode) {
    guard let identifier = node["id"]?.text else { return nil }
    func texts(_ name: String) -> [String] { (node[name]?.elements ?? []).compactMap(\.text) }
    self.init(
      identifier: identifier, schedule: texts("schedule").compactMap(ActiveWindow.init),
      region: node["inside"]?.text, allowedApps: Set(texts("allowApps")),
      allowedCategories: Set(texts("allowCategories")),
      allowsTimeSensitive: node["allowTimeSensitive"]?.content != .boolean(false))
  }
}
