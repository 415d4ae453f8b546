//! The impulses of a step.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use nalgebra::Vector3;

use super::PairImpulse;
use super::touching::known;
use crate::description::ContactParameters;
use crate::model::{Model, Table};
use crate::slices;

/// What acted during a step, in N s and N m s; all zero where nothing touches. Contacts are in the order of
/// [`Model::CONTACTS`], which names them, and limits, constraints and coordinates in that of the description.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// λ ≥ 0 of each contact, along its normal.
    pub normal: Vec<f64>,
    /// Friction of each contact, along its first and second tangent.
    pub friction: Vec<[f64; 2]>,
    /// Torsional friction of each contact, N m s about its normal.
    pub torsion: Vec<f64>,
    /// Rolling resistance of each contact, N m s about its first and second tangent.
    pub rolling: Vec<[f64; 2]>,
    /// Of the points where pairs of solids, or solids and ground, were near each other, in the order of their
    /// [identities](PairImpulse::identity).
    pub pairs: Vec<PairImpulse>,
    /// For each velocity coordinate, what its lower limit adds and its upper limit takes, ≥ 0.
    pub limits: Vec<[f64; 2]>,
    /// λ ≥ 0 of each declared limit.
    pub declared: Vec<f64>,
    /// Dry friction on each velocity coordinate, of either sign.
    pub dry_friction: Vec<f64>,
    /// What is implicit of springs and dampers: of the spring at each velocity coordinate, then along and across each
    /// spring between points, three each. It is beside their forces at the beginning of the step, and a damper of a
    /// coordinate is no part of it; [`passive_force`](crate::Simulation::passive_force) is all.
    pub springs: Vec<f64>,
    /// Of the motor at each velocity coordinate, of either sign.
    pub motors: Vec<f64>,
    /// Λ of each row of the declared constraints, of either sign.
    pub constraints: Vec<f64>,
    /// h c, (nv), by which the step puts right what overlaps at its beginning, in m and rad along the velocity coordinates:
    /// it leads to (q ⊕ h c) ⊕ h v⁺. Empty where nothing overlaps.
    pub displacement: Vec<f64>,
    /// Λ_c, what of all this is of the compression, where [Poisson's law](super::Restitution::Poisson) has one; its
    /// `constraints` are those that were softened, and do not slip.
    pub compression: Option<Box<Impulse>>,
}

impl Impulse {
    /// No impulses on a robot.
    pub fn zeros<M: Model>() -> Self {
        Self::zeros_of(Table::of::<M>())
    }

    /// No impulses on the robot of a table.
    pub(crate) fn zeros_of(table: &Table) -> Self {
        let (contacts, nv, nc) = (table.contacts.len(), table.nv, table.nc);
        Self {
            normal: vec![0.0; contacts],
            friction: vec![[0.0; 2]; contacts],
            torsion: vec![0.0; contacts],
            rolling: vec![[0.0; 2]; contacts],
            pairs: Vec::new(),
            limits: vec![[0.0; 2]; nv],
            declared: vec![0.0; table.limits.len()],
            dry_friction: vec![0.0; nv],
            springs: vec![0.0; lines_of_springs(table)],
            motors: vec![0.0; nv],
            constraints: vec![0.0; nc],
            displacement: Vec::with_capacity(nv),
            compression: None,
        }
    }

