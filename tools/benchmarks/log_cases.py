"""What is measured beside the index: the engine, the calendar, the readers, whole replays and the journal."""
import shutil
import sqlite3
import tempfile

from circles import doubles
from contenders import Failure, processor_seconds
from programs import FOLDER, PROGRAM, PYTHON, Programs, circle_set, drive


class EngineCases:
    """Fixes a second with all of the rules; nobody else has them, so there is no peer."""

    name = "engine"

    def __init__(self, options):
        self.options = options
        self.fixes = 20_000 if options.smoke else 100_000 if options.quick else 1_000_000
        self.devices = 1000 if options.smoke else 10_000 if options.quick else 100_000
        self.regions = 10_000 if options.smoke else 100_000 if options.quick else 1_000_000
        self.cases = ["engine/device", "engine/fleet/1-thread", "engine/fleet/2-threads", "engine/fleet/memory"]

    def run(self, cases, report):
        if "engine/device" in cases:
            with Programs() as programs:
                programs.ours.ask("load", circle_set(programs, "city", 100_000, 30_000))
                programs.ours.ask("watch")
                path = drive(programs, self.fixes) + ".places"
                rounds = [programs.ours.ask("engine", path) for _ in range(self.options.rounds)]
            report.add("engine/device", "fixes/s", [{"ours": 1e9 / each["ns"]} for each in rounds],
                       f"1 device, 100k regions, {rounds[0]['outcomes']:.0f} outcomes of {self.fixes:,} fixes")
        if any(case.startswith("engine/fleet") for case in cases):
            self.fleet(cases, report)

    def fleet(self, cases, report):
        sizes = f"{self.devices:,} devices, {self.regions:,} regions"
        with Programs() as programs:
            path = circle_set(programs, "city", self.regions, 100_000)
            programs.ours.use_all_processors()
            programs.ours.ask("load", path)
            programs.ours.ask("watch")
            answers = {threads: [] for threads in (1, 2)}
            for _ in range(self.options.rounds):
                for threads, each in answers.items():
                    each.append(programs.ours.ask("fleet", path + ".random", self.devices, threads))
        if len({answer["hits"] for each in answers.values() for answer in each}) > 1:
            raise Failure("fleet: two threads do not decide what one does.")
        for threads, name in ((1, "engine/fleet/1-thread"), (2, "engine/fleet/2-threads")):
            if name in cases:
                report.add(name, "fixes/s", [{"ours": 1e9 / each["ns"]} for each in answers[threads]], sizes)
        if "engine/fleet/memory" in cases:
            report.add("engine/fleet/memory", "B", [{"ours": each["bytes"]} for each in answers[1]], "for each device")


class CalendarCases:
    """The next time at which a rule is due, in a zone whose clocks change."""

    name = "calendar"
    RULES = ["minutely", "hourly", "daily", "weekly", "monthly", "yearly", "once", "last-friday", "fifth-sunday", "month-weekday",
             "any-minute-of-an-hour", "leap-friday", "leap-fifth-sunday", "leap-sunday-every-9999"]
    cases = [f"calendar/{rule}" for rule in RULES]

    def __init__(self, options):
        self.options = options

    def run(self, cases, report):
        with Programs() as programs:
            rounds = [programs.ours.ask("calendar", "/usr/share/zoneinfo/Europe/Zurich") for _ in range(self.options.rounds)]
        for rule in self.RULES:
            if f"calendar/{rule}" in cases:
                report.add(f"calendar/{rule}", "ns", [{"ours": each[rule]} for each in rounds], "2000 to 2060, Europe/Zurich")


