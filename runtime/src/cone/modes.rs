//! Modes of blocks at a point, and the unknowns of a linear problem that they leave.
//!
//! > open    λ = 0
//! > stick   w = 0
//! > slide   λₜ = μ λₙ e + c g,  gᵀ w + s (1 − k) / k · c = 0,  e ⟂ g,  k = r / ‖zₜ‖
//!
//! > ball    λ = r e + c g + d g′ where z is outside, with such equations for g and g′ ⟂ e, and else as what sticks
//!
//! with z = ℓ − w, ℓ = s λ, e = zₜ / ‖zₜ‖ and the disc's radius r at z. The normal equation of a contact that
//! slides is wₙ = 0 under Coulomb's law, wₙ + μ eᵀ wₜ = 0 under the convex one. So a contact has three
//! unknowns, two or none; a planar one two, one or none, since nothing is across its tangent. Moments have such equations of their
//! own, with ν or ϱ in the place of μ. These are the equations of Newton's method for the natural map, solved for the
//! new point.
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton like Solution Methods
//! (1991).

use alloc::vec::Vec;

use super::natural::{self, Cone, Rows};
use super::problem::BLOCK_ROWS;
use super::view::{Draw, View};
use super::{Block, Law};
use crate::kernel::Real;

/// The largest compliance of what slides, by s.
pub(super) const LIMIT: f64 = 1e12;

/// An unknown x of the linear problem with its equation, both within one block.
///
/// > λ = … + force x,  testᵀ (A λ + b) + compliance x = pull
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    /// The block's first row.
    pub(super) first: usize,
    /// How many rows it has.
    pub(super) rows: usize,
    /// The single row in which both vectors are 1, if there is one.
    pub(super) single: Option<usize>,
    pub(super) force: Rows,
    pub(super) test: Rows,
    pub(super) compliance: f64,
    pub(super) pull: f64,
    /// x at the point.
    pub(super) last: f64,
}

/// Equations of consecutive unknowns, by what they ask of w.
#[derive(Clone, Copy, Debug)]
pub(super) enum Run {
    /// w itself, in so many rows from `row` on.
    Rows { row: usize, count: usize },
    /// w₀ + e₁ w₁ + e₂ w₂ and g₁ w₁ + g₂ w₂, in three rows from `row` on.
    Slide { row: usize, e: [f64; 2], g: [f64; 2] },
    /// The general test of one unknown.
    Other,
}

/// The linear problem at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Modes {
    pub(super) unknowns: Vec<Unknown>,
    /// The equations of all unknowns in order.
    pub(super) runs: Vec<Run>,
    /// λ without unknowns: rows at their bounds. Empty where all are zero.
    pub(super) fixed: Vec<f64>,
    /// Whether unknowns are drawn to the last point.
    pub(super) proximal: bool,
}

impl Modes {
    pub(super) fn with_capacity(n: usize) -> Self {
        let runs = Vec::with_capacity(n);
        Self {
            unknowns: Vec::with_capacity(n),
            runs,
            fixed: Vec::with_capacity(n),
            proximal: false,
        }
    }

    /// The modes at λ with w = A λ + b. Unknowns are drawn to λ by `proximal` times their mobility.
    #[inline(always)]
    pub(super) fn classify<A: Real>(
        &mut self,
        view: &View<'_>,
        lambda: &[f64],
        w: &[f64],
        proximal: f64,
    ) {
        self.unknowns.clear();
        self.runs.clear();
        self.fixed.clear();
        self.proximal = proximal > 0.0;
        for (first, block) in view.blocks() {
            let (impulse, w) =
                (natural::rows(lambda, first, block), natural::rows(w, first, block));
            let s = view.mobility[first];
            let mut at = At { modes: self, first, rows: block.rows(), impulse, pull: proximal * s };
            match *block {
                Block::Row { lower, upper } => {
                    let z = s * impulse[0] - w[0];
                    if z <= s * lower {
                        at.fix(0, lower, lambda.len());
                    } else if z >= s * upper {
                        at.fix(0, upper, lambda.len());
                    } else {
                        at.single(0);
                    }
                }
                Block::Ball { radius } => {
                    let z = core::array::from_fn(|k| s * impulse[k] - w[k]);
                    at.ball::<A>(z, radius, (s, lambda.len()));
                }
                Block::Contact { .. } | Block::Rolling { .. } | Block::Planar { .. } => {
                    let cone = view.cone(first, block, block.coefficients().unwrap_or_default());
                    let l = view.scaled(&impulse, first, block);
                    let z = core::array::from_fn(|k| l[k] - w[k]);
                    at.contact::<A>(&cone, view.law, &z, view.mobilities(first, block));
                }
            }
        }
    }
}

