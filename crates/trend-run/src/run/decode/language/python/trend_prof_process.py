"""Counts one process: which modules are rewritten, and where their counts go.

The counts are written at the end of the process, however it ends: at exit, by `os._exit`, by a signal whose default is
to end, or by `os.exec…`. A file exists from the start of the process, and stays empty if it ends in another way.
"""

import atexit
import os
import posix
import sys
from _frozen_importlib import FrozenImporter, _call_with_frames_removed
from _frozen_importlib_external import SourceFileLoader, SourceLoader
import _posixsubprocess
import _signal
import _thread
import zipimport

from trend_prof_blocks import rewritten

set_signal = _signal.signal
# The flag of `compile` for a syntax tree.
ONLY_AST = 0x400
# Signals that end a process by default, and that a program may expect to be ended by.
SIGNALS = ("SIGHUP", "SIGTERM", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGXCPU")
SIGNAL_NUMBERS = frozenset(getattr(_signal, name) for name in SIGNALS)
INSTALLED = ("site-packages", "dist-packages")
# Code appended to `multiprocessing.synchronize`. A process that waits for a semaphore then handles a signal within 50 ms.
# Without it, a signal can arrive just as one process releases the semaphore and another takes it. The wait then
# continues, and `Pool.terminate` waits forever for that worker.
INTERRUPTIBLE = b"""
def _enter(self):
    while not self._semlock.acquire(True, 0.05):
        pass
    return True
SemLock.__enter__ = _enter
del _enter
"""


class Counting:
    """The counting of this process."""

    def __init__(self, folder):
        self.folder = folder.rpartition("/")[0]
        with open(folder + "/settings", "rb") as settings:
            which, _, root = settings.read().partition(b"\n")
        self.counts_all = which == b"all"
        self.root = os.path.realpath(os.fsdecode(root)) + "/"
        self.library = os.path.dirname(os.__file__) + "/"
        self.modules = {}
        self.not_rewritten = {}
        self.is_known = {}
        # Modules that were imported before, as those of `.pth` files.
        self.earlier = set(sys.modules)
        self.lock = _thread.allocate_lock()
        # The signal that ends the process when the counts are written.
        self.dies_by = None
        self.pid = self.path = None

    def begin(self):
        """Creates the file of this process."""
        self.pid = os.getpid()
        number = 0
        while True:
            number += 1
            self.path = "%s/%d-%d.counts" % (self.folder, self.pid, number)
            try:
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            except FileExistsError:
                continue
            except OSError:
                self.path = None
            return

    # Modules

    def is_counted(self, path):
        """True if a source file is to be counted."""
        known = self.is_known.get(path)
        if known is None:
            known = self.is_known[path] = self.decide(path)
        return known

    def decide(self, path):
        if not isinstance(path, str) or path.startswith("<"):
            return False
        full = os.path.realpath(path)
        if self.counts_all:
            return True
        is_installed = any(part in INSTALLED for part in full.split("/")) or full.startswith(self.library)
        return full.startswith(self.root) and not is_installed

    def compile(self, data, path, optimize=-1):
        """Compiles a source with counters, or without them if that fails.

        The interpreter's own errors about the source leave through a function whose callers it hides.
        """

        def compiled(source, flags=0):
            # The arguments are those of the builtin, which takes most of them by position.
            return _call_with_frames_removed(
                compile, source, path, "exec", flags, dont_inherit=True, optimize=optimize
            )

        tree = compiled(data, ONLY_AST)
        text = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        file = os.path.realpath(path)
        try:
            code, blocks = rewritten(tree, text, compiled)
        except Exception as error:
            why = str(error) or type(error).__name__
        else:
            self.modules.setdefault(file, []).append(blocks)
            return code
        # If the source is wrong, this is the interpreter's error about the user's line.
        code = compiled(data)
        self.not_rewritten[file] = why
        return code

    # The end

    def at_exit(self):
        """Writes the counts. If a signal is to end the process, all output is written before."""
        if self.dies_by is not None:
            sys.stdout.flush()
            sys.stderr.flush()
        self.end()

    def end(self):
        """Writes the counts. They replace those that the process wrote before.

        A signal that arrives meanwhile ends the process afterwards.
        """
        if self.pid == os.getpid() and self.lock.acquire(False):
            try:
                if self.path:
                    self.write(self.text().encode("ascii"))
            finally:
                self.lock.release()
            if self.dies_by is not None:
                set_signal(self.dies_by, _signal.SIG_DFL)
                os.kill(self.pid, self.dies_by)

    def write(self, text):
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
            try:
                while text:
                    text = text[posix.write(file, text) :]
            finally:
                os.close(file)
        except OSError:
            try:
                os.rename(self.path, self.path[: -len("counts")] + "failed")
            except OSError:
                pass

    def text(self):
        modules = [module(file, loaded) for file, loaded in sorted(self.modules.items())]
        packages, extensions = self.others()
        reasons = ["[%s, %s]" % (quoted(path), quoted(why)) for path, why in sorted(self.not_rewritten.items())]
        return '{"python_counts": 1, "modules": [%s], "not_rewritten": [%s], "packages": [%s], "extensions": [%s]}\n' % (
            ",\n".join(modules),
            ", ".join(reasons),
            ", ".join(map(quoted, packages)),
            ", ".join(map(quoted, extensions)),
        )

    def others(self):
        """Returns the names of imported packages, and of extensions outside of Python's own library.

        Own modules that another loader compiled are added to those that were not rewritten.
        """
        packages, extensions = set(), set()
        for name, loaded in list(sys.modules.items()):
            if name in self.earlier:
                continue
            try:
                path = os.path.realpath(loaded.__file__)
            except Exception:
                continue
            if path in self.modules or path.startswith(self.library) and INSTALLED[0] not in path:
                continue
            if path.endswith(".py") and self.is_counted(path):
                self.not_rewritten.setdefault(path, "a program of its own compiles it (%s)" % loader_name(loaded))
            elif path.endswith(".so"):
                extensions.add(name)
            elif any(part in INSTALLED for part in path.split("/")):
                packages.add(name.partition(".")[0])
        return sorted(packages), sorted(extensions)


def loader_name(loaded):
    return type(getattr(loaded, "__loader__", None)).__name__


def module(file, loaded):
    """Returns the counts of a module, which a program may load several times."""
    first = loaded[0]
    values = first.counts()
    for other in loaded[1:]:
        for i, value in enumerate(other.counts()):
            if i < len(values):
                values[i] += value
    functions = ["[%s, %d]" % (quoted(name), line) for name, line in first.functions]
    blocks = [
        "[%d, %d, %d, [%s], %d]" % (function, line, column, ", ".join(map(str, sorted(lines))), values[quantity])
        for function, line, column, lines, quantity in first.blocks
    ]
    return '{"file": %s, "functions": [%s], "blocks": [%s]}' % (quoted(file), ", ".join(functions), ", ".join(blocks))


def quoted(text):
    """Returns a JSON string in ASCII. Bytes that are no text become question marks."""
    text = text.encode("utf-16-be", "replace")
    parts = []
    for i in range(0, len(text), 2):
        unit = text[i] << 8 | text[i + 1]
        is_plain = 32 <= unit < 127 and unit not in (34, 92)
        parts.append(chr(unit) if is_plain else "\\u%04x" % unit)
    return '"%s"' % "".join(parts)


def start(folder):
    """Counts this process from here on."""
    counting = Counting(folder)
    with_signals_held(watch_end)(counting)
    watch_imports(counting)
    watch_script(counting)


# Imports


def watch_imports(counting):
    """Replaces how modules are compiled from their sources. Other loaders than Python's own build on the same class."""
    get_code, source_to_code = SourceLoader.get_code, SourceLoader.source_to_code

    def get_code_with_counters(self, fullname):
        path = self.get_filename(fullname)
        if fullname == "multiprocessing.synchronize":
            return source_to_code(self, self.get_data(path) + INTERRUPTIBLE, path)
        if not counting.is_counted(path):
            return get_code(self, fullname)
        return self.source_to_code(self.get_data(path), path)

    def source_to_code_with_counters(self, data, path, *, _optimize=-1):
        if not counting.is_counted(path) or not isinstance(data, (bytes, str)):
            return source_to_code(self, data, path, _optimize=_optimize)
        return counting.compile(data, path, _optimize)

    SourceLoader.get_code = get_code_with_counters
    SourceLoader.source_to_code = source_to_code_with_counters
    watch_archives(counting)
    watch_paths(counting)


def watch_archives(counting):
    """Replaces how modules in zip archives are compiled."""
    compile_source = zipimport._compile_source

    def compile_source_with_counters(path, source):
        if not counting.is_counted(path):
            return compile_source(path, source)
        return counting.compile(zipimport._normalize_line_endings(source), path)

    zipimport._compile_source = compile_source_with_counters


def watch_paths(counting):
    """Replaces how `runpy` compiles scripts, such as that of a process that `multiprocessing` spawned."""
    loader = FrozenImporter if sys.version_info >= (3, 11) else SourceLoader
    exec_module = loader.exec_module

    def compile_with_counters(source, path, mode):
        if not counting.is_counted(path):
            return compile(source, path, mode)
        return counting.compile(source, path)

    def exec_module_with_compile(*arguments):
        exec_module(*arguments)
        if arguments[-1].__name__ == "runpy":
            arguments[-1].compile = compile_with_counters

    is_static = loader is FrozenImporter
    loader.exec_module = staticmethod(exec_module_with_compile) if is_static else exec_module_with_compile


# The script


class Script:
    """Stands in for the importer of an archive, where the archive is the program's script."""

    def __init__(self, counting, path):
        self.counting = counting
        self.path = path

    def __call__(self, path):
        if os.path.abspath(path) != self.path:
            raise ImportError
        sys.path_hooks.remove(self)
        self.path = path
        sys.modules["runpy"] = self
        return self

    def _run_module_as_main(self, name, alter_argv):
        """Runs the script. Python calls this in place of the function of `runpy`."""
        del sys.modules["runpy"]
        sys.path_importer_cache.pop(self.path, None)
        sys.path.remove(self.path)
        if not getattr(sys.flags, "safe_path", False):
            sys.path.insert(0, os.path.dirname(os.path.realpath(self.path)))
        names = sys.modules["__main__"].__dict__
        names["__file__"], names["__cached__"] = self.path, None
        names["__loader__"] = SourceFileLoader("__main__", self.path)
        try:
            with open(self.path, "rb") as file:
                code = self.counting.compile(file.read(), self.path)
            exec(code, names)
        except SystemExit:
            raise
        except BaseException as error:
            show(error)
            if isinstance(error, KeyboardInterrupt):
                self.counting.dies_by = _signal.SIGINT
            raise SystemExit(1)


def show(error):
    """Prints an error without the frames of this module and of the import of the script."""
    trace = error.__traceback__
    while trace is not None and "<frozen importlib." in trace.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def watch_script(counting):
    """Rewrites the program's script, if the process runs one."""
    path = sys.argv[0] if getattr(sys, "argv", None) else ""
    if path in ("", "-", "-c", "-m") or not os.path.isfile(path):
        return
    path = os.path.abspath(path)
    if counting.is_counted(path) and is_source(path):
        sys.path_hooks.insert(0, Script(counting, path))


def is_source(path):
    """True if a file is a Python source, and no archive or compiled file."""
    with open(path, "rb") as file:
        start = file.read(1 << 16)
    return b"\0" not in start and not path.endswith(".pyc")


# The end


def with_signals_held(function):
    """Returns a function that blocks signals while the given one runs.

    A forked process then handles them only once it has its file of counts. Without this, Python discards signals that
    reach a forked child before it runs, and the parent waits forever for a child that it told to end.
    """

    def held(*arguments):
        mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())
        try:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, SIGNAL_NUMBERS)
            return function(*arguments)
        finally:
            _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)

    return named_like(held, function)


