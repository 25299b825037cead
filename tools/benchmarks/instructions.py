"""Counts the instructions of a few fixed cases, and compares them with those on record.

    tools/check-instructions [--record]

Unlike time, instructions are the same on a busy machine and on a quiet one. Ends with 1 where a case takes more than 2 % more
of them than tools/benchmarks/instructions.json says; --record writes that file anew, for a change that is meant to cost, or
that has gained. The record holds for the Swift, the architecture and the libraries that it names; elsewhere the counts are only shown.
"""
import argparse
import json
import os
import platform
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import FOLDER, Programs, circle_set, drive

RECORD = "tools/benchmarks/instructions.json"
TOLERANCE = 0.02
PLACES, FIXES = 3000, 2000
# Places go through an index side by side where it is larger than the cache.
CIRCLES, MANY_CIRCLES = 10_000, 300_000
# Neither the seeds of hash tables nor the instruction sets for which glibc has variants may make a difference.
FIXED = {"FENCELINE_BENCH_ONCE": "1", "LD_PRELOAD": os.path.abspath(FOLDER + "/fixed_random.so"),
         "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-FMA,-FMA4,-ERMS,-FSRM,-BMI2,-LZCNT,-MOVBE"}

parser = argparse.ArgumentParser(prog="tools/check-instructions", description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--record", action="store_true", help="write the record anew")
arguments = parser.parse_args()


def swift_version():
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return text.split("Swift version ")[1].split()[0]


def surroundings():
    """What the counts depend on beside the project's own code."""
    packages = "libc6 libexpat1 libssl3 libgeographiclib23 valgrind".split()
    versions = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages],
                              capture_output=True, text=True).stdout
    return {"swift": swift_version(), "machine": platform.machine(),
            **dict(line.split(" ", 1) for line in versions.splitlines())}


def cases():
    """By name: the commands before, the one that is counted, how many things it does, and the function that does them."""
    with Programs() as programs:
        circles, many = (circle_set(programs, "city", count, PLACES) for count in (CIRCLES, MANY_CIRCLES))
        log = drive(programs, FIXES)
    index, engine = [f"load {circles}", "build"], [f"load {circles}", "watch"]
    return {
        "index query": (index, f"points {circles}.random", PLACES),
        "index batch": ([f"load {many}", "build"], f"batch {many}.random", PLACES),
        "index walk": (index, f"points {circles}.walk", PLACES // 3),
        "index walk with safe distance": (index, f"safe {circles}.walk", PLACES // 3),
        "index build": ([f"load {circles}"], "build", CIRCLES, "countedBuild"),
        "engine fix": (engine, f"engine {log}.places", FIXES),
        "NMEA fix": ([], f"read {log}.nmea", FIXES),
        "GPX point": ([], f"read {log}.gpx", FIXES),
    }


def count(before, command, things, function="countedWork"):
    """Instructions of the command alone, for each of its things."""
    out = f"{FOLDER}/callgrind"
    ran = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--toggle-collect=*{function}*", f"--callgrind-out-file={out}", ".build/release/bench"],
        input="\n".join([*before, command, ""]), capture_output=True, text=True, env={**os.environ, **FIXED})
    if ran.returncode:
        raise SystemExit(f"valgrind has ended with {ran.returncode}: {ran.stderr}")
    with open(out) as file:
        total = next(int(line.split()[1]) for line in file if line.startswith("totals:"))
    if not total:
        raise SystemExit(f"No instructions were counted for '{command}'.")
    return round(total / things, 2)


counts = {name: count(*case) for name, case in cases().items()}
if arguments.record:
    with open(RECORD, "w") as file:
        json.dump({"of": surroundings(), "instructions": counts}, file, indent=2)
        file.write("\n")
with open(RECORD) as file:
    record = json.load(file)
excess, gained = [], []
for name, found in counts.items():
    known = record["instructions"].get(name)
    if known is None:
        excess.append(f"{name} takes {found:,.2f} instructions and is not on record.")
        continue
    change = found / known - 1
    print(f"{name:<32}{found:>12,.2f} instructions, {change:+.2%}")
    if change > TOLERANCE:
        excess.append(f"{name} takes {found:,.2f} instructions, {change:.1%} more than the {known:,.2f} on record.")
    elif change < -TOLERANCE:
        gained.append(name)
if gained:
    print(f"Less than on record: {', '.join(gained)}. Keep it so: tools/check-instructions --record.")
here = surroundings()
others = [f"{name} {record['of'].get(name)}, here {here.get(name)}" for name in sorted({*record["of"], *here})
          if record["of"].get(name) != here.get(name)]
if others:
    print(f"Not compared, since the record is of another machine: {'; '.join(others)}.")
elif excess:
    advice = "Make it faster, or, where the change is worth it, record anew: tools/check-instructions --record."
    sys.exit("\n".join([*excess, advice]))
