"""The peers' programs, compiled for this machine.

Clang makes Pinocchio up to twice as fast as g++, so it is what is compared with: the newest that is
installed, or Debian's where packages may be installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cmeel
import mujoco

from robots import FOLDER

HERE = Path(__file__).resolve().parent
DEBIAN_PACKAGE = "clang-19"

PREFIX = Path(cmeel.__file__).parents[1] / "cmeel.prefix"
MUJOCO = Path(mujoco.__file__).parent

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


def executable(peer: str) -> Path:
    """The program of this peer."""
    return FOLDER / "bin" / peer


def compile_peers() -> str:
    """Compiles what has changed; returns how, to be shown beside the times."""
    compiler = _compiler()
    how = f"{_version(compiler)} -O3 -march=native"
    for peer, flags in FLAGS.items():
        _compile([compiler, "-O3", "-march=native", "-DNDEBUG"], peer, flags)
    return how


def _compile(compiler: list[str], peer: str, flags: list[str]) -> None:
    program, source = executable(peer), HERE / f"{peer}.cpp"
    command = [*compiler, str(source), "-o", str(program), *flags]
    done = program.with_suffix(".command")
    inputs = (source, HERE / "timing.hpp")
    fresh = done.exists() and done.read_text() == "\n".join(command)
    if fresh and all(path.stat().st_mtime < done.stat().st_mtime for path in inputs):
        return
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, check=True)
    done.write_text("\n".join(command))


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
