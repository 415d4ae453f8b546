"""The table of times, whether programs simulate the same, and what times say about the goals."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean

from scenes import Scene
from simulators import Fact, Result, Time

OURS = "ours"
PEERS = ("mujoco", "drake")
EXACT = "coulomb"
"""Our setting whose heights are compared: in soft formulations feet sink in or creep."""

HEIGHT = 1e-3
"""By how much heights at rest may differ, m."""
FORCE = 1e-3
"""By how much a sum of normal forces may differ from the weight, of the weight."""

COLUMNS = (
    "scene,drive,start,program,setting,median_ns,minimum_ns,contacts,iterations,"
    "fastest_mujoco_ns,ratio,drake_ns,ratio_drake"
)

Variant = tuple[str, str, str, str, str]
"""Scene, drive, start, program and setting."""


def disagreements(scene: Scene, weight: float, facts: dict[str, dict[str, Fact]]) -> list[str]:
    """A line for each setting, by program, that does not rest as ours with the exact law does."""
    if EXACT not in facts[OURS]:
        return [f"{scene.name}: ours does not come to rest"]
    height = facts[OURS][EXACT].height
    lines = []
    for program, settings in facts.items():
        for setting, fact in settings.items():
            compared = program != OURS or setting == EXACT
            same = (
                fact.contacts == scene.contacts
                and abs(fact.force - weight) <= FORCE * weight
                and (abs(fact.height - height) <= HEIGHT or not compared)
            )
            if not same:
                lines.append(f"{scene.name}, {program} {setting}: {fact}, weight {weight:.4f} N")
    return lines


@dataclass(frozen=True)
class Row:
    """The times of one setting over all rounds."""

    variant: Variant
    time: Time
    fastest: dict[str, float]
    """By peer, the least median of its settings and starts in the same scene and drive."""

    def ratio(self, peer: str) -> float | None:
        """How many times faster than that."""
        return self.fastest[peer] / self.time.median if peer in self.fastest else None

    def __str__(self) -> str:
        t = self.time
        numbers = [f"{t.median:.1f},{t.minimum:.1f},{t.contacts:.2f},{t.iterations:.2f}"]
        for peer in PEERS:
            ratio = self.ratio(peer)
            numbers.append(f"{self.fastest[peer]:.1f},{ratio:.2f}" if ratio else ",")
        return ",".join([*self.variant, *numbers])


@dataclass
class Table:
    """The times of all rounds."""

    _samples: dict[Variant, list[Time]] = field(default_factory=dict)

    def add(self, scene: str, program: str, result: Result) -> None:
        """Adds what a program measured in a round."""
        for (setting, drive, start), time in result.times.items():
            self._samples.setdefault((scene, drive, start, program, setting), []).append(time)

    def rows(self) -> list[Row]:
        """One for each variant."""
        times = {variant: _over_rounds(samples) for variant, samples in self._samples.items()}
        fastest: dict[tuple[str, str], dict[str, float]] = {}
        for (scene, drive, _, program, _), time in times.items():
            peers = fastest.setdefault((scene, drive), {})
            if program in PEERS:
                peers[program] = min(peers.get(program, time.median), time.median)
        return [Row(variant, time, fastest[variant[:2]]) for variant, time in times.items()]

    def csv(self) -> str:
        """The table, with a line that names the columns."""
        return "\n".join([COLUMNS, *map(str, self.rows())]) + "\n"


def _over_rounds(samples: list[Time]) -> Time:
    """What else runs on a machine only takes time: the round that it disturbed least counts."""
    return Time(
        min(time.median for time in samples),
        min(time.minimum for time in samples),
        fmean(time.contacts for time in samples),
        fmean(time.iterations for time in samples),
    )


@dataclass(frozen=True)
class Goal:
    """A ratio to reach in every variant of some scenes by some of our settings."""

    scenes: tuple[str, ...]
    settings: tuple[str, ...]
    ratio: float
    peer: str = "mujoco"


QUADRUPEDS = ("solo12", "anymal_b")
BOXES = ("box_4", "box_8")

GOALS = {
    "exact Coulomb, quadrupeds": Goal(QUADRUPEDS, ("coulomb",), 8.0),
    "convex, quadrupeds": Goal(QUADRUPEDS, ("todorov",), 8.0),
    "exact Coulomb, boxes": Goal(BOXES, ("coulomb",), 8.0),
    "convex, boxes": Goal(BOXES, ("todorov",), 8.0),
    "exact Coulomb, humanoid": Goal(("talos_38",), ("coulomb",), 5.0),
    "convex, humanoid": Goal(("talos_38",), ("todorov",), 5.0),
    "exact Coulomb, against Drake": Goal(("solo12", "box_8"), ("coulomb",), 60.0, "drake"),
}


def summary(table: Table) -> str:
    """The smallest ratio of each goal."""
    rows = table.rows()
    return f"smallest ratios: {'; '.join(_smallest(n, g, rows) for n, g in GOALS.items())}"


def _smallest(name: str, goal: Goal, rows: list[Row]) -> str:
    own = [row for row in rows if row.variant[3] == OURS and row.variant[4] in goal.settings]
    ratios = [
        (ratio, row.variant[:3])
        for row in own
        if row.variant[0] in goal.scenes and (ratio := row.ratio(goal.peer))
    ]
    if not ratios:
        return f"{name}: not timed (goal {goal.ratio:g})"
    ratio, variant = min(ratios)
    return f"{name}: {ratio:.2f} of {goal.ratio:g} ({', '.join(variant)})"
