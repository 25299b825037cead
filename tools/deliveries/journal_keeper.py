"""Keeps a systemd-journald in a namespace of mounts, as systemd does: its socket stays when it goes. It runs under `unshare --mount`.

Is told by lines what to do, answers each with a line, and ends all of it at the end of its input:

    start    a journald for the socket
    quit     ends it, as a restart of its unit does
    kill     kills it, though not with an entry in its hands, which nobody could have again
    hold     keeps it from running on; `go` lets it
    refuse   nobody listens at the socket's path, as where there is no journal; `listen` ends that
    remove   there is nothing at that path, as where there never was a journal; `listen` ends that too
"""
import os
import signal
import socket
import subprocess
import sys
import time

SOCKET = "/run/systemd/journal/socket"
MACHINE = "0123456789abcdef0123456789abcdef"


def bind(path):
    """A socket at a path, of which there is a second name too."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.bind(path)
    return made


def place(other):
    """Puts the socket of another name at journald's path, at once."""
    os.link(other, SOCKET + ".next")
    os.rename(SOCKET + ".next", SOCKET)


class Keeper:
    def __init__(self):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
        for folder in ("systemd/journal", "systemd/journald.conf.d", "log/journal"):
            os.makedirs("/run/" + folder)
        with open("/run/machine-id", "w") as file:
            file.write(MACHINE + "\n")
        subprocess.run(["mount", "--bind", "/run/machine-id", "/etc/machine-id"], check=True)
        with open("/run/systemd/journald.conf.d/check.conf", "w") as file:
            file.write("[Journal]\nStorage=volatile\nRateLimitBurst=0\nRuntimeMaxUse=500M\nForwardToSyslog=no\nForwardToWall=no\n")
        # Nobody reads from this one, and whoever writes to it is told so.
        bind(SOCKET).close()
        os.rename(SOCKET, SOCKET + ".nobody")
        self.socket = bind(SOCKET)
        os.link(SOCKET, SOCKET + ".journal")
        # journald asks who has sent an entry.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.journald = None
        self.start()

    def start(self):
        if self.journald:
            return
        # The first descriptor that is handed over has number 3: sd_listen_fds(3).
        script = f"exec 3<&{self.socket.fileno()}; export LISTEN_PID=$$ LISTEN_FDS=1; exec /lib/systemd/systemd-journald"
        self.journald = subprocess.Popen(["bash", "-c", script], pass_fds=[self.socket.fileno()], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL)

    def end(self, number):
        self.journald.send_signal(number)
        self.journald.wait(20)
        self.journald = None

    def quit(self):
        if self.journald:
            self.end(signal.SIGTERM)

    def kill(self):
        if not self.journald:
            return
        for _ in range(1000):
            self.hold()
            if self.rests():
                return self.end(signal.SIGKILL)
            self.go()
            time.sleep(0.002)
        # It has been at work all the time.
        self.quit()

    def rests(self):
        """Whether it waits for something to do."""
        with open(f"/proc/{self.journald.pid}/stat") as file:
            is_held = file.read().rsplit(")", 1)[1].split()[0] == "T"
        with open(f"/proc/{self.journald.pid}/syscall") as file:
            call = file.read().split()[0]
        # epoll_wait and epoll_pwait of x86, epoll_pwait of ARM, and epoll_pwait2.
        return is_held and call in ("232", "281", "22", "441")

    def hold(self):
        if self.journald:
            self.journald.send_signal(signal.SIGSTOP)
            # Signals take a moment.
            time.sleep(0.002)

    def go(self):
        if self.journald:
            self.journald.send_signal(signal.SIGCONT)

    def refuse(self):
        place(SOCKET + ".nobody")

    def remove(self):
        os.remove(SOCKET)

    def listen(self):
        place(SOCKET + ".journal")


if __name__ == "__main__":
    keeper = Keeper()
    try:
        print("ready", flush=True)
        for line in sys.stdin:
            getattr(keeper, line.strip())()
            print("done", flush=True)
    finally:
        if keeper.journald:
            keeper.end(signal.SIGKILL)
