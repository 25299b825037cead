"""Peers that are neither connected with nor asked: a program, and a file."""
import os

from deliveries.peer import Peer


class Command(Peer):
    name = "command"

    PROGRAM = """#!/bin/bash
# One who honours nothing and fails now and then.
IFS= read -r line
luck=$((RANDOM % 100))
if [ -e "$0.calm" ]; then luck=99; elif [ -e "$0.away" ]; then exit 75; fi
[ $luck -ge 5 ] || exit 1
[ $luck -ge 6 ] || exec sleep 100
[ $luck -ge 10 ] || kill -9 $$
printf '%s\\n' "$line" >> "$0.log"
[ $luck -ge 15 ] || exit 1
"""

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        self.program = programs.path("program")
        with open(self.program, "w") as file:
            file.write(self.PROGRAM)
        os.chmod(self.program, 0o755)

    def words(self):
        return [self.program, "--timeout", "1s", "--parallel", "4"]

    def tick(self):
        away = self.program + ".away"
        if self.hour.calm.is_set():
            open(self.program + ".calm", "w").close()
        elif self.luck.is_away and not os.path.exists(away):
            open(away, "w").close()
        elif not self.luck.is_away and os.path.exists(away):
            os.remove(away)

    def finish(self, crossings):
        return self.note_lines(self.program + ".log")


class File(Peer):
    """A file whose folder goes away and comes back."""

    name = "file"

    def __init__(self, programs, hour):
        super().__init__(programs, hour)
        self.folder = programs.path("out")
        os.mkdir(self.folder)

    def words(self):
        return [os.path.join(self.folder, "events.jsonl"), "--rotate-size", "1M", "--keep", "50"]

    def tick(self):
        away = self.folder + ".away"
        if self.luck.is_away and os.path.exists(self.folder):
            os.rename(self.folder, away)
        elif not self.luck.is_away and os.path.exists(away):
            os.rename(away, self.folder)

    def finish(self, crossings):
        # The oldest has the greatest number, the newest has none.
        age = lambda name: int(name.rsplit(".", 1)[-1]) if name[-1].isdigit() else 0
        return sum(self.note_lines(os.path.join(self.folder, name)) for name in sorted(os.listdir(self.folder), key=age, reverse=True))
