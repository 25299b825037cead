import FencelineCivilTime
import FencelineGeodesy
import FencelinePositioning
import FencelineTestSupport
import Testing

@testable import FencelineService

struct WholeTracksTests {
  private func fixes(_ times: [Int64], from track: Int32 = 0) -> [Fix] {
    times.map {
      Fix(
        time: Timestamp(milliseconds: $0), coordinate: Coordinate(latitude: 1, longitude: 2), track: track)
    }
  }

  @Test func piecesInOrderStayAsTheyAre() {
    var tracks = WholeTracks()
    let pieces = [fixes([1, 2, 2]), fixes([2, 5], from: 1), fixes([9], from: 2)]
    for piece in pieces { tracks.append(piece) }
    tracks.append([])
    #expect(tracks.count == 6)
    #expect(tracks.takeInTimeOrder() == pieces)
    #expect(tracks.count == 0 && tracks.takeInTimeOrder() == [])
  }

  @Test("What is out of order, within a piece or between two, is put in order; equals stay as they are")
  func putsInOrder() {
    var wrong: [UInt64] = []
    forAll(seed: 41, count: 2_000) { random, seed in
      var tracks = WholeTracks()
      var all: [Fix] = []
      for track in 0..<Int32.random(in: 1...5, using: &random) {
        let times = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Int64.random(in: 0...4, using: &random)
        }
        let piece = fixes(random.chance(0.5) ? times.sorted() : times, from: track)
        tracks.append(piece)
        all += piece
      }
      let order = all.indices.sorted { (all[$0].time, $0) < (all[$1].time, $1) }
      if Array(tracks.takeInTimeOrder().joined()) != order.map({ all[$0] }) { wrong.append(seed) }
    }
    #expect(wrong.isEmpty)
  }

  @Test func theLastPiecesCanBeTakenBack() {
    var tracks = WholeTracks()
    tracks.append(fixes([7, 8]))
    let before = tracks.count
    tracks.append(fixes([1]))
    tracks.append(fixes([2, 3]))
    tracks.shorten(to: before)
    #expect(tracks.count == 2 && tracks.takeInTimeOrder() == [fixes([7, 8])])
  }
}
