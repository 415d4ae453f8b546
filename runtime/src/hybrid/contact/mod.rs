//! A robot in contact, event-driven: smooth motion in modes of its contacts, and what happens between them.
//!
//! > M(q) v̇ + C v − τ_g = B u + τ_p + Hᵀ λ_h + Jᵀ λ
//!
//! A [`Mode`] says of each contact whether it is open, sticks or slides, and of each limit of coordinates or declared limit
//! whether it is reached; declared constraints hold in all. Within a mode accelerations and forces are the solution of
//! linear equations, M v̇ = f + Gᵀ λ + friction and G v̇ = g:
//!
//! | part | rows that hold | friction | guards |
//! |---|---|---|---|
//! | open | | | its gap φ |
//! | [let through](HybridSimulation::passing) | | | −φ |
//! | sticks | normal and tangents | what these need | λ_n, and the margin μ λ_n − ‖λ_t‖ |
//! | slides along s | normal | −μ λ_n s | λ_n, and its speed |
//! | limit that is reached | its row | | λ |
//! | all that slides | | | det(1 + K), which friction makes zero where nothing can resist it |
//!
//! so that λ_n and margin fall through zero where the contact lifts off and where it begins to slip. Rows ask for what
//! the error of integration leaves of their gap φ and rate to die out, φ̈ = −2α φ̇ − α² φ; where there is none, nothing
//! is added.
//!
//! # Redundant contacts
//!
//! Where rows depend on one another, as those of four feet on a plane, λ is the smallest of the forces with the same effect, or
//! the nearest to it within the cones. v̇ is the same with all of them, unless what slides is redundant: friction of the
//! share that each has then moves it, and that is a choice. Then no single force tells when something gives way. As
//! long as any forces within the cones can hold what is closed all holds, and the mode ends where none can any more, at the
//! edge of all cones that share the load. What is determined within a redundant mode has guards of its own.
//!
//! # Events
//!
//! 1. What touches down makes an [impact](crate::impact) with all that touches.
//! 2. What does not move apart is closed, and slides if it slips.
//! 3. Normals, and the tangents of what does not slip, obey complementarity and Coulomb's law in accelerations,
//!    0 ≤ λ_n ⟂ n v̇ + ṅ v ≥ 0 and ‖λ_t‖ ≤ μ λ_n against the acceleration along the tangents, as one problem ([`cone`](crate::cone)): so a
//!    force of which alone nothing follows decides nothing, and what begins to slip has its direction.
//! 4. What slides and has no acceleration, or is about to have none, as friction presses it into what it slides on, makes an
//!    impact without collision, which ends the slip (Painlevé's paradox), or opens where forces are finite up to there.
//! 5. Forces and margins that have just fallen to zero leave both modes possible in that problem, and the mode ends.
//!
//! What is not told from zero, gaps and speeds of what is closed, is made zero where a mode begins, by the least motion in the
//! metric of M. Impacts that follow one another infinitely often ([`Accumulation`](super::Accumulation)) end in another one,
//! from which nothing rebounds that would not be resolved, and so in rest.
//!
//! # Loops
//!
//! Declared constraints are put right after each step, to rounding. Their singular positions, such as dead centres, are passed
//! along the branch that the motion is on; where it rests in one, or is so slow that forces decide, the run ends in
//! [`SingularPosition`](ContactError::SingularPosition).
//!
//! # Limits
//!
//! Rigid bodies with Coulomb's law have accelerations in most states, and not in all: where an impact without collision does
//! not lead to one that has, the run ends in [Painlevé's paradox](ContactError::Painleve). Slip in space that begins or ends at zero turns towards where it is driven
//! infinitely fast: [`stiff`](HybridSimulation::stiff) integration follows that in few steps. Contact between
//! solids that are no spheres, torsional friction, rolling resistance and dry friction of joints are [`Simulation`](crate::Simulation)'s.
//!
//! # Source
//!
//! Pfeiffer, Glocker: Multibody Dynamics with Unilateral Contacts (1996), chapters 6 to 8; Lötstedt: Coulomb Friction in
//! Two-Dimensional Rigid Body Systems (1981), for accelerations as a complementarity problem; Génot, Brogliato: New Results on
//! Painlevé Paradoxes (1999); Baumgarte: Stabilization of Constraints and Integrals of Motion in Dynamical Systems
//! (1972).

mod blow;
mod decide;
mod derivatives;
mod driven;
mod duals;
mod ended;
mod equations;
mod error;
mod guard;
mod jam;
mod jolt;
mod jump;
mod keep;
mod machine;
mod mark;
mod memory;
mod mode;
mod moving;
mod parts;
mod pass;
mod press;
mod refute;
mod reserve;
mod resolution;
mod restore;
mod rows;
mod sample;
mod settle;
mod setup;
mod share;
mod simulation;
mod start;
mod typed;

pub use error::ContactError;
pub use guard::Guard;
pub use mode::{Mode, Touch};
pub use simulation::HybridSimulation;
pub use typed::InContact;
