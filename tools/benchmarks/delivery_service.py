"""The service that is to carry, its journal with crossings in it, and the receivers that have made them."""
import contextlib
import glob
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, "tools")
import running
from nmea import epoch
from contenders import Failure
from programs import PROGRAM

DEVICES, CIRCLES = 8, 10


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
                # Two fixes inside, two outside.
                client.sendall(epoch(self.clock + step, 0.054 if step // 2 % 2 else 0).encode())
            client.recv(1)


def ask(database, query, *values):
    with contextlib.closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        return connection.execute(query, values).fetchall()


def fenceline(database, *words):
    # The database comes first: what follows '--' belongs to a channel.
    result = subprocess.run([PROGRAM, "--db", database, *words], capture_output=True, text=True)
    if result.returncode:
        raise Failure(f"'fenceline {' '.join(words)}' has ended with {result.returncode}: {result.stderr.strip()}")


class Carrying:
    """A service that has carried all that waited: the processor time that it has used, and its peak in memory."""

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


def scheduled(service):
    """Seconds of processor time of its threads, to the nanosecond."""
    used = 0
    for path in glob.glob(service.proc + "/task/*/schedstat"):
        with contextlib.suppress(OSError), open(path) as file:
            used += int(file.read().split()[0])
    return used / 1e9