    /// Sets all to zero, with no points of pairs.
    #[inline]
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.normal.fill(0.0);
        self.friction.fill([0.0; 2]);
        self.torsion.fill(0.0);
        self.rolling.fill([0.0; 2]);
        self.limits.fill([0.0; 2]);
        self.declared.fill(0.0);
        self.dry_friction.fill(0.0);
        self.springs.fill(0.0);
        self.motors.fill(0.0);
        self.constraints.fill(0.0);
        self.displacement.clear();
        self.compression = None;
    }

    /// Takes over another's numbers, but no compression, in storage that is kept.
    pub(super) fn copy(&mut self, other: &Self) {
        self.pairs.clone_from(&other.pairs);
        self.normal.clone_from(&other.normal);
        self.friction.clone_from(&other.friction);
        self.torsion.clone_from(&other.torsion);
        self.rolling.clone_from(&other.rolling);
        self.limits.clone_from(&other.limits);
        self.declared.clone_from(&other.declared);
        self.dry_friction.clone_from(&other.dry_friction);
        self.springs.clone_from(&other.springs);
        self.motors.clone_from(&other.motors);
        self.constraints.clone_from(&other.constraints);
        self.displacement.clone_from(&other.displacement);
        self.compression = None;
    }

    /// What this has beyond a part of it.
    pub(super) fn less(&self, part: &Self) -> Self {
        let subtract = |all: &[f64], part: &[f64]| -> Vec<f64> {
            all.iter().zip(part).map(|(all, part)| all - part).collect()
        };
        let subtract_two = |all: &[[f64; 2]], part: &[[f64; 2]]| -> Vec<[f64; 2]> {
            all.iter().zip(part).map(|(all, part)| [all[0] - part[0], all[1] - part[1]]).collect()
        };
        let of_point = |point: &PairImpulse| {
            let (all, before) = (point.along_rows(), known(&part.pairs, point));
            let [n, t, u, torsion, x, y] = core::array::from_fn(|k| all[k] - before[k]);
            PairImpulse { impulse: [n, t, u], torsion, rolling: [x, y], ..*point }
        };
        Self {
            normal: subtract(&self.normal, &part.normal),
            friction: subtract_two(&self.friction, &part.friction),
            torsion: subtract(&self.torsion, &part.torsion),
            rolling: subtract_two(&self.rolling, &part.rolling),
            pairs: self.pairs.iter().map(of_point).collect(),
            limits: subtract_two(&self.limits, &part.limits),
            declared: subtract(&self.declared, &part.declared),
            dry_friction: subtract(&self.dry_friction, &part.dry_friction),
            springs: subtract(&self.springs, &part.springs),
            motors: subtract(&self.motors, &part.motors),
            constraints: subtract(&self.constraints, &part.constraints),
            displacement: self.displacement.clone(),
            compression: None,
        }
    }

    /// The strongest along a normal.
    pub(super) fn strongest(&self) -> f64 {
        let of_pairs = self.pairs.iter().map(|point| &point.impulse[0]);
        self.normal.iter().chain(of_pairs).fold(0.0, |most: f64, normal| most.max(normal.abs()))
    }

    /// Whether it has the entries of a robot; points of pairs are told by their identities.
    pub(super) fn fits(&self, table: &Table) -> bool {
        let Self { normal, friction, torsion, rolling, .. } = self;
        let counts = [normal.len(), friction.len(), torsion.len(), rolling.len()];
        let coordinates = [self.limits.len(), self.dry_friction.len(), self.motors.len()];
        let others = [self.declared.len(), self.constraints.len(), self.springs.len()];
        counts == [table.contacts.len(); 4]
            && coordinates == [table.nv; 3]
            && others == [table.limits.len(), table.nc, lines_of_springs(table)]
            && (self.displacement.is_empty() || self.displacement.len() == table.nv)
            && self.compression.as_ref().is_none_or(|part| part.fits(table))
    }

    /// The moments on a contact's link about its normal and its tangents; zero if there is no such contact.
    pub(crate) fn turning(&self, contact: usize) -> [f64; 3] {
        let torsion = self.torsion.get(contact).copied().unwrap_or(0.0);
        let [x, y] = self.rolling.get(contact).copied().unwrap_or_default();
        [torsion, x, y]
    }

    pub(crate) fn turning_mut(&mut self, contact: usize) -> impl Iterator<Item = &mut f64> {
        let rolling = self.rolling.get_mut(contact).into_iter().flatten();
        self.torsion.get_mut(contact).into_iter().chain(rolling)
    }

    /// The moment of rolling resistance on a contact's link in world axes, N m s.
    ///
    /// # Panics
    ///
    /// As [`local`](Self::local).
    #[track_caller]
    pub fn rolling_moment(&self, contact: usize, parameters: &ContactParameters) -> Vector3<f64> {
        slices::check_index("rolling_moment", "contact", contact, self.normal.len());
        let ([_, x, y], [first, second]) = (self.turning(contact), parameters.tangents);
        x * first + y * second
    }

    /// The impulse on a contact's link along normal, first and second tangent.
    ///
    /// # Panics
    ///
    /// If there is no such contact, with how many there are.
    #[track_caller]
    pub fn local(&self, contact: usize) -> Vector3<f64> {
        slices::check_index("local", "contact", contact, self.normal.len());
        let normal = self.normal.get(contact).copied().unwrap_or(0.0);
        let [first, second] = self.friction.get(contact).copied().unwrap_or_default();
        Vector3::new(normal, first, second)
    }

    /// The impulse on a contact's link in world axes.
    ///
    /// # Panics
    ///
    /// As [`local`](Self::local).
    #[track_caller]
    pub fn world(&self, contact: usize, parameters: &ContactParameters) -> Vector3<f64> {
        let local = self.local(contact);
        let [first, second] = parameters.tangents;
        local.x * parameters.normal + local.y * first + local.z * second
    }
}

/// How many lines a robot's springs and dampers act along: one at each coordinate, and three between points.
fn lines_of_springs(table: &Table) -> usize {
    table.nv + 3 * table.springs.len()
}

/// Components along the two tangents of the friction direction k of `count`:
/// cos(2πk/count), sin(2πk/count). Opposite directions of an even count are exactly so.
pub fn direction(k: usize, count: usize) -> [f64; 2] {
    if count.is_multiple_of(2) && (count / 2..count).contains(&k) {
        return direction(k - count / 2, count).map(|x| -x);
    }
    if count.is_multiple_of(4) && k == count / 4 {
        return [0.0, 1.0];
    }
    let (sine, cosine) = libm::sincos(TAU * k as f64 / count as f64);
    [cosine, sine]
}

#[cfg(test)]
mod tests {
    use super::direction;

    #[test]
    fn directions_form_a_regular_polygon() {
        assert_eq!(
            [0, 1, 2, 3].map(|k| direction(k, 4)),
            [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
        );
        for count in 4..20 {
            for k in 0..count {
                let angle = std::f64::consts::TAU * k as f64 / count as f64;
                let [x, y] = direction(k, count);
                assert!((x - angle.cos()).abs() < 1e-15 && (y - angle.sin()).abs() < 1e-15);
            }
        }
    }
}
