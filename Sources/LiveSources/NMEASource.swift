/// A receiver that sends NMEA 0183 itself: on a serial port, over the network or to standard input.
final class NMEASource: LiveSource {
  let name: String

  private let input: NMEAInput
  private let options: SourceOptions
  private let thread = SourceThread()
  private let tallies = SourceCounts()

  init(_ input: NMEAInput, options: SourceOptions) {
    self.input = input
    self.options = options
    name = input.name
  }

  var counts: [(name: String, count: Int)] { tallies.all }

  func start(_ deliver: @escaping @Sendable (SourceEvent) -> Void) throws(LiveSourceError) {
    try thread.start { [self] in
      var listener = NMEAListener(
        input, options, thread: thread, counts: tallies, voice: SourceVoice(name, thread, deliver))
      listener.run()
    }
  }

  func stop() {
    thread.stop()
  }
}
