"""Fetches a program's source by name and version: Debian's source packages, a package for Python, node or Rust that
contains the C source, or a Rust crate with its dependencies. Each uses its own client; nothing is installed, and
fetched sources are kept."""

import fnmatch
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from shared import Failed, call, say

SUITES = ["bookworm", "trixie", "sid", "bullseye"]


def unpack(tarball, folder):
    folder.mkdir(parents=True)
    call(["tar", "xf", tarball, "-C", folder, "--strip-components=1"])


@dataclass(frozen=True)
class Debian:
    """The upstream part of a Debian source package, without Debian's patches.

    `version` is the upstream one, as a pattern: suites that still move keep one version at a time."""

    package: str
    version: str

    def fetch(self, cache, folder):
        last = None
        for version in self.known(cache):
            kept = cache / "debian" / f"{self.package}-{version}".replace(":", "_")
            if not list(kept.glob("*.orig.tar.*")):
                kept.mkdir(parents=True, exist_ok=True)
                # A mirror may have lost the packaging of an old version but still have the source, which is sufficient.
                last = self.apt(cache, "apt-get", "source", "-qq", "--download-only", f"{self.package}={version}", folder=kept)
            tarballs = [path for path in kept.glob("*.orig.tar.*") if path.suffix != ".asc"]
            if tarballs:
                unpack(tarballs[0], folder)
                return upstream(version)
        why = last.stderr.strip().splitlines()[-1:] if last else ["no suite has it"]
        raise Failed(f"Debian source {self.package} {self.version}: {''.join(why)}")

    def known(self, cache):
        """Returns matching versions, in the order of the suites."""
        shown = self.apt(cache, "apt-cache", "showsrc", "--only-source", self.package).stdout
        versions = re.findall(r"^Version: (\S+)$", shown, re.M)
        fits = [v for v in dict.fromkeys(versions) if fnmatch.fnmatch(upstream(v), self.version)]
        return sorted(fits, key=lambda v: [int(number) for number in re.findall(r"\d+", v)], reverse=True)

    def apt(self, cache, program, *words, folder=None):
        state = (cache / "apt").absolute()
        sources, lists = state / "sources.list", state / "lists"
        own = ["-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::State::lists={lists}",
               "-o", f"Dir::Cache={state}", "-o", "APT::Sandbox::User=root"]
        if not sources.exists():
            (lists / "partial").mkdir(parents=True, exist_ok=True)
            listed = call(["apt-get", "indextargets", "--format", "$(REPO_URI)"]).stdout.split()
            archives = [uri for uri in dict.fromkeys(listed) if uri.rstrip("/").endswith("/debian")]
            if not archives:
                raise Failed("apt knows no Debian archive: these sources need Debian")
            sources.write_text("".join(f"deb-src {archives[0]} {suite} main\n" for suite in SUITES))
            say("reading Debian's lists of source packages …")
            call(["apt-get", *own, "update"], codes=None)
        return call([program, *own, *words], folder, codes=None)


def upstream(version):
    """Returns upstream's part of a Debian version: `1:2.13.dfsg-1` is `2.13`."""
    bare = version.split(":")[-1].rsplit("-", 1)[0]
    return re.split(r"[+.](?:dfsg|ds)", bare)[0]


@dataclass(frozen=True)
class Python:
    """The sdist of a Python package."""

    package: str
    version: str

    def fetch(self, cache, folder):
        kept = cache / "python" / f"{self.package}-{self.version}"
        if not list(kept.glob("*.tar.gz")):
            call(["python3", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", kept,
                  f"{self.package}=={self.version}"], what=f"fetching {self.package} {self.version}")
        [tarball] = kept.glob("*.tar.gz")
        unpack(tarball, folder)
        return self.version


def manifest(folder, name, package, version, options):
    """Writes the manifest of a cargo project with one dependency."""
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        f'{package} = {{ version = "={version}", {options} }}\n')


@dataclass(frozen=True)
class Crate:
    """A Rust crate's own files."""

    package: str
    version: str
    features: str = ""

    def fetch(self, cache, folder):
        kept = cache / "crates" / f"{self.package}-{self.version}"
        if not (kept / "vendor" / self.package).is_dir():
            shutil.rmtree(kept, ignore_errors=True)
            manifest(kept, "get", self.package, self.version, f"features = [{self.features}]")
            (kept / "src/lib.rs").touch()
            call(["cargo", "vendor", "-q", "vendor"], kept, f"fetching {self.package} {self.version}")
        shutil.copytree(kept / "vendor" / self.package, folder)
        return self.version


@dataclass(frozen=True)
class Project:
    """A cargo project: a driver around one version of a crate."""

    package: str
    version: str
    driver: Path
    features: str = ""

    def fetch(self, cache, folder):
        manifest(folder, "driver", self.package, self.version, f"default-features = false, features = [{self.features}]")
        shutil.copy(self.driver, folder / "src/main.rs")
        call(["cargo", "fetch", "-q"], folder, f"fetching {self.package} {self.version}")
        return self.version
