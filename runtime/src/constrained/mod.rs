//! Motion under bilateral constraints.
//!
//! > M v̇ + C v − τ_g = τ + Hᵀ λ,  H v̇ = g,
//!
//! where the rows of H are those of the declared constraints and of contacts and frames that are held,
//! and g is what each row asks for: with its bias b (what of ḧ does not depend on v̇), its prescribed
//! acceleration a and its rate α of stabilisation (Baumgarte),
//!
//! > g = a − b − 2α ḣ − α² h,  or  g = a − b − α h_v  for a row of velocities.
//!
//! In an impact M (v⁺ − v⁻) = Hᵀ Λ, and each row has the velocity that is prescribed, less e times the
//! one it had. Where H loses rank, λ is the smallest in the sense of least squares, and where rows
//! contradict one another they are satisfied in that sense. Redundant rows depend on one another only where
//! all constraints are satisfied; at a distance of up to 1e-2 from there (m or rad, |h| by the length of its
//! row) a row counts as independent if ten times that distance of it is its own.
//!
//! ```
//! use jourdain::constrained::Constrained;
//! use jourdain::prelude::*;
//! use nalgebra::vector;
//!
//! /// A bead on a vertical ring of one metre.
//! #[derive(Robot)]
//! #[robot(
//!     link(slide, massless),
//!     joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
//!     link(bead, mass = 2),
//!     joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
//!     rod(ring, a = world, b = bead, length = 1),
//! )]
//! struct Bead;
//!
//! let mut bead = Constrained::new(Bead);
//! let (q, v) = (vector![1.0, 0.0], vector![0.0, 3.0]);
//! let v_dot = bead.forward_dynamics(&q, &v, &vector![0.0, 0.0], 0.0)?;
//! assert!((v_dot - vector![-9.0, -9.81]).norm() < 1e-12);
//! assert!((bead.multipliers()[0] + 18.0).abs() < 1e-12);
//! # Ok::<(), jourdain::constrained::Error>(())
//! ```
//!
//! An integrator of one's own starts on the constraints and comes back to them after each step:
//!
//! ```
//! # use jourdain::constrained::{Assembly, Constrained};
//! # use jourdain::prelude::*;
//! # use nalgebra::vector;
//! # /// A bead on a vertical ring of one metre.
//! # #[derive(Robot)]
//! # #[robot(
//! #     link(slide, massless),
//! #     joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
//! #     link(bead, mass = 2),
//! #     joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
//! #     rod(ring, a = world, b = bead, length = 1),
//! # )]
//! # struct Bead;
//! let mut bead = Constrained::new(Bead);
//! let (h, tau) = (1e-3, vector![0.0, 0.0]);
//! let mut q = bead.assemble(&vector![0.8, 0.7], Assembly::Weights(&[1.0, 1.0]), 0.0)?.value;
//! let mut v = bead.assemble_velocity(&q, &vector![0.0, 1.0], Assembly::Mass, 0.0)?.value;
//! for k in 0..1000 {
//!     let t = k as f64 * h;
//!     let half = v + bead.forward_dynamics(&q, &v, &tau, t)? * (h / 2.0);
//!     let middle = bead.robot().integrate(&q, &(v * (h / 2.0)));
//!     let v_dot = bead.forward_dynamics(&middle, &half, &tau, t + h / 2.0)?;
//!     let (next, faster) = (bead.robot().integrate(&q, &(half * h)), v + v_dot * h);
//!     (q, v) = bead.project(&next, &faster, t + h)?;
//! }
//! assert!((q.norm() - 1.0).abs() < 1e-12);
//! # Ok::<(), jourdain::constrained::Error>(())
//! ```
//!
//! # Source
//!
//! Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 8 and 11; Baumgarte, Stabilization of
//! Constraints and Integrals of Motion in Dynamical Systems (1972).

mod anchor;
mod anchored;
mod assembly;
mod closure;
mod distance;
mod dynamics;
mod error;
mod generated;
mod held;
mod hold;
mod holding;
mod inverse;
mod nearest;
mod newton;
mod place;
mod projected;
mod projection;
mod reach;
mod root;
mod saddle;
mod singular;
mod solving;
mod straight;
mod values;
mod vanishing;

use crate::kkt::{Method, Report};
use crate::model::{HeldTable, Model, Prepared};
use crate::space::Storage;

pub use anchor::Anchor;
pub use assembly::{Assembled, Assembly};
pub use error::Error;
pub use hold::Hold;
pub use inverse::{Actuation, Support};
pub use projected::Projection;

pub(crate) use closure::Closure;
pub(crate) use distance::{first_missed, rank_threshold, reaches, violated};
pub(crate) use held::Rows;
pub(crate) use singular::{
    AT, REST, Singular, comes_through, is_redundant, nearest_singular, singular_at,
};
pub(crate) use solving::Core;
pub(crate) use straight::{BESIDE, NEAR, Pace, ROUNDING, STEPS, Straight};

/// A robot under its constraints, with all the room that their solution needs.
#[derive(Clone, Debug)]
pub struct Constrained<M: Model> {
    model: Prepared<M>,
    core: Core,
}

impl<M: Model> Constrained<M> {
    /// All declared constraints hold; contacts and frames do not.
    pub fn new(robot: M) -> Self {
        let model = robot.prepare();
        let core = Core::new(model.as_data(), HeldTable::of::<M>());
        Self { model, core }
    }

    /// Solves by another method; [`Method::Adaptive`] unless stated.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.core.set_method(method);
        self
    }

    /// The robot.
    pub fn robot(&self) -> &M {
        self.model.robot()
    }

    /// Number of rows that hold now.
    pub fn rows(&self) -> usize {
        self.core.rows.count()
    }

    /// The multipliers λ of the last accelerations, in N or N m, or the impulses Λ of the last impact:
    /// a number for each row, those of constraints ([`first`](crate::description::Constraint::first) if all
    /// hold), then of contacts (normal, then both
    /// [tangents](crate::description::ContactParameters::tangents)), then of frames (force, then moment, on
    /// the robot in axes of the world), each in the order of declaration. Empty before the first solution, and after what holds has changed.
    pub fn multipliers(&self) -> &[f64] {
        self.core.multipliers()
    }

    /// What the last solution is worth; none where [`multipliers`](Self::multipliers) are empty. That of
    /// generated code is judged here and now, by the equations that it solves, which takes longer than the
    /// solution did.
    pub fn report(&mut self) -> Option<Report> {
        self.core.report(self.model.as_data())
    }

    /// Hᵀ λ of the last solution: the generalised force or impulse of all rows; zero without one.
    pub fn constraint_force(&mut self) -> M::V {
        let mut force = M::V::zeros();
        self.core.add_constraint_force(self.model.as_data(), force.as_mut_slice());
        force
    }
}