/// A block at a point.
struct At<'a> {
    modes: &'a mut Modes,
    first: usize,
    rows: usize,
    /// λ.
    impulse: Rows,
    /// The proximal term.
    pull: f64,
}

impl Modes {
    /// Draws unknowns of the convex law to a centre.
    #[inline(always)]
    pub(super) fn draw(&mut self, view: &View<'_>, draw: &Draw<'_>) {
        self.proximal = true;
        for unknown in &mut self.unknowns {
            for (k, row) in (unknown.first..).take(unknown.rows).enumerate() {
                let by = draw.by * view.mobility[row] * unknown.test[k];
                unknown.compliance += by * unknown.force[k];
                unknown.pull += by * draw.centre[row];
            }
        }
    }
}

impl At<'_> {
    #[inline(always)]
    fn fix(&mut self, row: usize, value: f64, n: usize) {
        if value != 0.0 {
            self.modes.fixed.resize(n, 0.0);
            self.modes.fixed[self.first + row] = value;
        }
    }

    /// Within the ball w = 0; else λ = r e + c g + d (e × g) with the equations of what slides across e.
    #[inline(always)]
    fn ball<A: Real>(&mut self, z: [f64; 3], radius: f64, (s, n): (f64, usize)) {
        let size = A::sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
        if size <= s * radius {
            (0..3).for_each(|row| self.single(row));
        } else if radius > 0.0 {
            let e = z.map(|z| z / size);
            (0..3).for_each(|row| self.fix(row, radius * e[row], n));
            let compliance = f64::min(size / (s * radius) - 1.0, LIMIT) * s;
            for [x, y, z] in across::<A>(e) {
                let last = x * self.impulse[0] + y * self.impulse[1] + z * self.impulse[2];
                let unit = [x, y, z, 0.0, 0.0, 0.0];
                self.push(None, unit, unit, compliance, last);
                self.modes.runs.push(Run::Other);
            }
        }
    }

    /// The equation w = 0 of one row.
    #[inline(always)]
    fn single(&mut self, row: usize) {
        let mut unit = [0.0; BLOCK_ROWS];
        unit[row] = 1.0;
        self.rows(self.first + row);
        self.push(Some(self.first + row), unit, unit, 0.0, self.impulse[row]);
    }

    /// One more row whose w is asked for.
    #[inline(always)]
    fn rows(&mut self, row: usize) {
        match self.modes.runs.last_mut() {
            Some(Run::Rows { row: first, count }) if *first + *count == row => *count += 1,
            _ => self.modes.runs.push(Run::Rows { row, count: 1 }),
        }
    }

    #[inline(always)]
    fn push(&mut self, single: Option<usize>, force: Rows, test: Rows, compliance: f64, last: f64) {
        let Self { first, rows, pull, .. } = *self;
        self.modes.unknowns.push(Unknown {
            first,
            rows,
            single,
            force,
            test,
            compliance: compliance + pull,
            pull: pull * last,
            last,
        });
    }

    #[inline(always)]
    fn contact<A: Real>(&mut self, cone: &Cone, law: Law, z: &Rows, mobilities: [f64; 3]) {
        let sizes = natural::sizes::<A>(z);
        let normal = match law {
            Law::Coulomb => z[0],
            Law::Convex => cone.project(z[0], sizes),
        };
        if normal <= 0.0 {
            return;
        }
        let discs = [
            Disc::new((z[1], z[2]), sizes[0], (cone.friction, cone.friction * normal)),
            Disc::new((z[4], z[5]), sizes[2], (cone.levers[1], cone.rolling * normal)),
        ];
        let spins = sizes[1] > cone.torsion * normal;
        let mut force = Rows::default();
        force[0] = 1.0;
        [force[1], force[2]] = discs[0].force();
        if spins {
            force[3] = cone.levers[0].copysign(z[3]);
        }
        [force[4], force[5]] = discs[1].force();
        let test = match law {
            Law::Coulomb => [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Law::Convex => force,
        };
        let moves = spins || discs.iter().any(|disc| disc.slides);
        let single = (!moves).then_some(self.first);
        self.push(single, force, test, 0.0, self.impulse[0]);
        let planar = self.rows == 2;
        let pair = discs[0].slides && discs[0].radius > 0.0 && test[3..] == [0.0; 3] && !planar;
        match single {
            Some(row) => self.rows(row),
            None if pair => {
                let ([x, y], e) = (discs[0].along, [test[1], test[2]]);
                self.modes.runs.push(Run::Slide { row: self.first, e, g: [-y, x] });
            }
            None if law == Law::Coulomb => self.rows(self.first),
            None => self.modes.runs.push(Run::Other),
        }
        if planar {
            if !discs[0].slides {
                self.single(1);
            }
            return;
        }
        self.disc(&discs[0], 1, (mobilities[0], pair));
        let pull = self.pull;
        if self.rows > 3 && !spins {
            self.pull = pull * mobilities[1] / mobilities[0];
            self.single(3);
        }
        if self.rows > 4 {
            self.pull = pull * mobilities[2] / mobilities[0];
            self.disc(&discs[1], 4, (mobilities[2], false));
        }
    }

    /// The equations of the two rows of a disc from `row` on: w = 0 of what sticks, and that across the slip of what slides, which may be
    /// listed already.
    #[inline(always)]
    fn disc(&mut self, disc: &Disc, row: usize, (s, is_listed): (f64, bool)) {
        let Disc { along: [x, y], size, radius, slides, .. } = *disc;
        if !slides {
            self.single(row);
            self.single(row + 1);
        } else if radius > 0.0 {
            let mut across = Rows::default();
            [across[row], across[row + 1]] = [-y, x];
            let compliance = f64::min((size - radius) / radius, LIMIT) * s;
            let last = x * self.impulse[row + 1] - y * self.impulse[row];
            self.push(None, across, across, compliance, last);
            if !is_listed {
                self.modes.runs.push(Run::Other);
            }
        }
    }
}

