"""Ends, copies, moves, fills and damages the work of `trend-prof run`, and checks that nothing is lost silently.

    benches/run.py chaos [--quick] [--seed 1] [PART ...]

Parts: kills, daemons, forks, loops, memory, sampling, serving, revisions, copies, moves, pairs, stale, disks, calls,
damage, clock; all of them by default. The first eight parts kill processes during these runs:

    kills       runs with counters
    daemons     a program whose processes leave their session, clear their environment and count after its end
    forks       a program that forks, with the probe of routines
    loops       runs with the probe of loops
    memory      runs with memory by line
    sampling    runs with samples of the time
    serving     runs while a page is served
    revisions   `diff --rev`

After each disturbance the same command runs again. `show --format json` must then print the same bytes as for an
undisturbed study, unless the tool reported the missing data. Samples differ from run to run, so there the counts are
compared. No process and no file may remain, neither beside the study nor in the folder for temporary files nor as a
worktree, with two exceptions: what was just created when the whole session was killed, before a process could remove
it, and the draft of a new study when the tool was killed. The next run removes them, and they are counted. Every
exception is printed; there should be none. "disks" mounts file systems, "calls" uses strace, and "forks" and "loops"
need clang and trend-probe. If that is not possible, they report it and are not counted.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from shared import PROGRAMS, scratch


@dataclass(frozen=True)
class Kind:
    """A program, and a way to build and run it."""

    workloads: int = 40
    program: str = "forking.c"
    # Options of `build`, and the command that it runs.
    build: tuple = ()
    compiler: tuple = ("cc", "-O0", "-g")
    # Options of `run`.
    run: tuple = ()
    is_timed: bool = False
    # Inputs are generated, and processes outlive the program: if one of them alone is killed, its counts are lost.
    has_daemons: bool = False


PROBED = ("clang-22", "-O1", "-g")


class Rig:
    """A folder with a program and a study."""

    def __init__(self, options, folder, kind):
        self.options, self.folder, self.kind, workloads = options, Path(folder), kind, kind.workloads
        self.mark = f"CHAOS_{uuid.uuid4().hex}=1"
        name, value = self.mark.split("=")
        self.environment = {**os.environ, name: value}
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)
        shutil.copy(PROGRAMS / kind.program, self.folder / "program.c")
        build = [*kind.compiler, "-o", "program", "program.c"]
        config = (PROGRAMS / "chaos.toml").read_text()
        for name, value in {
            "build": build, "mark": self.mark, "time": kind.is_timed, "sizes": [100 + 20 * k for k in range(workloads)],
        }.items():
            config = config.replace(f"@{name}", json.dumps(value))
        if kind.has_daemons:
            config = config.replace("[features]", """generate = ["sh", "-c", "echo $0; sleep 0.005", "{n}"]\n[features]""")
        (self.folder / "trend-prof.toml").write_text(config)
        built = self.call("build", *kind.build, "--", *build)
        assert built.returncode == 0, built.stderr
        self.workloads, self.exceptions, self.tries, self.young = workloads, [], 0, 0
        begin = time.perf_counter()
        ended = self.call(*self.command("undisturbed.trend"))
        assert ended.returncode == 0, ended.stderr
        self.seconds = time.perf_counter() - begin
        self.expected = self.findings("undisturbed.trend").stdout
        self.files = {p.name for p in self.folder.iterdir()}

    def command(self, study):
        """Returns the arguments that record a study."""
        return ["run", "--no-build", *self.kind.run, "--study", study]

    def call(self, *arguments, **options):
        options = {"cwd": self.folder, "env": self.environment, **options}
        command = [*options.pop("prefix", []), self.options.trend_prof, *arguments]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, **options)

    def start(self, *arguments):
        return subprocess.Popen([self.options.trend_prof, *arguments], cwd=self.folder, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def findings(self, study):
        how = ["export", "csv", study] if self.kind.is_timed else ["show", study, "--format", "json"]
        return self.call(*how)

    def runs(self, study):
        """Returns the number of workloads in a study, or the error if it cannot be read."""
        shown = self.call("export", "csv", study)
        return len(shown.stdout.splitlines()) - 1 if shown.returncode == 0 else shown.stderr

    def processes(self):
        """Returns the running processes of this rig: pid, command."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                command = (entry / "cmdline").read_bytes()
                # Some processes clear their environment.
                if self.mark.encode() in (entry / "environ").read_bytes() + command:
                    found.append((int(entry.name), command.replace(b"\0", b" ").decode()))
            except OSError:
                pass
        return found

    def wrong(self, what):
        self.exceptions.append(what)
        print(f"  EXCEPTION {what}", flush=True)

    def is_told(self, what, code, errors, codes=(0, 1, 2)):
        """Checks that a command has one of these exit codes, and gives a reason if it fails."""
        if "panicked" in errors or code not in codes or (code != 0 and not errors.strip()):
            self.wrong(f"{what} ends with {code}: {errors[-500:]}")

    def await_quiet(self):
        """Waits for processes to end, as long as they may take."""
        end = time.monotonic() + self.options.patience
        while self.processes() and time.monotonic() < end:
            time.sleep(0.02)

    def is_young(self, folder):
        """Returns true if a scratch folder contains nothing but its mark: no process could remove it yet."""
        if folder.is_dir() and {p.name for p in folder.iterdir()} <= {"lock"}:
            self.young += 1
            return True
        return False

    def nothing_is_left(self, what, studies=(), young=None):
        self.await_quiet()
        if left := sorted(p.name for p in self.temporary.iterdir()):
            self.wrong(f"{what}: temporary files left: {left}")
            self.remove("temporary")
            self.temporary.mkdir()
        if left := self.processes():
            self.wrong(f"{what}: processes left: {left}")
            for pid, _ in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        left = {p.name for p in self.folder.iterdir()} - self.files - set(studies)
        if young in left and self.is_young(self.folder / young):
            left.remove(young)
        # A study that was not published yet, of a tool that was killed. The next run removes it.
        drafts = {name for name in left if young and name.startswith(".trend-prof-") and name.endswith(".new")}
        self.young += len(drafts)
        left -= drafts
        if left:
            self.wrong(f"{what}: files left: {sorted(left)}")

    def resumes(self, what, study, is_whole=True):
        """Runs the same command again, and checks that the study is complete, if it can be whole."""
        ended = self.call(*self.command(study))
        if ended.returncode != 0:
            return self.wrong(f"{what}: the next run ends with {ended.returncode}: {ended.stderr[-500:]}")
        found = self.findings(study)
        if is_whole and found.stdout != self.expected:
            self.wrong(f"{what}: other findings: {first_difference(self.expected, found.stdout)} {found.stderr[-300:]}")

    def remove(self, *names):
        for name in names:
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def first_difference(expected, found):
    """Returns the surroundings of the first difference between two texts, in both."""
    at = next((i for i, (a, b) in enumerate(zip(expected, found)) if a != b), min(len(expected), len(found)))
    return " and ".join(repr(text[max(0, at - 100):at + 200]) for text in (expected, found))


