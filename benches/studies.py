"""Builds of real programs, and their studies, which a folder keeps."""

import json
import shutil
import subprocess
import time
from pathlib import Path

from cases import GROUPS
from registry import BUILDS
from shared import HERE, Failed, call, file_name, say


def built(cache, kind, name, build, wrap=(), variables=None):
    """Returns the folder of a build of this kind, and builds if it does not exist. `wrap` are the words before the command,
    such as those of `trend-prof build`. The file `.built` has the version of the source, and the seconds of the build."""
    folder = cache / kind / file_name(name)
    done = folder / ".built"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        cache.mkdir(parents=True, exist_ok=True)
        version = build.source.fetch(cache, folder)
        if build.prepare:
            call(["sh", "-c", build.prepare], folder, f"preparing {name}", env=variables)
        start = time.monotonic()
        said = call([*wrap, "sh", "-c", build.build], folder, f"building {name}", env=variables)
        if "nothing was instrumented" in said.stdout + said.stderr:
            raise Failed(f"building {name}: nothing was instrumented")
        done.write_text(json.dumps([version, time.monotonic() - start]))
        say(f"built {name} in {time.monotonic() - start:.0f} s")
    return folder


def about_build(folder):
    """Returns the version of the source, and the seconds of the build."""
    return json.loads((folder / ".built").read_text())


def study_name(case):
    return "".join(c if c.isalnum() else "-" for c in case.name)


class Bench:
    """A folder with sources, builds and studies, and the `trend-prof` that makes them."""

    def __init__(self, options):
        self.cache, self.trend_prof = options.cache.absolute(), options.trend_prof
        self.versions, self.failed = {}, {}

    def built(self, name):
        """Returns the folder of a build with counters."""
        if name in self.failed:
            raise self.failed[name]
        try:
            folder = built(self.cache, "builds", name, BUILDS[name], [self.trend_prof, "build", "--"])
        except Failed as error:
            self.failed[name] = error
            raise
        self.versions[name] = about_build(folder)[0]
        return folder

    def plain(self, name):
        """Returns the folder of a build without counters."""
        return built(self.cache, "plain", name, BUILDS[name])

    def study(self, case, build, sizes, suffix="", is_timed=False):
        """Runs a case at these sizes, also without counters if it is timed, and returns the study's path. Earlier runs
        are not repeated."""
        folder = self.built(build)
        name = study_name(case) + suffix
        config, study = folder / f"{name}.toml", folder / f"{name}.trend"
        lines = ["[program]", f"command = {json.dumps(case.command)}", 'timeout = "2m"', "[workloads]",
                 f"parameters = {{ n = {json.dumps(list(sizes))} }}"]
        if case.generator:
            lines.append(f"generate = {json.dumps(['python3', str(HERE / 'generators.py'), case.generator, '{n}'])}")
        lines += ["[features]", 'n = { parameter = "n" }', ""]
        text = "\n".join(lines)
        if not config.exists() or config.read_text() != text:
            study.unlink(missing_ok=True)  # a study keeps what it ran at other sizes
            config.write_text(text)
        call([self.trend_prof, "run", "--config", config, "--study", study, "--no-build", *([] if is_timed else ["--no-time"])], folder,
             f"{case.name} ({build})")
        return study


def arguments(parser):
    """Adds the arguments of every measurement that runs cases."""
    parser.add_argument("cache", type=Path)
    parser.add_argument("--group", default="", choices=GROUPS, help="one group of cases")
    parser.add_argument("--only", default="", help="cases whose name contains this")


def groups(options):
    """Yields title, faults and honest code of the chosen groups, with the chosen cases."""
    for name, (title, *parts) in GROUPS.items():
        if options.group in ("", name):
            yield title, *([case for case in cases if options.only in case.name] for cases in parts)


def each_honest(options, measure):
    """Calls `measure(bench, case)` with the chosen honest cases until Ctrl-C; of cases that differ only in sizes, with one.
    Returns the reasons of omitted cases."""
    bench, left_out, seen = Bench(options), [], []
    for case in (case for _, _, honest in groups(options) for case in honest):
        if case.program() in seen:
            continue
        seen.append(case.program())
        try:
            measure(bench, case)
        except KeyboardInterrupt:
            break
        except (Failed, subprocess.TimeoutExpired) as error:
            left_out.append(str(error).splitlines()[0])
            say(str(error))
    return left_out
