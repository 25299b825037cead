/// Where a node's candidates are: `count` of them from a block on.
struct CandidateList {
  var block: Int32 = 0
  var count: Int32 = 0

  /// Four candidates share a block.
  var blocks: Int { (Int(count) + 3) >> 2 }
}

/// The candidates of all nodes, in blocks of four that are tested at once.
///
/// A list is a run of blocks whose length depends on its count alone (1, 2, 3, 4, 6, 8, 12, …), so that it is known without
/// being stored; runs that are given back wait for the next list of their size.
struct CandidateLists: Sendable {
  /// Where in the node's cell a block's candidates are, as ``CellBox`` says.
  private(set) var boxes: ContiguousArray<SIMD4<UInt32>> = []
  /// Four x, four y, four z and four reaches: one line of the cache, as the type's alignment sees to. Unused lanes hold the Earth's
  /// centre with reach 0, which is near to no place.
  private(set) var blocks: ContiguousArray<SIMD16<Int32>> = []
  /// The slots of a block's candidates; -1 in unused lanes.
  private(set) var slots: ContiguousArray<SIMD4<Int32>> = []
  private var free: [[Int32]] = []

  private static let noSlots = SIMD4<Int32>(repeating: -1)
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
    blocks.append(contentsOf: repeatElement(.zero, count: capacity))
    slots.append(contentsOf: repeatElement(CandidateLists.noSlots, count: capacity))
    boxes.append(contentsOf: repeatElement(CandidateLists.noBoxes, count: capacity))
    return Int32(first)
  }

  private mutating func giveBack(_ block: Int32, _ sizeClass: Int) {
    let first = Int(block)
    for place in first..<first + CandidateLists.capacity(ofClass: sizeClass) {
      blocks[place] = .zero
      slots[place] = CandidateLists.noSlots
      boxes[place] = CandidateLists.noBoxes
    }
    while free.count <= sizeClass { free.append([]) }
    free[sizeClass].append(block)
  }

  /// Makes room for a list that is known to become so long.
  mutating func reserve(_ count: Int) {
    blocks.reserveCapacity(count)
    slots.reserveCapacity(count)
  }

  /// A new list of so many candidates, to be filled by ``set(_:at:of:)``.
  mutating func list(of count: Int) -> CandidateList {
    guard count > 0 else { return CandidateList() }
    return CandidateList(block: take(CandidateLists.sizeClass((count + 3) >> 2)), count: Int32(count))
  }

  /// Puts a candidate into a lane.
  mutating func set(_ candidate: Candidate, _ box: CellBox, at index: Int, of list: CandidateList) {
    let (block, lane) = (Int(list.block) + index >> 2, index & 3)
    blocks[block][lane] = candidate.centre.x
    blocks[block][lane + 4] = candidate.centre.y
    blocks[block][lane + 8] = candidate.centre.z
    blocks[block][lane + 12] = candidate.reach
    slots[block][lane] = candidate.slot
    boxes[block][lane] = box.bytes
  }

  /// The candidate in a lane.
  func candidate(at index: Int, of list: CandidateList) -> Candidate {
    let (block, lane) = (Int(list.block) + index >> 2, index & 3)
    let lanes = blocks[block]
    return Candidate(
      slot: slots[block][lane], centre: FinePoint(x: lanes[lane], y: lanes[lane + 4], z: lanes[lane + 8]),
      reach: lanes[lane + 12])
  }

  /// Whether one more candidate needs a longer run.
  func isFull(_ list: CandidateList) -> Bool {
    let needed = (Int(list.count) + 4) >> 2
    return list.count == 0 || CandidateLists.sizeClass(needed) != CandidateLists.sizeClass(list.blocks)
  }

  /// Adds a candidate at the end.
  mutating func append(_ candidate: Candidate, _ box: CellBox, to list: inout CandidateList) {
    if isFull(list) { move(&list, toHold: Int(list.count) + 1) }
    list.count += 1
    set(candidate, box, at: Int(list.count) - 1, of: list)
  }

  /// Takes the candidate with a slot out; the last one takes its place.
  mutating func remove(_ slot: CircleIndex.Slot, from list: inout CandidateList) {
    guard let index = (0..<Int(list.count)).first(where: { slots[Int(list.block) + $0 >> 2][$0 & 3] == slot })
    else { return }
    let last = Int(list.count) - 1
    if index != last {
      let box = CellBox(bytes: boxes[Int(list.block) + last >> 2][last & 3])
      set(candidate(at: last, of: list), box, at: index, of: list)
    }
    set(.none, .nowhere, at: last, of: list)
    let (before, after) = (list.blocks, (last + 3) >> 2)
    if after == 0 {
      drop(&list)
    } else if CandidateLists.sizeClass(after) != CandidateLists.sizeClass(before) {
      move(&list, toHold: last)
      list.count = Int32(last)
    } else {
      list.count = Int32(last)
    }
  }

  /// Gives a list's blocks back.
  mutating func drop(_ list: inout CandidateList) {
    if list.count > 0 { giveBack(list.block, CandidateLists.sizeClass(list.blocks)) }
    list = CandidateList()
  }

  /// Moves a list's blocks to a run that holds `count`, of which those that are there now stay, as far as they fit.
  private mutating func move(_ list: inout CandidateList, toHold count: Int) {
    let new = take(CandidateLists.sizeClass((count + 3) >> 2))
    for step in 0..<min(list.blocks, (count + 3) >> 2) {
      blocks[Int(new) + step] = blocks[Int(list.block) + step]
      slots[Int(new) + step] = slots[Int(list.block) + step]
      boxes[Int(new) + step] = boxes[Int(list.block) + step]
    }
    if list.count > 0 { giveBack(list.block, CandidateLists.sizeClass(list.blocks)) }
    list.block = new
  }

  /// Bytes that the blocks take.
  var memory: Int { blocks.capacity * 64 + (slots.capacity + boxes.capacity) * 16 }

  /// How many blocks belong to a list of so many candidates.
  static func run(of count: Int) -> Int {
    count == 0 ? 0 : capacity(ofClass: sizeClass((count + 3) >> 2))
  }

  /// How many blocks wait to be used again.
  var freeBlocks: Int {
    var sum = 0
    for (sizeClass, blocks) in free.enumerated() {
      sum += blocks.count * CandidateLists.capacity(ofClass: sizeClass)
    }
    return sum
  }
}

extension Candidate {
  /// What unused lanes hold.
  static let none = Candidate(slot: -1, centre: FinePoint(x: 0, y: 0, z: 0), reach: 0)
}
