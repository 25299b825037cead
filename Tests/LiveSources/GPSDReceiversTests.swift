import Testing

@testable import FencelineLiveSources

@Suite("gpsd receivers") struct GPSDReceiversTests {
  private func receivers(_ names: [(name: String, pattern: String)] = []) -> GPSDReceivers {
    GPSDReceivers(names: ReceiverNames(names, linkFolders: []), soleName: "default", silence: 10_000)
  }

  @Test func twoThatMatchOneNameAreNotMixed() {
    var receivers = receivers([("van", "/dev/ttyUSB*")])
    _ = receivers.take(list: ["/dev/ttyUSB0", "/dev/ttyUSB1"], at: 0)
    #expect(name(of: 0, &receivers, at: 1_000) == "van")
    #expect(name(of: 1, &receivers, at: 1_100) == "/dev/ttyUSB1")
    #expect(receivers[0].taken == nil)
    #expect(receivers[1].taken?.name == "van" && receivers[1].taken?.by == "/dev/ttyUSB0")
    #expect(name(of: 0, &receivers, at: 2_000) == "van")
    #expect(name(of: 1, &receivers, at: 2_100) == "/dev/ttyUSB1")
  }

  @Test func oneThatComesBackUnderAnotherPathKeepsItsName() {
    var receivers = receivers([("van", "/dev/ttyUSB*")])
    #expect(name(of: receivers.find("/dev/ttyUSB0", at: 0), &receivers, at: 1_000) == "van")
    // gpsd has not noticed yet that the first path leads nowhere.
    #expect(name(of: receivers.find("/dev/ttyUSB1", at: 5_000), &receivers, at: 5_000) == "van")
    #expect(receivers[1].taken == nil)
    // And now it is there as well, and so another one.
    #expect(name(of: 0, &receivers, at: 5_500) == "/dev/ttyUSB0")
    #expect(receivers[0].taken?.by == "/dev/ttyUSB1")
  }

  /// The name with which a receiver's fix at `now` goes out.
  private func name(of index: Int, _ receivers: inout GPSDReceivers, at now: Int64) -> String {
    _ = receivers[index].watch.takeFix(mode: 3, at: now)
    return receivers.name(of: index, at: now)
  }
}
