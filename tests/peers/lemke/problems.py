"""Random complementarity problems, w = M z + q, w ≥ 0, z ≥ 0, wᵀ z = 0."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Problem = tuple[np.ndarray, np.ndarray]
"""M and q."""

SIDES = 4
"""Of the polygon of friction."""

COUPLING = 0.1
"""How much a coordinate of one point moves with each of another's."""


def definite(size: int, rng: np.random.Generator) -> Problem:
    """M = A Aᵀ + ¹⁄₁₀, symmetric and positive definite; half of z is positive."""
    a = rng.uniform(-1.0, 1.0, (size, size))
    return a @ a.T + 0.1 * np.eye(size), rng.uniform(-1.0, 1.0, size)


def contact(size: int, rng: np.random.Generator) -> Problem:
    """A step of Stewart and Trinkle with as many points as coordinates allow, which are coupled.

    > M = [A_nn A_nd 0; A_dn A_dd 1; μ −1ᵀ 0],  z = (λ, β, σ), copositive
    """
    points = size // (2 + SIDES)
    coordinates = 3 * points
    rows = np.eye(coordinates) + rng.normal(scale=COUPLING, size=(coordinates, coordinates))
    normals, tangents = rows[:points], rows[points:].reshape(points, 2, coordinates)
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    directions = np.einsum("kt,ptc->pkc", around, tangents).reshape(-1, coordinates)
    rows = np.vstack([normals, directions])
    group = np.kron(np.eye(points), np.ones((SIDES, 1)))
    friction = np.diag(rng.uniform(0.0, 1.0, points))
    m = np.zeros((size, size))
    m[: len(rows), : len(rows)] = rows @ rows.T
    m[points : len(rows), len(rows) :] = group
    m[len(rows) :, :points] = friction
    m[len(rows) :, points : len(rows)] = -group.T
    q = np.zeros(size)
    velocity = rng.normal(size=coordinates)
    q[: len(rows)] = rows @ velocity
    return m, q


KINDS: dict[str, tuple[Callable[[int, np.random.Generator], Problem], tuple[int, ...]]] = {
    "positive definite": (definite, (24, 100, 200)),
    "contact": (contact, (24, 102, 198)),
}
"""How problems of each kind are made, and their sizes: of contacts, multiples of six."""
