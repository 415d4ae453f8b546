"""Cargo projects outside the workspace, one for each program that is generated.

All share a target folder, so that what they depend on compiles once.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "target" / "peers"
BUILD = WORK / "build"


class BuildFailure(RuntimeError):
    """A project that does not compile; carries what cargo said."""


class RunFailure(RuntimeError):
    """A program that ends with an error; carries what it said."""


@dataclass(frozen=True)
class Profile:
    """How cargo builds."""

    flags: tuple[str, ...]
    folder: str


RELEASE = Profile(("--release",), "release")
DEVELOPMENT = Profile((), "debug")


@dataclass(frozen=True)
class Project:
    """A binary crate of its own; ``sources`` are copied or written into ``src/``."""

    name: str
    dependencies: dict[str, str]
    main: str
    copies: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        """Where it is written."""
        return WORK / self.name

    def write(self, anew: bool = True) -> None:
        """Writes all files, those that have not changed only if ``anew``: then the next build
        compiles the crate again."""
        source = self.folder / "src"
        source.mkdir(parents=True, exist_ok=True)
        files = {self.folder / "Cargo.toml": self._manifest().encode()}
        files[self.folder / "Cargo.lock"] = (ROOT / "Cargo.lock").read_bytes()
        for copy in self.copies:
            target = source if copy.suffix == ".rs" else self.folder
            files[target / copy.name] = copy.read_bytes()
        files[source / "main.rs"] = self.main.encode()
        for path, content in files.items():
            if anew or not path.exists() or path.read_bytes() != content:
                path.write_bytes(content)

    def _manifest(self) -> str:
        dependencies = "".join(f"{name} = {value}\n" for name, value in self.dependencies.items())
        return (
            f'[package]\nname = "{self.name}"\nversion = "0.0.0"\nedition = "2024"\n\n'
            f"[dependencies]\n{dependencies}\n[workspace]\n"
        )

    def build(self, profile: Profile, *flags: str) -> float:
        """Builds it, with these flags of rustc for the crate itself, and returns the seconds that
        took; raises ``BuildFailure``."""
        start = time.perf_counter()
        outcome = subprocess.run(
            ["cargo", "rustc", "--quiet", *profile.flags, "--", *flags],
            cwd=self.folder,
            env=os.environ | {"CARGO_TARGET_DIR": str(BUILD), "CARGO_TERM_COLOR": "never"},
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
        (self.folder / "build.log").write_text(outcome.stderr)
        if outcome.returncode != 0:
            raise BuildFailure(outcome.stderr)
        return seconds

    def executable(self, profile: Profile) -> Path:
        """What the build makes."""
        return BUILD / profile.folder / self.name

    def run(
        self, profile: Profile, *arguments: str, text: str = "", **environment: str
    ) -> list[list[str]]:
        """Runs it and returns the lines it prints, split at tabs; raises ``RunFailure``."""
        outcome = subprocess.run(
            [str(self.executable(profile)), *arguments],
            env=os.environ | environment,
            input=text,
            capture_output=True,
            text=True,
        )
        if outcome.returncode != 0:
            raise RunFailure(outcome.stderr)
        return [line.split("\t") for line in outcome.stdout.splitlines()]


def keep_to_one_core() -> int:
    """Keeps what runs from now on to one core; returns which."""
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def dependency(folder: Path) -> str:
    """A path to one of the workspace's packages, as a manifest names it."""
    return f'{{ path = "{Path(os.path.relpath(folder, WORK / "any")).as_posix()}" }}'


JOURDAIN = {"jourdain": dependency(ROOT / "runtime")}
"""What every generated robot depends on."""