def strike(rig, chance, run, seconds):
    """Sends a signal to a process, to other processes, or to its whole session, at any moment. Says what it did."""
    delay = chance.uniform(0, seconds)
    try:
        run.communicate(timeout=delay)
    except subprocess.TimeoutExpired:
        pass
    name = chance.choice(["KILL", "KILL", "HUP", "TERM", "INT"])
    kind = chance.choice(["tool", "tool", "below", "below", "session"])
    number = getattr(signal, f"SIG{name}")
    below = [pid for pid, _ in rig.processes() if pid != run.pid]
    try:
        if kind == "tool":
            os.kill(run.pid, number)
        elif kind == "session":
            os.killpg(run.pid, number)
        elif below:
            os.kill(chance.choice(below), number)
    except ProcessLookupError:
        pass
    return f"SIG{name} to {kind} after {delay * 1000:.0f} ms"


def await_end(rig, what, run):
    """Waits for a process that has to end."""
    try:
        _, errors = run.communicate(timeout=60 + 20 * rig.seconds)
    except subprocess.TimeoutExpired:
        rig.wrong(f"{what}: the tool hangs")
        run.kill()
        _, errors = run.communicate()
    if "panicked" in errors:
        rig.wrong(f"{what}: {errors[-500:]}")


def kills(rig, chance, count, beside=None):
    """Signals to the tool, to its child processes, and to its whole session, at any moment."""
    study, done, is_whole = "killed.trend", 0, True
    while done < count:
        run = rig.start(*rig.command(study))
        guest = beside(study) if beside else None
        victim = chance.choice([run, guest]) if guest else run
        what = strike(rig, chance, victim, rig.seconds)
        what += " of the guest" if victim is guest else ""
        is_whole &= not (rig.kind.has_daemons and " to below " in what)
        await_end(rig, what, run)
        if guest:
            guest.send_signal(signal.SIGTERM)
            await_end(rig, what, guest)
        rig.nothing_is_left(what, [study], f"{study}.run")
        done += 1
        rig.tries += 1
        # A study that was killed repeatedly is completed, checked, and started again.
        if chance.random() < 0.2 or done == count:
            rig.resumes(what, study, is_whole)
            is_whole = True
            rig.nothing_is_left(f"{what}, resumed", [study])
            if (rig.folder / study).exists():
                rig.remove(study)
        if done % 100 == 0:
            print(f"  {done} kills", flush=True)
    print(f"  {rig.young} scratch folders without a run in them, and drafts, were left to the next run")


