//! One impact of some of the parts that touch, as a problem of a step without finite forces.
//!
//! Everything is by the speed s of the impact, the largest term of a velocity J v: laws of impact are the same at any
//! speed.

use alloc::vec::Vec;
use core::ops::Range;

use super::stronge;
use super::touches::Touch;
use super::{Error, Law, Restitution};
use crate::cone::{Block, Settings};
use crate::contact::{Contact, Problem, Solvers, Sum, Turn};
use crate::slices::{add, worse, zeros};

/// A residual that is none: what rests has velocities of rounding alone, relative to which nothing can be solved.
const NEGLIGIBLE: f64 = 1e-11;

/// What a normal row must do: its least velocity after, and its least impulse.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    velocity: f64,
    floor: f64,
}

/// What touches moves as these say.
#[derive(Debug)]
pub(super) struct Motion<'a> {
    pub(super) law: &'a Law,
    pub(super) touches: &'a [Touch],
    /// (n, nv) row by row, and responses of the velocity to an impulse along each.
    pub(super) rows: &'a [f64],
    pub(super) responses: &'a [f64],
    /// A, (n, n).
    pub(super) a: &'a [f64],
    /// s, m/s.
    pub(super) speed: f64,
    /// (nv).
    pub(super) velocity: &'a mut [f64],
    /// J v, (n).
    pub(super) w: &'a mut [f64],
    /// Λ in sum, (n).
    pub(super) impulses: &'a mut [f64],
    /// The largest residual so far.
    pub(super) residual: &'a mut f64,
}

/// Room for one impact.
#[derive(Clone, Debug, Default)]
pub(super) struct Strike {
    problem: Problem,
    solvers: Solvers,
    aims: Vec<Aim>,
    /// The rows with impulses.
    rows: Vec<usize>,
    /// Λ along these, by s.
    impulses: Vec<f64>,
}

impl Strike {
    /// Moves on from the impact of a range of the touches.
    pub(super) fn apply(
        &mut self,
        motion: &mut Motion<'_>,
        chosen: Range<usize>,
    ) -> Result<(), Error> {
        let touches = &motion.touches[chosen];
        self.aims.clear();
        match motion.law.restitution {
            Restitution::Inelastic => {
                self.aims.resize(touches.len(), Aim::default());
                self.phase(motion, touches)
            }
            Restitution::Newton => {
                let w = &motion.w;
                let aim = |of: &Touch| Aim { velocity: -of.restitution * w[of.first], floor: 0.0 };
                self.aims.extend(touches.iter().map(aim));
                self.phase(motion, touches)
            }
            Restitution::Poisson => {
                self.aims.resize(touches.len(), Aim::default());
                self.phase(motion, touches)?;
                self.expand(motion, touches)
            }
            Restitution::Stronge => self.dissipate(motion, touches),
        }
    }

    /// The expansion that follows the compression by Poisson's law.
    fn expand(&mut self, motion: &mut Motion<'_>, touches: &[Touch]) -> Result<(), Error> {
        let mut first = 0;
        for (aim, touch) in self.aims.iter_mut().zip(touches) {
            *aim = Aim { velocity: 0.0, floor: touch.restitution * self.impulses[first] };
            first += touch.active();
        }
        if self.aims.iter().any(|aim| aim.floor > 0.0) {
            self.phase(motion, touches)
        } else {
            Ok(())
        }
    }

    /// Solves for the impulses of one phase, moves on, and judges them by the velocity that they lead to.
    fn phase(&mut self, motion: &mut Motion<'_>, touches: &[Touch]) -> Result<(), Error> {
        self.pose(motion, touches);
        zeros(&mut self.impulses, self.rows.len());
        self.solvers.forget();
        self.solvers.solve(&motion.law.formulation(), &self.problem, &mut self.impulses)?;
        for (&row, impulse) in self.rows.iter().zip(&self.impulses) {
            motion.push(row, motion.speed * impulse);
        }
        motion.see();
        *motion.residual = worse(*motion.residual, self.judge(motion, touches));
        Ok(())
    }