class CentreCases:
    """Many requests for notifications of all kinds: added, listed, worked out anew in another zone, and told of."""

    name = "centre"
    cases = [f"centre/{what}" for what in
             ("add-together", "add-one", "list", "begin", "zone", "fire", "longest-turn", "memory")]

    def __init__(self, options):
        self.options = options
        self.requests = 2000 if options.smoke else 20_000 if options.quick else 100_000

    def run(self, cases, report):
        zones = [f"/usr/share/zoneinfo/{name}" for name in ("Europe/Zurich", "Asia/Tokyo")]
        rounds = []
        for _ in range(self.options.rounds):
            with tempfile.TemporaryDirectory(dir=FOLDER) as folder, Programs() as programs:
                path = f"{folder}/centre.db"
                added = programs.ours.ask("add", path, self.requests, 500, zones[0])
                listed = programs.ours.ask("pending", path)
                served = programs.ours.ask("serve", path, *zones)
            if not self.requests == added["hits"] == listed["hits"] or served["told"] != self.requests:
                raise Failure(f"centre: of {self.requests} requests {added['hits']} were added, {listed['hits']} are listed and "
                              f"{served['told']:.0f} were told.")
            rounds.append({
                "add-together": added["together"] / 1e3, "add-one": added["ns"] / 1e3, "list": listed["ns"] / 1e3,
                "begin": served["begin"] / 1e3, "zone": served["zone"] / 1e3, "fire": served["ns"] / 1e3,
                "longest-turn": served["longest"] / 1e6, "memory": served["peak"] / 2**20})
        units = {"longest-turn": "ms", "memory": "MiB"}
        for what in rounds[0]:
            if f"centre/{what}" in cases:
                note = "at most, of a service" if what in units else "each"
                report.add(f"centre/{what}", units.get(what, "us"), [{"ours": each[what]} for each in rounds],
                           f"{self.requests:,} requests, {note}")


class ReaderCases:
    """Whole programs that turn a log into CSV, or objects; and our decoder of GPX beside bare expat."""

    name = "readers"
    cases = ["readers/nmea", "readers/gpx", "readers/expat"]

    def __init__(self, options):
        self.options = options
        self.fixes = 2000 if options.smoke else 20_000 if options.quick else 200_000

    def run(self, cases, report):
        with Programs() as programs:
            path = drive(programs, self.fixes)
            for case, library in (("readers/nmea", "pynmea2"), ("readers/gpx", "gpxpy")):
                if case in cases:
                    rounds = [self.programs(case.partition("/")[2], library, path) for _ in range(self.options.rounds)]
                    report.add(case, "s", rounds, f"{self.fixes:,} fixes to CSV")
            if "readers/expat" in cases:
                rounds = []
                for _ in range(self.options.rounds):
                    ours, expat = programs.ours.ask("read", path + ".gpx"), programs.peers.ask("gpx", path + ".gpx")
                    if ours["hits"] != expat["hits"]:
                        raise Failure(f"expat: we have read {ours['hits']} points, expat {expat['hits']}.")
                    rounds.append({"ours": ours["ns"], "expat": expat["ns"]})
                report.add("readers/expat", "ns", rounds, "for each point of a GPX file; expat only looks at it")

    def programs(self, kind, library, path):
        """One round; all must have found the same fixes."""
        log, times, found = f"{path}.{kind}", {}, {}
        for name, words in (("ours", [PROGRAM, "fixes", "--csv", log]),
                            ("gpsbabel", ["gpsbabel", "-t", "-i", kind, "-f", log, "-o", "unicsv", "-F", "-"])):
            with open(f"{FOLDER}/{name}.csv", "w") as output:
                times[name] = processor_seconds(*words, output=output)
            found[name] = self.sums(f"{FOLDER}/{name}.csv")
        with open(f"{FOLDER}/{library}.txt", "w") as output:
            times[library] = processor_seconds(PYTHON, "tools/benchmarks/python_readers.py", library, log, output=output)
        with open(f"{FOLDER}/{library}.txt") as file:
            found[library] = [float(word) for word in file.read().split()]
        # gpsbabel prints six decimals of a degree.
        if any(abs(a - b) > 1e-6 * self.fixes for each in found.values() for a, b in zip(each, found["ours"])):
            raise Failure(f"{kind}: the programs have not read the same fixes: {found}.")
        return times

    @staticmethod
    def sums(csv):
        with open(csv) as file:
            names = [name.strip().lower() for name in file.readline().split(",")]
            columns = [next(place for place, name in enumerate(names) if name.startswith(start)) for start in ("lat", "lon")]
            rows = [line.split(",") for line in file]
        return [len(rows), *(sum(float(row[column]) for row in rows) for column in columns)]


