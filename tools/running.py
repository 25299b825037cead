"""What the bench and the soak have in common: programs that run for a while, and what the system knows of them."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time


BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>{}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Programs:
    """A folder, and programs that are ended with it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="fenceline-")
        os.chmod(self.folder, 0o755)  # gpsd becomes another user
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for process in reversed(self.running):
            stop(process)
        if kind is None:
            shutil.rmtree(self.folder)
        else:
            print(f"kept in {self.folder}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words):
        log = open(self.path(os.path.basename(words[0]) + ".log"), "a")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.running.append(process)
        return process

    def session_bus(self):
        """What a session bus of its own needs; gives its socket and the words that start it."""
        path, configuration = self.path("bus"), self.path("bus.conf")
        with open(configuration, "w") as file:
            file.write(BUS.format(f"unix:path={path}"))
        return path, ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"]

    def gpsd(self, device):
        """Starts a gpsd that reads `device`; gives the process and its port."""
        wait_for(lambda: os.path.exists(device), 10, f"the device {device} was not made")
        port = free_port()
        return self.start("gpsd", "-N", "-n", "-b", "-S", str(port), device), port


def stop(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def wait_for(condition, seconds, complaint):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise SystemExit(complaint)
        time.sleep(0.002)
    return found


class LocalConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=5):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Service:
    """A running `fenceline serve`."""

    def __init__(self, programs, program, database, *words):
        began = time.monotonic()
        self.database = database
        self.process = programs.start(program, "serve", "--db", database, *words)
        self.proc = f"/proc/{self.process.pid}"
        wait_for(self.status, 60, f"the service does not answer; see {programs.folder}")
        self.startup = time.monotonic() - began

    def status(self):
        """What it says of itself; None while it does not answer."""
        connection = LocalConnection(self.database + "-socket")
        try:
            connection.request("GET", "/api/v1/status")
            answer = connection.getresponse()
            return json.loads(answer.read()) if answer.status == 200 else None
        except OSError:
            return None
        finally:
            connection.close()

    def stop(self):
        return stop(self.process)

    def kilobytes(self):
        """What of it is in memory."""
        with open(self.proc + "/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def descriptors(self):
        return len(os.listdir(self.proc + "/fd"))

    def threads(self):
        return len(os.listdir(self.proc + "/task"))

    def seconds(self):
        """Of processor time that it has used."""
        with open(self.proc + "/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
