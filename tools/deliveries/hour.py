"""The hour in which everything fails, and what becomes of each peer in it."""
import random
import threading
import time


class Hour:
    """An hour that passes faster by `speed`. Before it begins everything is calm, and after it, when that is said."""

    def __init__(self, seed, speed):
        self.seed, self.speed = seed, speed
        self.length = 3600 / speed
        self.calm = threading.Event()
        self.calm.set()
        self.began = None

    def begin(self):
        self.began = time.monotonic()
        self.calm.clear()

    @property
    def passed(self):
        """Seconds since it began, by the clock on the wall."""
        return time.monotonic() - self.began


class Luck:
    """What happens to a peer: by a seed of its own, whatever the others do."""

    def __init__(self, hour, name):
        self.hour = hour
        self.random = random.Random(f"{hour.seed} {name}")
        self.lock = threading.Lock()
        # Away for a minute to ten, a fifth of the hour or so.
        self.outages, at = [], self.random.uniform(0, 900)
        while at < 3600:
            end = at + self.random.uniform(60, 600)
            self.outages.append((at / hour.speed, end / hour.speed))
            at = end + self.random.uniform(600, 1500)

    @property
    def outage(self):
        """The number of the outage that it is in; None while it is there."""
        if self.hour.calm.is_set():
            return None
        now = self.hour.passed
        return next((number for number, (start, end) in enumerate(self.outages) if start <= now < end), None)

    @property
    def is_away(self):
        return self.outage is not None

    def draw(self, *choices):
        """One of (what, percent); None for the rest, and for all of it once everything is calm."""
        with self.lock:
            number = self.random.uniform(0, 100)
        for what, percent in choices:
            number -= percent
            if number < 0:
                return None if self.hour.calm.is_set() else what
        return None
