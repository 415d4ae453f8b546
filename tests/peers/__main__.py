"""Compares generated robots with Pinocchio 4.1.0, on the robots of example-robot-data 6.0.0.

Every URDF file of the package goes through the derive in a small cargo project of its own below
target/peers/; the program is run at random states and its quantities are compared with
Pinocchio's: mass matrix, bias, Coriolis and gravity forces, inverse and forward dynamics,
energies, momentum, centre of mass, poses of all links, poses, Jacobians and J̇v of some frames,
integration; of a sample that is described with `kernels(all)` also the derivatives of inverse and
forward dynamics, M⁻¹, joint Jacobians, centroidal quantities and regressors; of three robots also
accelerations and impacts with their feet held, by every method. Robots with joints
that follow others are compared twice: with those joints moving on their own, as Pinocchio has them
by default, and following. A file that describes no robot has to be refused with the place in the
file. compare.py defines the errors.

ID and FD are the operations (+ - * / and roots) of inverse and forward dynamics; expansion is the
time of the derive, unoptimised; compile the time of cargo for the robot's crate alone. Exits with
1 if a robot fails.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from functools import partial

from catalogue import SAMPLE, Case, cases
from compare import BOUND, Verdict, judge
from coordinates import UnknownJoint, match, random_states
from held import held
from project import DEVELOPMENT, RELEASE, BuildFailure, RunFailure
from reference import Reference, UnknownLink, load
from requested import requested
from subject import Subject, prepare

STATES = 20
"""States at which each robot is compared."""

SEED = 20

SHOWN = 4
"""Quantities beyond the bound that are shown of each robot."""

COLUMNS = "{:<38} {:>4} {:>7} {:>7} {:>12} {:>9} {:>10}  {}"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    passed: bool
    note: str
    nv: int | None = None
    inverse: int | None = None
    forward: int | None = None
    expansion: float | None = None
    compile: float | None = None
    error: float | None = None

    def __str__(self) -> str:
        counts = (self.nv, self.inverse, self.forward)
        texts = ["-" if count is None else str(count) for count in counts]
        times = (self.expansion, self.compile)
        texts += ["-" if value is None else f"{value:.1f}" for value in times]
        texts.append("-" if self.error is None else f"{self.error:.1e}")
        return COLUMNS.format(
            self.name, *texts, self.note if self.passed else f"FAILED: {self.note}"
        )


def main() -> int:
    """Runs the comparison and returns the exit code."""
    options = _arguments()
    chosen = cases(options.robot or (list(SAMPLE) if options.sample else ["*"]))
    if not chosen:
        print("no robot of that name", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(case.name for case in chosen))
        return 0
    profile = DEVELOPMENT if options.dev else RELEASE
    prepare(profile)
    head = ("robot", "nv", "ID", "FD", "expansion ms", "compile s", "error", "largest error in")
    print(COLUMNS.format(*head))
    failures = 0
    for case in chosen:
        row = _row(Subject(case, profile))
        failures += not row.passed
        print(row, flush=True)
    print(f"{len(chosen) - failures} passed, {failures} failed")
    return 1 if failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="run.sh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("robot", nargs="*", help="name or pattern, such as solo12 or 'talos/*'")
    parser.add_argument(
        "--sample", action="store_true", help="the robots of continuous integration"
    )
    parser.add_argument("--dev", action="store_true", help="build without optimisation")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    return parser.parse_args()


def _row(subject: Subject) -> Row:
    """The outcome of one case, whatever it is."""
    try:
        return _compared(subject) if subject.case.accepted else _refused(subject)
    except BuildFailure as failure:
        return Row(subject.case.name, False, f"does not compile: {_first_error(str(failure))}")
    except (RunFailure, UnknownJoint, UnknownLink) as failure:
        return Row(subject.case.name, False, str(failure).strip() or "the program broke off")


def _compared(subject: Subject) -> Row:
    case = subject.case
    subject.project.write()
    expansion = subject.expansion_milliseconds()
    seconds = subject.project.build(subject.profile)
    description = subject.describe()
    model = load(case.robot)
    coordinates = match(model, description.joints, case.followers)
    states = random_states(description.joints, STATES, SEED)
    reference = Reference(model, coordinates, subject.frames, description.links)
    parts = []
    if case.complete:
        parts.append(partial(requested, reference, bodies=description.bodies))
    if case.feet:
        parts.append(partial(held, reference, case.feet))
    results = subject.evaluate(states)
    verdict = judge(reference, states, results, parts)
    return Row(
        case.name,
        verdict.passes,
        _note(verdict),
        description.nv,
        description.operations.get("inverse_dynamics"),
        description.operations.get("forward_dynamics"),
        expansion,
        seconds,
        verdict.worst[0].error,
    )


def _note(verdict: Verdict) -> str:
    """The quantity of the largest error, or the worst of those beyond the bound."""
    bad = [f"{d.quantity} {d.error:.1e}" for d in verdict.worst if not d.passes]
    if bad:
        rest = f" and {len(bad) - SHOWN} more" if len(bad) > SHOWN else ""
        return f"{', '.join(bad[:SHOWN])}{rest} above {BOUND:.0e}"
    note = verdict.worst[0].quantity
    return f"{note}; M is singular, as the typed error says" if verdict.singular else note


def _refused(subject: Subject) -> Row:
    """The derive has to point at a place in the file; Pinocchio has to refuse it too, if the file
    itself is at fault and not only its coupled joints."""
    case = subject.case
    if not case.robot.valid and not _peer_refuses(case):
        return Row(case.name, False, "Pinocchio accepts it")
    subject.project.write()
    try:
        subject.project.build(subject.profile)
    except BuildFailure as failure:
        place = rf"{re.escape(case.robot.path.name)}:\d+:\d+: .*"
        found = re.search(place, str(failure))
        text = found.group() if found else f"refused without a place: {_first_error(str(failure))}"
        return Row(case.name, found is not None, f"refused, {text}" if found else text)
    return Row(case.name, False, "accepted, expected to be refused")


def _peer_refuses(case: Case) -> bool:
    try:
        load(case.robot)
    except ValueError:
        return True
    return False


def _first_error(log: str) -> str:
    """The first line of an error message of the compiler; build.log has the rest."""
    lines = [line for line in log.splitlines() if line.startswith("error")]
    return lines[0] if lines else log.strip()[:200]


if __name__ == "__main__":
    sys.exit(main())
