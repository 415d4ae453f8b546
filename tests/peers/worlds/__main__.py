"""Times worlds of robots and bodies that touch each other against MuJoCo 4.0.0: two quadrupeds that
collide, an arm that takes a cube from a heap of 100, a carriage that carries a box, bodies that are
poured into a bowl, and rocks that fall on a plane.

Both programs have the same solids, masses, inertias, coefficient of friction, forces of servos,
starts, and steps of 1 ms. Ours is `World::step` by exact Coulomb and by Todorov's round cone with
its defaults; MuJoCo's is `mj_step` with Newton's method and the elliptic cone, dense (up to 150
coordinates) and sparse Jacobian, with and without islands. MuJoCo's forces are functions of
accelerations, so that all that its solver leaves is a residual of the equation of motion. It is
computed after each step, in N s, as ours are. What counts as fastest is the fastest setting whose
largest residual is 1e-9, what our worlds accept, or less, to which a tolerance of 1e-16 leads; its
default, 1e-8, leaves up to 1e-6. If there is none, as with another tolerance, it is the one with
the least residual, which the table states.

Ours simulates each scene twice in each setting, and has to end in the same bits. A scene has to end
as it should: quadrupeds stand, the cube is held where the gripper closed on it, the box has not
slid, no body is lost. Standard output is CSV: ms of a step, a mean of the whole run and of its last
fifth, points that press at the end (in MuJoCo, that touch), the largest residual and penetration,
iterations of a step, ratios of MuJoCo's fastest to the row's own, and how it ended. An error is
printed as it is. Then come times of the last fifth by the number of bodies, with exponents; those
of the bowl are drawn to target/worlds.svg. The target folder keeps the CSV as
peers/worlds/worlds.csv. All else goes to standard error. All runs on one core. Exits with 1 if a
run ends with an error, or otherwise than it should, or other than before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chart import Curve, chart, exponent
from compiler import Build, built
from figures import Table
from model import FOLDER
from programs import HERE, Outcome, Program, mujoco_program, own_program, project
from project import RELEASE, ROOT, BuildFailure, keep_to_one_core
from scenery import POURED, ROCKS, SCENES
from subject import DEPENDENCIES
from things import Scene

QUICK = ("quadrupeds", "carry", "bowl_10")

LIMIT = 300.0
"""Seconds after which a run is stopped."""

TOLERANCE = 1e-16

FAMILIES = {"bowl_": POURED, "rocks_": ROCKS}
"""Scenes that are named after the number of their bodies."""


def main() -> int:
    """Builds, simulates, times, prints and draws; returns the exit code."""
    options = _arguments()
    names = options.scene or list(QUICK if options.quick else SCENES)
    if unknown := set(names) - set(SCENES):
        print(f"unknown: {', '.join(unknown)}", file=sys.stderr)
        return 2
    try:
        scenes = [SCENES[name]() for name in names]
        programs = _build(scenes, options.tolerance)
    except BuildFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    table = _time(programs, options)
    text = table.csv()
    (FOLDER / "worlds.csv").write_text(text)
    print(text, end="")
    print("\n".join(_rises(table, ROOT / ("docs" if options.docs else "target"))))
    wrong = table.wrong()
    for line in wrong:
        _say(f"failed: {line}")
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ", ".join(SCENES)
    parser.add_argument("scene", nargs="*", help=f"some scenes only, of {names}")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often all is run; once unless given"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        help=f"seconds after which a run is stopped; {LIMIT:g} unless given",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=TOLERANCE,
        help=f"of MuJoCo's solver; {TOLERANCE:g} unless given",
    )
    parser.add_argument("--docs", action="store_true", help="draw to docs/worlds.svg instead")
    parser.add_argument(
        "--quick", action="store_true", help=f"{', '.join(QUICK)} unless scenes are given"
    )
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


Programs = list[tuple[Scene, list[Program]]]


def _build(scenes: list[Scene], tolerance: float) -> Programs:
    """The programs of each scene. There is one crate for all."""
    [peer] = built(Build("mujoco", source=HERE))
    DEPENDENCIES.write(anew=False)
    DEPENDENCIES.build(RELEASE)
    robots = [robot for name in ("quadrupeds", "pick", "carry") for robot in SCENES[name]().robots]
    crate = project(list(dict.fromkeys(robot.kind for robot in robots)))
    crate.write(anew=False)
    _say(f"compiled in {crate.build(RELEASE):.1f} s")
    return [
        (scene, [own_program(scene, crate), mujoco_program(scene, peer, tolerance)])
        for scene in scenes
    ]


def _time(programs: Programs, options: argparse.Namespace) -> Table:
    core, table = keep_to_one_core(), Table()
    for scene, both in programs:
        _say(f"{scene.name} on core {core}")
        for program in both:
            outcomes: dict[str, Outcome] = {}
            for _ in range(options.rounds):
                for setting, outcome in program.run(options.limit).items():
                    known = outcomes.setdefault(setting, outcome)
                    if known is not outcome:
                        known.join(outcome)
            for setting, outcome in outcomes.items():
                values = [program.values(state) for state in outcome.states]
                is_whole = not any(run.error for run in outcome.runs)
                wrong = scene.check(values) if is_whole else None
                table.add(scene.name, program.name, setting, outcome, wrong)
                run = table.rows[-1].run
                _say(
                    f"    {program.name} {setting}: {run.all:.3f} ms, at the end "
                    f"{run.last:.3f} ms, {run.points} points, {table.rows[-1].end}"
                )
    return table


def _rises(table: Table, folder: Path) -> list[str]:
    """A line for each curve; draws those of the bowl."""
    lines = []
    for family, counts in FAMILIES.items():
        curves = []
        for name, points in table.curves(family).items():
            steep = [f"power {exponent(points):.2f}"] if len(points) > 1 else []
            times = ", ".join(f"{count:g} {time:.3f}" for count, time in points)
            lines.append(", ".join([f"{family[:-1]}, {name}: {times} ms", *steep]))
            curves.append(Curve("\n".join([name, *steep]), points))
        if family == "bowl_" and curves:
            title = "A step of bodies that lie in a bowl"
            text = chart(title, "bodies", "ms", list(counts), curves)
            (folder / "worlds.svg").write_text(text)
    return lines


if __name__ == "__main__":
    sys.exit(main())
