"""Writes the parts of a release's packages that are too complex for a shell script.

    packages.py licences TARGET           the licences of all crates in the executable, to stdout
    packages.py wheel TREE VERSION FOLDER  a wheel that installs the executables of TREE
    packages.py npm TREE VERSION FOLDER    the files of an npm package with the executable of TREE
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

SUMMARY = "Predicts how the cost of a program grows with its input"
LICENCE = "MIT OR Apache-2.0"
REPOSITORY = "https://github.com/trend-prof/trend-prof"
NAMES_OF_LICENCES = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")


def licences(target):
    """Prints each licence text once, below the crates that it covers."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target, "--features", "parquet"]
    command += ["--manifest-path", "crates/trend-prof/Cargo.toml"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, next_ = set(), [p["id"] for p in packages.values() if p["name"] == "trend-prof"]
    while next_:
        one = next_.pop()
        if one not in found:
            found.add(one)
            is_linked = lambda dep: any(kind["kind"] is None for kind in dep["dep_kinds"])
            next_ += [dep["pkg"] for dep in nodes[one]["deps"] if is_linked(dep)]
    texts, crates = {}, sorted((packages[one] for one in found), key=lambda p: (p["name"], p["version"]))
    print("Libraries in the executable, and their licences. The texts follow.\n")
    print("musl (C library): MIT\nRust's standard library: MIT OR Apache-2.0")
    for crate in (crate for crate in crates if crate["source"]):
        print(f"{crate['name']} {crate['version']}: {crate['license']}")
        folder = Path(crate["manifest_path"]).parent
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.name.upper().startswith(NAMES_OF_LICENCES):
                text = path.read_text(errors="replace").strip()
                texts.setdefault(text, []).append(crate["name"])
    musl = Path("/usr/share/doc/musl/copyright")
    if musl.is_file():
        texts.setdefault(musl.read_text().strip(), []).append("musl")
    for text, names in texts.items():
        print(f"\n{'-' * 80}\n{', '.join(dict.fromkeys(names))}\n\n{text}")


def wheel(tree, version, folder):
    """Writes a wheel whose scripts are the executables. They are static, so it has the tags of both C libraries."""
    name = f"trend_prof-{version}"
    info = f"{name}.dist-info"
    tags = ["py3-none-manylinux_2_17_x86_64", "py3-none-musllinux_1_1_x86_64"]
    licences = {path.name: path for path in sorted(Path(tree, "share/doc/trend-prof").glob("LICENSE*"))}
    files = {f"{name}.data/scripts/{program}": Path(tree, "bin", program).read_bytes() for program in ("trend-prof", "cargo-trend-prof")}
    files |= {f"{info}/licenses/{name}": path.read_bytes() for name, path in licences.items()}
    named = "".join(f"License-File: {name}\n" for name in licences)
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: trend-prof\nVersion: {version}\nSummary: {SUMMARY}\n"
        f"License-Expression: {LICENCE}\n{named}Project-URL: Repository, {REPOSITORY}\nRequires-Python: >=3.8\n"
        "Description-Content-Type: text/markdown\n\n"
        f"{SUMMARY}. This wheel installs the executable `trend-prof` for x86-64 Linux.\n"
    ).encode()
    listed = "".join(f"Tag: {tag}\n" for tag in tags)
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: trend-prof\nRoot-Is-Purelib: false\n{listed}".encode()
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    # A zip file cannot store times before 1980.
    date = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    path = Path(folder, f"{name}-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            archive.writestr(entry, data)


def npm(tree, version, folder):
    """Writes the files of an npm package. npm installs it only on systems on which the executable runs."""
    package = {
        "name": "trend-prof",
        "version": version,
        "description": SUMMARY,
        "license": LICENCE,
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
        "bin": {"trend-prof": "bin/trend-prof"},
        "os": ["linux"],
        "cpu": ["x64"],
    }
    folder = Path(folder)
    (folder / "bin").mkdir(parents=True)
    shutil.copy(Path(tree, "bin/trend-prof"), folder / "bin")
    for path in Path(tree, "share/doc/trend-prof").glob("LICENSE*"):
        shutil.copy(path, folder)
    (folder / "README.md").write_text(f"{SUMMARY}. This package has the executable for x86-64 Linux: `npx trend-prof --help`.\n")
    (folder / "package.json").write_text(json.dumps(package, indent=2) + "\n")


if __name__ == "__main__":
    {"licences": licences, "wheel": wheel, "npm": npm}[sys.argv[1]](*sys.argv[2:])
