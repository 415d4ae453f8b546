//! What solves steps, in storage that is allocated once.

use alloc::vec;
use alloc::vec::Vec;

use super::candidate::{Candidate, Explicit};
use super::chains::{Beginning, Chains};
use super::compression::Compression;
use super::coordinates::Coordinates;
use super::declared::Declared;
use super::displacement::Overlap;
use super::dynamics::Dynamics;
use super::free_bodies::FreeBodies;
use super::limit::{self, Dry, Spans};
use super::motor::Motors;
use super::newton::{ByRows, Newton};
use super::pairs::Pairs;
use super::parameter::check;
use super::problem::Problem;
use super::range::Range;
use super::rows::Rows;
use super::solver::TOLERANCE;
use super::solvers::Solvers;
use super::springs::Springs;
use super::together::Together;
use super::turning::Turning;
use super::yielding::Yielding;
use super::{Error, Impulse};
use crate::description::{ContactParameters, Joint};
use crate::manifold;
use crate::model::{Robot, Table};

/// Solves steps of a robot in storage that is allocated once.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(super) table: &'static Table,
    pub(super) contacts: Vec<ContactParameters>,
    pub(super) spans: Spans,
    pub(super) dry_friction: Vec<Dry>,
    pub(super) motors: Motors,
    pub(super) explicit: Explicit,
    pub(super) dynamics: Dynamics,
    pub(super) candidates: Vec<Candidate>,
    pub(super) rows: Rows,
    pub(super) problem: Problem,
    pub(super) solvers: Solvers,
    pub(super) compression: Compression,
    pub(super) together: Together,
    pub(super) coordinates: Coordinates,
    /// Newton's method for velocities, of trees that it suits.
    pub(super) newton: Option<Newton>,
    pub(super) by_rows: ByRows,
    /// ṽ, the generalised force and what is added to the inertia of each coordinate, (nv).
    pub(super) carried: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) added: Vec<f64>,
    /// Room for a generalised impulse, (nv).
    pub(super) room: Vec<f64>,
    /// Along the rows.
    pub(super) impulses: Vec<f64>,
    /// The generalised impulse of all that acts, (nv), where it has no rows; else empty. Of a tree without that of its contacts.
    pub(super) pushed: Vec<f64>,
    /// Of each candidate in the rows, if it is a contact, which, and how many rows it has.
    pub(super) listed: Vec<Option<(usize, usize)>>,
    /// Rows of contacts, which are the first ones.
    pub(super) contact_rows: usize,
    pub(super) velocity: Vec<f64>,
    pub(super) impulse: Impulse,
    /// The largest residual that steps shall have.
    pub(super) tolerance: f64,
    /// The largest error of a bilateral constraint at the end of the step.
    pub(super) violation: f64,
    /// Whether steps start from the impulses of the last one.
    pub(super) is_warm: bool,
    /// What solvers start from: that of the last step, or of this one's last problem.
    pub(super) start: Impulse,
    /// Those of the model, [merged](manifold::merge).
    pub(super) joints: Vec<Joint>,
    pub(super) free_bodies: FreeBodies,
    pub(super) overlap: Overlap,
    pub(super) chains: Chains,
    /// The joints of all but free bodies, merged.
    pub(super) others: Vec<Joint>,
    /// Of the corrections of a step, those that left the least error.
    pub(super) best: (Vec<f64>, Impulse),
}

impl Core {
    /// Reads friction, restitution, limits and shapes from the robot, once.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Pair`] name a shape that is no solid, or a pair that cannot touch.
    pub(crate) fn new(robot: Robot<'_>) -> Result<Self, Error> {
        let coordinates = robot.coordinate_parameters();
        let free_bodies = FreeBodies::new(robot);
        let table = robot.table();
        let mut dynamics = Dynamics::new(robot);
        Ok(Self {
            table,
            contacts: robot.contact_parameters(),
            spans: Spans::new(robot.joints, &coordinates),
            motors: Motors::new(table),
            dry_friction: limit::dry_friction(robot.joints, &coordinates),
            explicit: Explicit {
                declared: Declared::new(table),
                pairs: Pairs::new(robot)?,
                turning: Turning::new(robot),
                yielding: Yielding::new(table),
                springs: Springs::new(robot),
            },
            newton: Newton::new(dynamics.tree().as_deref()),
            by_rows: ByRows::default(),
            dynamics,
            candidates: Vec::new(),
            rows: Rows::default(),
            problem: Problem::default(),
            solvers: Solvers::default(),
            compression: Compression::new(table),
            together: Together::new(table, &robot.contact_parameters()),
            coordinates: Coordinates::new(robot),
            carried: vec![0.0; table.nv],
            force: vec![0.0; table.nv],
            added: vec![0.0; table.nv],
            room: vec![0.0; table.nv],
            impulses: Vec::new(),
            pushed: Vec::new(),
            listed: Vec::new(),
            contact_rows: 0,
            velocity: vec![0.0; table.nv],
            impulse: Impulse::zeros_of(table),
            tolerance: TOLERANCE,
            violation: 0.0,
            is_warm: true,
            start: Impulse::zeros_of(table),
            joints: manifold::merge(robot.joints),
            others: manifold::merge(&free_bodies.others(robot.joints)),
            free_bodies,
            overlap: Overlap::new(table),
            chains: Chains::new(table),
            best: (vec![0.0; table.nv], Impulse::zeros_of(table)),
        })
    }

