"""What a bench run tells: a table for people, or JSON lines."""
import json
import os
import statistics
import subprocess

AHEAD, LEVEL = 1.15, 0.87


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} processors, Linux {os.uname().release}"


def versions():
    packages = ["libboost-dev", "libs2-dev", "libgeos-dev", "libsqlite3-dev", "postgresql-15-postgis-3", "libproj-dev",
                "gpsbabel", "libexpat1-dev"]
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages], capture_output=True, text=True)
    return ", ".join(shown.stdout.split("\n")[:-1])


class Report:
    COLUMNS = "{:<32}{:>12} {:<7}{:>12}  {:<16}{:>22}  {}"

    def __init__(self, options):
        self.options = options

    def __enter__(self):
        self.load = os.getloadavg()[0]
        if not self.options.json:
            print(machine())
            print(versions(), end="\n\n")
            print(self.COLUMNS.format("case", "ours", "", "best peer", "", "ratio (least to most)", ""))
        return self

    def __exit__(self, kind, *_):
        if kind is None and not self.options.json:
            print(f"\nRatios above 1: ours is better. Ahead: {AHEAD} or more, and 1 or more in every round; level: {LEVEL} or more. "
                  f"The load of the machine was {self.load:.1f} before"
                  + (": it was busy with something else, so quote none of this." if self.load > 1.2 else "."))

    def add(self, case, unit, rounds, note=""):
        """Tells of a case.

        `rounds` has a dictionary for each: `ours`, and the value of each peer by its name. Less is better, unless the unit is a rate.
        """
        ours = statistics.median(each["ours"] for each in rounds)
        result = {"case": case, "ours": round(ours, 3), "peer": None, "best_peer": None, "ratio": None}
        is_rate, ratios = unit.endswith("/s"), []
        for each in rounds:
            peers = {name: value for name, value in each.items() if name != "ours"}
            if peers:
                name = (max if is_rate else min)(peers, key=peers.get)
                ratio = each["ours"] / peers[name] if is_rate else peers[name] / each["ours"]
                ratios.append((ratio, name, peers[name]))
        if ratios:
            names = [name for _, name, _ in ratios]
            low, high = min(ratios)[0], max(ratios)[0]
            result |= {"peer": round(statistics.median(value for *_, value in ratios), 3),
                       "best_peer": max(names, key=names.count), "ratio": round(statistics.median(r for r, *_ in ratios), 3)}
        else:
            low, high = (choose(each["ours"] for each in rounds) for choose in (min, max))
        result |= {"min": round(low, 3), "max": round(high, 3), "unit": unit}
        print(json.dumps(result) if self.options.json else self.row(result, note), flush=True)

    def miss(self, case, why):
        """Tells of a case that cannot be measured on this machine."""
        print(json.dumps({"case": case, "missing": why}) if self.options.json else f"{case:<32}{why}", flush=True)

    def row(self, result, note):
        ratio = verdict = ""
        if result["ratio"] is not None:
            ratio = f"{result['ratio']:.2f} ({result['min']:.2f} to {result['max']:.2f})"
            verdict = ("ahead" if result["ratio"] >= AHEAD and result["min"] >= 1
                       else "level" if result["ratio"] >= LEVEL else "behind")
        return self.COLUMNS.format(
            result["case"], figure(result["ours"]), result["unit"], figure(result["peer"]), result["best_peer"] or "", ratio,
            ", ".join(filter(None, [verdict, note]))).rstrip()


def figure(value):
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