    /// The problem of the aims.
    fn pose(&mut self, motion: &Motion<'_>, touches: &[Touch]) {
        let Self { problem, aims, rows, .. } = self;
        problem.clear();
        problem.settings = Settings { negligible: NEGLIGIBLE, ..Settings::default() };
        rows.clear();
        let directions = motion.law.directions();
        let b = |row: usize| motion.w[row] / motion.speed;
        for (touch, aim) in touches.iter().zip(aims.iter()) {
            let normal = b(touch.first) - aim.velocity / motion.speed;
            if touch.active() == 1 {
                let block = Block::Row { lower: aim.floor, upper: f64::INFINITY };
                problem.push(block, 0, [normal], [0.0; 2]);
            } else {
                let block = touch.coefficients.block();
                let b = [normal, b(touch.first + 1), b(touch.first + 2)];
                problem.push(block, directions, b, [0.0; 2]);
            }
            rows.extend(touch.first..touch.first + touch.active());
            let turning = (touch.first..touch.first + touch.active()).skip(3);
            turning.for_each(|row| problem.push_beside(b(row)));
        }
        if aims.iter().any(|aim| aim.floor > 0.0) {
            problem.floors.resize(rows.len(), 0.0);
            let of_aims = problem.firsts.iter().zip(aims.iter());
            of_aims.for_each(|(&first, aim)| problem.floors[first] = aim.floor);
        }
        let n = motion.w.len();
        problem.a.clear();
        for &j in rows.iter() {
            problem.a.extend(rows.iter().map(|i| motion.a[j * n + i]));
        }
    }

    /// The residual of the last phase.
    fn judge(&self, motion: &Motion<'_>, touches: &[Touch]) -> f64 {
        let formulation = motion.law.formulation();
        let strongest = self.problem.firsts.iter().map(|&first| self.impulses[first].abs());
        let strongest = strongest.fold(0.0, f64::max);
        let mut most = 0.0;
        let parts = touches.iter().zip(&self.aims).zip(&self.problem.firsts);
        for ((touch, aim), &first) in parts {
            let of = |k: usize| if k < touch.active() { self.impulses[first + k] } else { 0.0 };
            let w = |k: usize| {
                if k < touch.rows { motion.sum(touch.first + k) } else { Sum::default() }
            };
            let mut normal = w(0);
            normal.add(-aim.velocity / motion.speed);
            let contact = Contact {
                impulse: [of(0), of(1), of(2)],
                floor: aim.floor,
                w: [normal, w(1), w(2)],
                friction: touch.coefficients.friction,
                directions: motion.law.directions().max(4),
                strongest,
            };
            let [normal, friction] = contact.residual(&formulation);
            most = worse(most, if touch.active() > 1 { worse(normal, friction) } else { normal });
            if touch.active() > 3 {
                let turn = Turn { impulse: [3, 4, 5].map(of), w: [3, 4, 5].map(w) };
                most = worse(most, turn.residual(of(0), touch.coefficients));
            }
        }
        most
    }

    /// The impact of one contact by Stronge's law.
    fn dissipate(&mut self, motion: &mut Motion<'_>, touches: &[Touch]) -> Result<(), Error> {
        let [touch] = touches else { return Err(Error::Several { count: touches.len() }) };
        let (first, n) = (touch.first, motion.w.len());
        let entry = |i: usize, j: usize| {
            let inside = i < touch.rows && j < touch.rows;
            if inside { motion.a[(first + j) * n + first + i] } else { 0.0 }
        };
        let w = |i: usize| if i < touch.rows { motion.w[first + i] / motion.speed } else { 0.0 };
        let single = stronge::Single {
            a: [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j))),
            w: [w(0), w(1), w(2)],
            friction: touch.coefficients.friction,
            restitution: touch.restitution,
        };
        let path = single.path().map_err(|failure| failure.of(touch.part))?;
        for (row, impulse) in (first..first + touch.rows).zip(path.impulse) {
            motion.push(row, motion.speed * impulse);
        }
        motion.see();
        let after =
            |i: usize| if i < touch.rows { motion.w[first + i] / motion.speed } else { 0.0 };
        let residual = path.residual([0, 1, 2].map(after));
        *motion.residual = worse(*motion.residual, residual);
        Ok(())
    }
}

impl Motion<'_> {
    fn nv(&self) -> usize {
        self.velocity.len()
    }

    /// Adds an impulse along a row.
    fn push(&mut self, row: usize, impulse: f64) {
        let nv = self.nv();
        self.impulses[row] += impulse;
        add(self.velocity, impulse, &self.responses[row * nv..(row + 1) * nv]);
    }

    /// J v by s, with its largest term.
    pub(super) fn sum(&self, row: usize) -> Sum {
        let row = &self.rows[row * self.nv()..(row + 1) * self.nv()];
        Sum::of(row.iter().zip(&*self.velocity).map(|(j, v)| j * v / self.speed))
    }

    /// J v of the velocity that there is now.
    pub(super) fn see(&mut self) {
        for row in 0..self.w.len() {
            self.w[row] = self.speed * self.sum(row).value;
        }
    }
}