def serving(rig, chance, count):
    """Signals to a run or to the `serve` beside it. The other one does its work."""

    def serve(study):
        while not (rig.folder / study).exists() and rig.processes():
            time.sleep(0.001)
        return rig.start("serve", "--port", "0", study)

    kills(rig, chance, count, serve)


def revisions(rig, chance, count):
    """Signals to `diff --rev`. Neither worktrees nor their folders stay."""
    diff = ["diff", "--rev", "HEAD~1..HEAD", "--no-time"]

    def git(*words):
        identity = ["-c", "user.name=chaos", "-c", "user.email=chaos@localhost", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *words]
        return subprocess.run(command, cwd=rig.folder, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet", "--initial-branch", "main")
    program = (rig.folder / "program.c").read_text()
    for text in ["", "/* changed */\n"]:
        (rig.folder / "program.c").write_text(program + text)
        git("add", "program.c", "trend-prof.toml")
        git("commit", "--quiet", "--message", "x")
    rig.files.add(".git")
    begin = time.perf_counter()
    expected = rig.call(*diff)
    seconds = time.perf_counter() - begin
    assert expected.returncode == 0, expected.stderr
    for done in range(1, count + 1):
        run = rig.start(*diff)
        what = strike(rig, chance, run, seconds)
        await_end(rig, what, run)
        rig.tries += 1
        rig.await_quiet()
        worktrees = len(git("worktree", "list").splitlines()) - 1
        if what.startswith("SIGKILL to session"):
            # The next `diff --rev` removes them, as no process is left to do so.
            rig.young += worktrees
        elif worktrees:
            rig.wrong(f"{what}: a worktree is left: {git('worktree', 'list')}")
        else:
            rig.nothing_is_left(what)
        if chance.random() < 0.2 or done == count or what.startswith("SIGKILL to session"):
            ended = rig.call(*diff)
            if (ended.returncode, ended.stdout) != (0, expected.stdout):
                rig.wrong(f"{what}: the next `diff --rev` ends with {ended.returncode}: {ended.stderr[-300:]}")
            if len(git("worktree", "list").splitlines()) != 1:
                rig.wrong(f"{what}: a worktree is left by the next one: {git('worktree', 'list')}")
            rig.nothing_is_left(f"{what}, repeated")
    print(f"  {rig.young} worktrees were left to the next `diff --rev`")


def copies(rig, chance, count):
    """A copy made at any moment has at least the records of a second before."""
    for _ in range(count):
        run = rig.start("-v", *rig.command("copied.trend"))
        time.sleep(chance.uniform(0, 0.5 * rig.seconds))
        before = rig.runs("copied.trend") if (rig.folder / "copied.trend").exists() else 0
        copied = (rig.folder / "copied.trend").exists()
        if copied:
            shutil.copyfile(rig.folder / "copied.trend", rig.folder / "copy.trend")
        run.communicate()
        rig.tries += 1
        if not copied:
            rig.remove("copied.trend")
            continue
        has = rig.runs("copy.trend")
        if isinstance(before, int) and not (isinstance(has, int) and has >= before):
            rig.wrong(f"a copy has {has} of {before} workloads")
        if rig.findings("copied.trend").stdout != rig.expected:
            rig.wrong("a copy changed what was copied")
        # The copy can be resumed as well.
        rig.resumes("a copy", "copy.trend")
        rig.remove("copied.trend", "copy.trend")
        rig.nothing_is_left("a copy")


def moves(rig, chance, count):
    """A study that is renamed, removed, replaced or linked while it is written."""
    for i in range(count):
        kind = ["rename", "remove", "replace", "link", "symlink"][i % 5]
        run = rig.start(*rig.command("moved.trend"))
        while not (rig.folder / "moved.trend").exists() and run.poll() is None:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.7 * rig.seconds))
        study, moved = rig.folder / "moved.trend", rig.folder / "elsewhere.trend"
        is_running = run.poll() is None
        if kind == "rename":
            study.rename(moved)
        elif kind == "remove":
            study.unlink()
        elif kind == "replace":
            shutil.copyfile(rig.folder / "undisturbed.trend", moved)
            moved.rename(study)
        elif kind == "link":
            os.link(study, moved)
        elif kind == "symlink":
            moved.symlink_to(study)
        # The folder goes when the last run has ended.
        is_writing = is_running and (rig.folder / "moved.trend.run").exists()
        other = rig.call(*rig.command("elsewhere.trend")) if kind in ("link", "symlink") and is_running else None
        _, errors = run.communicate()
        rig.tries += 1
        what = f"{kind} while it is written"
        if other and other.returncode == 0 and run.returncode == 0 and "another" in errors + other.stderr:
            rig.wrong(f"{what}: refused with exit 0")
        if kind in ("rename", "remove", "replace") and is_writing and run.returncode == 0:
            if "moved.trend" in errors and rig.findings("moved.trend").stdout != rig.expected:
                rig.wrong(f"{what}: exit 0: {errors[-300:]}")
        if kind == "rename" and moved.exists():
            rig.resumes(what, "elsewhere.trend")
        elif kind in ("link", "symlink"):
            rig.resumes(what, "moved.trend")
        elif kind == "replace" and rig.findings("moved.trend").stdout != rig.expected:
            rig.wrong(f"{what}: what replaced it was written to")
        rig.remove("moved.trend", "elsewhere.trend")
        rig.nothing_is_left(what)
    # A folder of the user's at the path of the run's scratch folder, or a link to one.
    scratch, theirs = rig.folder / "moved.trend.run", rig.folder / "theirs"
    for is_linked in (False, True):
        (theirs if is_linked else scratch).mkdir()
        if is_linked:
            scratch.symlink_to(theirs)
        (scratch / "thesis").write_text("x")
        rig.call(*rig.command("moved.trend"))
        if not ((theirs if is_linked else scratch) / "thesis").exists():
            rig.wrong("a folder of the user's was deleted" + " behind a link" * is_linked)
        rig.remove("moved.trend", "moved.trend.run", "theirs")


