"""How fast the service carries what waits in its outbox, for each kind of channel, and what idle channels cost.

A delivery counts once its peer has it; its state is journalled as well. The others, who send the same, keep no journal.
"""
import contextlib
import glob
import os
import sqlite3
import statistics
import subprocess
import time

from contenders import Failure
from delivery_desktop import Desktop, Journald
from delivery_kinds import Command, Email, File, Missing, MQTT, Ntfy, OneDevice, Webhook
from delivery_service import CIRCLES, DEVICES, Carrying, Receiver, ask, fenceline, memory, scheduled
from programs import PROGRAM
import running


class DeliveryCases:
    """Deliveries a second by a service that finds them in its outbox, to peers on this machine."""

    name = "deliveries"
    # By kind: its peer, how many deliveries, and how many for each of the others.
    KINDS = {
        "webhook": (Webhook, 10_000, 300),
        "webhook-one-device": (OneDevice, 2500, 0),
        "ntfy": (Ntfy, 5000, 0),
        "email": (Email, 3000, 1000),
        "mqtt": (MQTT, 20_000, 20_000),
        "command": (Command, 1000, 1000),
        "file": (File, 20_000, 2000),
        "journald": (Journald, 8000, 0),
        "desktop": (Desktop, 300, 0),
    }
    cases = [f"deliveries/{name}" for name in KINDS] + ["deliveries/idle/memory", "deliveries/idle/processor"]

    def __init__(self, options):
        self.options = options
        self.share = 100 if options.smoke else 5 if options.quick else 1

    def count(self, number):
        return max(min(number, 40), number // self.share)

    def run(self, cases, report):
        chosen = {name: each for name, each in self.KINDS.items() if f"deliveries/{name}" in cases}
        failures = []
        with running.Programs() as programs:
            # A receiver that says nothing.
            self.silent = Receiver(0)
            self.make_crossings(programs, max(self.count(count) for _, count, _ in self.KINDS.values()))
            for name, (kind, count, others) in chosen.items():
                try:
                    self.carry(programs, report, name, kind, self.count(count), self.count(others))
                except Missing as missing:
                    report.miss(f"deliveries/{name}", missing)
                except (Failure, OSError, subprocess.SubprocessError, SystemExit) as failure:
                    failures.append(f"{name}: {failure}")
            if any(case.startswith("deliveries/idle") for case in cases):
                self.idle(programs, cases, report)
        if failures:
            raise Failure("\n".join(failures))

    def make_crossings(self, programs, count):
        """A journal with crossings, made as they always are."""
        self.template = programs.path("crossings.db")
        for circle in range(CIRCLES):
            fenceline(self.template, "region", "add", f"circle{circle}", "47.0,8.0", f"{20 + 3 * circle}m", "--profile", "exact")
        receivers = [Receiver(2 * count // DEVICES // CIRCLES + 20) for _ in range(DEVICES)]
        sources = [word for each in receivers for word in ("--source", each.source)]
        service = running.Service(programs, PROGRAM, self.template, *sources)
        end = time.monotonic() + 60 + count / 50
        while ask(self.template, "SELECT max(crossings) FROM run")[0][0] < count:
            if time.monotonic() > end or service.process.poll() is not None:
                raise Failure("too few crossings come about.")
            time.sleep(0.1)
        service.stop()

    def fresh(self, programs, kinds, count):
        """A journal with channels, for each of which so many crossings wait."""
        database = programs.path("bench.db")
        for path in glob.glob(database + "*"):
            os.remove(path)
        closing = contextlib.closing
        with closing(sqlite3.connect(self.template)) as one, closing(sqlite3.connect(database)) as other:
            one.backup(other)
            other.execute("PRAGMA journal_mode = WAL")
        for name, kind in kinds.items():
            fenceline(database, "channel", "add", name.partition("-")[0], name, *kind.words())
        devices = max([kind.devices for kind in kinds.values()], default=0)
        ask(database, """
            INSERT INTO delivery (channel, device, line, run, sequence, unless_seen, created, since, next, state)
            SELECT c.number, x.device, x.device, x.run, x.sequence, 0, ?1, ?1, ?1, 'waiting'
            FROM channel c, (SELECT * FROM crossing WHERE device IN (SELECT DISTINCT device FROM crossing LIMIT ?2)
            ORDER BY run, sequence LIMIT ?3) x""", int(time.time() * 1000), devices, count)
        return database

    def carry(self, programs, report, name, make, count, others):
        """Measures a kind of channel, and whoever else sends to the same peer."""
        rounds, costs, peaks, figures, busy = [], [], [], {}, []
        kind = make(programs, count)
        try:
            # What a start costs is no part of a delivery.
            started = Carrying(programs, kind, self.fresh(programs, {name: kind}, 0), self.silent.source).used
            for _ in range(self.options.rounds):
                database = self.fresh(programs, {name: kind}, count)
                kind.reset()
                carried = Carrying(programs, kind, database, self.silent.source)
                each = {"ours": self.rate(name, kind, count, database)}
                busy.append(getattr(kind, "busy", 0))
                costs.append((carried.used - started) / count)
                peaks.append(carried.peak)
                for peer, send in kind.others().items():
                    kind.count = others
                    kind.reset()
                    send(others)
                    each[peer] = self.rate(peer, kind, others, None)
                    figures.setdefault(peer, []).append(each[peer])
                    kind.count = count
                rounds.append(each)
        finally:
            kind.stop()
        notes = [f"{count:,} of {kind.devices} device{'s'[:kind.devices - 1]}",
                 f"{1e6 * statistics.median(costs):,.0f} us of processor each, peak {max(peaks):.0f} MiB"]
        if max(busy) > 0.1:
            notes.append(f"the peer is busy for {100 * max(busy):.0f} %")
        notes += [f"{peer} {statistics.median(rates):,.0f}/s" for peer, rates in figures.items() if len(figures) > 1]
        report.add(f"deliveries/{name}", "1/s", rounds, "; ".join(notes))

    @staticmethod
    def rate(name, kind, count, database):
        found, different, seconds = kind.arrivals(database)
        if not found == different == count:
            raise Failure(f"of {count} deliveries {found} have arrived, {different} different ones ({name}).")
        return (count - 1) / max(seconds, 1e-3)

    def idle(self, programs, cases, report):
        """A service with a channel of each kind that has carried a few, beside one without channels."""
        seconds, found = 2 if self.options.smoke else 5 if self.options.quick else 20, {}
        kinds = {}
        try:
            for name, (make, _, _) in self.KINDS.items():
                # The first wants a namespace for the service; the desktop connects when there is something to show.
                if name not in ("journald", "desktop", "webhook-one-device"):
                    kinds[name] = make(programs, 10)
            for name, channels in (("without", {}), ("with", kinds)):
                rounds = []
                for _ in range(self.options.rounds):
                    for kind in channels.values():
                        kind.reset()
                    database = self.fresh(programs, channels, 10)
                    service = running.Service(programs, PROGRAM, database, "--source", self.silent.source)
                    running.wait_for(lambda: not ask(database, "SELECT 1 FROM delivery WHERE state = 'waiting' LIMIT 1"), 30,
                                     "not everything was carried")
                    used, began = scheduled(service), time.monotonic()
                    time.sleep(seconds)
                    used = (scheduled(service) - used) / (time.monotonic() - began)
                    rounds.append((memory(service, "VmRSS"), memory(service, "VmHWM"), 100 * used, service.threads()))
                    service.stop()
                found[name] = rounds
        finally:
            for kind in kinds.values():
                kind.stop()
        middle = {name: [statistics.median(each) for each in zip(*rounds)] for name, rounds in found.items()}
        what = f"{len(kinds)} channels; without any"
        if "deliveries/idle/memory" in cases:
            report.add("deliveries/idle/memory", "MiB", [{"ours": each[0]} for each in found["with"]],
                       f"{what} {middle['without'][0]:.1f}; peak {middle['with'][1]:.1f}, {middle['without'][1]:.1f}; "
                       f"threads {middle['with'][3]}, {middle['without'][3]}")
        if "deliveries/idle/processor" in cases:
            report.add("deliveries/idle/processor", "%", [{"ours": each[2]} for each in found["with"]],
                       f"{what} {middle['without'][2]:.2g}; for {seconds} s")
