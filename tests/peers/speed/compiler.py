"""The peers' programs, compiled for this machine.

Clang makes Pinocchio up to twice as fast as g++, so it is what is compared with: the newest that is
installed, or Debian's where packages may be installed. Where the processor has AVX-512, Pinocchio is
compiled without it too: on some machines that is faster by a quarter, for spatial vectors of six
numbers fill no register of eight.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import cmeel
import mujoco

from project import WORK

HERE = Path(__file__).resolve().parent
DEBIAN_PACKAGE = "clang-19"

PREFIX = Path(cmeel.__file__).parents[1] / "cmeel.prefix"
MUJOCO = Path(mujoco.__file__).parent

NATIVE = "-march=native"
NARROW = "-march=x86-64-v3"

FLAGS = {
    "pinocchio": [
        "-std=c++20",
        f"-isystem{PREFIX}/include/eigen3",
        f"-isystem{PREFIX}/include",
        "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
        "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
        "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
        "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
        f"-L{PREFIX}/lib",
        f"-Wl,-rpath,{PREFIX}/lib",
        "-lboost_serialization",
    ],
    "mujoco": [
        "-std=c++17",
        f"-isystem{MUJOCO}/include",
        *map(str, MUJOCO.glob("libmujoco.so.*")),
        f"-Wl,-rpath,{MUJOCO}",
    ],
}


@dataclass(frozen=True)
class Build:
    """One program of a peer."""

    peer: str
    architecture: str = NATIVE
    source: Path = HERE
    """The folder of its text."""

    @property
    def name(self) -> str:
        """The peer, and the architecture if it is not this machine's."""
        return self.peer + ("" if self.architecture == NATIVE else "-x86-64-v3")

    @property
    def executable(self) -> Path:
        """The program."""
        return WORK / self.source.name / "bin" / self.name

    def make(self, compiler: str) -> None:
        """Compiles it if anything has changed."""
        text = self.source / f"{self.peer}.cpp"
        options = ["-O3", self.architecture, "-DNDEBUG", str(text), *FLAGS[self.peer]]
        command = [compiler, *options, "-o", str(self.executable)]
        headers = sorted(self.source.glob("*.hpp"))
        inputs = "\n".join([*command, *(path.read_text() for path in (text, *headers))])
        compiled = self.executable.with_suffix(".inputs")
        if compiled.exists() and compiled.read_text() == inputs:
            return
        self.executable.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(command, check=True)
        compiled.write_text(inputs)


def compile_peers(quick: bool) -> list[Build]:
    """The peers' programs, compiled; those for this machine only if ``quick``."""
    builds = [Build("pinocchio"), Build("mujoco")]
    if not quick and "avx512f" in Path("/proc/cpuinfo").read_text():
        builds.append(Build("pinocchio", NARROW))
    return built(*builds)


def built(*builds: Build) -> list[Build]:
    """These programs, compiled."""
    compiler = _compiler()
    print(f"peers: {_version(compiler)}, -O3", file=sys.stderr)
    for build in builds:
        print(f"compiling {build.peer} with {build.architecture}", file=sys.stderr)
        build.make(compiler)
    return list(builds)


def _compiler() -> str:
    found = _newest_clang()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {DEBIAN_PACKAGE}", file=sys.stderr)
        for arguments in (["update"], ["install", "--yes", DEBIAN_PACKAGE]):
            subprocess.run(["apt-get", "--quiet", *arguments], stdout=sys.stderr, check=False)
        found = _newest_clang()
    found = found or shutil.which("g++")
    if found is None:
        raise SystemExit("no C++ compiler: install clang++ or g++")
    return found


def _newest_clang() -> str | None:
    folders = [Path(folder) for folder in os.get_exec_path()]
    named = [path for folder in folders for path in folder.glob("clang++*")]
    return max(map(str, named), key=_major, default=None)


def _major(compiler: str) -> int:
    """13 of clang++-13; a plain clang++ is asked."""
    number = re.search(r"\d+$", compiler) or re.search(r"(?<=version )\d+", _version(compiler))
    return int(number.group()) if number else 0


def _version(compiler: str) -> str:
    command = [compiler, "--version"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