def pairs(rig, chance, count):
    """Two commands at once on one study: both do their work, or one reports why not."""
    counts = "workload,n,a.c:1:f\n" + "".join(f"w{k},{k},{k * 7}\n" for k in range(1, 30))
    (rig.folder / "counts.csv").write_text(counts)
    features = "workload,extra\n" + "".join(f"n={100 + 20 * k},{k}\n" for k in range(rig.workloads))
    (rig.folder / "features.csv").write_text(features)
    study = "pair.trend"
    commands = {
        "run": rig.command(study),
        "run --fresh": [*rig.command(study), "--fresh"],
        "import --fresh": ["import", "csv", "counts.csv", "--features", "n", "--fresh", "--study", study],
        "import features": ["import", "features", "features.csv", "--study", study],
        "show": ["show", study, "--format", "json"],
        "report": ["report", study, "-o", "/dev/null"],
        "export": ["export", "csv", study],
    }
    names = list(commands)
    for i in range(count):
        first, second = names[i % len(names)], names[(i // len(names)) % len(names)]
        if chance.random() < 0.7:
            shutil.copyfile(rig.folder / "undisturbed.trend", rig.folder / study)
        one = rig.start(*commands[first])
        time.sleep(chance.choice([0, 0.005, 0.05, 0.2]))
        two = rig.start(*commands[second])
        ended = [(name, p.communicate()[1], p.returncode) for name, p in ((first, one), (second, two))]
        rig.tries += 1
        what = f"{first} beside {second}"
        for name, errors, code in ended:
            rig.is_told(f"{what}: {name}", code, errors)
        if (rig.folder / study).exists():
            shown = rig.findings(study)
            if shown.returncode not in (0, 2) or "damaged" in shown.stderr:
                rig.wrong(f"{what}: {shown.stderr[-300:]}")
        rig.remove(study)
        rig.nothing_is_left(what, ["counts.csv", "features.csv"])
    rig.remove("counts.csv", "features.csv")


def stale(rig, chance, count):
    """Files next to a study that earlier, killed or other runs left there."""
    for name in ["s.trend-wal", "s.trend-shm", "s.trend-journal", ".s.trend.123.new", "s.trend.damaged"]:
        (rig.folder / name).write_bytes(chance.randbytes(5000))
        rig.resumes(f"a stale {name}", "s.trend")
        rig.tries += 1
        rig.remove(name, "s.trend")
    # A study that a killed run left is removed by hand, and a new one takes its place.
    run = rig.start(*rig.command("s.trend"))
    time.sleep(rig.seconds / 2)
    run.kill()
    run.communicate()
    rig.remove("s.trend")
    rig.resumes("a new study after a killed one", "s.trend")
    rig.remove("s.trend")
    rig.nothing_is_left("stale files")


def disks(rig, chance, count):
    """Disks that are full after a number of bytes."""
    mount = rig.folder / "disk"
    mount.mkdir()
    for size in range(4096, 1025 * 1024, 1024 * max(4, 1024 // max(count, 1) // 4 * 4)):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", mount], capture_output=True).returncode:
            print("  no file system can be mounted here: not done")
            break
        try:
            ended = rig.call(*rig.command("disk/full.trend"))
            rig.tries += 1
            what = f"a disk of {size} bytes"
            rig.is_told(what, ended.returncode, ended.stderr)
            if ended.returncode == 0 and rig.findings("disk/full.trend").stdout != rig.expected:
                rig.wrong(f"{what}: exit 0 and other findings")
            subprocess.run(["mount", "-o", "remount,size=16m", mount], check=True)
            rig.resumes(what, "disk/full.trend")
            left = sorted(p.name for p in mount.iterdir())
            if left != ["full.trend"]:
                rig.wrong(f"{what}: files left: {left}")
        finally:
            subprocess.run(["umount", mount], check=True)
    mount.rmdir()


def calls(rig, chance, count):
    """Every write, sync, rename, unlink, link and truncation of the tool fails once, alone."""
    if not shutil.which("strace"):
        return print("  no strace here: not done")
    errors = {"pwrite64": "ENOSPC", "write": "EIO", "fsync": "EIO", "fdatasync": "EIO", "ftruncate": "EIO",
              "rename": "EIO", "renameat2": "EIO", "unlink": "EIO", "unlinkat": "EIO", "linkat": "EIO",
              "mkdir": "ENOSPC", "openat": "EMFILE", "flock": "EINTR"}
    most = max(1, count // len(errors))
    for call, error in errors.items():
        nothing = 0
        for number in range(1, most + 1):
            # Inject only into the tool: its threads are traced, but not its child processes.
            inject = ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                      f"inject={call}:error={error}:when={number}"]
            ended = rig.call(*rig.command("calls.trend"), "--jobs", "1", prefix=inject)
            rig.tries += 1
            what = f"{call} number {number} fails with {error}"
            rig.is_told(what, ended.returncode, ended.stderr, range(256))
            if ended.returncode == 0 and rig.findings("calls.trend").stdout != rig.expected:
                rig.wrong(f"{what}: exit 0 and other findings: {ended.stderr[-300:]}")
            rig.resumes(what, "calls.trend")
            rig.nothing_is_left(what, ["calls.trend"])
            rig.remove("calls.trend")
            nothing = nothing + 1 if ended.returncode == 0 else 0
            if nothing > 25:
                break


def damage(rig, chance, count):
    """A damaged study gives the same findings, or none."""
    whole = (rig.folder / "undisturbed.trend").read_bytes()
    errors = 0
    for _ in range(count):
        bytes_ = bytearray(whole)
        kind = chance.randrange(5)
        at = chance.randrange(len(bytes_))
        if kind == 0:
            bytes_[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            length = chance.randrange(1, 200)
            bytes_[at:at + length] = chance.randbytes(len(bytes_[at:at + length]))
        elif kind == 2:
            del bytes_[at:]
        elif kind == 3:
            del bytes_[at:at + chance.randrange(1, 2000)]
        else:
            other = chance.randrange(len(bytes_))
            length = chance.randrange(1, 2000)
            bytes_[other:other + length] = whole[at:at + length]
        (rig.folder / "bad.trend").write_bytes(bytes_)
        shown = rig.findings("bad.trend")
        rig.tries += 1
        if shown.returncode == 0 and shown.stdout != rig.expected:
            rig.wrong(f"damage of kind {kind} at {at}: other findings")
        rig.is_told(f"damage of kind {kind} at {at}", shown.returncode, shown.stderr, (0, 2))
        errors += shown.returncode == 2
    rig.remove("bad.trend")
    print(f"  {count} damaged studies: {errors} errors, {count - errors} said the same")


def clock(rig, chance, count):
    """Clocks that jump while it runs: files from the future and from long ago."""
    for moved in [-10**9, 10**9, 0]:
        run = rig.start(*rig.command("clock.trend"))
        end = time.monotonic() + rig.seconds
        while run.poll() is None and time.monotonic() < end:
            for path in rig.folder.glob("clock.trend*"):
                try:
                    os.utime(path, (time.time() + moved, time.time() + moved))
                except OSError:
                    pass
            time.sleep(0.01)
        run.communicate()
        rig.tries += 1
        rig.resumes(f"times moved by {moved} s", "clock.trend")
        rig.remove("clock.trend")
    rig.nothing_is_left("clocks")


COUNTED = Kind()
FEW = Kind(workloads=6)
DAEMONS = Kind(program="daemons.c", build=("--update", "single"), is_timed=True, has_daemons=True)
FORKS = Kind(8, build=("--probe", "routines"), compiler=(*PROBED, "-DCHILDREN=30"), run=("--probe", "routines"))
LOOPS = Kind(8, build=("--probe", "loops"), compiler=PROBED, run=("--probe", "loops"))
MEMORY = Kind(8, run=("--memory-by-line",))
SAMPLED = Kind(8, is_timed=True)

# Parts by name: the function, the number of repetitions in full and quick mode, and the kind of study. The first eight
# parts kill 2,200 times.
PARTS = {
    "kills": (kills, 800, 40, COUNTED),
    "daemons": (kills, 200, 10, DAEMONS),
    "forks": (kills, 250, 4, FORKS),
    "loops": (kills, 150, 4, LOOPS),
    "memory": (kills, 250, 4, MEMORY),
    "sampling": (kills, 200, 4, SAMPLED),
    "serving": (serving, 200, 4, COUNTED),
    "revisions": (revisions, 150, 4, FEW),
    "copies": (copies, 60, 6, COUNTED),
    "moves": (moves, 60, 6, COUNTED),
    "pairs": (pairs, 98, 49, COUNTED),
    "stale": (stale, 1, 1, COUNTED),
    "disks": (disks, 256, 16, FEW),
    # System calls are slow under strace, and each run makes many.
    "calls": (calls, 1300, 39, FEW),
    "damage": (damage, 10_000, 200, COUNTED),
    "clock": (clock, 1, 1, COUNTED),
}


def arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a few of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=5.0, metavar="SECONDS",
                        help="time for processes to end after the one that started them was killed [default: 5]")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART", help=", ".join(PARTS))


def main(options):
    exceptions, tries = [], 0
    for name in options.parts or PARTS:
        part, full, quick, kind = PARTS[name]
        probe = options.trend_prof.with_name("trend-probe")
        if kind.compiler[0] == PROBED[0] and not (shutil.which(PROBED[0]) and probe.exists()):
            print(f"{name}: no {PROBED[0]}, or no {probe}: not done")
            continue
        with scratch() as folder:
            rig = Rig(options, folder, kind)
            begin = time.perf_counter()
            print(f"{name}: {part.__doc__}", flush=True)
            part(rig, random.Random(options.seed), quick if options.quick else full)
            print(f"  {rig.tries} tries in {time.perf_counter() - begin:.0f} s, {len(rig.exceptions)} exceptions", flush=True)
            exceptions += rig.exceptions
            tries += rig.tries
    # A test reads this line.
    print(f"{tries} tries, {len(exceptions)} exceptions")
    return bool(exceptions)
