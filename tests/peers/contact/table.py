"""The table of times, whether programs simulate the same, and what times say about the goals."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from statistics import fmean, geometric_mean

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
TORQUE = 2e-2
"""By how much the forces of servos may differ, as a share, beside what dry friction holds: soft feet creep,
by which legs push against each other less."""
ARM = 0.3
"""From a wall's contact to the joints, m: dry friction of these changes the force on it."""

COLUMNS = (
    "scene,drive,start,program,setting,median_ns,minimum_ns,contacts,iterations,"
    "fastest_mujoco_ns,ratio,drake_ns,ratio_drake"
)

Variant = tuple[str, str, str, str, str]
"""Scene, drive, start, program and setting."""


def disagreements(scene: Scene, weight: float, facts: dict[str, dict[str, Fact]]) -> list[str]:
    """A line for each setting, by program, that does not rest as ours with the exact law does. On a wall,
    it is the force of that which others have."""
    if EXACT not in facts[OURS]:
        return [f"{scene.name}: ours does not come to rest"]
    exact = facts[OURS][EXACT]
    presses = scene.turn is None
    weight = exact.force if presses else weight
    force = TORQUE * weight + scene.held / ARM if presses else FORCE * weight
    torque = TORQUE * exact.torque + scene.held
    lines = []
    for program, settings in facts.items():
        for setting, fact in settings.items():
            compared = program != OURS or setting == EXACT
            same = (
                (scene.contacts is None or fact.contacts == scene.contacts)
                and abs(fact.force - weight) <= force
                and (abs(fact.height - exact.height) <= HEIGHT or not compared)
                and (abs(fact.torque - exact.torque) <= torque or not compared)
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
    """Patterns of their names."""
    settings: tuple[str, ...]
    """Patterns of theirs."""
    ratio: float
    peer: str = "mujoco"

    def ratios(self, rows: list[Row]) -> list[tuple[float, Variant]]:
        """Of all variants that were timed."""
        return [
            (ratio, row.variant)
            for row in rows
            if row.variant[3] == OURS
            and _matches(row.variant[0], self.scenes)
            and _matches(row.variant[4], self.settings)
            and (ratio := row.ratio(self.peer))
        ]


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


FEET = ("solo12", "anymal_b")
LOADED = ("solo12_*", "anymal_b_*")
HUMANOIDS = ("talos_38*", "g1*")
ROUND = ("coulomb", "todorov")
POLYGONS = ("*sides",)

GOALS = {
    "quadrupeds on feet": Goal(FEET, ROUND, 8.0),
    "quadrupeds beside": Goal(LOADED, ROUND, 6.0),
    "humanoids": Goal(HUMANOIDS, ROUND, 4.0),
    "panda": Goal(("panda*",), ROUND, 6.0),
    "boxes": Goal(("box_*",), ROUND, 3.5),
    "polygons, quadrupeds": Goal(FEET + LOADED, POLYGONS, 4.0),
    "polygons, others": Goal((*HUMANOIDS, "panda*", "box_*"), POLYGONS, 2.5),
    "exact Coulomb, against Drake": Goal(("solo12", "box_8"), ("coulomb",), 60.0, "drake"),
}

MEANS = {"round laws": Goal(("*",), ROUND, 6.0), "polygons": Goal(("*",), POLYGONS, 3.0)}

BESIDE = {"_servos": 1.15, "_rubbing": 2.5, "_others": 1.25}
"""By load, the largest ratio of a step's time to that with less: of bare feet, and for contacts that do
not touch, of all else."""
LESS = {"_others": "_all"}


def summary(table: Table) -> str:
    """The smallest ratio of each goal, the largest of loads, and geometric means, a line each."""
    rows = table.rows()
    return "\n".join(
        [
            f"smallest ratios: {'; '.join(_smallest(n, g, rows) for n, g in GOALS.items())}",
            f"largest of loads: {'; '.join(_largest(load, rows) for load in BESIDE)}",
            f"geometric means: {'; '.join(_mean(n, g, rows) for n, g in MEANS.items())}",
        ]
    )


def _smallest(name: str, goal: Goal, rows: list[Row]) -> str:
    ratios = goal.ratios(rows)
    if not ratios:
        return f"{name}: not timed (goal {goal.ratio:g})"
    ratio, (scene, drive, start, _, setting) = min(ratios)
    return f"{name}: {ratio:.2f} of {goal.ratio:g} ({scene}, {drive}, {start}, {setting})"


def _mean(name: str, goal: Goal, rows: list[Row]) -> str:
    ratios = [ratio for ratio, _ in goal.ratios(rows)]
    mean = f"{geometric_mean(ratios):.2f}" if ratios else "not timed"
    return f"{name}: {mean} of {goal.ratio:g}"


def _largest(load: str, rows: list[Row]) -> str:
    """By exact Coulomb."""
    times = {row.variant[:3]: row.time.median for row in rows if row.variant[3:] == (OURS, EXACT)}
    ratios = [
        (time / times[less], variant)
        for variant, time in times.items()
        if variant[0].endswith(load)
        and (less := (variant[0].removesuffix(load) + LESS.get(load, ""), *variant[1:])) in times
    ]
    if not ratios:
        return f"{load[1:]}: not timed (goal {BESIDE[load]:g})"
    ratio, variant = max(ratios)
    return f"{load[1:]}: {ratio:.2f} of {BESIDE[load]:g} ({', '.join(variant)})"
