//! Seeded random contact problems of rigid bodies.

use jourdain::cone::{Block, Law, Matrix, Problem};

pub(crate) use crate::numbers::Numbers;

impl Numbers {
    fn vector(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }

    fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = self.vector();
            let size = dot(v, v).sqrt();
            if (0.1..=1.0).contains(&size) {
                return v.map(|x| x / size);
            }
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What b is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gaps {
    /// Velocities of the bodies, and gaps that are not negative: some motion keeps all contacts.
    Open,
    /// Velocities besides: along the tangents any, along normals those of another motion, which opens or
    /// keeps all contacts. Then there is a solution too (Acary, Cadoux, Lemaréchal, Malick: A Formulation of the
    /// Linear Discrete Coulomb Friction Problem via Convex Optimization, 2011).
    Prescribed,
}

/// What resists turning beside torsional friction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turning {
    /// Up to so many pairs of bodies, by friction about all axes.
    pub(crate) balls: usize,
    /// Contacts, by rolling resistance.
    pub(crate) rolls: bool,
}

/// A problem in storage of its own.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Y, (n, 6 bodies), row by row.
    pub(crate) rows: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    /// A, (n, n).
    pub(crate) matrix: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) blocks: Vec<Block>,
    /// By how much b differs from that of a motion which all contacts allow.
    prescribed: Vec<f64>,
    /// What gaps have added to b.
    gaps: Vec<f64>,
}

/// Which motion gives a row its velocity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Bodies,
    Other,
}

struct Body {
    /// Roots of the inverse mass and the inverse inertia.
    mass: f64,
    inertia: f64,
    size: f64,
    velocity: [f64; 6],
    /// Of the motion that normals are prescribed by.
    other: [f64; 6],
}

impl Case {
    /// Up to forty contacts of up to eight bodies with each other and with the world, whose masses differ by up
    /// to 10^(2 `decades`); some contacts twice, some with torsional friction, some rows besides.
    pub(crate) fn random(seed: u64, decades: f64, gaps: Gaps) -> Self {
        Self::with(seed, decades, gaps, Turning::default())
    }

    /// The same with contacts that resist rolling.
    pub(crate) fn rolling(seed: u64, decades: f64, gaps: Gaps) -> Self {
        Self::with(seed, decades, gaps, Turning { rolls: true, ..Turning::default() })
    }