/// Friction in two rows: where z is, and whether it is outside.
struct Disc {
    /// A unit vector along z.
    along: [f64; 2],
    size: f64,
    /// The coefficient, and the radius of ℓ.
    coefficient: f64,
    radius: f64,
    slides: bool,
}

impl Disc {
    #[inline(always)]
    fn new((x, y): (f64, f64), size: f64, (coefficient, radius): (f64, f64)) -> Self {
        let along = if size > 0.0 { [x / size, y / size] } else { [1.0, 0.0] };
        Self { along, size, coefficient, radius, slides: size > radius }
    }

    /// By how much λ grows with λₙ.
    #[inline(always)]
    fn force(&self) -> [f64; 2] {
        self.along.map(|x| if self.slides { self.coefficient * x } else { 0.0 })
    }
}

/// Two unit vectors that are orthogonal to one and to each other.
#[inline(always)]
fn across<A: Real>([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    // From the axis that it is farthest from.
    let (a, b, c) = (x.abs(), y.abs(), z.abs());
    let [p, q, r] = if a <= b && a <= c {
        [0.0, -z, y]
    } else if b <= c {
        [z, 0.0, -x]
    } else {
        [-y, x, 0.0]
    };
    let size = A::sqrt(p * p + q * q + r * r);
    let [p, q, r] = [p / size, q / size, r / size];
    [[p, q, r], [y * r - z * q, z * p - x * r, x * q - y * p]]
}
