//! Where an impulse is kept.

use crate::cone::BLOCK_ROWS;
use crate::contact::impulse::Impulse;

/// What a variable is a part of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Contact(usize),
    /// Of the pairs' points.
    Point(usize),
    /// Of a coordinate, and whether it is the upper one.
    Limit(usize, bool),
    Declared(usize),
    DryFriction(usize),
    /// Of three coordinates from this one on.
    Ball(usize),
    Motor(usize),
    Constraint(usize),
}

impl Place {
    /// Along normal and tangents of a contact and about these, or one number.
    pub(super) fn read(self, of: &Impulse) -> [f64; BLOCK_ROWS] {
        let number = match self {
            Self::Contact(i) => {
                let [x, y] = of.friction[i];
                let [spin, p, q] = of.turning(i);
                return [of.normal[i], x, y, spin, p, q];
            }
            Self::Point(i) => return of.pairs[i].along_rows(),
            Self::Limit(v, upper) => of.limits[v][usize::from(upper)],
            Self::Declared(k) => of.declared[k],
            Self::DryFriction(v) => of.dry_friction[v],
            Self::Ball(v) => {
                let [x, y, z] = [v, v + 1, v + 2].map(|v| of.dry_friction[v]);
                return [x, y, z, 0.0, 0.0, 0.0];
            }
            Self::Motor(v) => of.motors[v],
            Self::Constraint(k) => of.constraints[k],
        };
        [number, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    pub(super) fn write(self, [normal, x, y, turning @ ..]: [f64; BLOCK_ROWS], to: &mut Impulse) {
        match self {
            Self::Ball(v) => to.dry_friction[v..v + 3].copy_from_slice(&[normal, x, y]),
            Self::Contact(i) => {
                (to.normal[i], to.friction[i]) = (normal, [x, y]);
                to.turning_mut(i).zip(turning).for_each(|(to, of)| *to = of);
            }
            Self::Point(i) => {
                let point = &mut to.pairs[i];
                point.impulse = [normal, x, y];
                point.turning_mut().zip(turning).for_each(|(to, of)| *to = of);
            }
            Self::Limit(v, upper) => to.limits[v][usize::from(upper)] = normal,
            Self::Declared(k) => to.declared[k] = normal,
            Self::DryFriction(v) => to.dry_friction[v] = normal,
            Self::Motor(v) => to.motors[v] = normal,
            Self::Constraint(k) => to.constraints[k] = normal,
        }
    }
}
