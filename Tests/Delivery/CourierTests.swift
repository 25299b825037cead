import FencelineCivilTime
import FencelineDelivery
import FencelineJSONText
import Glibc
import Synchronization
import Testing

/// The threads of a channel.
struct CourierTests {
  /// One that does what a test says.
  private final class Peer: Carrier {
    let most = 3
    let batches = Mutex<[[Int64]]>([])
    let isStopped = Mutex(false)
    let hangs: Bool
    let answer: @Sendable (Parcel) -> CarryOutcome?

    init(hangs: Bool = false, answer: @escaping @Sendable (Parcel) -> CarryOutcome? = { _ in .done }) {
      self.hangs = hangs
      self.answer = answer
    }

    func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void) {
      batches.withLock { $0.append(parcels.map(\.number)) }
      while hangs, !isStopped.withLock({ $0 }) { usleep(1_000) }
      for parcel in parcels { if let outcome = answer(parcel) { report(parcel, outcome) } }
    }

    func stop() { isStopped.withLock { $0 = true } }
  }

  /// What was reported, and how often room was told.
  private final class Log: Sendable {
    let outcomes = Mutex<[Int64: CarryOutcome.Result]>([:])
    let freed = Mutex(0)

    func courier(_ peer: Peer, threads: Int = 1) throws -> Courier {
      try Courier(peer, threads: threads) { parcel, outcome in
        self.outcomes.withLock { $0[parcel.number] = outcome.result }
      } becameFree: {
        self.freed.withLock { $0 += 1 }
      }
    }

    /// Whether something comes true within ten seconds.
    func waits(_ condition: () -> Bool) -> Bool {
      for _ in 0..<10_000 {
        if condition() { return true }
        usleep(1_000)
      }
      return false
    }
  }

  private func parcel(_ number: Int64, _ device: String = "d") -> Parcel {
    Parcel(number: number, key: "k\(number)", device: device, at: .earliest, json: [:], title: "t", body: "")
  }

  @Test func outcomesAreReportedAndRoomIsTold() throws {
    let (log, peer) = (Log(), Peer())
    let courier = try log.courier(peer)
    #expect(courier.room == 1)
    courier.carry([parcel(1), parcel(2)])
    #expect(log.waits { log.freed.withLock { $0 } == 1 })
    #expect(log.outcomes.withLock { $0 } == [1: .done, 2: .done])
    #expect(courier.room == 1 && !courier.isBusy)
  }

  @Test func whatACarrierSaysNothingAboutWasNotTried() throws {
    let log = Log()
    let courier = try log.courier(Peer { $0.number == 1 ? CarryOutcome(.refused, "No.") : nil })
    courier.carry([parcel(1), parcel(2)])
    #expect(log.waits { log.outcomes.withLock { $0.count } == 2 })
    #expect(log.outcomes.withLock { $0 } == [1: .refused, 2: .postponed(seconds: 0)])
  }

  @Test func asManyAreCarriedAtOnceAsThereAreThreads() throws {
    let (log, peer) = (Log(), Peer(hangs: true))
    let courier = try log.courier(peer, threads: 2)
    courier.carry([parcel(1, "a")])
    courier.carry([parcel(2, "b")])
    #expect(log.waits { peer.batches.withLock { $0.count } == 2 })
    #expect(courier.room == 0 && courier.isBusy)
    courier.stop()
    #expect(courier.waitForEnd(5_000))
  }

  @Test func oneThatHangsIsEndedAndWhatHasNotBegunIsReported() throws {
    let (log, peer) = (Log(), Peer(hangs: true))
    let courier = try log.courier(peer)
    courier.carry([parcel(1)])
    #expect(log.waits { peer.batches.withLock { $0.count } == 1 })
    courier.carry([parcel(2)])
    courier.stop()
    courier.stop()
    #expect(courier.waitForEnd(5_000))
    #expect(log.outcomes.withLock { $0 } == [1: .done, 2: .postponed(seconds: 0)])
    courier.carry([parcel(3)])
    #expect(log.outcomes.withLock { $0[3] } == .postponed(seconds: 0))
    #expect(courier.room == 0)
  }

  @Test func carryEachLeavesADeviceAloneAfterAFailure() throws {
    let log = Mutex<[Int64: CarryOutcome.Result]>([:])
    Peer().carryEach([parcel(1, "a"), parcel(2, "b"), parcel(3, "a"), parcel(4, "b")]) { parcel, outcome in
      log.withLock { $0[parcel.number] = outcome.result }
    } one: { parcel in
      parcel.device == "a" ? .failed("No.") : .done
    }
    #expect(log.withLock { $0 } == [1: .failed(after: nil), 2: .done, 4: .done])
  }
}