    /// The same with more that resists turning.
    pub(crate) fn with(seed: u64, decades: f64, gaps: Gaps, turning: Turning) -> Self {
        let Turning { balls, rolls } = turning;
        let numbers = &mut Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491);
        (0..8).for_each(|_| _ = numbers.next());
        let bodies: Vec<Body> = (0..1 + numbers.below(8)).map(|_| body(numbers, decades)).collect();
        let most = [4, 12, 40][numbers.below(3)];
        let mut case = Self::empty();
        let everywhere = numbers.below(4) == 0;
        let with_torsion = numbers.below(3) == 0;
        let with_rows = numbers.below(3) == 0;
        for _ in 0..1 + numbers.below(most) {
            if with_rows && numbers.below(3) == 0 {
                case.row(&bodies, numbers, gaps);
            } else {
                case.contact(&bodies, numbers, (everywhere, with_torsion, rolls), gaps);
            }
        }
        for _ in 0..balls {
            case.ball(&bodies, numbers);
        }
        if numbers.below(3) == 0 {
            case.repeat(numbers, bodies.len());
        }
        case.complete(6 * bodies.len());
        case
    }

    fn empty() -> Self {
        let none = Vec::new;
        Self {
            rows: none(),
            damping: none(),
            matrix: none(),
            b: none(),
            blocks: Vec::new(),
            prescribed: none(),
            gaps: none(),
        }
    }

    /// A row along `direction` at the place r of two bodies, one of which may be the world; `turns` for a
    /// relative rotation.
    fn push(&mut self, bodies: &[Body], pair: Pair, direction: [f64; 3], (turns, of): (bool, Of)) {
        let start = self.rows.len();
        self.rows.resize(start + 6 * bodies.len(), 0.0);
        let (mut b, mut allowed) = (0.0, 0.0);
        for (sign, (body, r)) in [(1.0, pair.0), (-1.0, pair.1.unwrap_or(pair.0))] {
            if sign < 0.0 && pair.1.is_none() {
                continue;
            }
            let Body { mass, inertia, velocity, other, .. } = &bodies[body];
            let velocity = if of == Of::Other { other } else { velocity };
            let (linear, angular) = match turns {
                true => ([0.0; 3], direction),
                false => (direction, cross(r, direction)),
            };
            for k in 0..3 {
                let row = &mut self.rows[start + 6 * body..];
                row[k] += sign * mass * linear[k];
                row[3 + k] += sign * inertia * angular[k];
                b += sign * (linear[k] * velocity[k] + angular[k] * velocity[3 + k]);
                allowed += sign * (linear[k] * other[k] + angular[k] * other[3 + k]);
            }
        }
        self.b.push(b);
        self.prescribed.push(b - allowed);
        self.damping.push(0.0);
        self.gaps.push(0.0);
    }

    fn contact(
        &mut self,
        bodies: &[Body],
        numbers: &mut Numbers,
        (everywhere, with_torsion, rolls): (bool, bool, bool),
        gaps: Gaps,
    ) {
        let pair = pair(bodies, numbers);
        // On the ground all normals are up.
        let normal = match everywhere || pair.1.is_some() {
            true => numbers.direction(),
            false => [0.0, 0.0, 1.0],
        };
        let aside = if normal[2].abs() < 0.7 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
        let tangent = cross(normal, aside);
        let size = dot(tangent, tangent).sqrt();
        let tangent = tangent.map(|x| x / size);
        let along = if gaps == Gaps::Open { Of::Bodies } else { Of::Other };
        self.push(bodies, pair, normal, (false, along));
        for direction in [tangent, cross(normal, tangent)] {
            self.push(bodies, pair, direction, (false, Of::Bodies));
        }
        let first = self.b.len() - 3;
        self.gaps[first] = gap(numbers);
        self.b[first] += self.gaps[first];
        if gaps == Gaps::Prescribed && numbers.below(4) == 0 {
            let slip = numbers.next();
            self.b[first + 1] += slip;
            self.prescribed[first + 1] += slip;
        }
        let friction = if numbers.below(12) == 0 { 0.0 } else { 1.0 + numbers.next() };
        let torsion = with_torsion.then(|| 0.1 * (1.0 + numbers.next()));
        if torsion.is_some() {
            self.push(bodies, pair, normal, (true, Of::Bodies));
        }
        if !rolls || numbers.below(3) == 0 {
            self.blocks.push(Block::Contact { friction, torsion });
            return;
        }
        let turning = if torsion.is_none() { &[normal, tangent][..] } else { &[tangent] };
        for direction in turning.iter().chain(&[cross(normal, tangent)]) {
            self.push(bodies, pair, *direction, (true, Of::Bodies));
        }
        let rolling = 0.02 * (1.0 + numbers.next());
        self.blocks.push(Block::Rolling { friction, torsion: torsion.unwrap_or(0.0), rolling });
    }

    fn ball(&mut self, bodies: &[Body], numbers: &mut Numbers) {
        let pair = pair(bodies, numbers);
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            self.push(bodies, pair, axis, (true, Of::Bodies));
        }
        let size = bodies[pair.0.0].inertia;
        let radius = [0.0, 0.01, 0.3, 10.0][numbers.below(4)] / (size * size);
        self.blocks.push(Block::Ball { radius });
    }

    fn row(&mut self, bodies: &[Body], numbers: &mut Numbers, gaps: Gaps) {
        let (pair, direction) = (pair(bodies, numbers), numbers.direction());
        let along = if gaps == Gaps::Open { Of::Bodies } else { Of::Other };
        self.push(bodies, pair, direction, (numbers.below(2) == 0, along));
        let last = self.b.len() - 1;
        let bound = (1.0 + numbers.next()) / 10.0;
        let kind = numbers.below(4);
        self.gaps[last] = match kind {
            0 => gap(numbers),
            1 => -gap(numbers),
            2 if gaps == Gaps::Prescribed => numbers.next(),
            _ => 0.0,
        };
        self.b[last] += self.gaps[last];
        let (lower, upper) = match kind {
            0 => (0.0, f64::INFINITY),
            1 => (f64::NEG_INFINITY, 0.0),
            2 => (-bound, bound),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        self.blocks.push(Block::Row { lower, upper });
    }

    /// Some of the blocks once more.
    fn repeat(&mut self, numbers: &mut Numbers, bodies: usize) {
        let width = 6 * bodies;
        for _ in 0..1 + numbers.below(4) {
            let which = numbers.below(self.blocks.len());
            let first: usize = self.blocks[..which].iter().map(Block::rows).sum();
            let block = self.blocks[which];
            for row in first..first + block.rows() {
                self.rows.extend_from_within(row * width..(row + 1) * width);
                self.b.push(self.b[row]);
                self.prescribed.push(self.prescribed[row]);
                self.damping.push(0.0);
                self.gaps.push(self.gaps[row]);
            }
            self.blocks.push(block);
        }
    }

    fn complete(&mut self, width: usize) {
        let n = self.b.len();
        let row = |i: usize| &self.rows[i * width..(i + 1) * width];
        let entry = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(x, y)| x * y).sum::<f64>();
        self.matrix = (0..n * n).map(|k| entry(k % n, k / n)).collect();
        for i in 0..n {
            self.matrix[i * (n + 1)] += self.damping[i];
        }
    }

    /// With gaps that what slides as prescribed opens to: then the convex law has a solution too.
    pub(crate) fn opened(mut self) -> Self {
        let mut first = 0;
        for block in &self.blocks {
            if let Block::Contact { friction, torsion } = *block {
                let slip = self.prescribed[first + 1].hypot(self.prescribed[first + 2]);
                let spin = torsion.map_or(0.0, |lever| lever * self.prescribed[first + 3].abs());
                self.b[first] += friction * slip + spin;
            }
            if let Block::Rolling { friction, torsion, rolling } = *block {
                let [x, y, spin, p, q] = [1, 2, 3, 4, 5].map(|k| self.prescribed[first + k]);
                self.b[first] +=
                    friction * x.hypot(y) + torsion * spin.abs() + rolling * p.hypot(q);
            }
            first += block.rows();
        }
        self
    }

    /// Without gaps: an impact.
    pub(crate) fn touching(mut self) -> Self {
        for (b, prescribed) in self.b.iter_mut().zip(&self.gaps) {
            *b -= prescribed;
        }
        self
    }

    /// With some damping in every row.
    pub(crate) fn damped(mut self) -> Self {
        let n = self.b.len();
        for i in 0..n {
            self.damping[i] = 0.01 * self.matrix[i * (n + 1)];
            self.matrix[i * (n + 1)] += self.damping[i];
        }
        self
    }

    /// By its matrix, or by the factors of that.
    pub(crate) fn problem(&self, law: Law, factored: bool) -> Problem<'_> {
        let matrix = match factored {
            true => Matrix::Factor { rows: &self.rows, damping: &self.damping },
            false => Matrix::Delassus(&self.matrix),
        };
        Problem { matrix, b: &self.b, blocks: &self.blocks, law }
    }
}

