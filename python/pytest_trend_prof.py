"""Tests that fail when the work of a function grows faster than it should.

A test with the mark `grows` is run by `trend-prof try --expect`, in one process of pytest for each size. The option
`--trend-prof-size` tells such a process its size, and it runs the function as any other test.
"""

import os
import shutil
import subprocess
import sys

import pytest

OPTION = "--trend-prof-size"
# Options of the mark that are not the name of the size.
OPTIONS = {"budget": "60s", "packages": "own", "allow_undecided": False}
HELD, BROKEN, WRONG, UNDECIDED = 0, 1, 2, 3


def grows(limit, **options):
    """Marks a test whose work must not grow faster than a limit, such as `<= n log n`."""
    return pytest.mark.grows(limit, **options)


class Limit:
    """The arguments of a mark."""

    def __init__(self, mark, where):
        sizes = {name: value for name, value in mark.kwargs.items() if name not in OPTIONS}
        if len(mark.args) != 1 or len(sizes) > 1:
            raise pytest.UsageError(
                '%s: `grows` takes a limit and one size: `@grows("<= n log n", n="100..10000x8")`' % where
            )
        self.growth = mark.args[0]
        self.name, self.sizes = next(iter(sizes.items()), ("n", None))
        self.options = {name: mark.kwargs.get(name, value) for name, value in OPTIONS.items()}

    def command(self, nodeid, rootdir, study):
        """Returns the command that judges a test."""
        words = [program(), "try", "--expect", self.growth, "--study", study, "--fresh"]
        words += ["--budget", self.options["budget"], "--packages", self.options["packages"]]
        if self.sizes is not None:
            sizes = self.sizes if isinstance(self.sizes, str) else ",".join(map(str, self.sizes))
            words += ["--param", "%s=%s" % (self.name, sizes)]
        if self.options["allow_undecided"]:
            words.append("--allow-undecided")
        # Braces in the name of a test are not placeholders.
        test = nodeid.replace("{", "{{").replace("}", "}}")
        inner = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", rootdir]
        return words + ["--"] + inner + ["%s={%s}" % (OPTION, self.name), test]


def program():
    """Returns the path of `trend-prof`."""
    found = os.environ.get("TREND_PROF") or shutil.which("trend-prof")
    if not found:
        pytest.fail("trend-prof is not on the PATH; install it, or set the variable TREND_PROF", pytrace=False)
    return found


def pytest_addoption(parser):
    parser.addoption(OPTION, type=int, default=None, help="run tests marked with `grows` at this size, without judging")


def pytest_configure(config):
    config.addinivalue_line("markers", "grows(limit, n=SIZES): fail if the test's work grows faster than the limit")


def pytest_generate_tests(metafunc):
    """Gives the test its size. A process that judges has none, and does not call the function."""
    mark = metafunc.definition.get_closest_marker("grows")
    if mark is None:
        return
    limit = Limit(mark, metafunc.definition.nodeid)
    if limit.name not in metafunc.fixturenames:
        raise pytest.UsageError(
            "%s: has no parameter `%s` for the size that `grows` varies" % (metafunc.definition.nodeid, limit.name)
        )
    metafunc.parametrize(limit.name, [metafunc.config.getoption(OPTION)], ids=["grows"])


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Judges a test in place of calling it, unless this process is to run one size."""
    mark = pyfuncitem.get_closest_marker("grows")
    if mark is None or pyfuncitem.config.getoption(OPTION) is not None:
        return None
    judge(Limit(mark, pyfuncitem.nodeid), pyfuncitem)
    return True


def judge(limit, item):
    """Fails with the report of `trend-prof`, unless the limit holds."""
    root = str(item.config.rootpath)
    study = item.config._tmp_path_factory.mktemp("trend-prof", numbered=True) / "test.trend"
    command = limit.command(item.nodeid, root, str(study))
    ended = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    item.add_report_section("call", "trend-prof", ended.stdout)
    if ended.returncode == HELD:
        return
    results = {BROKEN: "grows faster than", WRONG: "could not be judged against", UNDECIDED: "is not decided against"}
    result = results.get(ended.returncode, "could not be judged against")
    pytest.fail(
        "the work of %s %s `%s`\n%s\nstudy: %s" % (item.name, result, limit.growth, ended.stdout.rstrip(), study),
        pytrace=False,
    )
