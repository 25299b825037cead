"""The kinds of channels that go to what a desktop has: systemd's journal, and notifications on a screen."""
import contextlib
import json
import os
import subprocess
import time

from delivery_kinds import Kind, Missing, output
from delivery_service import ask
from programs import PROGRAM
import running


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

    def __init__(self, programs, count):
        super().__init__(programs, count)
        path, words = programs.session_bus()
        self.address = f"unix:path={path}"
        with open(programs.path("dunstrc"), "w") as file:
            file.write("[global]\nnotification_limit = 5\nhistory_length = 20\n")
        display = programs.path("Xvfb.log")
        self.screen = programs.start("Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp")

        def number():
            with open(display) as file:
                return next((line.strip() for line in file if line.strip().isdigit()), None)

        name = running.wait_for(number, 20, "no X server starts")
        self.bus = programs.start(*words)
        running.wait_for(lambda: os.path.exists(path), 10, "no bus starts")
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
        done = "SELECT count(*), (max(ended) - min(ended)) / 1000.0 FROM delivery WHERE state = 'done'"
        (count, seconds), = ask(database, done)
        return count, count, seconds

    def stop(self):
        for each in (self.server, self.bus, self.screen):
            running.stop(each)
