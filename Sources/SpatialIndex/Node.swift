/// One cell of a chart: its candidates, and its sixteen children where it has been split.
struct Node {
  /// Where the sixteen children begin; 0 for a leaf.
  var children: Int32 = 0
  /// Which children hold anything at all, row by row.
  var mask: UInt16 = 0
  var list = CandidateList()

  var isLeaf: Bool { children == 0 }
  var isEmpty: Bool { children == 0 && list.count == 0 }
}