def named_like(wrapper, function):
    """Gives a wrapper the name and the documentation of a function, and returns it."""
    wrapper.__name__ = wrapper.__qualname__ = function.__name__
    wrapper.__doc__ = function.__doc__
    return wrapper


def watch_end(counting):
    """Writes the counts however the process ends."""
    counting.begin()
    atexit.register(counting.at_exit)

    def first(function):
        def with_counts(*arguments, **named):
            counting.end()
            return function(*arguments, **named)

        return named_like(with_counts, function)

    def replace(name, wrap):
        wrapper = wrap(getattr(posix, name))
        setattr(posix, name, wrapper)
        setattr(os, name, wrapper)

    for name in ("_exit", "execv", "execve", "abort"):
        replace(name, first)
    for name in ("fork", "forkpty"):
        replace(name, with_signals_held)

    def in_child():
        for loaded in counting.modules.values():
            for blocks in loaded:
                blocks.forget()
        counting.lock = _thread.allocate_lock()
        counting.begin()

    fork_exec = _posixsubprocess.fork_exec

    def fork_exec_with_counts(*arguments):
        # With `preexec_fn`, the only function, Python runs in the child before it becomes another program.
        return fork_exec(*[without_file(a) if callable(a) else a for a in arguments])

    def without_file(function):
        def before_exec():
            function()
            if counting.path:
                os.unlink(counting.path)

        return before_exec

    _posixsubprocess.fork_exec = fork_exec_with_counts
    os.register_at_fork(after_in_child=in_child)
    watch_signals(counting)


def watch_signals(counting):
    """Writes the counts before a signal ends the process, and hides that from the program."""
    getter = _signal.getsignal

    def by_signal(number, frame):
        counting.dies_by = number
        counting.end()

    def shown(handler):
        return _signal.SIG_DFL if handler is by_signal else handler

    def signal(number, handler):
        watched = handler == _signal.SIG_DFL and number in SIGNAL_NUMBERS
        return shown(set_signal(number, by_signal if watched else handler))

    def getsignal(number):
        return shown(getter(number))

    for number in SIGNAL_NUMBERS:
        try:
            if getter(number) == _signal.SIG_DFL:
                set_signal(number, by_signal)
        except ValueError:
            # An interpreter within another one.
            return
    _signal.signal, _signal.getsignal = signal, getsignal
