"""Times whole steps with contact against MuJoCo 4.0.0: kinematics, inertia, detection, solution,
integration and, in ours, the check of the solution.

Robots stand on spheres, held by servos, boxes lie on level ground, and an arm presses on a wall, with
the same masses, solids, friction and step of 1 ms in both programs. What a name has after that of a
robot says what acts beside feet and forces that are inputs: `servos` that are motors (position
actuators there) within their efforts; `rubbing`, dry friction at the joints; `all`, both, and limits,
of which two press; `others`, all of it and twelve contacts at trunk and knees, which do not touch;
`fallen`, the same on its side. A force that ripples
leaves no step like the last; scenes are timed at rest and kicked, with solvers that start from
the last step or cold. Ours is `Simulation::step` by every formulation, in crates that a plain
`cargo build --release` builds; MuJoCo's is `mj_step` with Newton's method and both cones, dense
and sparse Jacobian, with and without islands, and without all that the scenes have nothing of
(mujoco.cpp names it). Before they are timed both have to rest alike: on as many contacts, with
the weight on them, at the same height to 1 mm, with the same forces of servos to 2 % and what dry
friction holds. All run on one core in turns; figures are median
steps of the round that was disturbed least, and minima. When kicked, bodies slide, and convex
forms, MuJoCo's among them, lift what slides: they have fewer contacts then, as the table says.

Standard output is CSV and then lines with the smallest ratios to goals, by how much what acts beside
makes steps slower, and geometric means; ratio is MuJoCo's
fastest setting, of either start, by the row's own. `--drake` adds Drake's discrete plant with
TAMSI, whose servos do not ripple (tamsi.py). `--contacts` does so for one body on 4 to 400
contacts, prints how they rise and draws docs/contacts.svg. The target folder keeps the CSV as
peers/contact/contact.csv. All else goes to standard error, among it steps of ours that failed,
which are not timed. Exits with 1 if the programs do not simulate the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

import drakes
import growth
from blocks import box_4, box_8
from compiler import Build, built
from project import RELEASE, ROOT, BuildFailure, keep_to_one_core
from scenes import Scene
from simulators import FOLDER, HERE, Simulator, mujoco_simulator, own_simulator, project, weight
import standing
from subject import DEPENDENCIES
from table import Table, disagreements, summary

ROUNDS = 8
GRID_ROUNDS, GRID_SECONDS = 3, 0.15
SECONDS = 0.05
"""Time for one variant of one program in one round."""

QUICK_SECONDS = 0.002

SCENES: dict[str, Callable[[int], Scene]] = {
    **{name: partial(standing.standing, name) for name in standing.SCENES},
    "box_4": box_4,
    "box_8": box_8,
}
"""By name, from the number of sides of polygons."""


def main() -> int:
    """Builds, compares, times and prints; returns the exit code."""
    options = _arguments()
    if options.contacts:
        return _grow(options)
    names = options.scene or (["solo12"] if options.quick else list(SCENES))
    if unknown := set(names) - set(SCENES):
        print(f"unknown: {', '.join(unknown)}", file=sys.stderr)
        return 2
    try:
        scenes = [SCENES[name](options.sides) for name in names]
        simulators = _build(scenes)
    except BuildFailure as failure:
        print(failure, file=sys.stderr)
        return 1
    if options.drake:
        drakes.install()
        for scene, programs in simulators.values():
            programs += [drakes.simulator(scene)] if scene.balls else []
    if not _rest_alike(simulators):
        return 1
    seconds = QUICK_SECONDS if options.quick else SECONDS
    table = _time(simulators, 1 if options.quick else options.rounds, seconds)
    text = table.csv()
    (FOLDER / "contact.csv").write_text(text)
    print(text, end="")
    print(summary(table))
    return 0


def _grow(options: argparse.Namespace) -> int:
    """Times grids of contacts, one after the other, prints and draws; returns the exit code."""
    table = Table()
    failures: list[str] = []
    wrong: list[str] = []
    rounds, seconds = (1, QUICK_SECONDS) if options.quick else (GRID_ROUNDS, GRID_SECONDS)
    for scene in growth.scenes(options.sides):
        try:
            [(_, simulators)] = _build([scene]).values()
        except BuildFailure as failure:
            print(failure, file=sys.stderr)
            return 1
        keep_to_one_core()
        failed, different = growth.measure(scene, simulators, rounds, seconds, table)
        failures += failed
        wrong += different
        _say(f"{scene.name}: timed")
    for failure in failures:
        _say(f"failed: {failure}")
    for line in wrong:
        _say(f"not the same: {line}")
    print(table.csv(), end="")
    print("\n".join(growth.draw(table, ROOT / "docs" / "contacts.svg")))
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
        "--sides", type=int, default=4, help="of polygons of friction; 4 unless given"
    )
    parser.add_argument(
        "--contacts", action="store_true", help="4 to 400 contacts of one body, drawn into docs/"
    )
    parser.add_argument(
        "--drake",
        action="store_true",
        help="Drake 1.51.1 with TAMSI too, where contacts are spheres",
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help=f"how often all is timed; {ROUNDS} unless given"
    )
    parser.add_argument(
        "--quick", action="store_true", help="one short round of solo12: a test of this program"
    )
    return parser.parse_args()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


Simulators = dict[str, tuple[Scene, list[Simulator]]]


def _build(scenes: list[Scene]) -> Simulators:
    """The programs of each scene."""
    [peer] = built(Build("mujoco", source=HERE))
    DEPENDENCIES.write(anew=False)
    DEPENDENCIES.build(RELEASE)
    simulators = {}
    for scene in scenes:
        crate = project(scene)
        crate.write(anew=False)
        _say(f"{scene.name}: compiled in {crate.build(RELEASE):.1f} s")
        simulators[scene.name] = scene, [own_simulator(scene), mujoco_simulator(scene, peer)]
    return simulators


def _rest_alike(simulators: Simulators) -> bool:
    wrong = []
    for scene, programs in simulators.values():
        results = {program.name: program.run(0.0) for program in programs}
        facts = {name: result.facts for name, result in results.items()}
        heavy = weight(scene)
        _say(f"{scene.name} at rest, weight {heavy:.4f} N: height, normal force, contacts")
        for program, settings in facts.items():
            for setting, fact in settings.items():
                numbers = f"{fact.height:.6f} m, {fact.force:.4f} N, {fact.contacts}"
                _say(f"    {program} {setting}: {numbers}")
        for line in (line for result in results.values() for line in result.failures):
            _say(f"    failed: {line}")
        wrong += disagreements(scene, heavy, facts)
    for line in wrong:
        _say(f"not the same: {line}")
    return not wrong


def _time(simulators: Simulators, rounds: int, seconds: float) -> Table:
    core = keep_to_one_core()
    table = Table()
    failures: dict[str, None] = {}
    for turn in range(rounds):
        _say(f"round {turn + 1} of {rounds} on core {core}")
        for scene, (_, programs) in simulators.items():
            for program in programs:
                result = program.run(seconds)
                table.add(scene, program.name, result)
                failures |= {f"{scene}, {line}": None for line in result.failures}
    for failure in failures:
        _say(f"failed: {failure}")
    return table


if __name__ == "__main__":
    sys.exit(main())
