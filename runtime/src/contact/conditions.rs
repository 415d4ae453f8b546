//! What holds during a step besides the robot: the law of contact, motors and softness.

use alloc::vec::Vec;

use super::{Approach, Demand, Error, Formulation, Motor, Softness};

/// The law of contact and what is set at run time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// What contact is.
    pub formulation: Formulation,
    /// Motors and the velocity coordinates that they drive, one each at most.
    pub motors: Vec<(usize, Motor)>,
    /// Contacts that are not rigid.
    pub soft_contacts: Vec<(usize, Softness)>,
    /// Velocity coordinates whose limits are not rigid.
    pub soft_limits: Vec<(usize, Softness)>,
}

impl Conditions {
    /// A formulation, and nothing else.
    pub fn of(formulation: Formulation) -> Self {
        Self { formulation, ..Self::default() }
    }

    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.motors.iter().try_for_each(|(_, motor)| motor.check())
    }

    /// What a contact demands, and its σ.
    pub(super) fn demand_of_contact(&self, i: usize, approach: &Approach) -> Option<(Demand, f64)> {
        self.demand(Self::find(&self.soft_contacts, i), approach)
    }

    /// What a limit of a velocity coordinate demands, and its σ.
    pub(super) fn demand_of_limit(&self, v: usize, approach: &Approach) -> Option<(Demand, f64)> {
        self.demand(Self::find(&self.soft_limits, v), approach)
    }

    fn demand(&self, soft: Option<Softness>, approach: &Approach) -> Option<(Demand, f64)> {
        let Some(soft) = soft else { return Some((self.formulation.demand(approach)?, 0.0)) };
        let demand = self.formulation.demand(&soft.reduce(approach))?;
        Some((demand, soft.mixing / approach.step_size))
    }

    /// What is set for entry `i` of a list.
    fn find<T: Copy>(list: &[(usize, T)], i: usize) -> Option<T> {
        list.iter().find(|(at, _)| *at == i).map(|&(_, value)| value)
    }
}
