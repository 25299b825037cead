"""The peer of systemd's journal: a journald in a namespace of mounts, in which the service runs too."""
import json
import os
import subprocess
import sys
import time

from deliveries.journal_keeper import MACHINE
from deliveries.peer import Missing, Peer


class Journald(Peer):
    """Is held up, ended and killed, and started again; now and then there is none. What waits in its socket is there for the next one, as
    under systemd."""

    name = "journald"

    # What the keeper is told for each manner of being away, and to end that.
    WORDS = {"held": ("hold", "go"), "killed": ("kill", "start"), "ended": ("quit", "start"), "refuses": ("refuse", "listen"),
             "gone": ("remove", "listen")}

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        keeper = os.path.join(os.path.dirname(__file__), "journal_keeper.py")
        log = open(programs.path("journald.log"), "w")
        self.keeper = subprocess.Popen(["unshare", "--mount", sys.executable, keeper], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=log, text=True)
        if self.keeper.stdout.readline() != "ready\n":
            raise Missing("there is no journal, for mounts are not allowed here")
        self.folder = f"/proc/{self.keeper.pid}/root/run/log/journal/{MACHINE}"
        # What was done to it, and when that is undone.
        self.manner, self.until = None, 0

    @property
    def prefix(self):
        """Goes before the words of a program that is to run in the namespace; it becomes that program, and is killed as that."""
        return ["nsenter", "--mount", f"--target={self.keeper.pid}", "--"]

    def words(self):
        return []

    def ask(self, word):
        self.keeper.stdin.write(word + "\n")
        self.keeper.stdin.flush()
        if self.keeper.stdout.readline() != "done\n":
            raise RuntimeError(f"the keeper of journald has ended over '{word}'")

    def tick(self):
        outage, now = self.luck.outage, time.monotonic()
        if outage is not None:
            wanted = ("killed", "held", "refuses", "gone")[outage % 4]
        elif self.hour.calm.is_set():
            wanted = None
        elif self.manner and now < self.until:
            return
        else:
            wanted = self.luck.draw(("held", 1), ("killed", 2), ("ended", 2), ("refuses", 2), ("gone", 2))
            # Longer, mostly, than it takes to fill the socket.
            self.until = now + self.luck.random.uniform(0, 0.4)
        if wanted == self.manner:
            return
        if self.manner:
            self.ask(self.WORDS[self.manner][1])
        if wanted:
            self.ask(self.WORDS[wanted][0])
        self.manner = wanted

    def entries(self):
        found = subprocess.run(
            ["journalctl", "--directory", self.folder, "-o", "json", "SYSLOG_IDENTIFIER=fenceline",
             "--output-fields=FENCELINE_KEY,FENCELINE_RUN,FENCELINE_SEQUENCE"], check=True, capture_output=True)
        return [entry for entry in map(json.loads, found.stdout.splitlines()) if "FENCELINE_KEY" in entry]

    def finish(self, crossings):
        # It may be behind still.
        end, found = time.monotonic() + 10, self.entries()
        while len({entry["FENCELINE_KEY"] for entry in found}) < len(crossings) and time.monotonic() < end:
            time.sleep(0.2)
            found = self.entries()
        for entry in found:
            self.note(entry["FENCELINE_KEY"], int(entry["FENCELINE_RUN"]), int(entry["FENCELINE_SEQUENCE"]))
        return 0

    def stop(self):
        self.keeper.stdin.close()
        self.keeper.wait(20)
