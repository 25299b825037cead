"""The kinds of channels that go to programs, brokers and servers on this machine, and who has got what."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time

from contenders import Contender
from delivery_service import DEVICES
from programs import PROGRAM
import running

PEERS = [sys.executable, "tools/benchmarks/delivery_peers.py"]
# What a crossing is as a CloudEvent, for peers that send something of the same length.
TEXT = json.dumps({"specversion": "1.0", "type": "crossing.entry", "data": "." * 600})


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
        return {"curl each": self.curl, "http.client": self.post}

    def post(self, count):
        output(*PEERS, "post", self.url, str(count), input=TEXT.encode())

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
        self.port = running.free_port()
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
            words = ["mosquitto_sub", "-p", str(self.port), "-q", "1", "-t", "fenceline/+/event", "-t", "ready", "-F", "%U %t %p"]
            self.listener = subprocess.Popen(words, stdout=file)
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