class ReplayCases:
    """From a log to journalled crossings, with 100,000 regions: the whole program, start and all."""

    name = "replay"
    cases = ["replay/nmea", "replay/gpx"]

    def __init__(self, options):
        self.options = options
        self.regions = 1000 if options.smoke else 100_000
        self.fixes = 2000 if options.smoke else 50_000 if options.quick else 500_000

    def run(self, cases, report):
        with Programs() as programs, tempfile.TemporaryDirectory(prefix="fenceline-bench-") as place:
            path = drive(programs, self.fixes)
            database = self.database(programs, place)
            for case in cases:
                kind, rounds = case.partition("/")[2], []
                for _ in range(self.options.rounds):
                    copy = f"{place}/bench.db"
                    shutil.copyfile(database, copy)
                    ours = processor_seconds(PROGRAM, "replay", "--quiet", "--db", copy, f"{path}.{kind}")
                    crossings = sqlite3.connect(copy).execute("SELECT fixes, crossings FROM run").fetchall()
                    if len(crossings) != 1 or crossings[0][0] != self.fixes or not crossings[0][1]:
                        raise Failure(f"{kind}: the replay has not recorded what it should: {crossings}.")
                    if kind == "nmea":
                        peer = {"gpsbabel": processor_seconds(
                            "gpsbabel", "-i", "nmea", "-f", path + ".nmea", "-o", "unicsv", "-F", "/dev/null")}
                    else:
                        peer = {"expat": programs.peers.ask("gpx", path + ".gpx")["ns"] * self.fixes / 1e9}
                    rounds.append({"ours": ours, **peer})
                report.add(case, "s", rounds, f"{self.fixes:,} fixes, {self.regions:,} regions, {crossings[0][1]} crossings; "
                           "the peer only reads")

    def database(self, programs, place):
        """The journal with its regions, as this program makes it."""
        database, table = f"{place}/regions.db", f"{place}/regions.csv"
        values = doubles(circle_set(programs, "city", self.regions, 3000) + ".circles")
        with open(table, "w") as file:
            file.write("id,latitude,longitude,radius\n")
            for number in range(self.regions):
                latitude, longitude, radius = values[3 * number:3 * number + 3]
                file.write(f"r{number},{latitude!r},{longitude!r},{radius!r}\n")
        processor_seconds(PROGRAM, "region", "import", "--quiet", "--db", database, table)
        return database


class JournalCase:
    """Crossings recorded as a replay does it, beside SQLite alone doing the same inserts."""

    name = "journal"
    cases = [name]

    def __init__(self, options):
        self.options = options
        self.count = 2000 if options.smoke else 20_000 if options.quick else 200_000

    def run(self, _, report):
        rounds = []
        for _ in range(self.options.rounds):
            with Programs() as programs, tempfile.TemporaryDirectory(prefix="fenceline-bench-") as place:
                ours, copy = f"{place}/ours.db", f"{place}/copy.db"
                own = programs.ours.ask("journal", ours, self.count)["ns"]
                programs.ours.stop()
                del programs.running["ours"]
                with sqlite3.connect(ours) as journal, sqlite3.connect(copy) as empty:
                    journal.backup(empty)
                    empty.executescript("DELETE FROM crossing; DELETE FROM visit; VACUUM;")
                peer = programs.peers.ask("journal", ours, copy)
                counts = [[sqlite3.connect(each).execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                           for table in ("crossing", "visit")] for each in (ours, copy)]
                if counts[0] != counts[1] or counts[0][0] != self.count:
                    raise Failure(f"the rows are not the same: {counts}.")
                rounds.append({"ours": own, "sqlite": peer["ns"]})
        report.add("journal", "ns", rounds, f"for each of {self.count:,} crossings and its half of a visit")