/// A body with a place on it, and perhaps another one.
type Pair = ((usize, [f64; 3]), Option<(usize, [f64; 3])>);

fn pair(bodies: &[Body], numbers: &mut Numbers) -> Pair {
    let first = numbers.below(bodies.len());
    let second = numbers.below(bodies.len());
    let place = |body: usize, numbers: &mut Numbers| {
        (body, numbers.vector().map(|x| x * bodies[body].size))
    };
    let one = place(first, numbers);
    let ground = first == second || numbers.below(2) == 0;
    (one, (!ground).then(|| place(second, numbers)))
}

fn body(numbers: &mut Numbers, decades: f64) -> Body {
    let mass = f64::powf(10.0, decades * numbers.next());
    let size = 0.2 * f64::cbrt(mass);
    let inertia = 0.2 * mass * size * size * (1.0 + 0.5 * numbers.next());
    let [velocity, other] = core::array::from_fn(|_| core::array::from_fn(|_| numbers.next()));
    Body { mass: 1.0 / mass.sqrt(), inertia: 1.0 / inertia.sqrt(), size, velocity, other }
}

fn gap(numbers: &mut Numbers) -> f64 {
    if numbers.below(2) == 0 { 0.5 * (1.0 + numbers.next()) } else { 0.0 }
}
