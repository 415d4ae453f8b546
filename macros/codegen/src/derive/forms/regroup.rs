//! Inertial parameters regrouped: what of a body stands still in its parent becomes the parent's.
//!
//! A body is to the equations of motion its pseudo-inertia
//!
//! > J = ∫ (r, 1)(r, 1)ᵀ dm = [Σ h; hᵀ m],
//!
//! and a part of J in directions that its joint never moves (with P the projection on them, P J P)
//! is carried by the parent in the same way, whatever q is. Moved from the leaves to the root, it
//! leaves every force, momentum and kinetic energy as it is, and zeros behind: of ten parameters,
//! seven stay with a body that turns about an axis, m and h with one that slides. What comes to
//! the world vanishes, and with it goes a part of the potential energy, a constant and the height of
//! masses that no joint moves.
//!
//! Where P holds one direction a, Σ leaves a choice: I_aa alone cannot move, and adding x a aᵀ to Σ
//! changes the two other moments of inertia alike. Here nothing of Σ is left along a.
//!
//! Source: Gautier and Khalil, Direct Calculation of Minimum Set of Inertial Parameters of Serial
//! Robots (1990); the pseudo-inertia is that of Wensing, Kim, Slotine, Linear Matrix Inequalities for
//! Physically-Consistent Inertial Parameter Identification (2018).

use crate::derive::inertia::Moments;
use crate::derive::mechanism::{Body, Mechanism};

impl<'g> Mechanism<'g> {
    /// The same motion of bodies that have other masses.
    #[must_use]
    pub fn regrouped(&self) -> Self {
        let mut regrouped = self.clone();
        let bodies = &mut regrouped.bodies;
        for k in (0..bodies.len()).rev() {
            let still = bodies[k].still_moments();
            bodies[k].moments = bodies[k].moments - still;
            if let Some(parent) = bodies[k].parent {
                let (rotation, position) = &bodies[k].seat;
                let moved = still.placed(rotation, *position);
                bodies[parent].moments.add(moved);
            }
        }
        regrouped
    }
}

impl<'g> Body<'g> {
    /// P J P.
    fn still_moments(&self) -> Moments<'g> {
        let mut still = Moments::zero(self.moments.mass.graph());
        for &d in &self.still.directions {
            for &e in &self.still.directions {
                still.second += (d * d.dot(self.moments.second * e)).outer(e);
            }
        }
        if self.still.origin {
            still.mass = self.moments.mass;
            let along = self.still.directions.iter().map(|&d| d * d.dot(self.moments.first));
            along.for_each(|h| still.first += h);
        }
        still
    }
}
