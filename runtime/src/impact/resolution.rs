//! From what approaches to an outcome: impacts until nothing approaches, and the account of them.

use alloc::vec::Vec;
use core::ops::Range;

use super::strike::Motion;
use super::touches::{Touch, Touches};
use super::{Core, Ending, Error, Part, Sequence, Struck};
use crate::slices::{add, columns, dot, worse, zeros};

/// An approach below this, by the speed of the impact, is none, nor is a slip or a parting.
const STILL: f64 = 1e-9;
/// The largest residual of an outcome.
const ACCURATE: f64 = 1e-9;
/// How many impacts may follow one another.
const MOST: usize = 100_000;

impl Core {
    /// Responses N M⁻¹ Jᵀ, A, and v_free.
    pub(super) fn linearise(&mut self, v: &[f64]) {
        let (nv, rows) = (v.len().max(1), &self.touches.rows);
        self.responses.clear();
        self.responses.extend_from_slice(rows);
        self.responses.chunks_exact_mut(nv).for_each(|row| self.mobility.respond(row));
        self.a.clear();
        for response in self.responses.chunks_exact(nv) {
            self.a.extend(rows.chunks_exact(nv).map(|row| dot(row, response)));
        }
        self.free.copy_from_slice(v);
        self.mobility.free(&mut self.free);
    }

    /// Starts at v_free; returns the speed of the impact, the largest term of J v⁻ and J v_free.
    pub(super) fn begin(&mut self, v: &[f64]) -> f64 {
        let (nv, rows) = (v.len().max(1), &self.touches.rows);
        self.velocity.copy_from_slice(&self.free);
        let times = |v: &[f64], to: &mut Vec<f64>| {
            to.clear();
            to.extend(rows.chunks_exact(nv).map(|row| dot(row, v)));
        };
        times(v, &mut self.before);
        times(&self.free, &mut self.w);
        zeros(&mut self.impulses, self.w.len());
        let size = |v: &[f64]| {
            let terms = rows.chunks_exact(nv).flat_map(|row| row.iter().zip(v));
            terms.map(|(j, v)| (j * v).abs()).fold(0.0, f64::max)
        };
        size(v).max(size(&self.free))
    }

    /// Strikes what approaches until nothing does.
    pub(super) fn run(&mut self, speed: f64) -> Result<(), Error> {
        let Self { law, touches, strike, outcome, responses, a, w, impulses, velocity, .. } = self;
        let Touches { list, rows, .. } = &*touches;
        (outcome.impacts, outcome.residual) = (0, 0.0);
        let residual = &mut outcome.residual;
        let mut motion = Motion {
            law,
            touches: list,
            rows,
            responses,
            a,
            speed,
            velocity,
            w,
            impulses,
            residual,
        };
        while let Some((chosen, approach)) = next(&motion) {
            if outcome.impacts == MOST {
                return Err(Error::Endless { impacts: MOST, approach });
            }
            strike.apply(&mut motion, chosen)?;
            outcome.impacts += 1;
        }
        Ok(())
    }

    /// Writes the outcome, and judges it.
    pub(super) fn conclude(&mut self, v: &[f64], speed: f64) -> Result<(), Error> {
        self.write_impulses(v);
        self.write_parts(speed);
        let Self { mobility, outcome, before, w, impulses, velocity, free, momentum, .. } = self;
        let v_plus = &velocity[..];
        outcome.kinetic_energy = [mobility.energy(v), mobility.energy(v_plus)];
        let sums = before.iter().zip(&*w).map(|(before, after)| before + after);
        let of_parts: f64 = impulses.iter().zip(sums).map(|(impulse, sum)| impulse * sum).sum();
        let of_constraints = mobility.constraint_power(v) + mobility.constraint_power(v_plus);
        outcome.work = 0.5 * (of_parts + of_constraints);
        let missing = imbalance(mobility.mass(), (v, v_plus), momentum);
        outcome.residual = worse(outcome.residual, missing);
        let moved = mobility.constraint_error(free, v_plus);
        outcome.residual = worse(outcome.residual, moved);
        let residual = outcome.residual;
        if residual <= ACCURATE { Ok(()) } else { Err(Error::Unsolved { residual }) }
    }

