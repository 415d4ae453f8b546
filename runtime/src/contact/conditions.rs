//! What holds during a step besides the robot: the law of contact, motors and softness.

use alloc::vec::Vec;

use super::depth;
use super::parameter;
use super::range::Range;
use super::{Approach, Demand, Error, Formulation, Ground, Motor, Restitution, Softness, Todorov};

/// The law of contact and what is set at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// What contact is.
    pub formulation: Formulation,
    /// How contacts spring back.
    pub restitution: Restitution,
    /// Motors and the velocity coordinates that they drive, one each at most.
    pub motors: Vec<(usize, Motor)>,
    /// Contacts that are not rigid.
    pub soft_contacts: Vec<(usize, Softness)>,
    /// Velocity coordinates whose limits are not rigid.
    pub soft_limits: Vec<(usize, Softness)>,
    /// Declared constraints that are not rigid.
    pub soft_constraints: Vec<(usize, Softness)>,
    /// What shapes touch, beside each other.
    pub ground: Option<Ground>,
    /// How near solids are at least whose points are looked for, beyond what they come nearer in a step at the
    /// velocities they have, m.
    pub margin: f64,
    /// The share of a penetration, or of what a limit is passed by, that a step puts right, from 0 to 1: by velocities no
    /// faster than it came, and else by a displacement without a velocity. What is soft has a share of its own.
    pub recovery: f64,
    /// Whether chains of bodies, and what constraints of positions tie, move by the generalised leapfrog, which leaves their
    /// energy without trend; else, and beside soft constraints and those of velocities, and where a step does not resolve a
    /// spring, h² k j M⁻¹ jᵀ > 1, the Coriolis force of a step is that at its beginning, and their energy drifts.
    pub symplectic: bool,
    /// The trend that the energy of chains may have without the leapfrog, 1/s of itself; at least zero, or infinite. It is about h v²
    /// of the fastest coordinate, how fast bodies float aside. A step in which that is more is one of the leapfrog. It counts where
    /// [`symplectic`](Self::symplectic) is false.
    pub energy_drift: f64,
    /// Whether bodies that turn freely and carry nothing keep their energy and momentum while they turn; else the gyroscopic
    /// moment of a step is that at its beginning, and makes them gain energy.
    pub free_rotation: bool,
}

impl Default for Conditions {
    /// Coulomb's law with nothing set; 1 cm of margin, no penetration at the end of a step, and Coriolis forces at its
    /// beginning but for bodies that turn freely.
    fn default() -> Self {
        Self {
            formulation: Formulation::default(),
            restitution: Restitution::default(),
            motors: Vec::new(),
            soft_contacts: Vec::new(),
            soft_limits: Vec::new(),
            soft_constraints: Vec::new(),
            ground: None,
            margin: 0.01,
            recovery: 1.0,
            symplectic: false,
            energy_drift: f64::INFINITY,
            free_rotation: true,
        }
    }
}

