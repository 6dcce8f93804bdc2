#!/usr/bin/env python3
"""Runs one of the measurements that the appendix of the documentation reports.

    benches/run.py NAME [OPTIONS]     benches/run.py NAME --help says what it measures and what it needs

Each is a module of the folder `measurements`: `arguments(parser)` adds its options, and `main(options)` runs it.

"""

import argparse
import ast
import importlib
import sys
from pathlib import Path

from shared import HERE, REPOSITORY, Failed


def described():
    """Returns a map from the name of each measurement to the first paragraph of its docstring."""
    files = sorted((HERE / "measurements").glob("*.py"))
    return {file.stem.replace("_", "-"): ast.get_docstring(ast.parse(file.read_text())).split("\n\n")[0] for file in files}


def main() -> int:
    known, name = described(), sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name not in known:
        listed = "\n".join(f"{title}\n    {' '.join(what.split())}" for title, what in known.items())
        print(__doc__ + listed if name in ("-h", "--help") else f"no such measurement: {name}; there are {', '.join(known)}")
        return 0 if name in ("-h", "--help") else 2
    try:
        module = importlib.import_module(f"measurements.{name.replace('-', '_')}")
    except ModuleNotFoundError as error:
        print(f"{name} needs a Python package: {error}", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser(prog=f"benches/run.py {name}", description=module.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    absolute = lambda path: Path(path).absolute()
    parser.add_argument("--trend-prof", type=absolute, default=REPOSITORY / "target/release/trend-prof", help="the binary to measure")
    module.arguments(parser)
    try:
        return module.main(parser.parse_args(sys.argv[2:])) or 0
    except (Failed, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
