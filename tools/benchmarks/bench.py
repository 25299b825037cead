"""Measures the project beside its peers.

    tools/bench [CASE…] [--quick | --full] [--rounds 3] [--json] [--list]

A CASE is a name from --list, the beginning of one, or a pattern: index/city/100k, readers, 'index/*/walk'. In each round all
contenders of a case run one after the other on the same data, never two at once; the ratio is that of the best peer of the round to
ours, above 1 where ours is better. Given are medians of the rounds, and of the ratio the least and the greatest. All contenders must
give the same hits, by their numbers, or the bench ends with 1. Times are processor times.

--quick takes less than 3 minutes, once the programs are built; --full adds 10 million circles and wants 16 GB of memory.
--json prints a line for each case: {"case":…,"ours":…,"peer":…,"best_peer":…,"ratio":…,"min":…,"max":…,"unit":…}; where there is no
peer, min and max are those of ours. What is generated and built stays in .build/bench.
"""
import argparse
import fnmatch
import sys

sys.dont_write_bytecode = True
from index_cases import ExactnessCase, IndexCell
from log_cases import EngineCases, JournalCase, ReaderCases, ReplayCases
from report import Report

SIZES = {"1k": 1000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}


def all_groups(options):
    """What is measured together, for it works on the same data."""
    sizes = ["1k", "100k"] if options.quick else ["1k", "10k", "100k", "1M", *(["10M"] if options.full else [])]
    groups = [IndexCell(options, kind, name, SIZES[name])
              for kind in (["city"] if options.quick else ["uniform", "city", "mixed"]) for name in sizes]
    return [*groups, ExactnessCase(options), EngineCases(options), ReaderCases(options), ReplayCases(options),
            JournalCase(options)]


def is_wanted(case, patterns):
    return not patterns or any(case == each or case.startswith(each.rstrip("/") + "/") or fnmatch.fnmatchcase(case, each)
                               for each in patterns)


parser = argparse.ArgumentParser(prog="tools/bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("cases", nargs="*", metavar="CASE")
size = parser.add_mutually_exclusive_group()
size.add_argument("--quick", action="store_true", help="fewer circles, places and fixes")
size.add_argument("--full", action="store_true", help="10 million circles too")
parser.add_argument("--smoke", action="store_true", help="as little as possible: for tests of the bench itself")
parser.add_argument("--rounds", type=int, help="how many rounds (default: 3)")
parser.add_argument("--json", action="store_true", help="print JSON lines")
parser.add_argument("--list", action="store_true", help="print the names of the cases")
options = parser.parse_args()
options.quick |= options.smoke
options.rounds = options.rounds or (1 if options.smoke else 3)

chosen = [(group, wanted) for group in all_groups(options)
          if (wanted := [case for case in group.cases if is_wanted(case, options.cases)])]
if not chosen:
    parser.error(f"there is no case '{' '.join(options.cases)}'; see tools/bench --list.")
if options.list:
    print("\n".join(case for _, wanted in chosen for case in wanted))
    sys.exit()
with Report(options) as report:
    for group, wanted in chosen:
        group.run(wanted, report)
