import FencelineEventJournal
import FencelineGeofencing
import FencelineTestSupport
import Testing

/// An hour of channels that fail at random, with services that are killed: nothing is lost, overtaken or doubled.
struct OutboxModelTests {
  /// One who honours the key.
  private struct Peer {
    var isThere = true
    var seen: [String: [String]] = [:]
    var known: Set<String> = []
    var doubles = 0
    var isInOrder = true

    mutating func take(_ item: OutboxItem) {
      guard known.insert(item.key).inserted else {
        doubles += 1
        return
      }
      seen[item.device, default: []].append(item.key)
    }
  }

  @Test(arguments: [UInt64(1), 2])
  func whateverFailsEachChannelGetsEachEventInOrder(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let world = try OutboxWorld()
    let names = ["a", "b", "c", "d"]
    for name in names { try world.add(name) }
    var peers = Dictionary(uniqueKeysWithValues: names.map { ($0, Peer()) })
    var expected: [String: Int] = [:]
    var restarts = 0
    for step in 0..<600 {
      // The first 500 steps things happen; then everything calms down.
      let isCalm = step >= 500
      if !isCalm {
        let device = "device\(random.next() % 5)"
        for metres in [300.0, 300, 0, 0, 300, 300] { try world.world.fix(metres, device: device) }
        expected[device, default: 0] += 2
      }
      try world.world.wait(isCalm ? 60 : 3)
      for name in names {
        guard var peer = peers[name] else { continue }
        if isCalm { peer.isThere = true } else if random.next() % 20 == 0 { peer.isThere.toggle() }
        let items = try world.take(name, most: isCalm ? 200 : Int(random.next() % 6) + 1)
        var stopped: Set<String> = []
        for item in items {
          guard !stopped.contains(item.device) else {
            world.outbox.take(DeliveryOutcome(number: item.number, .postponed(seconds: 0)))
            continue
          }
          let luck = isCalm ? 99 : random.next() % 100
          // It may arrive and nobody hear of it.
          if peer.isThere, luck >= 10 { peer.take(item) }
          let isDone = peer.isThere && luck >= 20
          if !isDone { stopped.insert(item.device) }
          let result: DeliveryOutcome.Result = isDone ? .done : .failed(after: luck == 3 ? 20 : nil)
          // Some answers come after the service was killed.
          guard random.next() % 50 != 0 || isCalm else {
            stopped.insert(item.device)
            restarts += 1
            peers[name] = peer
            try world.world.restart()
            break
          }
          world.outbox.take(DeliveryOutcome(number: item.number, result, detail: "No."))
        }
        peers[name] = peer
        try world.world.turn()
      }
    }
    #expect(restarts > 10)
    #expect(Set(try world.states().map { $0.split(separator: " ")[2] }) == ["done"])
    for name in names {
      let peer = try #require(peers[name])
      #expect(peer.seen.mapValues(\.count) == expected)
      for (device, keys) in peer.seen {
        let numbers = keys.map { Int($0.split(separator: "-").last ?? "") ?? 0 }
        #expect(numbers == numbers.sorted(), "seed \(seed): \(name) got \(device) out of order")
      }
    }
  }
}
