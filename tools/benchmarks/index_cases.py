"""What is measured of the index: each cell is a set of circles, its cases are what is asked of it."""
import array

from circles import boxes, doubles
from contenders import Failure, PostGIS
from programs import FOLDER, Programs, circle_set

TREES = ["boost-4", "boost-8", "boost-16", "boost-8-float", "boost-16-float"]


def must_agree(each, answers):
    """Fails unless all contenders have found the same."""
    hits = {name: (answer["hits"], answer["checksum"]) for name, answer in answers.items()}
    if len(set(hits.values())) > 1:
        found = ", ".join(f"{name} {count} ({checksum})" for name, (count, checksum) in hits.items())
        raise Failure(f"{each}: the contenders have not found the same circles: {found}.")


class IndexCell:
    """A set of circles of one size."""

    # What a case asks ours and the peers for, the file, and which peers.
    QUERIES = {
        "random": ("points", "points", ".random", "all"),
        "batch": ("batch", "points", ".random", "all"),
        "walk": ("points", "points", ".walk", "all"),
        "safe-walk": ("safe", "points", ".walk", "all"),
        "segment-1km": ("segments", "segments", ".segments", "boxes"),
        "segment-20m": ("steps", "steps", ".walk", "boxes"),
        "sqlite": ("points", "points", ".few", "sqlite"),
    }

    def __init__(self, options, kind, name, count):
        self.options, self.kind, self.count = options, kind, count
        self.name = f"index/{kind}/{name}"
        self.queries = 3000 if options.smoke else 30_000 if options.quick else 100_000
        large = count > 1_000_000
        self.peers = {
            "all": TREES if large else [*TREES, "s2-4", *([] if options.quick else ["s2-8"]), "geos"],
            # A covering of the way takes S2 longer than all else.
            "boxes": TREES if large else [*TREES, "geos"],
            "build": TREES if large else [*TREES, "geos"],
            "edits": ["boost-16", "boost-quadratic", "boost-linear"],
            "sqlite": ["sqlite"],
        }
        kinds = [*self.QUERIES, "build", "memory", "remove", "insert", "update"]
        if large:
            kinds.remove("sqlite")
        else:
            kinds += ["python", "postgis"]
        self.cases = [f"{self.name}/{each}" for each in kinds]

    def run(self, cases, report):
        wanted = [case.removeprefix(self.name + "/") for case in cases]
        with Programs() as programs:
            self.programs = programs
            self.path = circle_set(programs, self.kind, self.count, self.queries)
            for program in (programs.ours, programs.peers):
                program.ask("load", self.path)
            self.measure(wanted, report)
        for each in wanted:
            if each in ("python", "postgis"):
                getattr(self, each)(report)

    def measure(self, wanted, report):
        self.built = {}
        self.notes = {"build": "for each circle", "memory": "for each circle; the peers' without the circles themselves"}
        rounds = {each: [] for each in wanted}
        try:
            for turn in range(self.options.rounds):
                self.take_turns(turn, rounds)
        finally:
            # Also where one of them has failed.
            for each, results in rounds.items():
                if results:
                    report.add(f"{self.name}/{each}", "B" if each == "memory" else "ns", results, self.notes.get(each, ""))

    def take_turns(self, turn, rounds):
        """One round of what is wanted."""
        for each in filter(rounds.__contains__, self.QUERIES):
            rounds[each].append(self.ask(each, turn))
        if {"build", "memory"} & rounds.keys():
            made = {name: self.build(name) for name in ["ours", *self.peers["build"]]}
            for each, key in (("build", "ns"), ("memory", "bytes")):
                if each in rounds:
                    rounds[each].append({name: answer[key] for name, answer in made.items()})
        if {"remove", "insert"} & rounds.keys():
            for each, times in self.edit().items():
                if each in rounds:
                    rounds[each].append(times)
        if "update" in rounds:
            rounds["update"].append(self.update())

    def build(self, name):
        program = self.programs.ours if name == "ours" else self.programs.peers
        self.built[name] = program.ask("build", *([] if name == "ours" else [name]))
        return self.built[name]

    def ask(self, each, turn):
        own_word, word, file, group = self.QUERIES[each]
        names, answers = ["ours", *self.peers[group]], {}
        # Each round begins with another one.
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            if name not in self.built:
                self.build(name)
            answers[name] = (self.programs.ours.ask(own_word, self.path + file) if name == "ours"
                             else self.programs.peers.ask(word, name, self.path + file))
        must_agree(each, answers)
        if each == "safe-walk":
            self.notes[each] = f"the index is asked at {answers['ours']['evaluations']:.2%} of the fixes"
        return {name: answer["ns"] for name, answer in answers.items()}

    def edit(self):
        """Takes a tenth of the circles out and puts them in again."""
        times = {"remove": {}, "insert": {}}
        for name, program, peer in self.begun_anew():
            for each in times:
                times[each][name] = program.ask(each, *peer, self.path + ".edits")["ns"]
        answers = {name: program.ask("points", *peer, self.path + ".random") for name, program, peer in self.edited()}
        must_agree("insert", answers)
        return times

    def update(self):
        """Moves a tenth of the circles by up to their radii; the peers take each out and put it in again."""
        answers = {name: program.ask("update", *peer, self.path) for name, program, peer in self.begun_anew()}
        must_agree("update", answers)
        return {name: answer["ns"] for name, answer in answers.items()}

    def edited(self):
        """Those that can be edited: the name, the program, and what it is told beside the command."""
        yield "ours", self.programs.ours, []
        for name in self.peers["edits"]:
            yield name, self.programs.peers, [name]

    def begun_anew(self):
        """They, each as it builds all circles at once; edited trees are not asked for anything else."""
        for name, program, peer in self.edited():
            self.build(name)
            del self.built[name]
            yield name, program, peer

    def python(self, report):
        """shapely and scipy, which are asked for all places at once, against our batch."""
        peers = ("shapely", "scipy")
        with Programs() as programs:
            for program in (programs.ours, programs.python):
                program.ask("load", self.path)
            programs.ours.ask("build")
            for name in peers:
                programs.python.ask("build", name)
            rounds = []
            for _ in range(self.options.rounds):
                answers = {name: programs.python.ask("batch", name, self.path + ".few") for name in peers}
                rounds.append(self.beside_batch("python", programs, answers))
        report.add(self.name + "/python", "ns", rounds)

    def postgis(self, report):
        """A join of places and circles by planar boxes and exact distances, against our batch."""
        with Programs() as programs, PostGIS() as database:
            programs.ours.ask("load", self.path)
            programs.ours.ask("build")
            places = self.fill(database)
            join = ("SELECT count(*), sum((c.id + 1)::numeric * (2 * p.id + 1)) FROM place p JOIN circle c ON c.box && p.spot "
                    "WHERE ST_DWithin(c.centre, p.ground, c.radius);")
            rounds = []
            for _ in range(self.options.rounds):
                began = database.seconds()
                hits, total = database.ask(join).split("|")
                answer = {"ns": (database.seconds() - began) * 1e9 / places, "hits": int(hits),
                          "checksum": str(int(total or 0) % 2 ** 64)}
                rounds.append(self.beside_batch("postgis", programs, {"postgis": answer}))
        report.add(self.name + "/postgis", "ns", rounds)

    def beside_batch(self, each, programs, answers):
        """A round of peers that are asked for all places at once, and few of them."""
        answers["ours"] = programs.ours.ask("batch", self.path + ".few")
        must_agree(each, answers)
        return {name: answer["ns"] for name, answer in answers.items()}

    def fill(self, database):
        """Tables of circles and places; gives the number of places."""
        database.ask("CREATE TABLE circle (id int, box geometry, centre geography, radius float8);"
                     "CREATE TABLE place (id int, spot geometry, ground geography);")
        values, places = doubles(self.path + ".circles"), doubles(self.path + ".few")
        database.copy("circle", (
            f"{number}\tPOLYGON(({w!r} {s!r},{e!r} {s!r},{e!r} {n!r},{w!r} {n!r},{w!r} {s!r}))\t"
            f"POINT({values[3 * number + 1]!r} {values[3 * number]!r})\t{values[3 * number + 2]!r}\n"
            for number, w, s, e, n in boxes(self.path + ".circles")))
        spots = (f"POINT({places[2 * number + 1]!r} {places[2 * number]!r})" for number in range(len(places) // 2))
        database.copy("place", (f"{number}\t{spot}\t{spot}\n" for number, spot in enumerate(spots)))
        database.ask("CREATE INDEX ON circle USING gist (box); ANALYZE circle; ANALYZE place;")
        return len(places) // 2


class ExactnessCase:
    """Places within 1 mm to 1 m of a perimeter, of radii up to 50 km: PROJ's geodesic decides what is right."""

    name = "exactness"
    cases = [name]

    def __init__(self, options):
        self.count = 10_000 if options.quick else 100_000
        self.places = 3000 if options.smoke else 30_000 if options.quick else 1_000_000

    def run(self, _, report):
        with Programs() as programs:
            path = circle_set(programs, "mixed", self.count, self.places)
            out = [f"{FOLDER}/exactness-{name}" for name in ("ours", "truth")]
            for program in (programs.ours, programs.peers):
                program.ask("load", path)
            programs.ours.ask("build")
            programs.peers.ask("build", "boost-16")
            programs.ours.ask("answers", path + ".perimeters", out[0])
            programs.peers.ask("truth", "boost-16", path + ".perimeters", out[1])
        ours, truth = (array.array("Q") for _ in out)
        for sums, file in zip((ours, truth), out):
            with open(file, "rb") as stream:
                sums.frombytes(stream.read())
        wrong = sum(a != b for a, b in zip(ours, truth)) + abs(len(ours) - len(truth))
        report.add("exactness", "wrong", [{"ours": wrong}], f"of {self.places:,} places 1 mm to 1 m from a perimeter")
        if wrong:
            raise Failure(f"{wrong} of {self.places} answers are not those of the geodesic.")
