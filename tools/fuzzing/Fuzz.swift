import FencelineGeodesy
import FencelinePositioning
import FencelineRegionFiles
import FencelineTrackLogs
import Glibc

/// What libFuzzer calls with bytes of its own making: they are read as a log and as a file of regions.
///
/// A reader must neither crash nor loop, whatever it is given, and its fixes must be ones that can be judged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start = unsafe start else { return 0 }
  unsafe pwrite(file, start, count, 0)
  ftruncate(file, count)
  if let reader = try? TrackLogReader(path: "/proc/self/fd/\(file)", options: LogOptions()) {
    var fixes: [Fix] = []
    while (try? reader.read(into: &fixes)) == true {}
    for fix in fixes {
      precondition(fix.coordinate.isValid)
      precondition(fix.accuracy.map { $0.isFinite && $0 > 0 } ?? true)
      precondition(fix.speed.map { $0.isFinite && $0 >= 0 } ?? true)
    }
  }
  _ = try? RegionImport(unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)), radius: 100)
  return 0
}

/// A file in memory, since logs are read from files; it has no name, so nothing is left of it.
private let file = {
  var name = Array("/dev/shm/fenceline-fuzz-XXXXXX".utf8CString)
  let file = unsafe mkstemp(&name)
  precondition(file >= 0, "there is no memory for files in /dev/shm")
  unsafe unlink(name)
  return file
}()
