import FencelineCommandLineKit
import Glibc

// A reader that goes away (`fenceline history | head`) and a file that may grow no more are errors to be told by `write`, not
// reasons to be killed.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
// Where a standard stream is closed, a file of the program's would get its number and what is meant for people be written into it.
for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
  _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
}
tzset()
// Swift repairs arguments that are not UTF-8; repaired, the name of a file is that of another one.
for (number, argument) in CommandLine.arguments.enumerated().dropFirst() {
  guard let bytes = unsafe CommandLine.unsafeArgv[number], unsafe String(validatingCString: bytes) == nil
  else { continue }
  exit(Fenceline.refuse(argument))
}
exit(Fenceline.run(Array(CommandLine.arguments.dropFirst())))
