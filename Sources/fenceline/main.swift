import FencelineCommandLineKit
import Glibc

// A reader that goes away (`fenceline history | head`) is an error to be told by `write`, not a reason to be killed.
signal(SIGPIPE, SIG_IGN)
tzset()
exit(Fenceline.run(Array(CommandLine.arguments.dropFirst())))
