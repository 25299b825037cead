/// Where a node's candidates are: `count` of them from a block on, in a run of blocks of some size.
struct CandidateList {
  var block: Int32
  /// The size of the run in the upper six bits, the count in the others: nodes are many.
  private var sizeAndCount: UInt32

  init(block: Int32 = 0, sizeClass: Int = 0) {
    self.block = block
    sizeAndCount = UInt32(sizeClass) << 26
  }

  var count: Int32 {
    get { Int32(truncatingIfNeeded: sizeAndCount & 0x3ff_ffff) }
    set { sizeAndCount = sizeAndCount & ~0x3ff_ffff | UInt32(newValue) }
  }

  /// Which size of run it has; nothing where it is empty.
  var sizeClass: Int { Int(sizeAndCount >> 26) }

  /// Four candidates share a block.
  var blocks: Int { (Int(count) + 3) >> 2 }
}
