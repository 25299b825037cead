/// A notification that was shown and has not gone.
struct Post {
  let notification: DesktopNotification
  /// What it was called when it was shown.
  let identifier: String
  /// What the server calls it; nil while there is no server that knows it.
  var serverID: UInt32?
  /// Whether a button of it was pressed; then it stays because it is resident.
  var isAnswered = false
  /// When it was shown, in milliseconds of the monotonic clock.
  let shown: Int64

  /// The notification as another server should show it; nil where its time was over meanwhile, or where it was only for the moment.
  func rest(at now: Int64) -> DesktopNotification? {
    guard !notification.isTransient else { return nil }
    guard case .milliseconds(let count) = notification.expiry else { return notification }
    let left = shown + Int64(count) - now
    guard left > 0 else { return nil }
    var rest = notification
    rest.expiry = .milliseconds(Int32(clamping: left))
    return rest
  }
}

/// The posts that are there.
struct PostBoard {
  /// Of more, the oldest are forgotten: some servers never tell that a notification has gone.
  static let capacity = 1000

  private var posts: [String: (number: Int, post: Post)] = [:]
  private var serverIDs: [UInt32: String] = [:]
  private var count = 0

  /// The identifiers, in the order in which they were shown.
  var identifiers: [String] { posts.sorted { $0.value.number < $1.value.number }.map(\.key) }

  func post(_ identifier: String) -> Post? { posts[identifier]?.post }

  /// The post that the server calls so.
  func post(serverID: UInt32) -> Post? { serverIDs[serverID].flatMap { posts[$0]?.post } }

  /// Puts a post in the place of the one with the same identifier.
  ///
  /// - Returns: The identifier of another post that the server has replaced by it, as servers do by stack tags.
  mutating func put(_ post: Post) -> String? {
    remove(post.identifier)
    let replaced = post.serverID.flatMap { serverIDs[$0] }
    if let replaced { remove(replaced) }
    count += 1
    posts[post.identifier] = (count, post)
    if let id = post.serverID { serverIDs[id] = post.identifier }
    if posts.count > PostBoard.capacity, let oldest = posts.min(by: { $0.value.number < $1.value.number }) {
      remove(oldest.key)
    }
    return replaced
  }

  /// Takes a post away.
  @discardableResult
  mutating func remove(_ identifier: String) -> Post? {
    guard let post = posts.removeValue(forKey: identifier)?.post else { return nil }
    if let id = post.serverID { serverIDs[id] = nil }
    return post
  }

  /// Says that a post was answered, and stays.
  mutating func markAnswered(_ identifier: String) {
    posts[identifier]?.post.isAnswered = true
  }

  /// Forgets what the server calls them.
  mutating func forgetServer() {
    for identifier in posts.keys { posts[identifier]?.post.serverID = nil }
    serverIDs = [:]
  }
}
