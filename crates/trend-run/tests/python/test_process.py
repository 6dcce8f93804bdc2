"""Counts of processes, however they start and end, and an unchanged program."""

import concurrent.futures
import os
import signal
import sys
import textwrap
import unittest
import zipfile

from counted import ProgramTest, Result

WORK = "def work(n):\n    for i in range(n):\n        pass\n"


class Processes(ProgramTest):
    def script(self, text, name="s.py"):
        self.write("mod.py", WORK)
        return self.write(name, textwrap.dedent(text))

    def passes(self, result):
        """Returns how often the loop of `work` ran, in all processes."""
        return result.counts("mod.py").get(("work", 3), 0)

    def test_a_script_sees_what_it_sees_without_counting(self):
        self.script(
            """\
            '''Documentation.'''
            from __future__ import annotations
            import mod, sys
            mod.work(5)
            names = [n for n in dir() if n != "sys"]
            print(__name__, __file__, __doc__, __spec__, __package__, __cached__, type(__loader__).__name__)
            print(names, sys.argv, sys.path, len(sys.path_hooks))
            """
        )
        self.assertEqual(self.passes(self.same("s.py", "a")), 5)

    def test_no_module_is_imported_that_the_program_would_miss(self):
        self.script("import sys\nprint(sorted(sys.modules))\n")
        plain, counted = self.plain("s.py"), self.counted("s.py")
        new = set(eval(counted.out)) - set(eval(plain.out))
        self.assertLessEqual(new, {"sitecustomize", "_posixsubprocess", "_functools", "itertools", "atexit", "_ast"})

    def test_a_script_without_a_suffix_and_of_another_folder_is_counted(self):
        self.script("import mod\nmod.work(3)\n", "bin/tool")
        result = self.same("bin/tool", env={"PYTHONPATH": self.folder})
        self.assertEqual((self.passes(result), result.counts("bin/tool")), (3, {("<module>", 1): 1}))

    def test_modules_and_packages_run_with_m(self):
        self.script("", "pkg/__init__.py")
        self.script("import mod\nmod.work(4)\nprint(__spec__.name, __file__)\n", "pkg/__main__.py")
        result = self.same("-m", "pkg")
        self.assertEqual((self.passes(result), result.counts("__main__.py")), (4, {("<module>", 1): 1}))

    def test_code_of_the_command_line_is_not_counted_but_its_modules_are(self):
        self.script("")
        self.assertEqual(self.passes(self.same("-c", "import mod; mod.work(7)")), 7)

    def test_archives_are_counted(self):
        with zipfile.ZipFile(os.path.join(self.folder, "app.pyz"), "w") as archive:
            archive.writestr("__main__.py", "import mod\nmod.work(6)\nprint(__file__)\n")
            archive.writestr("mod.py", WORK)
        result = self.same("app.pyz")
        self.assertEqual(self.passes(result), 6)

    def test_errors_show_the_users_lines(self):
        for text in (
            "import mod\nmod.work('x')\n",
            "def f():\n    return {}['key']\n\nf()\n",
            "def f(:\n    pass\n",
            "import broken\n",
            "raise SystemExit('stop')\n",
            "import sys\nsys.exit(3)\n",
            "def f():\n    f()\ntry:\n    f()\nexcept RecursionError:\n    print('deep')\n",
            "x = 1 is 1\n",
            "import missing\n",
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e\n",
        ):
            with self.subTest(text):
                self.script(text)
                self.write("broken.py", "x = 1\n  y = 2\n")
                self.same("s.py")

    def test_fork_counts_the_work_of_both(self):
        self.script(
            """\
            import mod, os
            mod.work(10)
            for i in range(3):
                if os.fork() == 0:
                    mod.work(100)
                    os._exit(0)
            while True:
                try:
                    os.wait()
                except ChildProcessError:
                    break
            """
        )
        result = self.same("s.py")
        self.assertEqual((self.passes(result), result.lost), (310, 0))
        # The children continue inside of the module and of its loop.
        counts = result.counts("s.py")
        self.assertEqual((counts["<module>", 1], counts["<module>", 4], counts["<module>", 5]), (1, 3, 3))

    def test_multiprocessing_counts_all_processes(self):
        for way in ("fork", "spawn", "forkserver"):
            with self.subTest(way):
                self.script(
                    """\
                    import mod, multiprocessing
                    def task(n):
                        mod.work(n)
                        return n
                    if __name__ == "__main__":
                        multiprocessing.set_start_method("%s")
                        with multiprocessing.Pool(2) as pool:
                            print(sum(pool.map(task, [10] * 20)))
                        process = multiprocessing.Process(target=task, args=(1000,))
                        process.start()
                        process.join()
                    """
                    % way
                )
                result = self.same("s.py")
                self.assertEqual((self.passes(result), result.lost), (1200, 0))
                self.assertEqual(result.counts("s.py")["task", 3], 21)

    def test_a_pool_ends_on_a_busy_machine(self):
        path = self.write(
            "s.py",
            """\
import multiprocessing
def task(n):
    return n
if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    for _ in range(20):
        with multiprocessing.Pool(2) as pool:
            pool.map(task, [10] * 20)
""",
        )
        # Ten programs at a time on few cores: a signal often meets a worker that was woken and does not run yet.
        variables = self.counting_variables()
        with concurrent.futures.ThreadPoolExecutor(10) as threads:
            processes = list(threads.map(lambda _: self.started([path], variables, {}), range(10)))
        self.assertEqual([process.returncode for process in processes], [0] * 10)
        self.wait_for_others()
        result = Result(processes[0], self.counters)
        self.assertEqual((result.counts("s.py")["task", 3], result.lost), (10 * 20 * 20, 0))

    def test_a_handler_that_raises_ends_a_program_that_forks(self):
        self.script(
            """\
            import os, signal, sys, time
            parent = os.getpid()
            signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(3))
            if os.fork() == 0:
                time.sleep(0.2)
                os.kill(parent, signal.SIGTERM)
                os._exit(0)
            while True:
                child = os.fork()
                if child == 0:
                    os._exit(0)
                os.waitpid(child, 0)
            """
        )
        self.assertEqual(self.same("s.py").code, 3)

    def test_processes_that_are_python_are_counted(self):
        self.script(
            """\
            import mod, os, subprocess, sys
            mod.work(1)
            subprocess.check_call([sys.executable, "-c", "import mod; mod.work(20)"])
            subprocess.check_call([sys.executable, "-c", "import mod; mod.work(300)"], preexec_fn=os.getpid)
            os.system(sys.executable + " -c 'import mod; mod.work(4000)'")
            os.execv(sys.executable, [sys.executable, "-c", "import mod; mod.work(50000)"])
            """
        )
        result = self.same("s.py")
        self.assertEqual((self.passes(result), result.lost), (54321, 0))

    def test_each_end_of_a_process_writes_its_counts(self):
        for text, code in (
            ("os._exit(4)", 4),
            ("os.abort()", -signal.SIGABRT),
            ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
            ("os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT),
            ("signal.signal(signal.SIGTERM, lambda *a: sys.exit(5)); os.kill(os.getpid(), signal.SIGTERM)", 5),
            ("signal.signal(signal.SIGTERM, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
            ("signal.alarm(1); signal.pause()", -signal.SIGALRM),
            ("raise KeyError", 1),
        ):
            with self.subTest(text):
                self.script(
                    "import mod, os, signal, sys, atexit\natexit.register(lambda: mod.work(0))\n"
                    "print(signal.getsignal(signal.SIGTERM), flush=True)\nmod.work(9)\n%s\n" % text
                )
                result = self.same("s.py")
                self.assertEqual((result.code, self.passes(result), result.lost), (code, 9, 0))

    def test_a_killed_process_is_known_to_be_lost(self):
        self.script("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
        self.assertEqual((self.same("s.py").lost), 1)

    def test_functions_of_atexit_run_in_order_and_are_counted(self):
        self.script(
            "import atexit, mod\natexit.register(mod.work, 8)\natexit.register(print, 'first')\n"
            "import threading\nthreading.Thread(target=mod.work, args=(80,)).start()\n"
        )
        self.assertEqual(self.passes(self.same("s.py")), 88)

    def test_threads_lose_no_counts(self):
        self.script(
            """\
            import mod, threading, sys
            sys.setswitchinterval(1e-5)
            threads = [threading.Thread(target=mod.work, args=(50000,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            """
        )
        self.assertEqual(self.passes(self.same("s.py")), 200000)

    def test_the_users_startup_module_is_imported(self):
        self.script("import sys\nprint(sys.flag)\n")
        self.write("own/sitecustomize.py", "import sys\nsys.flag = __file__\n")
        self.same("s.py", env={"PYTHONPATH": os.path.join(self.folder, "own")})

    def test_compiled_files_are_neither_read_nor_written(self):
        self.script("import mod\nmod.work(3)\nprint(mod.__cached__)\n")
        self.assertEqual(self.passes(self.counted("s.py")), 3)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "__pycache__")))
        self.plain("s.py", env={"PYTHONDONTWRITEBYTECODE": ""})
        cached = os.path.join(self.folder, "__pycache__")
        before = [(name, os.stat(os.path.join(cached, name)).st_mtime_ns) for name in os.listdir(cached)]
        self.assertEqual(len(before), 1)
        self.assertEqual(self.passes(self.counted("s.py")), 3)
        after = [(name, os.stat(os.path.join(cached, name)).st_mtime_ns) for name in os.listdir(cached)]
        self.assertEqual(before, after)

    def test_installed_packages_are_named_and_counted_where_wanted(self):
        self.write("lib/site-packages/dep/__init__.py", WORK)
        self.script("import dep\ndep.work(5)\n")
        found = {"PYTHONPATH": os.path.join(self.folder, "lib/site-packages")}
        own = self.same("s.py", env=found)
        self.assertEqual((own.processes[0]["packages"], own.counts("__init__.py")), (["dep"], {}))
        everything = self.same("s.py", env=found, packages="all")
        self.assertEqual(everything.counts("dep/__init__.py")["work", 3], 5)

    def test_a_module_that_another_loader_compiles_is_named(self):
        self.script(
            """\
            import importlib.machinery, importlib.util, sys
            class Loader(importlib.machinery.SourceFileLoader):
                def source_to_code(self, data, path, *, _optimize=-1):
                    return compile(data, path, "exec")
            spec = importlib.util.spec_from_file_location("mod", "mod.py", loader=Loader("mod", "mod.py"))
            module = sys.modules["mod"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.work(2)
            """
        )
        [(file, why)] = self.same("s.py").processes[0]["not_rewritten"]
        self.assertTrue(file.endswith("/mod.py") and "Loader" in why, (file, why))

    def test_a_module_that_cannot_be_rewritten_runs_and_is_named(self):
        self.script("x = 1\nprint(" + " + ".join(["x"] * 900) + ")\n")
        self.assertEqual(self.same("s.py").counts("s.py"), {("<module>", 1): 1})
        self.script("import deep\n")
        self.write("deep.py", "x = 1\nprint(" + "-" * 2500 + "x)\n")
        result = self.same("s.py")
        if result.code == 0:
            named = [file for file, why in result.processes[0]["not_rewritten"] if "recursion" in why]
            self.assertEqual(len(named) + len(result.counts("deep.py")), 1)

    def test_options_and_encodings_of_sources_hold(self):
        self.write("mod.py", WORK)
        with open(os.path.join(self.folder, "s.py"), "wb") as file:
            file.write(b"# coding: latin-1\r\n'\xe9'\r\nimport mod\r\nmod.work(2)\r\nassert 0, '\xe9'\r\n")
        for options in ((), ("-O",), ("-OO",), ("-X", "dev"), ("-W", "error")):
            with self.subTest(options):
                self.assertEqual(self.passes(self.same(*options, "s.py")), 2)

    def test_coroutines_are_counted(self):
        self.script(
            """\
            import asyncio, contextlib
            async def numbers(n):
                for i in range(n):
                    await asyncio.sleep(0)
                    yield i
            @contextlib.asynccontextmanager
            async def around():
                yield 3
            async def main():
                async with around() as x:
                    total = [i async for i in numbers(4) if i % 2]
                async for i in numbers(x):
                    total.append(i if i else await asyncio.sleep(0, 5))
                return total, await asyncio.gather(*(asyncio.sleep(0, j) for j in range(2)))
            print(asyncio.run(main()))
            """
        )
        counts = self.same("s.py").counts("s.py")
        # The loop's body and the branch of the conditional expression are on one line.
        self.assertEqual((counts["numbers", 4], counts["main", 13]), (7, 4))

    def test_tracers_see_the_users_lines_alone(self):
        self.script(
            """\
            import mod, sys
            seen = []
            def tracer(frame, event, argument):
                if frame.f_code.co_filename.endswith(("s.py", "mod.py")):
                    seen.append((event, frame.f_code.co_name, frame.f_lineno))
                return tracer
            def f(xs):
                for x in xs:
                    if x == 1:
                        y = 2
                    elif x == 2:
                        y = 3
                    elif x == 3:
                        continue
                    try:
                        z = {1: 2}[x]
                    except KeyError:
                        z = [a for a in range(3) if a]
                return z
            sys.settrace(tracer)
            f([1, 2, 3, 4])
            mod.work(2)
            sys.settrace(None)
            print(seen)
            """
        )
        self.same("s.py")

    def test_a_debugger_stops_at_the_users_lines(self):
        self.script("import mod\ndef f(x):\n    y = x + 1\n    return y\nprint(f(2))\n")
        commands = b"break 4\ncontinue\np y\nstep\nstep\nwhere\ncontinue\nquit\n"
        self.same("-m", "pdb", "s.py", input=commands)


if __name__ == "__main__":
    unittest.main()
