"""How fast the service carries what waits in its outbox, for each kind of channel, and what channels cost that have nothing to do."""
import contextlib
import glob
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, "tools")
import running
from contenders import Contender, Failure
from programs import PROGRAM

PEERS = [sys.executable, "tools/benchmarks/delivery_peers.py"]
DEVICES, CIRCLES = 8, 10
# What a crossing is as a CloudEvent, for peers that send something of the same length.
TEXT = json.dumps({"specversion": "1.0", "type": "crossing.entry", "data": "." * 600})


class Receiver(threading.Thread):
    """Drives in and out of the circles for whoever connects, as fast as it is read; then it stays connected."""

    def __init__(self, epochs):
        super().__init__(daemon=True)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.source = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        # A day that is over.
        self.clock, self.epochs = int(time.time()) // 86400 * 86400 - 3 * 86400, epochs
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            client, _ = self.server.accept()
            for step in range(self.epochs):
                client.sendall(self.epoch(step).encode())
            client.recv(1)

    def epoch(self, step):
        now = time.gmtime(self.clock + step)
        # Two fixes inside, two outside.
        minutes = 0.054 if step // 2 % 2 else 0
        clock, day = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
        return "".join(sentence(body) for body in (
            f"GPGGA,{clock},47{minutes:08.5f},N,00800.00000,E,1,10,0.8,400.0,M,48.0,M,,",
            f"GPRMC,{clock},A,47{minutes:08.5f},N,00800.00000,E,60.0,0.0,{day},,,A"))


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return f"${body}*{checksum:02X}\r\n"


def ask(database, query, *values):
    with contextlib.closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        return connection.execute(query, values).fetchall()


def fenceline(database, *words):
    # The database comes first: what follows '--' belongs to a channel.
    result = subprocess.run([PROGRAM, "--db", database, *words], capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"'fenceline {' '.join(words)}' has ended with {result.returncode}: {result.stderr.strip()}")


def output(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, **more).stdout


class Missing(Exception):
    """Why a peer cannot be had on this machine."""


class Kind:
    """A kind of channel and its peer: where it goes, what has arrived, and who else can send there."""

    def __init__(self, programs, count):
        self.programs, self.count = programs, count

    def words(self):
        """What follows the name in `channel add`."""

    def reset(self):
        """Begins anew, for `count` arrivals."""

    def arrivals(self, database):
        """How many there were, how many different ones, and the seconds from the first to the last."""

    def others(self):
        """Who else can send there: names, and what sends; they are given how many."""
        return {}

    # What the service runs as, and what the crossings are of.
    program, devices = PROGRAM, DEVICES

    def stop(self):
        pass


class Asked(Kind):
    """A peer that is a program of the bench."""

    def __init__(self, programs, count, server):
        super().__init__(programs, count)
        self.peer = Contender(*PEERS, server)
        self.port = self.peer.ask("port")["port"]

    def reset(self):
        self.peer.ask("reset")

    def arrivals(self, database):
        told = self.peer.ask("tell")
        self.busy = told["busy"]
        return told["count"], told["different"], told["seconds"]

    def stop(self):
        self.peer.stop()


class Webhook(Asked):
    def __init__(self, programs, count):
        super().__init__(programs, count, "http")
        self.url = f"http://127.0.0.1:{self.port}/events"

    def words(self):
        return [self.url, "--allow-local"]

    def others(self):
        return {"curl each": self.curl, "http.client": lambda count: output(*PEERS, "post", self.url, str(count), input=TEXT.encode())}

    def curl(self, count):
        output("xargs", "-I", "{}", "curl", "-sf", "-H", "webhook-id: {}", "--data-binary", TEXT, self.url,
               input="\n".join(map(str, range(count))).encode())


class OneDevice(Webhook):
    """All of one device: what is of one is carried in its order, one after the other."""

    devices = 1

    def others(self):
        return {}


class Ntfy(Asked):
    def __init__(self, programs, count):
        super().__init__(programs, count, "http")

    def words(self):
        return [f"http://127.0.0.1:{self.port}/topic", "--allow-local", "--events", "crossings"]


