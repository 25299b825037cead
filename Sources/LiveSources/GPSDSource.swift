/// The receivers of a gpsd, here or on another machine.
final class GPSDSource: LiveSource {
  let name: String

  private let address: GPSDAddress
  private let options: SourceOptions
  private let thread = SourceThread()
  private let tallies = SourceCounts()

  init(_ address: GPSDAddress, options: SourceOptions) {
    self.address = address
    self.options = options
    name = "gpsd \(address.name)"
  }

  var counts: [(name: String, count: Int)] { tallies.all }

  func start(_ deliver: @escaping @Sendable (SourceEvent) -> Void) throws(LiveSourceError) {
    try thread.start { [self] in
      var client = GPSDClient(
        address, options, thread: thread, counts: tallies, voice: SourceVoice(name, thread, deliver))
      client.run()
    }
  }

  func stop() {
    thread.stop()
  }
}
