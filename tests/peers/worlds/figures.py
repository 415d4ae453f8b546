"""The table of worlds, what is wrong in it, and how times rise with the number of bodies."""

from __future__ import annotations

from dataclasses import dataclass

from programs import MUJOCO, OURS, Outcome, Run

EQUAL = 1e-9
"""The residual that our worlds accept, and that what they are compared with has to reach, N s."""

COLUMNS = (
    "scene,program,setting,ms_all,ms_last,points,residual,penetration_m,iterations,steps,"
    "fastest_mujoco,ratio_all,ratio_last,end"
)

NAMES = {"coulomb": "Jourdain, exact Coulomb", "todorov": "Jourdain, convex"}
"""Of curves, by our setting."""

AS_IT_SHOULD = "as it should"


@dataclass(frozen=True)
class Row:
    """One setting of one scene, over all rounds."""

    scene: str
    program: str
    setting: str
    run: Run
    """The one that was disturbed least."""
    end: str

    @property
    def went(self) -> bool:
        """Whether it ended as it should."""
        return self.end == AS_IT_SHOULD


class Table:
    """All rows, scene by scene."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def add(
        self, scene: str, program: str, setting: str, outcome: Outcome, wrong: str | None
    ) -> None:
        """Adds what a setting did; ``wrong`` is what its check says."""
        best = min(outcome.runs, key=lambda run: run.all)
        error = next((run.error for run in outcome.runs if run.error), None)
        end = error or wrong or AS_IT_SHOULD
        if not outcome.same:
            end = f"not the same twice; {end}"
        self.rows.append(Row(scene, program, setting, best, end))

    def fastest(self, scene: str) -> Row | None:
        """MuJoCo's fastest setting with an equal residual; if none has, the one with the least."""
        of = [row for row in self.rows if row.scene == scene and row.program == MUJOCO]
        peers = [row for row in of if row.went]
        equal = [row for row in peers if row.run.residual <= EQUAL]
        if equal:
            return min(equal, key=lambda row: row.run.all)
        return min(peers, key=lambda row: row.run.residual, default=None)

    def csv(self) -> str:
        """A line that names the columns, then one for each setting."""
        return "\n".join([COLUMNS, *map(self._line, self.rows)]) + "\n"

    def _line(self, row: Row) -> str:
        run, peer = row.run, self.fastest(row.scene)
        numbers = (
            f"{run.all:.4f},{run.last:.4f},{run.points},{run.residual:.1e},{run.penetration:.1e},"
            f"{run.iterations:.1f},{run.steps}"
        )
        ratios = ",,"
        if peer and row.went:
            all, last = peer.run.all / run.all, peer.run.last / run.last
            ratios = f"{peer.setting},{all:.2f},{last:.2f}"
        end = row.end.replace('"', "'")
        return f'{row.scene},{row.program},{row.setting},{numbers},{ratios},"{end}"'

    def wrong(self) -> list[str]:
        """A line for each setting that did not end as it should."""
        return [
            f"{row.scene}, {row.program} {row.setting}: {row.end}"
            for row in self.rows
            if not row.went
        ]

    def curves(self, family: str) -> dict[str, list[tuple[float, float]]]:
        """Of scenes named after the number of their bodies, it and the ms of a step in the last
        fifth, by program and setting; of MuJoCo those of the fastest."""
        curves: dict[str, list[tuple[float, float]]] = {}
        scenes = dict.fromkeys(row.scene for row in self.rows if row.scene.startswith(family))
        for scene in scenes:
            count = float(scene.removeprefix(family))
            peer = self.fastest(scene)
            for row in self.rows:
                if row.scene == scene and row.went and (row.program == OURS or row is peer):
                    name = NAMES.get(row.setting, "MuJoCo, elliptic")
                    curves.setdefault(name, []).append((count, row.run.last))
        return {name: sorted(points) for name, points in curves.items()}