class Email(Asked):
    def __init__(self, programs, count):
        super().__init__(programs, count, "smtp")

    def words(self):
        return [f"smtp://127.0.0.1:{self.port}", "--from", "fence@example.org", "--to", "me@example.org", "--digest", "0",
                "--events", "crossings"]

    def others(self):
        return {"smtplib": lambda count: output(*PEERS, "mail", str(self.port), str(count), input=TEXT.encode())}


class MQTT(Kind):
    """A mosquitto, and somebody who has subscribed."""

    def __init__(self, programs, count):
        super().__init__(programs, count)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        with open(programs.path("mosquitto.conf"), "w") as file:
            file.write(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
        self.broker = programs.start("/usr/sbin/mosquitto", "-c", programs.path("mosquitto.conf"))
        running.wait_for(self.is_up, 10, "the broker does not answer")
        self.listener = None

    def is_up(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True

    def words(self):
        return [f"mqtt://127.0.0.1:{self.port}"]

    def reset(self):
        if self.listener:
            running.stop(self.listener)
        self.path = self.programs.path("mqtt.txt")
        with open(self.path, "wb") as file:
            self.listener = subprocess.Popen(["mosquitto_sub", "-p", str(self.port), "-q", "1", "-t", "fenceline/+/event", "-t", "ready",
                                              "-F", "%U %t %p"], stdout=file)
        self.programs.running.append(self.listener)

        def hears():
            output("mosquitto_pub", "-p", str(self.port), "-t", "ready", "-m", "ready")
            return os.path.getsize(self.path)

        running.wait_for(hears, 10, "nobody has subscribed")

    def arrivals(self, database):
        def events():
            with open(self.path) as file:
                return [line.split(" ", 2) for line in file if " ready " not in line and line.endswith("\n")]

        # The broker has acknowledged before it has passed on.
        with contextlib.suppress(SystemExit):
            running.wait_for(lambda: len(events()) >= self.count, 5, "")
        found = events()
        return len(found), len({json.loads(text)["key"] for *_, text in found}), float(found[-1][0]) - float(found[0][0])

    def others(self):
        return {"mosquitto_pub -l": self.publish}

    def publish(self, count):
        lines = "".join(json.dumps({"key": number, "data": TEXT}) + "\n" for number in range(count))
        output("mosquitto_pub", "-p", str(self.port), "-q", "1", "-l", "-t", "fenceline/bench/event", input=lines.encode())

    def stop(self):
        for each in (self.listener, self.broker):
            if each:
                running.stop(each)


class Watched(Kind):
    """A file that becomes longer; the first arrival is when there is something in it."""

    def __init__(self, programs, count):
        super().__init__(programs, count)
        self.path = programs.path("arrivals.txt")

    def reset(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)
        self.first = None
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while not (os.path.exists(self.path) and os.path.getsize(self.path)):
            time.sleep(0.001)
        self.first = time.time()

    def arrivals(self, database):
        running.wait_for(lambda: self.first, 5, "nothing has arrived")
        with open(self.path) as file:
            keys = [self.key(line) for line in file]
        return len(keys), len(set(keys)), os.path.getmtime(self.path) - self.first

    @staticmethod
    def key(line):
        return line


class Command(Watched):
    """A shell that appends the key."""

    def script(self, variable):
        return ["/bin/sh", "-c", f'echo "${variable}" >>{self.path}']

    def words(self):
        return ["--", *self.script("FENCELINE_KEY")]

    def others(self):
        # Two at a time, as the service does by itself.
        return {"xargs -n1 -P2": lambda count: output("xargs", "-n1", "-P2", *self.script("0"),
                                                      input="\n".join(map(str, range(count))).encode())}


class File(Watched):
    def words(self):
        return [self.path]

    @staticmethod
    def key(line):
        return json.loads(line).get("key")

    def others(self):
        return {"write+fdatasync": lambda count: output(*PEERS, "append", self.path, str(count), input=TEXT.encode())}


class Journald(Kind):
    """A systemd-journald in a namespace of mounts, in which the service runs too."""

    SCRIPT = """
        mount -t tmpfs tmpfs /run
        mkdir -p /run/systemd/journal /run/log/journal
        echo 0123456789abcdef0123456789abcdef >/run/machine-id
        mount --bind /run/machine-id /etc/machine-id
        exec /lib/systemd/systemd-journald
        """

    def __init__(self, programs, count):
        super().__init__(programs, count)
        self.keeper = programs.start("unshare", "-m", "sh", "-ec", self.SCRIPT)
        root = f"/proc/{self.keeper.pid}/root"
        running.wait_for(lambda: self.keeper.poll() is not None or os.path.exists(root + "/run/systemd/journal/socket"), 10,
                         "systemd-journald does not start")
        if self.keeper.poll() is not None:
            raise Missing("mounts are not allowed: no systemd-journald can be had here")
        self.folder = root + "/run/log/journal/0123456789abcdef0123456789abcdef"
        self.program = programs.path("in-namespace")
        with open(self.program, "w") as file:
            file.write(f'#!/bin/sh\nexec nsenter --mount --target {self.keeper.pid} {os.path.abspath(PROGRAM)} "$@"\n')
        os.chmod(self.program, 0o755)

    def words(self):
        return ["--events", "crossings"]

    def reset(self):
        self.since = time.time()

    def arrivals(self, database):
        def entries():
            found = output("journalctl", "--directory", self.folder, "-o", "json", "--output-fields=FENCELINE_KEY",
                           "SYSLOG_IDENTIFIER=fenceline", f"--since=@{self.since:.6f}", stderr=subprocess.DEVNULL)
            return [entry for entry in map(json.loads, found.splitlines()) if "FENCELINE_KEY" in entry]

        with contextlib.suppress(SystemExit):
            running.wait_for(lambda: len(entries()) >= self.count, 5, "")
        found = entries()
        times = [int(entry["__REALTIME_TIMESTAMP"]) for entry in found]
        return len(found), len({entry["FENCELINE_KEY"] for entry in found}), (max(times) - min(times)) / 1e6

    def stop(self):
        running.stop(self.keeper)


class Desktop(Kind):
    """A dunst that shows on no screen. It has answered each; when, the outbox says."""

    BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>{}</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""

    def __init__(self, programs, count):
        super().__init__(programs, count)
        self.address = f"unix:path={programs.path('bus')}"
        with open(programs.path("bus.conf"), "w") as file:
            file.write(self.BUS.format(self.address))
        with open(programs.path("dunstrc"), "w") as file:
            file.write("[global]\nnotification_limit = 5\nhistory_length = 20\n")
        display = programs.path("Xvfb.log")
        self.screen = programs.start("Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp")

        def number():
            with open(display) as file:
                return next((line.strip() for line in file if line.strip().isdigit()), None)

        name = running.wait_for(number, 20, "no X server starts")
        self.bus = programs.start("dbus-daemon", f"--config-file={programs.path('bus.conf')}", "--nofork", "--nopidfile")
        running.wait_for(lambda: os.path.exists(programs.path("bus")), 10, "no bus starts")
        self.server = programs.start("env", f"DISPLAY=:{name}", f"DBUS_SESSION_BUS_ADDRESS={self.address}", "NO_AT_BRIDGE=1",
                                     f"HOME={programs.folder}", "dunst", "-config", programs.path("dunstrc"))
        running.wait_for(self.is_up, 20, "dunst does not start")

    def is_up(self):
        asked = subprocess.run(["dbus-send", f"--bus={self.address}", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                                "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Notifications"],
                               capture_output=True, text=True)
        return "true" in asked.stdout

    def words(self):
        return ["--address", self.address, "--events", "crossings"]

    def arrivals(self, database):
        (count, seconds), = ask(database, "SELECT count(*), (max(ended) - min(ended)) / 1000.0 FROM delivery WHERE state = 'done'")
        return count, count, seconds

    def stop(self):
        for each in (self.server, self.bus, self.screen):
            running.stop(each)


class Carrying:
    """A service with one channel that carries all that waits."""

    def __init__(self, programs, kind, database, source):
        service = running.Service(programs, os.path.abspath(kind.program), database, "--source", source)
        count, = ask(database, "SELECT count(*) FROM delivery")[0]
        waits = contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10))
        with waits as connection:
            end = time.monotonic() + 60 + count / 50
            while connection.execute("SELECT EXISTS (SELECT 1 FROM delivery WHERE state = 'waiting')").fetchone()[0]:
                if time.monotonic() > end or service.process.poll() is not None:
                    left = connection.execute("SELECT state, count(*), max(detail) FROM delivery GROUP BY 1").fetchall()
                    raise Failure(f"not everything was carried: {left}.")
                time.sleep(0.02)
        self.used, self.peak = processor_time(service), memory(service, "VmHWM")
        if service.stop() != 0:
            raise Failure("the service has not ended in order.")
        running.wait_for(lambda: not os.path.exists(service.proc), 5, "the service stays")


