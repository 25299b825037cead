"""Measures the project beside its peers.

A CASE is a name from --list, the beginning of one, or a pattern: index/city/100k, readers, 'index/*/walk'. In each round all
contenders of a case run one after the other on the same data, never two at once; the ratio is that of the best peer of the
round to ours, above 1 where ours is better. Given are medians of the rounds, and of the ratio the least and the greatest. All
contenders must find the same circles, fixes or rows; where they do not, or where a program fails, the bench says so, goes on
with the next data, and ends with 1. Times are processor times, but for the fleet and deliveries, which are by the clock.
SQLite's index and the peers that are fed by Python are asked for no more than 30,000 places.

Deliveries are carried by the service itself, from an outbox in which they wait, to peers on this machine; each must arrive once.
Its peers send the same without a journal that remembers what has arrived.

--quick takes less than 5 minutes, once the programs are built. 10 million circles are only measured where a CASE says so
(index/city/10M); they want 16 GB of memory. --json prints a line for each case:

    {"case":...,"ours":...,"peer":...,"best_peer":...,"ratio":...,"min":...,"max":...,"unit":...}

Where there is no peer, min and max are those of ours; a case that this machine does not allow has only "missing":... beside its
name. What is generated and built stays in .build/bench.
"""
import argparse
import fnmatch
import subprocess
import sys

sys.dont_write_bytecode = True
from contenders import Failure
from delivery_cases import DeliveryCases
from index_cases import ExactnessCase, IndexCell
from log_cases import CalendarCases, CentreCases, EngineCases, JournalCase, ReaderCases, ReplayCases
from report import Report

SIZES = {"1k": 1000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}


def all_groups():
    """What is measured together, for it works on the same data."""
    return [*(IndexCell(options, kind, name, SIZES[name]) for kind in ("uniform", "city", "mixed") for name in SIZES),
            ExactnessCase(options), EngineCases(options), CalendarCases(options), CentreCases(options), ReaderCases(options),
            ReplayCases(options), JournalCase(options), DeliveryCases(options)]


def names(pattern, case):
    """Whether a CASE that somebody has given means this one; 10 million circles must be asked for."""
    is_meant = fnmatch.fnmatchcase(case, pattern) or fnmatch.fnmatchcase(case, pattern.rstrip("/") + "/*")
    return is_meant and ("/10M/" not in case or "10M" in pattern)


def is_usual(case):
    """Whether a case is measured where none is named."""
    kind, *place = case.split("/")
    if kind != "index" or not options.quick:
        return "10M" not in place
    if options.smoke:
        return place[1] == "1k" and place[2] not in ("python", "postgis")
    return place[0] == "city" and place[1] in ("1k", "100k")


parser = argparse.ArgumentParser(usage="tools/bench [CASE…] [--quick] [--rounds N] [--json] [--list]", description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("cases", nargs="*", metavar="CASE")
parser.add_argument("--quick", action="store_true", help="fewer circles, places and fixes")
parser.add_argument("--smoke", action="store_true", help="as little as possible: for tests of the bench itself")
parser.add_argument("--rounds", type=int, help="how many rounds (default: 3)")
parser.add_argument("--json", action="store_true", help="print JSON lines")
parser.add_argument("--list", action="store_true", help="print the names of the cases")
options = parser.parse_args()
options.quick |= options.smoke
options.rounds = options.rounds or (1 if options.smoke else 3)

groups = all_groups()
for pattern in options.cases:
    if not any(names(pattern, case) for group in groups for case in group.cases):
        parser.error(f"there is no case '{pattern}'; see tools/bench --list.")


def is_wanted(case):
    return any(names(each, case) for each in options.cases) if options.cases else is_usual(case)


chosen = [(group, [case for case in group.cases if is_wanted(case)]) for group in groups]
if options.list:
    print("\n".join(case for _, wanted in chosen for case in wanted))
    sys.exit()
failures = []
with Report(options) as report:
    for group, wanted in chosen:
        try:
            if wanted:
                group.run(wanted, report)
        except (Failure, OSError, subprocess.SubprocessError) as failure:
            failures.append(group.name)
            print(f"{group.name}: {failure}", file=sys.stderr, flush=True)
if failures:
    sys.exit(f"Not all could be measured: {', '.join(failures)}.")
