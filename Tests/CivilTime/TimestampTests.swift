import FencelineCivilTime
import FencelineTestSupport
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_772_323_413_892, "2026-03-01T00:03:33.892Z"), (951_868_799_999, "2000-02-29T23:59:59.999Z"),
    ] as [(Int64, String)])
  func anInstantIsWrittenInUTCToTheMillisecond(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test func theFirstAndTheLastInstantAreWritten() {
    #expect(Timestamp.earliest.description == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp.latest.description == "9999-12-31T23:59:59.999Z")
  }

  @Test func whatIsWrittenIsReadAgain() {
    forAll(seed: 3, count: 2_000) { random, seed in
      let time = Timestamp(
        milliseconds: Int64.random(
          in: Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds, using: &random))
      guard let read = ISO8601(parsing: time.description.utf8), read.time == time, read.hasZone else {
        Issue.record("seed \(seed): \(time)")
        return
      }
    }
  }

  @Test(
    arguments: [
      (0.0, 0), (0.499, 0), (0.5, 1), (1.5, 2), (-0.5, 0), (-0.501, -1), (-1.5, -1),
      (1_772_323_413_892.5, 1_772_323_413_893),
    ] as [(Double, Int64)])
  func fractionsAreRoundedHalfUp(_ milliseconds: Double, _ whole: Int64) {
    #expect(Timestamp(rounding: milliseconds).milliseconds == whole)
  }

  @Test func secondsBetweenInstantsHaveASign() {
    let (early, late) = (Timestamp(milliseconds: 1_000), Timestamp(milliseconds: 3_500))
    #expect(late.seconds(since: early) == 2.5)
    #expect(early.seconds(since: late) == -2.5)
    #expect(early < late)
  }

  @Test func anyInstantCanBeWrittenAndComparedWithAnyOther() {
    let ends = [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)]
    #expect(ends.map(\.description) == ["-292275055-05-16T16:47:04.192Z", "292278994-08-17T07:12:55.807Z"])
    #expect(ends[1].seconds(since: ends[0]) == 18_446_744_073_709_551.615)
    #expect(ends[0].seconds(since: ends[1]) == -18_446_744_073_709_551.615)
    #expect(ends[0].split(by: 1000) == (-9_223_372_036_854_776, 192))
  }
}
