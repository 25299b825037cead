"""The folder of the bench, and the programs in it, started when first asked for."""
import functools
import glob
import hashlib
import os
import re
import shutil

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


def sources(path):
    """A source of C++ and those of our own that it includes."""
    with open(path) as file:
        text = file.read()
    yield text
    for name in re.findall('^#include "(.+)"', text, re.MULTILINE):
        yield from sources(f"{os.path.dirname(path)}/{name}")


@functools.cache
def data_folder():
    """Where the data are that the generator makes as it is now; what it has made before is removed."""
    text = "".join(sources("tools/benchmarks/peers/generate.cpp"))
    path = f"{FOLDER}/data-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    for old in glob.glob(FOLDER + "/data*"):
        if old != path:
            shutil.rmtree(old)
    return path


def folder(name):
    path = f"{data_folder()}/{name}"
    os.makedirs(path, exist_ok=True)
    return path


def circle_set(programs, kind, count, queries):
    """The path of a set and its queries, which are generated where they are missing."""
    path = f"{folder(queries)}/{kind}-{count}"
    # It is the file that is written last.
    if not os.path.exists(path + ".moved"):
        programs.peers.ask("generate", folder(queries), kind, count, queries)
    return path


def drive(programs, count):
    """The path of a drive through a city of 100,000 circles."""
    path = f"{folder('drives')}/drive-{count}"
    if not os.path.exists(path + ".gpx"):
        programs.peers.ask("drive", folder("drives"), 100_000, count)
    return path
