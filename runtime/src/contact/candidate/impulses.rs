//! Where the impulses along a candidate's rows are kept.

use super::Candidate;
use super::source::Source;
use crate::cone::BLOCK_ROWS;
use crate::contact::touching::known;
use crate::contact::{Impulse, PairImpulse};

impl Candidate {
    /// Its impulses, of which there are as many as rows, as they were; `points` are those of pairs now.
    #[inline(always)]
    pub(in crate::contact) fn read(
        &self,
        from: &Impulse,
        points: &[PairImpulse],
        impulses: &mut [f64],
    ) {
        match (self.source, impulses) {
            (Source::Pair(i), impulses) => {
                let before =
                    points.get(i).map_or([0.0; BLOCK_ROWS], |point| known(&from.pairs, point));
                impulses.iter_mut().zip(before).for_each(|(to, impulse)| *to = impulse);
            }
            (Source::Ball { v, .. }, impulses) => {
                impulses.copy_from_slice(&from.dry_friction[v..v + 3]);
            }
            (Source::Contact(i), [normal, first, second, turning @ ..]) => {
                (*normal, [*first, *second]) = (from.normal[i], from.friction[i]);
                turning.iter_mut().zip(from.turning(i)).for_each(|(to, of)| *to = of);
            }
            (Source::Contact(i), [normal, ..]) => *normal = from.normal[i],
            (Source::Limit(limit), [lambda, ..]) => {
                *lambda = from.limits[limit.v][usize::from(limit.upper)];
            }
            (Source::Declared(i), [lambda, ..]) => *lambda = from.declared[i],
            (Source::Constraint(k), [lambda, ..]) => *lambda = from.constraints[k],
            (Source::Spring { place, .. }, [lambda, ..]) => *lambda = from.springs[place],
            (Source::Motor { v, .. }, [lambda, ..]) => *lambda = from.motors[v],
            (Source::DryFriction { v, .. }, [lambda, ..]) => *lambda = from.dry_friction[v],
            (_, []) => {}
        }
    }

    /// Writes its impulses, of which there are as many as rows.
    #[inline(always)]
    pub(in crate::contact) fn write(&self, impulses: &[f64], to: &mut Impulse) {
        match (self.source, impulses) {
            (Source::Pair(i), impulses) => {
                let point = &mut to.pairs[i];
                point.impulse.iter_mut().zip(impulses).for_each(|(to, impulse)| *to = *impulse);
                let turning = impulses.iter().skip(3);
                point.turning_mut().zip(turning).for_each(|(to, impulse)| *to = *impulse);
            }
            (Source::Ball { v, .. }, impulses) => {
                to.dry_friction[v..v + 3].copy_from_slice(impulses);
            }
            (Source::Contact(i), [normal, first, second, turning @ ..]) => {
                (to.normal[i], to.friction[i]) = (*normal, [*first, *second]);
                to.turning_mut(i).zip(turning).for_each(|(to, impulse)| *to = *impulse);
            }
            (Source::Contact(i), [normal, ..]) => to.normal[i] = *normal,
            (Source::Limit(limit), [lambda, ..]) => {
                to.limits[limit.v][usize::from(limit.upper)] = *lambda;
            }
            (Source::Declared(i), [lambda, ..]) => to.declared[i] = *lambda,
            (Source::Constraint(k), [lambda, ..]) => to.constraints[k] = *lambda,
            (Source::Spring { place, .. }, [lambda, ..]) => to.springs[place] = *lambda,
            (Source::Motor { v, .. }, [lambda, ..]) => to.motors[v] = *lambda,
            (Source::DryFriction { v, .. }, [lambda, ..]) => to.dry_friction[v] = *lambda,
            (_, []) => {}
        }
    }
}