    /// Λ of parts and constraints, and their generalised impulse.
    fn write_impulses(&mut self, v: &[f64]) {
        let Self { touches, mobility, outcome, impulses, momentum, .. } = self;
        let impulse = &mut outcome.impulse;
        impulse.clear();
        touches.pairs.list(&mut impulse.pairs);
        for Touch { part, first, rows, .. } in &touches.list {
            let along = |k: usize| if k < *rows { impulses[first + k] } else { 0.0 };
            match *part {
                Part::Contact(k) => {
                    (impulse.normal[k], impulse.friction[k]) = (along(0), [along(1), along(2)]);
                    impulse.turning_mut(k).zip(3..).for_each(|(to, row)| *to = along(row));
                }
                Part::Point(of, feature) => {
                    let points = impulse.pairs.iter_mut();
                    for point in points.filter(|point| point.identity() == (of, feature)) {
                        point.impulse = [along(0), along(1), along(2)];
                        point.turning_mut().zip(3..).for_each(|(to, row)| *to = along(row));
                    }
                }
                Part::Limit { v, upper } => impulse.limits[v][usize::from(upper)] = along(0),
                Part::Declared(k) => impulse.declared[k] = along(0),
            }
        }
        let p = zeros(momentum, v.len());
        add_force((&touches.rows, impulses), p);
        let of_constraints = mobility.constraint_impulses(v, p);
        impulse.constraints.copy_from_slice(of_constraints);
        p.fill(0.0);
        add_force((&touches.rows, impulses), p);
        mobility.add_constraint_force(p);
    }

    fn write_parts(&mut self, speed: f64) {
        let Self { touches, outcome, before, w, impulses, .. } = self;
        outcome.parts.clear();
        outcome.parts.extend(touches.list.iter().map(|touch| {
            let of = |all: &[f64]| {
                [0, 1, 2].map(|k| if k < touch.rows { all[touch.first + k] } else { 0.0 })
            };
            let (impulse, after) = (of(impulses), of(w));
            let slips = libm::hypot(after[1], after[2]) > STILL * speed;
            let ending = match impulse == [0.0; 3] {
                true => Ending::Apart,
                false if slips => Ending::Slid,
                false => Ending::Stuck,
            };
            let separates = after[0] > STILL * speed;
            let (part, gap) = (touch.part, touch.gap);
            Struck { part, gap, impulse, before: of(before), after, ending, separates }
        }));
    }
}

/// What is struck next, and the fastest approach; none if nothing approaches.
fn next(motion: &Motion<'_>) -> Option<(Range<usize>, f64)> {
    let mut fastest = (0, 0.0);
    for (k, touch) in motion.touches.iter().enumerate() {
        let approach = -motion.w[touch.first];
        if approach > STILL * motion.speed && approach > fastest.1 {
            fastest = (k, approach);
        }
    }
    let (k, approach) = fastest;
    let chosen = match motion.law.sequence {
        Sequence::Simultaneous => 0..motion.touches.len(),
        Sequence::Sequential => k..k + 1,
    };
    (approach > 0.0).then_some((chosen, approach))
}

/// p += Jᵀ Λ.
fn add_force((rows, impulses): (&[f64], &[f64]), p: &mut [f64]) {
    let rows = rows.chunks_exact(p.len().max(1));
    rows.zip(impulses).for_each(|(row, impulse)| add(p, *impulse, row));
}

/// What is missing of M (v⁺ − v⁻) = p, by the largest term.
fn imbalance(mass: &[f64], (v, v_plus): (&[f64], &[f64]), p: &[f64]) -> f64 {
    let nv = p.len();
    let (mut most, mut size): (f64, f64) = (0.0, f64::MIN_POSITIVE);
    for (i, p) in p.iter().enumerate() {
        let mut sum = -p;
        for ((column, after), before) in columns(mass, nv).zip(v_plus).zip(v) {
            sum += column[i] * (after - before);
            size = size.max((column[i] * after).abs()).max((column[i] * before).abs());
        }
        most = worse(most, sum.abs());
        size = size.max(p.abs());
    }
    most / size
}
