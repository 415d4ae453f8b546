"""The table of times and what it says about the goals."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from kernels import GOALS, KERNELS, Goal

OURS = "ours"
COLUMNS = "kernel,robot,ours_ns,peer_ns,peer,ratio,ours_batch_ns,ratio_batch,code_bytes"


@dataclass(frozen=True)
class Row:
    """The times of one kernel and robot, in nanoseconds for one state; none for what is missing."""

    kernel: str
    robot: str
    one: float | None
    batch: float | None
    peer: float
    peer_name: str
    code_bytes: int | None

    def ratio(self, batch: bool) -> float | None:
        """How many times faster than the peer."""
        time = self.batch if batch else self.one
        return self.peer / time if time else None

    def __str__(self) -> str:
        fields = [
            self.kernel,
            self.robot,
            _number(self.one, 1),
            _number(self.peer, 1),
            self.peer_name,
            _number(self.ratio(False), 2),
            _number(self.batch, 1),
            _number(self.ratio(True), 2),
            "" if self.code_bytes is None else str(self.code_bytes),
        ]
        return ",".join(fields)


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


@dataclass
class Table:
    """The times of all rounds."""

    code_bytes: dict[str, dict[str, int]]
    """Of each robot and kernel."""
    _samples: dict[tuple[str, str, str, str], list[float]] = field(default_factory=dict)

    def add(self, robot: str, program: str, times: dict[tuple[str, str], float]) -> None:
        """Adds what a program measured in a round."""
        for (kernel, function), time in times.items():
            self._samples.setdefault((kernel, robot, program, function), []).append(time)

    def rows(self) -> list[Row]:
        """One for each kernel and robot that a peer has."""
        rows = [self._row(k.name, robot) for k in KERNELS for robot in self.code_bytes]
        return [row for row in rows if row]

    def _row(self, kernel: str, robot: str) -> Row | None:
        times = {
            (program, function): median(samples)
            for (of, by, program, function), samples in self._samples.items()
            if (of, by) == (kernel, robot)
        }
        peers = {name: time for name, time in times.items() if name[0] != OURS}
        if not peers:
            return None
        fastest = min(peers, key=peers.__getitem__)
        one, batch = times.get((OURS, "one")), times.get((OURS, "batch"))
        size = self.code_bytes[robot].get(kernel)
        return Row(kernel, robot, one, batch, peers[fastest], " ".join(fastest), size)

    def csv(self) -> str:
        """The table, with a line that names the columns."""
        return "\n".join([COLUMNS, *map(str, self.rows())]) + "\n"


def summary(table: Table, missing: list[str]) -> str:
    """The smallest ratio of each goal, and what was not timed."""
    rows = table.rows()
    parts = [_smallest(name, goal, rows) for name, goal in GOALS.items()]
    absent = f"; not in the library yet: {', '.join(missing)}" if missing else ""
    return f"smallest ratios: {'; '.join(parts)}{absent}"


def _smallest(name: str, goal: Goal, rows: list[Row]) -> str:
    own = [row for row in rows if row.robot in goal.robots and row.kernel in goal.kernels]
    texts = []
    goals = ((False, goal.one), (True, goal.batch))
    for batch, wanted in ((batch, wanted) for batch, wanted in goals if wanted is not None):
        ratios = [(ratio, row) for row in own if (ratio := row.ratio(batch)) is not None]
        what = "batch " if batch else ""
        if ratios:
            ratio, row = min(ratios, key=lambda pair: pair[0])
            texts.append(f"{what}{ratio:.2f} of {wanted:g} ({row.kernel} of {row.robot})")
        else:
            texts.append(f"{what}not timed (goal {wanted:g})")
    return f"{name}: {', '.join(texts)}"
