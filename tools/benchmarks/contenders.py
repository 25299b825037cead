"""The programs that are measured, ours and the peers'.

Each is kept running and asked a line at a time, so that nothing runs beside another.
"""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

# The last processor: the first one has the interrupts.
PROCESSOR = max(os.sched_getaffinity(0))


class Failure(SystemExit):
    """Why a case has no figures; where nobody goes on with others, the program ends with that sentence."""


class Contender:
    """A program that answers one line of JSON to each line; it and what it starts run on one processor."""

    def __init__(self, *words):
        self.words = words
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {PROCESSOR}))

    def ask(self, *words):
        line = " ".join(map(str, words))
        answer = ""
        # One that has ended takes no more lines.
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        if not answer:
            raise Failure(f"'{' '.join(self.words)}' has ended at '{line}' with {self.process.wait()}.")
        return json.loads(answer)

    def use_all_processors(self):
        os.sched_setaffinity(self.process.pid, os.sched_getaffinity(0))

    def stop(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def processor_seconds(*words, output=subprocess.DEVNULL):
    """Runs a program to its end on one processor; gives its user and system time."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
                               preexec_fn=lambda: os.sched_setaffinity(0, {PROCESSOR}))
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failure(f"'{' '.join(words)}' has ended with {process.returncode}: {errors.strip()}")
    return usage.ru_utime + usage.ru_stime


class PostGIS:
    """A cluster of our own, reached by a socket in its folder: one worker, and nothing is synchronised with the disk."""

    PROGRAMS = "/usr/lib/postgresql/15/bin/"
    SETTINGS = {"listen_addresses": "", "fsync": "off", "synchronous_commit": "off", "max_parallel_workers_per_gather": 0,
                "max_parallel_maintenance_workers": 0, "jit": "off", "shared_buffers": "2GB", "work_mem": "256MB",
                "maintenance_work_mem": "1GB", "autovacuum": "off"}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fenceline-postgis-"))
            # The server refuses to be root.
            self.user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.geteuid() == 0 else []
            if self.user:
                shutil.chown(self.folder, "postgres", "postgres")
            self.run("initdb", "--auth", "trust", "--username", "bench", "--pgdata", self.folder + "/data")
            settings = [f"-c {name}={value}" for name, value in self.SETTINGS.items()]
            self.run("pg_ctl", "start", "--wait", "--pgdata", self.folder + "/data",
                     "--options", f"-k {self.folder} {' '.join(settings)}")
            stack.callback(self.run, "pg_ctl", "stop", "--pgdata", self.folder + "/data", "--mode", "immediate")
            self.client = stack.enter_context(subprocess.Popen(
                ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=terse", "-h", self.folder, "-U", "bench", "postgres"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
            self.backend = self.ask("CREATE EXTENSION postgis; SELECT pg_backend_pid();")
            os.sched_setaffinity(int(self.backend), {PROCESSOR})
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        self.stack.__exit__(*error)

    def run(self, program, *words):
        # No pipe, which the server would keep; it goes on in the same file.
        with open(self.folder + "/log", "a+") as log:
            ran = subprocess.run([*self.user, self.PROGRAMS + program, *words], stdout=log, stderr=log, cwd=self.folder)
            log.seek(0)
            if ran.returncode:
                raise Failure(f"'{program} {words[0]}' has ended with {ran.returncode}: {log.read()[-500:].strip()}")

    def ask(self, sql):
        """Runs statements; gives the last line that they print, if any."""
        self.client.stdin.write(sql + "\n\\echo done\n")
        self.client.stdin.flush()
        last = ""
        while (line := self.client.stdout.readline()) != "done\n":
            if not line:
                raise Failure(f"PostGIS has refused '{sql[:200]}': {last}")
            last = line.strip()
        return last

    def copy(self, table, rows):
        """Fills a table with lines of text."""
        self.client.stdin.write(f"COPY {table} FROM stdin;\n")
        self.client.stdin.writelines(rows)
        self.client.stdin.write("\\.\n")

    def seconds(self):
        """What the backend has used of its processor."""
        with open(f"/proc/{self.backend}/schedstat") as file:
            return int(file.read().split()[0]) / 1e9
