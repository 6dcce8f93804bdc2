"""Runs programs with the modules that count, as `trend-prof run` does."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

RUNTIME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/run/decode/language/python")


class Result:
    """What a program printed, how it ended, and the counts of its processes."""

    def __init__(self, process, folder):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
        self.processes, self.lost = [], 0
        for name in sorted(os.listdir(folder)):
            if name.endswith(".counts"):
                with open(os.path.join(folder, name)) as file:
                    text = file.read()
                if text:
                    self.processes.append(json.loads(text))
                else:
                    self.lost += 1

    def visible(self):
        return self.code, self.out, self.err

    def counts(self, file):
        """Returns the counts of a file's blocks by (function, line), over all processes; several on a line add up."""
        sums = {}
        for module in (module for process in self.processes for module in process["modules"]):
            if module["file"].endswith("/" + file):
                for function, line, _, _, count in module["blocks"]:
                    key = module["functions"][function][0], line
                    sums[key] = sums.get(key, 0) + count
        return sums


class ProgramTest(unittest.TestCase):
    """A folder with a program."""

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.counters = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(shutil.rmtree, self.counters)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def plain(self, *arguments, **options):
        """Runs Python without counting."""
        variables = dict(os.environ, **options.pop("env", {}))
        variables.setdefault("PYTHONDONTWRITEBYTECODE", "1")
        return Result(self.started(arguments, variables, options), self.counters)

    def started(self, arguments, variables, options):
        command = [sys.executable] + list(arguments)
        return subprocess.run(
            command, cwd=self.folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **options
        )

    def counted(self, *arguments, **options):
        """Runs Python with counting."""
        variables = self.counting_variables(options.pop("packages", "own"), options.pop("env", {}))
        process = self.started(arguments, variables, options)
        self.wait_for_others()
        return Result(process, self.counters)

    def counting_variables(self, packages="own", env={}):
        """Returns the environment of a Python that counts, with no counts so far."""
        for name in os.listdir(self.counters):
            path = os.path.join(self.counters, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        carried = os.path.join(self.counters, "trend-prof")
        os.makedirs(carried)
        for name in os.listdir(RUNTIME):
            if name.endswith(".py"):
                shutil.copy(os.path.join(RUNTIME, name), carried)
        with open(os.path.join(carried, "settings"), "w") as file:
            file.write("%s\n%s" % (packages, self.folder))
        variables = dict(os.environ, **env)
        users = variables.get("PYTHONPATH")
        variables["PYTHONPATH"] = carried + (":" + users if users else "")
        return variables

    def wait_for_others(self):
        """Waits for processes that outlive the program, as those of `multiprocessing` do for a moment."""

        def is_running(name):
            return name.endswith(".counts") and os.path.exists("/proc/" + name.partition("-")[0])

        end = time.monotonic() + 20
        while any(map(is_running, os.listdir(self.counters))) and time.monotonic() < end:
            time.sleep(0.01)

    def same(self, *arguments, **options):
        """Runs Python in both ways, and checks that nothing visible differs."""
        plain = self.plain(*arguments, **{name: value for name, value in options.items() if name != "packages"})
        counted = self.counted(*arguments, **options)
        self.assertEqual(plain.visible(), counted.visible())
        return counted
