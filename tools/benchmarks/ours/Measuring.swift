import CFencelineMalloc
import FencelineGeodesy
import Glibc

/// What one measurement has come to.
struct Answer: CustomStringConvertible {
  /// Each.
  var nanoseconds = 0.0
  var hits = 0
  /// The sum over all queries q of (2 q + 1) times the sum of slot + 1.
  var checksum: UInt64 = 0
  /// Other figures by name.
  var more: [(name: String, value: Double)] = []

  mutating func add(_ sum: UInt64, query: Int) {
    checksum &+= sum &* UInt64(2 * query + 1)
  }

  var description: String {
    var text = #"{"ns": \#(nanoseconds), "hits": \#(hits), "checksum": "\#(checksum)""#
    for figure in more { text += #", "\#(figure.name)": \#(figure.value)"# }
    return text + "}"
  }
}

/// Whether ``measured(_:_:_:)`` runs its body once instead of three times: for who counts instructions.
private let measuresOnce = unsafe getenv("FENCELINE_BENCH_ONCE") != nil

/// Nanoseconds of a clock: by default the processor time of this thread, which waiting for a processor does not count into.
func nanoseconds(_ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The median of three runs, for each of `count` things.
func measured(_ count: Int, _ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ body: () -> Answer) -> Answer {
  var answer = Answer()
  var times: [Double] = []
  for _ in 0..<(measuresOnce ? 1 : 3) {
    let began = nanoseconds(clock)
    answer = countedWork(body)
    times.append((nanoseconds(clock) - began) / Double(count))
  }
  times.sort()
  answer.nanoseconds = times[times.count / 2]
  return answer
}

/// What `tools/check-instructions` counts; it knows the function by its name.
@inline(never)
func countedWork(_ body: () -> Answer) -> Answer { body() }

/// The plain values of a file, in native byte order.
func readAll<Value: BitwiseCopyable>(_ path: String) -> [Value] {
  guard let file = unsafe fopen(path, "rb") else {
    fatalError("Cannot read '\(path)': generate the data first.")
  }
  defer { unsafe fclose(file) }
  unsafe fseek(file, 0, SEEK_END)
  let count = unsafe ftell(file) / MemoryLayout<Value>.stride
  unsafe rewind(file)
  return unsafe [Value](unsafeUninitializedCapacity: count) { buffer, filled in
    filled = unsafe fread(buffer.baseAddress, MemoryLayout<Value>.stride, count, file)
  }
}

/// The places of a file.
func readPlaces(_ path: String) -> [Coordinate] {
  let degrees: [Double] = readAll(path)
  return stride(from: 0, to: degrees.count, by: 2).map {
    Coordinate(latitude: degrees[$0], longitude: degrees[$0 + 1])
  }
}

func writeAll(_ values: [UInt64], to path: String) {
  guard let file = unsafe fopen(path, "wb") else { fatalError("Cannot write '\(path)'.") }
  defer { unsafe fclose(file) }
  unsafe values.withUnsafeBufferPointer { _ = unsafe fwrite($0.baseAddress, 8, $0.count, file) }
}

/// Bytes that are allocated.
func bytesInUse() -> Int {
  let information = mallinfo2()
  return Int(information.uordblks + information.hblkhd)
}
