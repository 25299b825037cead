"""Receivers whose devices cross something all the time."""
import contextlib
import socket
import threading
import time

from nmea import epoch


class Receiver(threading.Thread):
    """Drives in and out of the circles for whoever connects."""

    # Between two fixes in its own time: what people read says the minute alone, and no two entries into a circle shall read alike.
    SECONDS = 30

    def __init__(self, pause):
        super().__init__(daemon=True)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        self.ends = threading.Event()
        # Times of a day that is over, whole seconds.
        self.clock = int(time.time()) // 86400 * 86400 - 3 * 86400
        self.pause = pause

    def run(self):
        step = 0
        self.server.settimeout(0.5)
        while not self.ends.is_set():
            try:
                client, _ = self.server.accept()
            except TimeoutError:
                continue
            with contextlib.suppress(OSError):
                while not self.ends.is_set():
                    step += 1
                    # Two fixes inside, two outside.
                    fix = epoch(self.clock + step * self.SECONDS, 0.054 if step // 2 % 2 else 0)
                    client.sendall(fix.encode())
                    time.sleep(self.pause)
            client.close()