impl Conditions {
    /// A formulation, and nothing else.
    #[inline]
    pub fn of(formulation: Formulation) -> Self {
        Self { formulation, ..Self::default() }
    }

    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor, the margin, the recovery or the drift; [`Error::NotOffered`] of a restitution that
    /// the formulation has not.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        let is_plain = self.restitution == Restitution::Newton && self.motors.is_empty();
        if is_plain
            && Range::NotNegative.contains(self.margin)
            && Range::Share.contains(self.recovery)
            && Range::AtLeastZero.contains(self.energy_drift)
        {
            return Ok(());
        }
        self.check_each()
    }

    /// Whatever chains do, forces of turning are those at the beginning.
    pub(crate) fn move_explicitly(&mut self) {
        (self.symplectic, self.energy_drift) = (false, f64::INFINITY);
    }

    /// The trend of energy beyond which chains move by the leapfrog. Rows of soft constraints are of the first order, and see no
    /// curved ends of steps.
    #[inline]
    pub(super) fn allowed_drift(&self) -> f64 {
        match (self.soft_constraints.is_empty(), self.symplectic) {
            (false, _) => f64::INFINITY,
            (true, true) => 0.0,
            (true, false) => self.energy_drift,
        }
    }

    /// One after the other.
    fn check_each(&self) -> Result<(), Error> {
        self.restitution.check(&self.formulation)?;
        parameter::check("margin", self.margin, Range::NotNegative)?;
        parameter::check("recovery", self.recovery, Range::Share)?;
        parameter::check("energy_drift", self.energy_drift, Range::AtLeastZero)?;
        self.motors.iter().try_for_each(|(_, motor)| motor.check())
    }

    /// Whether all that contacts demand is that no gap is negative at the end of the step, if none springs back.
    #[inline]
    pub(super) fn demands_gaps(&self) -> bool {
        self.formulation.normal().is_of_gaps() && self.are_alike()
    }

    /// The law of the springs that contacts are, if all are alike.
    #[inline]
    pub(super) fn springs(&self) -> Option<&Todorov> {
        self.formulation.normal().springs().filter(|_| self.are_alike())
    }

    /// Whether no contact gives way more than its law says.
    #[inline]
    fn are_alike(&self) -> bool {
        self.soft_contacts.is_empty() && self.recovery == 1.0
    }

    /// What a contact demands, and its σ.
    #[inline]
    pub(super) fn demand_of_contact(&self, i: usize, approach: &Approach) -> Option<(Demand, f64)> {
        self.demand(Self::find(&self.soft_contacts, i), approach)
    }

    /// What a point of solids or a declared limit demands, and its σ.
    pub(super) fn demand_of_rigid(&self, approach: &Approach) -> Option<(Demand, f64)> {
        self.demand(None, approach)
    }

    /// What a limit of a velocity coordinate demands, and its σ.
    #[inline]
    pub(super) fn demand_of_limit(&self, v: usize, approach: &Approach) -> Option<(Demand, f64)> {
        self.demand(Self::find(&self.soft_limits, v), approach)
    }

    #[inline]
    fn demand(&self, soft: Option<Softness>, approach: &Approach) -> Option<(Demand, f64)> {
        let softness = soft.unwrap_or_else(|| Softness::recovering(self.recovery));
        let approach = self.restitution.of_velocities(approach);
        let mut approach = softness.reduce(&approach);
        if self.displaces(&softness) {
            approach.gap = depth::seen(approach.gap, approach.velocity[0], approach.step_size);
        }
        let demand = self.formulation.demand(&approach)?;
        Some((demand, softness.mixing / approach.step_size))
    }

    /// Whether overlaps of what gives way so are put right by a displacement.
    #[inline]
    fn displaces(&self, softness: &Softness) -> bool {
        !softness.is_soft() && self.displaces_any()
    }

    /// Whether overlaps of anything may be: those of springs are not.
    #[inline]
    pub(super) fn displaces_any(&self) -> bool {
        self.formulation.normal().springs().is_none()
    }

    /// The least velocity of a displacement along the normal of a contact with this gap and its rate, if it has any.
    pub(super) fn separation_of_contact(&self, i: usize, at: [f64; 2], h: f64) -> Option<f64> {
        self.separation_with(Self::find(&self.soft_contacts, i), at, h)
    }

    /// The same of a limit of a velocity coordinate.
    pub(super) fn separation_of_limit(&self, v: usize, at: [f64; 2], h: f64) -> Option<f64> {
        self.separation_with(Self::find(&self.soft_limits, v), at, h)
    }

    /// The same of what nothing else is said of.
    pub(super) fn separation(&self, at: [f64; 2], h: f64) -> Option<f64> {
        self.separation_with(None, at, h)
    }

    fn separation_with(
        &self,
        soft: Option<Softness>,
        [gap, rate]: [f64; 2],
        h: f64,
    ) -> Option<f64> {
        let softness = soft.unwrap_or_else(|| Softness::recovering(self.recovery));
        let least = if gap < 0.0 {
            let reduced = softness.reduction() * gap;
            self.formulation.normal().stabilization() * (depth::seen(reduced, rate, h) - reduced)
        } else {
            -gap
        };
        self.displaces(&softness).then_some(least / h)
    }

    /// Whether something is set for entry `i` of a list.
    pub(crate) fn lists<T>(list: &[(usize, T)], i: usize) -> bool {
        list.iter().any(|(at, _)| *at == i)
    }

    /// What is set for entry `i` of a list.
    #[inline]
    fn find<T: Copy>(list: &[(usize, T)], i: usize) -> Option<T> {
        list.iter().find(|(at, _)| *at == i).map(|&(_, value)| value)
    }
}
