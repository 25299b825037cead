/// The candidates of all nodes.
///
/// A list is a run of 1, 2, 3, 4, 6, 8, 12, … blocks. It moves to a longer one when it is full, and to a shorter one when that is
/// two sizes too long; runs that are given back wait for the next list of their size.
struct CandidateLists: Sendable {
  /// Where in the node's cell a block's candidates are, as ``CellBox`` says.
  private(set) var boxes: ContiguousArray<SIMD4<UInt32>> = []
  private(set) var blocks: ContiguousArray<CandidateBlock> = []
  private var free: [[Int32]] = []

  private static let noBoxes = SIMD4(repeating: CellBox.nowhere.bytes)

  /// Which size of run holds so many blocks, 1 or more.
  private static func sizeClass(_ blocks: Int) -> Int {
    guard blocks > 2 else { return blocks - 1 }
    let exponent = Int.bitWidth - 1 - (blocks - 1).leadingZeroBitCount
    return 2 * exponent + (blocks > 3 << (exponent - 1) ? 1 : 0)
  }

  private static func capacity(ofClass sizeClass: Int) -> Int {
    guard sizeClass > 1 else { return sizeClass + 1 }
    return sizeClass & 1 == 0 ? 3 << (sizeClass / 2 - 1) : 2 << (sizeClass / 2)
  }

  private mutating func take(_ sizeClass: Int) -> Int32 {
    if sizeClass < free.count, let block = free[sizeClass].popLast() { return block }
    let first = blocks.count
    let capacity = CandidateLists.capacity(ofClass: sizeClass)
    blocks.append(contentsOf: repeatElement(CandidateBlock(), count: capacity))
    boxes.append(contentsOf: repeatElement(CandidateLists.noBoxes, count: capacity))
    return Int32(first)
  }

  private mutating func giveBack(_ list: CandidateList) {
    guard list.count > 0 else { return }
    while free.count <= list.sizeClass { free.append([]) }
    free[list.sizeClass].append(list.block)
  }

  /// An empty list with room for so many candidates; exactly so many must be appended.
  mutating func list(for count: Int) -> CandidateList {
    guard count > 0 else { return CandidateList() }
    let sizeClass = CandidateLists.sizeClass((count + 3) >> 2)
    return CandidateList(block: take(sizeClass), sizeClass: sizeClass)
  }

  /// The candidate in a lane.
  func candidate(at index: Int, of list: CandidateList) -> Candidate {
    blocks[Int(list.block) + index >> 2][index & 3]
  }

  /// Whether one more candidate needs a longer run.
  func isFull(_ list: CandidateList) -> Bool {
    list.count == 0 || Int(list.count) == 4 * CandidateLists.capacity(ofClass: list.sizeClass)
  }

  /// Adds a candidate at the end.
  mutating func append(_ candidate: Candidate, _ box: CellBox, to list: inout CandidateList) {
    if isFull(list) { move(&list, to: CandidateLists.sizeClass((Int(list.count) + 4) >> 2)) }
    put(candidate, box, atEndOf: &list)
  }

  /// Adds a candidate at the end of a list that has room.
  mutating func put(_ candidate: Candidate, _ box: CellBox, atEndOf list: inout CandidateList) {
    let (block, lane) = (Int(list.block) + Int(list.count) >> 2, Int(list.count) & 3)
    if lane == 0 {
      blocks[block] = CandidateBlock()
      boxes[block] = CandidateLists.noBoxes
    }
    blocks[block][lane] = candidate
    boxes[block][lane] = box.bytes
    list.count += 1
  }

  /// Takes the candidate with a slot out, whose box is known; the last one takes its place.
  mutating func remove(_ slot: CircleIndex.Slot, _ box: CellBox, from list: inout CandidateList) {
    guard let (block, lane) = place(of: slot, box, in: list) else { return }
    let last = Int(list.count) - 1
    let (lastBlock, lastLane) = (Int(list.block) + last >> 2, last & 3)
    blocks[block][lane] = blocks[lastBlock][lastLane]
    boxes[block][lane] = boxes[lastBlock][lastLane]
    blocks[lastBlock][lastLane] = .none
    boxes[lastBlock][lastLane] = CellBox.nowhere.bytes
    guard last > 0 else {
      drop(&list)
      return
    }
    list.count = Int32(last)
    let sizeClass = CandidateLists.sizeClass(list.blocks)
    if sizeClass <= list.sizeClass - 2 { move(&list, to: sizeClass) }
  }

  private func place(
    of slot: CircleIndex.Slot, _ box: CellBox, in list: CandidateList
  ) -> (block: Int, lane: Int)? {
    for block in Int(list.block)..<Int(list.block) + list.blocks
    where any(boxes[block] .== SIMD4(repeating: box.bytes)) {
      for lane in 0..<4 where blocks[block].slots[lane] == slot { return (block, lane) }
    }
    return nil
  }

  /// Gives a list's blocks back.
  mutating func drop(_ list: inout CandidateList) {
    giveBack(list)
    list = CandidateList()
  }

  /// Moves a list to a run of another size, which holds all its candidates.
  private mutating func move(_ list: inout CandidateList, to sizeClass: Int) {
    var new = CandidateList(block: take(sizeClass), sizeClass: sizeClass)
    new.count = list.count
    for step in 0..<list.blocks {
      blocks[Int(new.block) + step] = blocks[Int(list.block) + step]
      boxes[Int(new.block) + step] = boxes[Int(list.block) + step]
    }
    giveBack(list)
    list = new
  }

  /// Bytes that the blocks take.
  var memory: Int {
    blocks.capacity * MemoryLayout<CandidateBlock>.stride + boxes.capacity
      * MemoryLayout<SIMD4<UInt32>>.stride
  }

  /// How many blocks a list has.
  static func run(of list: CandidateList) -> Int { list.count == 0 ? 0 : capacity(ofClass: list.sizeClass) }

  /// How many blocks wait to be used again.
  var freeBlocks: Int {
    var sum = 0
    for (sizeClass, blocks) in free.enumerated() {
      sum += blocks.count * CandidateLists.capacity(ofClass: sizeClass)
    }
    return sum
  }
}
