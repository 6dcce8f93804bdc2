"""Measures the effect of each mechanism of the judge of growth, by switching off one after the other.

    benches/run.py ablation SCRATCH [--columns 96] [--seed 0] [--only TEXT]

Copies the checked-out commit to SCRATCH. There a line of its source is replaced, `judge` and `recovery` (the examples
of trend-model) are built and run, and the line is restored. Prints a table in Markdown, with all mechanisms in the
first row. A line that does not occur exactly once is an error. Takes a minute and a half per row.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from shared import REPOSITORY, Failed, call, head, row

GROWTH = "crates/trend-model/src/growth/"


@dataclass
class Mechanism:
    name: str
    file: str
    line: str
    without: str


def constant(name, file, constant, value, without):
    line = f"const {constant}: f64 = {value};"
    return Mechanism(name, file, line, line.replace(f"= {value};", f"= {without};"))


NEVER = "1e-300"
MECHANISMS = [
    constant("intervals at temperature 1.6 (1)", "posterior/mod.rs", "TEMPERATURE", "1.6", "1.0"),
    constant("laws are a little off", "posterior/mod.rs", "OFF", "0.19", "0.0"),
    Mechanism("the mean, not the usual cost", "posterior/mod.rs", "Self { log: expected.ln(), error:", "Self { log: 0.0 * expected, error: 0.0 *"),
    constant("a part matters from 5 % (0.1)", "posterior/mod.rs", "MATTERS", "0.05", "0.001"),
    constant("pieces and minus signs among all laws", "posterior/mod.rs", "FITTED", "0.1", NEVER),
    constant("powers with any exponent among all laws", "posterior/laws.rs", "POWERS", "0.25", NEVER),
    Mechanism("lines that end in a constant", "posterior/laws.rs", "[(0.0, 0.05), (1.0, 0.0125)];", f"[(0.0, {NEVER}), (1.0, 0.0125)];"),
    Mechanism("squares that end in a line", "posterior/laws.rs", "[(0.0, 0.05), (1.0, 0.0125)];", f"[(0.0, 0.05), (1.0, {NEVER})];"),
    constant("no growth is five times as probable (1)", "posterior/laws.rs", "CONSTANT", "5.0", "1.0"),
    Mechanism("lower terms are near (anywhere)", "posterior/laws.rs", "3f64.powf(-(order", "1f64.powf(-(order"),
    Mechanism("supports by all laws (by fits alone)", "verdict/mod.rs", "fits = mixed(fits, of_laws);",
              "fits = mixed(fits, of_laws.into_iter().take(0).collect());"),
    Mechanism("supports by fits (by all laws alone)", "verdict/mod.rs", "fits = mixed(fits, of_laws);",
              "fits = if of_laws.is_empty() { fits } else { of_laws.into_iter().fold(Vec::new(), added) };"),
    constant("doubt on either side of n", "verdict/naming.rs", "DOUBT", "0.04", "0.4999"),
    constant("unnamed powers count less in supports (1)", "posterior/mod.rs", "UNNAMED", "0.3", "1.0"),
    constant("no growth needs more support (as others)", "verdict/naming.rs", "DECIDED_CONSTANT", "0.97", "0.85"),
    Mechanism("independent observations are fewer", "candidates/weighing.rs", "independent = fractions.fold(0.0, f64::max);",
              "independent = fractions.fold(0.0, f64::max).max(1.0);"),
    constant("another look at correlated errors", "candidates/weighing.rs", "WORTH_ANOTHER_LOOK", "0.7", "0.0"),
    constant("the largest sizes as predicted from the others", "candidates/weighing.rs", "EXTRAPOLATION", "0.1", "0.0"),
    Mechanism("two linear pieces", "candidates/weighing.rs", "let pieces = regimes(points);",
              "let pieces: Vec<Model> = regimes(points).into_iter().take(0).collect();"),
    Mechanism("three sizes on a line", "verdict/largest.rs", "line_instead(points, models, named).or_else(||", "None.or_else(||"),
    Mechanism("the largest sizes contradict the classes", "verdict/largest.rs", ".or_else(|| power_instead(points, named))", ""),
    Mechanism("terms with a minus", "candidates/candidate.rs", "let levels_off = (b, log, c, lower_log) == (1.0, false, 0.5, false);",
              "return false; #[allow(unreachable_code)] let levels_off = false;"),
    constant("powers with any exponent among fits", "candidates/candidate.rs", "FREE", "0.05", NEVER),
    constant("no growth is twice as probable among fits (1)", "candidates/candidate.rs", "CONSTANT", "2.0", "1.0"),
    constant("n is most of what is below n log n (half)", "candidates/candidate.rs", "NEAREST_BELOW_LOG", "0.9", "0.5"),
    constant("a minus below n log n is twice as probable (1)", "candidates/evidence.rs", "NEGATIVE_BELOW_LOG", "2.0", "1.0"),
    constant("small terms that are resolved", "candidates/fitted.rs", "RESOLVED", "6.0", "1e300"),
    constant("leading terms are seen at the third largest size", "candidates/evidence.rs", "SMALLEST_THIRD_SHARE", "0.03", "0.0"),
    constant("coefficients of one error at least", "candidates/evidence.rs", "SMALLEST_SIGNIFICANCE", "1.0", "0.0"),
]
GROUPS = ["square", "sums", "honest", "between", "ragged", "algorithm"]


def figures(scratch, columns, seed):
    """Parses the output of the examples: held, width, right, wrong, lost and denied, per group and over all; and the
    right share and the worst cell of the recovery matrix."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(scratch / "target"), "RUSTFLAGS": "--cap-lints=allow"}
    call("cargo build --release --locked --quiet -p trend-model --example judge --example recovery".split(), scratch / "source",
         env=environment)
    examples = scratch / "target/release/examples"
    judged = call([examples / "judge", columns, seed, "--groups"]).stdout
    rows = {}
    for name, _, cells in re.findall(r"^\| \*\*(.+?)\*\*( \(lowest \d+\))? \|(.*)\|$", judged, re.M):
        rows[name] = [float(cell) for cell in cells.split("|")[:6]]
    recovered = call([examples / "recovery", columns, 100000]).stdout
    right, worst = re.search(r"Right ([\d.]+) %; wrong or without in the worst cell ([\d.]+) %", recovered).groups()
    return rows, right, worst


