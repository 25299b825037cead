"""The folder of the bench, and the programs in it, started when first asked for."""
import os

from contenders import Contender

FOLDER = ".build/bench"
PYTHON = ".build/python/bin/python3"
PROGRAM = ".build/release/fenceline"


class Programs:
    def __init__(self):
        self.running = {}

    def start(self, name, *words):
        if name not in self.running:
            self.running[name] = Contender(*words)
        return self.running[name]

    @property
    def ours(self):
        return self.start("ours", ".build/release/bench")

    @property
    def peers(self):
        return self.start("peers", FOLDER + "/peers")

    @property
    def python(self):
        return self.start("python", PYTHON, "tools/benchmarks/python_peers.py")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.running.values():
            program.stop()


def folder(name):
    path = f"{FOLDER}/data/{name}"
    os.makedirs(path, exist_ok=True)
    return path


def circle_set(programs, kind, count, queries):
    """The path of a set and its queries, which are generated where they are missing."""
    path = f"{folder(queries)}/{kind}-{count}"
    # It is the file that is written last.
    if not os.path.exists(path + ".edits"):
        programs.peers.ask("generate", folder(queries), kind, count, queries)
    return path


def drive(programs, count):
    """The path of a drive through a city of 100,000 circles."""
    path = f"{folder('drives')}/drive-{count}"
    if not os.path.exists(path + ".gpx"):
        programs.peers.ask("drive", folder("drives"), 100_000, count)
    return path