def processor_time(service):
    """Seconds of all of its threads and the programs that it has run."""
    with open(service.proc + "/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(service, name):
    with open(service.proc + "/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


class DeliveryCases:
    """Deliveries a second by a service that finds them in its outbox, to peers on this machine."""

    name = "deliveries"
    # By kind: its peer, how many deliveries, and how many for each of the others.
    KINDS = {"webhook": (Webhook, 10_000, 300), "webhook-one-device": (OneDevice, 4000, 0), "ntfy": (Ntfy, 5000, 0), "email": (Email, 3000, 1000),
             "mqtt": (MQTT, 20_000, 20_000), "command": (Command, 1000, 1000), "file": (File, 40_000, 2000), "journald": (Journald, 8000, 0), "desktop": (Desktop, 300, 0)}
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
        service = running.Service(programs, PROGRAM, self.template, *(word for each in receivers for word in ("--source", each.source)))
        running.wait_for(lambda: ask(self.template, "SELECT count(*) FROM crossing")[0][0] >= count, 120, "no crossings come about")
        service.stop()

    def fresh(self, programs, kinds, count):
        """A journal with channels, for each of which so many crossings wait."""
        database = programs.path("bench.db")
        for path in glob.glob(database + "*"):
            os.remove(path)
        with contextlib.closing(sqlite3.connect(self.template)) as one, contextlib.closing(sqlite3.connect(database)) as other:
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
        rounds, costs, peaks, figures, busy = [], [], [], {}, []
        kind = make(programs, count)
        try:
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
        notes = [f"{count:,} of {kind.devices} devices, {1e6 * sorted(costs)[len(costs) // 2]:,.0f} us of processor each, peak {max(peaks):.0f} MiB"]
        if max(busy) > 0.1:
            notes.append(f"the peer is busy for {100 * max(busy):.0f} %")
        notes += [f"{peer} {sorted(rates)[len(rates) // 2]:,.0f}/s" for peer, rates in figures.items() if len(figures) > 1]
        report.add(f"deliveries/{name}", "1/s", rounds, "; ".join(notes))

    @staticmethod
    def rate(name, kind, count, database):
        found, different, seconds = kind.arrivals(database)
        if not found == different == count:
            raise Failure(f"of {count} deliveries {found} have arrived, {different} different ones ({name}).")
        return (count - 1) / max(seconds, 1e-3)

    def idle(self, programs, cases, report):
        """A service with a channel of each kind that has carried a few, beside one without channels."""
        seconds, found = 2 if self.options.smoke else 20, {}
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
        middle = {name: [sorted(each)[len(each) // 2] for each in zip(*rounds)] for name, rounds in found.items()}
        what = f"{len(kinds)} channels; without any"
        if "deliveries/idle/memory" in cases:
            report.add("deliveries/idle/memory", "MiB", [{"ours": each[0]} for each in found["with"]],
                       f"{what} {middle['without'][0]:.1f}; peak {middle['with'][1]:.1f}, {middle['without'][1]:.1f}; "
                       f"threads {middle['with'][3]}, {middle['without'][3]}")
        if "deliveries/idle/processor" in cases:
            report.add("deliveries/idle/processor", "%", [{"ours": each[2]} for each in found["with"]],
                       f"{what} {middle['without'][2]:.2g}; for {seconds} s")


def scheduled(service):
    """Seconds of processor time of its threads, to the nanosecond."""
    used = 0
    for path in glob.glob(service.proc + "/task/*/schedstat"):
        with contextlib.suppress(OSError), open(path) as file:
            used += int(file.read().split()[0])
    return used / 1e9