def show(name, rows, right, worst):
    held, width, decided, wrong, lost, _ = rows["all"]
    groups = (f"{rows[group][0]:.0f}, {rows[group][2]:.0f}" for group in GROUPS)
    row(name, f"{held:.0f}", f"{width:.2f}", f"{decided:.0f}", f"{wrong + lost:.1f}", f"{rows['square'][5]:.1f}", *groups, right, worst)


def arguments(parser):
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--columns", type=int, default=96)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")


def main(options):
    scratch = options.scratch.absolute()
    source = scratch / "source"
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.Popen(["git", "archive", "HEAD"], cwd=REPOSITORY, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", source], stdin=archive.stdout, check=True)
    chosen = [mechanism for mechanism in MECHANISMS if options.only in mechanism.name]
    for mechanism in chosen:
        if (source / GROWTH / mechanism.file).read_text().count(mechanism.line) != 1:
            raise Failed(f"{mechanism.file}: not once: {mechanism.line}")
    print("Held and right in per cent by group: " + ", ".join(GROUPS) + ".\n")
    head("without", "held", "width", "right", "wrong, lost", "denied", *GROUPS, "recovered", "worst")
    show("(all there)", *figures(scratch, options.columns, options.seed))
    for mechanism in chosen:
        file = source / GROWTH / mechanism.file
        text = file.read_text()
        try:
            file.write_text(text.replace(mechanism.line, mechanism.without))
            show(mechanism.name, *figures(scratch, options.columns, options.seed))
        finally:
            file.write_text(text)
