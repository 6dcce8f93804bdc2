"""The plugin, with a program in place of `trend-prof` that shows its arguments, and with `trend-prof` itself."""

import os
import shutil
import stat

import pytest

SHOWN = """#!/bin/sh
echo "$@"
exit ${ANSWER:-0}
"""

SORTS = """
import heapq

def insertion(xs):
    done = []
    for x in xs:
        i = len(done)
        while i > 0 and done[i - 1] > x:
            i -= 1
        done.insert(i, x)
    return done

def summed(xs):
    total = 0
    for x in xs:
        total += x
    return total
"""


@pytest.fixture
def shown(pytester, monkeypatch):
    """A program that prints its arguments and ends with the code in `ANSWER`."""
    path = pytester.path / "shown"
    path.write_text(SHOWN)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("TREND_PROF", str(path))
    return path


@pytest.fixture
def real(monkeypatch):
    found = os.environ.get("TREND_PROF") or shutil.which("trend-prof")
    if not found:
        pytest.skip("trend-prof is not on the PATH nor in TREND_PROF")
    monkeypatch.setenv("TREND_PROF", found)


def test_the_mark_becomes_the_arguments_of_try(pytester, shown):
    pytester.makepyfile(
        """
        from pytest_trend_prof import grows

        @grows("<= size", size=[10, 20], budget="5s", packages="all", allow_undecided=True)
        def test_it(size):
            raise AssertionError("it is not called here")
        """
    )
    result = pytester.runpytest("-rP")
    result.assert_outcomes(passed=1)
    text = result.stdout.str()
    assert "try --expect <= size --study" in text
    assert "--budget 5s --packages all --param size=10,20 --allow-undecided -- " in text
    assert "--trend-prof-size={size} test_the_mark_becomes_the_arguments_of_try.py::test_it[grows]" in text


@pytest.mark.parametrize("code, words", [("1", "grows faster than `<= n`"), ("2", "judged"), ("3", "not decided")])
def test_other_answers_fail_with_the_report(pytester, shown, monkeypatch, code, words):
    monkeypatch.setenv("ANSWER", code)
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.grows("<= n")
        def test_it(n): pass
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert words in result.stdout.str()


def test_a_size_runs_the_function(pytester, shown):
    pytester.makepyfile(
        """
        from pytest_trend_prof import grows

        @grows("<= n")
        def test_it(n):
            assert n == 7
        """
    )
    pytester.runpytest("--trend-prof-size=7").assert_outcomes(passed=1)
    pytester.runpytest("--trend-prof-size=8").assert_outcomes(failed=1)


def test_a_missing_parameter_is_an_error(pytester, shown):
    pytester.makepyfile(
        """
        from pytest_trend_prof import grows

        @grows("<= n")
        def test_it(): pass
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    assert "no parameter `n`" in result.stdout.str()


def test_a_missing_program_fails(pytester, monkeypatch):
    monkeypatch.delenv("TREND_PROF", raising=False)
    monkeypatch.setenv("PATH", "")
    pytester.makepyfile("from pytest_trend_prof import grows\n\n@grows('<= n')\ndef test_it(n): pass\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert "not on the PATH" in result.stdout.str()


def test_growth_is_judged_by_counts(pytester, real):
    pytester.makepyfile(sorts=SORTS)
    pytester.makepyfile(
        test_sorts="""
        import sorts
        from pytest_trend_prof import grows

        @grows("<= n", n="50..1600x6", budget="200s")
        def test_linear(n):
            assert sorts.summed(range(n)) == n * (n - 1) // 2

        @grows("<= n log n", n="50..1600x6", budget="200s")
        def test_quadratic(n):
            assert sorts.insertion(range(n, 0, -1)) == list(range(1, n + 1))
        """
    )
    result = pytester.runpytest_subprocess("-rA")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*FAILED*test_quadratic*"])