    /// Has solvers of cones aim at steps of another [`Residual::max`](super::Residual::max), which is 1e-9 unless stated.
    /// Those of polygons and pyramids end with what rounding leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless it is finite and greater than zero.
    pub(crate) fn tolerance(&mut self, tolerance: f64) -> Result<(), Error> {
        self.tolerance = check("tolerance", tolerance, Range::Positive)?;
        Ok(())
    }

    /// Begins a step, whose points are as far away as the velocities of its beginning lead.
    pub(crate) fn begin_points(&mut self) {
        self.explicit.pairs.begin();
    }

    /// v⁺ of the last step, as the typed [`Stepper`](super::Stepper) says.
    pub(crate) fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Writes where the last step leads, as [`Stepper::end`](super::Stepper::end) says.
    #[inline(always)]
    pub(crate) fn write_end(
        &mut self,
        robot: Robot<'_>,
        q: &[f64],
        step_size: f64,
        (q_end, v_end): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        let displaced = self.overlap.displaced(self.table, q);
        let begin = Beginning { q, from: displaced, w: &self.velocity };
        let from = (begin.from.unwrap_or(q), &self.velocity[..]);
        let to = (&mut *q_end, &mut *v_end);
        if self.free_bodies.turn() {
            self.free_bodies.check(step_size, from.1)?;
            manifold::move_from(&self.others, step_size, from, (&mut *to.0, &mut *to.1));
            self.free_bodies.move_from(step_size, from, to);
        } else {
            manifold::move_from(&self.joints, step_size, from, to);
        }
        self.chains.write_end(robot, step_size, begin, (q_end, v_end))
    }

    /// Λ of the last step; the axes of contacts are those of
    /// [`contact_parameters_at`](Model::contact_parameters_at) where it began.
    pub(crate) fn impulse(&self) -> &Impulse {
        &self.impulse
    }

    /// φ of the contacts at the beginning of the last step.
    pub(crate) fn gaps(&self) -> &[f64] {
        self.dynamics.gap()
    }

    /// The deepest penetration of a contact at the beginning of the last step, m; 0 if there is none.
    #[inline(always)]
    pub(crate) fn penetration(&self) -> f64 {
        self.dynamics.penetration()
    }

    /// What the mean velocity of the last step has beside v⁺, (nv), if chains moved by the leapfrog.
    pub(crate) fn offset(&self) -> Option<&[f64]> {
        self.chains.is_used().then(|| self.chains.offset())
    }

    /// v_free of the last step, (nv): that of all but impulses.
    pub(crate) fn free_velocity(&self) -> &[f64] {
        self.dynamics.free()
    }

    /// ṽ of the last step, (nv).
    pub(crate) fn carried(&self) -> &[f64] {
        &self.carried
    }

    /// What a velocity has of chains, but for how fast they float.
    pub(crate) fn of_joints(&self, v: &[f64]) -> Vec<f64> {
        let counts = self.chains.counts();
        self.part(v, |i| counts.get(i).copied().unwrap_or(0.0))
    }

    /// What a velocity has of chains.
    pub(crate) fn of_chains(&self, v: &[f64]) -> Vec<f64> {
        let belongs = self.chains.belongs();
        self.part(v, |i| f64::from(belongs.get(i) == Some(&true)))
    }

    /// A velocity times the shares of its coordinates.
    fn part(&self, v: &[f64], share: impl Fn(usize) -> f64) -> Vec<f64> {
        v.iter().enumerate().map(|(i, v)| v * share(i)).collect()
    }

    /// Whether chains moved by the leapfrog in the last step.
    pub(crate) fn moves_chains(&self) -> bool {
        self.chains.is_used()
    }

    /// Forgets the last step, from whose impulses and bases the next one would start.
    pub(crate) fn forget(&mut self) {
        self.compression.forget(&mut self.impulse);
        self.impulse.clear();
        self.together.forget();
        self.coordinates.forget();
        self.solvers.forget();
        self.chains.forget();
        if let Some(newton) = &mut self.newton {
            newton.forget();
        }
    }

    /// Whether steps start from the impulses of the last one, as they do if nothing is said.
    #[inline]
    pub(crate) fn warm_start(&mut self, is_warm: bool) {
        self.is_warm = is_warm;
    }
}
