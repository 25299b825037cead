import Glibc

/// Who reads what this program prints.
enum OutputReader {
  /// Ends the program quietly as soon as nobody reads its standard output any more, also while there is nothing to print.
  static func endsProgramWhenGone() {
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { _ in
        // poll(2) tells of a pipe without a reader unasked, and of nothing else here.
        var output = pollfd(fd: 1, events: 0, revents: 0)
        while true {
          let count = unsafe poll(&output, 1, -1)
          if count > 0, Int32(output.revents) & POLLERR != 0 { _exit(0) }
          if count > 0 { return nil }
        }
      }, nil)
    if code == 0 { pthread_detach(thread) }
  }
}
