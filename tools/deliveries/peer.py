"""What all peers have in common."""
import json
import threading

from deliveries.hour import Luck


class Missing(Exception):
    """Why a peer cannot be had on this machine."""


class Peer:
    """Where a channel leads: it fails by its luck, and knows what has arrived."""

    # What its channel is called, which is its kind.
    name = ""
    # What goes before the words of the service, and what is added to its environment.
    prefix, environment = [], []

    def __init__(self, programs, hour):
        self.programs, self.hour = programs, hour
        self.luck = Luck(hour, self.name)
        self.lock = threading.Lock()
        # (run, sequence, key), in the order in which they have arrived.
        self.events = []

    def words(self):
        """What follows the name in `channel add`."""

    def tick(self):
        """Is called every now and then, and once when everything is calm: is away, or is there again."""

    def finish(self, crossings):
        """Looks for what has arrived, once the service has ended; gives how many lines were cut off."""
        return 0

    def stop(self):
        """Ends what it has started beside its programs."""

    def note(self, key, run=None, sequence=None):
        """Notes an arrival; run and sequence number are in the key too."""
        if run is None:
            run, sequence = map(int, key.split("-c")[-1].split("-"))
        with self.lock:
            self.events.append((run, sequence, key))

    def note_lines(self, path):
        """Notes the events of the lines of a file; gives how many lines are none."""
        broken = 0
        with open(path, errors="replace") as file:
            for line in file:
                try:
                    event = json.loads(line)
                except ValueError:
                    broken += 1
                    continue
                self.note(event["key"], event["run"], event["sequence"])
        return broken
