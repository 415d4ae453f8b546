"""Fits the order in which formulations of contact converge, in five scenes whose end is known in
closed form: a point that slides to rest, that lands on the run, that slides down an incline, that
swings on a spring with friction, and a ball that slips until it rolls.

Formulations with Coulomb's law as their limit, their parameters shrinking with the step, are run
with steps from 20 ms to 0.3 ms in a crate that is built as users build theirs. Standard output is
CSV with the errors of the position after a second, m, and the order that is fitted by least
squares to those of the five smallest steps. The largest error of the five scenes is drawn to
target/convergence.svg. Exits with 1 if an order is below the bound: all steps are of first order.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from chart import Curve, chart
from project import JOURDAIN, RELEASE, ROOT, Project
from simulators import HERE as CONTACT

HERE = CONTACT.parent / "convergence"

FITTED = 5
"""How many steps, the smallest, an order is fitted to."""

BOUND = 0.9
"""The least order."""

Errors = dict[str, dict[str, list[tuple[float, float]]]]
"""By scene and formulation, steps per second and errors."""


def main() -> int:
    """Builds, runs, fits and draws; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--docs", action="store_true", help="draw to docs/convergence.svg instead")
    folder = ROOT / ("docs" if parser.parse_args().docs else "target")
    crate = Project("convergence", JOURDAIN, (HERE / "convergence.rs").read_text())
    crate.write(anew=False)
    crate.build(RELEASE)
    errors: Errors = {}
    for scene, formulation, rate, error in crate.run(RELEASE):
        points = errors.setdefault(scene, {}).setdefault(formulation, [])
        points.append((float(rate), float(error)))
    low = _print(errors)
    (folder / "convergence.svg").write_text(_draw(errors))
    for line in low:
        print(line, file=sys.stderr)
    return 1 if low else 0


def _print(errors: Errors) -> list[str]:
    """Prints the table; returns what converges too slowly."""
    rates = [f"{rate:.0f}" for rate, _ in next(iter(next(iter(errors.values())).values()))]
    print(",".join(["scene", "formulation", *rates, "order"]))
    low = []
    for scene, formulations in errors.items():
        for formulation, points in formulations.items():
            order = _order(points)
            numbers = ",".join(f"{error:.1e}" for _, error in points)
            print(f"{scene},{formulation},{numbers},{order:.2f}")
            if not order >= BOUND:
                low.append(f"{scene}, {formulation}: of order {order:.2f}")
    return low


def _order(points: list[tuple[float, float]]) -> float:
    """p of error ~ hᵖ, of the smaller steps."""
    rate, error = np.log(np.array(points[-FITTED:])).T
    return -float(np.polyfit(rate, error, 1)[0])


def _draw(errors: Errors) -> str:
    """A picture with a curve for all formulations whose errors are the same."""
    curves: dict[tuple[str, ...], Curve] = {}
    for formulation in next(iter(errors.values())):
        series = [errors[scene][formulation] for scene in errors]
        worst = [(at[0][0], max(error for _, error in at)) for at in zip(*series, strict=True)]
        name = f"{formulation}, order {_order(worst):.2f}"
        same = tuple(f"{error:.1e}" for _, error in worst)
        names = f"{curves[same].name}\n{name}" if same in curves else name
        curves[same] = Curve(names, worst)
    ticks = [round(rate) for rate, _ in worst]
    title = "Largest error of five scenes with a known end"
    return chart(title, "steps per second", "m", ticks, list(curves.values()))


if __name__ == "__main__":
    sys.exit(main())
