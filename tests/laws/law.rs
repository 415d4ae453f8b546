//! A random mechanism at a random state, and what laws need of it.

use fastrand::Rng;
use jourdain_codegen::derive::{Forms, Mechanism, symbols};
use jourdain_codegen::description::{Description, Frame, Law, Level, Parent, Triple};
use jourdain_codegen::expr::{Expr, Graph, Matrix3, Symbol, Vector3};
use jourdain_codegen::joint::Chart;
use jourdain_codegen::scalar::Scalar;
use nalgebra::{DMatrix, DVector};

use crate::lagrange;

/// A mechanism and numbers for its symbols.
pub(crate) struct Case<'g> {
    /// As it is described: where it is, and its energies.
    pub(crate) mechanism: &'g Mechanism<'g>,
    /// In the form that forces are derived in.
    pub(crate) form: &'g Mechanism<'g>,
    /// Values of the fields, q, v, a, time, what holds and what is asked of it, in the order of the sets of symbols.
    state: [Vec<f64>; 7],
}

/// Calls `law` with a mechanism in each of the forms, at a random state and with random fields.
pub(crate) fn with_cases(
    seed: u64,
    description: &Description,
    forms: &[Forms],
    mut law: impl FnMut(&str, &Case<'_>),
) {
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, description).expect("nothing runs backwards");
    let rng = &mut Rng::with_seed(!seed);
    let mut numbers = |n: usize| (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<_>>();
    let (mut q, v, a) = (numbers(mechanism.nq()), numbers(mechanism.nv()), numbers(mechanism.nv()));
    normalize(&mechanism, &mut q);
    let fields = description.fields.iter().map(|_| 0.5 + rng.f64()).collect();
    let state = [fields, q, v, a, vec![0.3], Vec::new(), Vec::new()];
    for candidate in forms.iter().flat_map(|forms| mechanism.candidates(forms)) {
        let (mechanism, form) = (&mechanism, &candidate.mechanism);
        law(&candidate.name, &Case { mechanism, form, state: state.clone() });
    }
}

fn normalize(mechanism: &Mechanism<'_>, q: &mut [f64]) {
    for (joint, &(k, _)) in mechanism.description.joints.iter().zip(&mechanism.coordinates) {
        let first = match joint.family.chart() {
            Chart::Vector => continue,
            Chart::Quaternion => k,
            Chart::Pose => k + 3,
        };
        let norm = q[first..first + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[first..first + 4].iter_mut().for_each(|x| *x /= norm);
    }
}

/// The entries of two vectors in pairs.
pub(crate) fn pairs(a: &DVector<f64>, b: &DVector<f64>) -> Vec<(f64, f64)> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b.iter()).map(|(a, b)| (*a, *b)).collect()
}

impl<'g> Case<'g> {
    /// With other numbers for a set of symbols.
    pub(crate) fn with(&self, set: u8, numbers: Vec<f64>) -> Self {
        let mut state = self.state.clone();
        state[usize::from(set)] = numbers;
        Self { state, ..*self }
    }

    pub(crate) fn values(&self, outputs: &[Expr<'g>]) -> Vec<f64> {
        let value = |symbol: Symbol| self.state[usize::from(symbol.set)][symbol.index as usize];
        self.mechanism.graph.evaluate(outputs, value)
    }

    pub(crate) fn vector(&self, outputs: &[Expr<'g>]) -> DVector<f64> {
        DVector::from_vec(self.values(outputs))
    }

    pub(crate) fn square(&self, rows: Vec<Vec<Expr<'g>>>) -> DMatrix<f64> {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        DMatrix::from_row_slice(height, width, &self.values(&rows.concat()))
    }

    pub(crate) fn v(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.state[2])
    }

    pub(crate) fn a(&self) -> DVector<f64> {
        DVector::from_column_slice(&self.state[3])
    }

    pub(crate) fn inverse_dynamics(&self) -> Vec<Expr<'g>> {
        self.form.inverse_dynamics(&self.form.state.v, &self.form.state.a)
    }

    /// Derivatives by time along q̇ = N v and v̇ = a.
    pub(crate) fn rate_expressions(&self, outputs: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let state = &self.mechanism.state;
        let q_rate = lagrange::configuration_rate(self, &state.v);
        self.mechanism.graph.directional_derivative(outputs, |symbol| match symbol.set {
            symbols::Q => Some(q_rate[symbol.index as usize]),
            symbols::V => Some(state.a[symbol.index as usize]),
            symbols::TIME => Some(self.mechanism.graph.one()),
            _ => None,
        })
    }

    pub(crate) fn rates(&self, outputs: &[Expr<'g>]) -> Vec<f64> {
        self.values(&self.rate_expressions(outputs))
    }

    /// Mass of all bodies that some joint moves.
    pub(crate) fn moving_mass(&self) -> f64 {
        let masses: Vec<_> = self.mechanism.bodies.iter().map(|body| body.moments.mass).collect();
        self.values(&masses).iter().sum()
    }

    pub(crate) fn times(&self, rows: &[Vec<Expr<'g>>], x: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let zero = self.mechanism.graph.zero();
        let product =
            |row: &Vec<Expr<'g>>| row.iter().zip(x).fold(zero, |sum, (&r, &x)| sum + r * x);
        rows.iter().map(product).collect()
    }
}

/// Velocity and acceleration of a frame, by differentiating its pose, against J v and J v̇ plus the
/// bias.
pub(crate) fn frame(case: &Case<'_>, frame: &Frame) -> Vec<(f64, f64)> {
    let mechanism = case.mechanism;
    let pose = mechanism.frame_pose(frame);
    let entry = |i: usize, j: usize| pose[3 * j + i];
    let rotation = Matrix3([0, 1, 2].map(|i| [entry(i, 0), entry(i, 1), entry(i, 2)]));
    let rate = case.rate_expressions(&pose);
    let second = case.rate_expressions(&rate);
    let local = |x: &[Expr<'_>]| -> Vec<f64> {
        let x: Vec<f64> = case.values(&x[9..12]);
        let r = case.values(&rotation.0.concat());
        (0..3).map(|k| r[k] * x[0] + r[3 + k] * x[1] + r[6 + k] * x[2]).collect()
    };
    let jacobian = mechanism.frame_jacobian(frame);
    let velocity = case.values(&case.times(&jacobian, &mechanism.state.v));
    let driven = case.values(&case.times(&jacobian, &mechanism.state.a));
    let bias = case.values(&mechanism.frame_bias(frame));
    let (linear, acceleration) = (local(&rate), local(&second));
    let mut pairs: Vec<_> = (0..3).map(|k| (linear[k], velocity[k])).collect();
    pairs.extend((0..3).map(|k| (acceleration[k], driven[k] + bias[k])));
    // Ṙ = R [ω]×, so that ω is the axial vector of Rᵀ Ṙ.
    let rate_matrix = Matrix3([0, 1, 2].map(|i| [0, 1, 2].map(|j| rate[3 * j + i])));
    let spin = rotation.transpose() * rate_matrix;
    let angular = Vector3([spin[2][1], spin[0][2], spin[1][0]]).0;
    let turning = case.values(&angular);
    let turning_rate = case.rates(&angular);
    pairs.extend((0..3).map(|k| (turning[k], velocity[3 + k])));
    pairs.extend((0..3).map(|k| (turning_rate[k], driven[3 + k] + bias[3 + k])));
    pairs
}

/// Rates of the gaps against the normal rows, and rates of J v against J v̇ + J̇ v.
pub(crate) fn contacts(case: &Case<'_>) -> Vec<(f64, f64)> {
    let mechanism = case.mechanism;
    let jacobian = mechanism.contact_jacobian();
    let velocity = case.times(&jacobian, &mechanism.state.v);
    let approach = case.values(&velocity);
    let closing = case.rates(&mechanism.gap());
    let mut pairs: Vec<_> = (0..closing.len()).map(|k| (closing[k], approach[3 * k])).collect();
    let driven = case.values(&case.times(&jacobian, &mechanism.state.a));
    let bias = case.values(&mechanism.contact_bias());
    let rates = case.rates(&velocity);
    pairs.extend((0..rates.len()).map(|k| (rates[k], driven[k] + bias[k])));
    pairs
}

/// Rates of the errors against the rates, and rates of those against H v̇ and the bias.
pub(crate) fn constraints(case: &Case<'_>) -> Vec<(f64, f64)> {
    let mechanism = case.mechanism;
    let rows = mechanism.constraints();
    let (rates, errors) = (case.values(&rows.rates()), case.rates(&rows.errors()));
    // Close to a half turn the Gibbs vector of a closure is infinite, and rounding grows with it.
    let values = case.values(&rows.errors());
    let regular = |k: &usize| values[*k].abs() < 10.0;
    let laws = mechanism.description.constraints.iter().map(|constraint| &constraint.law);
    let levels: Vec<_> = laws.flat_map(Law::levels).collect();
    let all = || (0..levels.len()).filter(regular);
    let positions = all().filter(|&k| levels[k] == Level::Position);
    let mut pairs: Vec<_> = positions.map(|k| (errors[k], rates[k])).collect();
    let driven = case.values(&case.times(&rows.jacobian(), &mechanism.state.a));
    let (bias, second) = (case.values(&rows.bias()), case.rates(&rows.rates()));
    pairs.extend(all().map(|k| (second[k], driven[k] + bias[k])));
    pairs
}

/// Rates of the limits against J v, and rates of J v against J v̇ and the bias.
pub(crate) fn limits(case: &Case<'_>) -> Vec<(f64, f64)> {
    let mechanism = case.mechanism;
    let limits = mechanism.limits();
    let velocity = case.times(&limits.jacobian(), &mechanism.state.v);
    let driven = case.values(&case.times(&limits.jacobian(), &mechanism.state.a));
    let bias = case.values(&limits.bias());
    let (rates, second) = (case.rates(&limits.errors()), case.rates(&velocity));
    let mut pairs: Vec<_> = rates.into_iter().zip(case.values(&velocity)).collect();
    pairs.extend((0..second.len()).map(|k| (second[k], driven[k] + bias[k])));
    pairs
}

/// A number of a mechanism that has no fields in it.
pub(crate) fn number(x: &Scalar) -> f64 {
    x.constant().expect("a constant")
}

/// A number or a field of a mechanism.
fn parameter<'g>(graph: &'g Graph, x: &Scalar) -> Expr<'g> {
    match x {
        Scalar::Field(k) => graph.symbol(symbols::FIELD, *k),
        x => graph.constant(number(x)),
    }
}

/// Energy stored in all springs, and power burnt by all dampers.
pub(crate) fn springs<'g>(case: &Case<'g>) -> (Expr<'g>, Expr<'g>) {
    let mechanism = case.mechanism;
    let graph = mechanism.graph;
    let parameter = |x: &Scalar| parameter(graph, x);
    let (mut stored, mut burnt) = (graph.zero(), graph.zero());
    for (k, joint) in mechanism.description.joints.iter().enumerate() {
        let leader = joint.mimic.as_ref().map_or(k, |mimic| mimic.joint);
        let (q, v) = mechanism.coordinates[leader];
        let ratio = joint.mimic.as_ref().map_or(graph.one(), |m| parameter(&m.multiplier));
        let offset = joint.mimic.as_ref().map_or(graph.zero(), |m| parameter(&m.offset));
        for (i, coordinate) in joint.coordinates.iter().enumerate() {
            let speed = ratio * mechanism.state.v[v + i];
            burnt += parameter(&coordinate.damping) * speed.squared();
            if joint.family.chart() == Chart::Vector {
                let stretch =
                    ratio * mechanism.state.q[q + i] + offset - parameter(&coordinate.rest);
                stored += 0.5 * (parameter(&coordinate.stiffness) * stretch.squared());
            }
        }
    }
    let poses = mechanism.link_poses();
    let place = |(parent, point): &(Parent, Triple)| {
        let point = Vector3([0, 1, 2].map(|k| parameter(&point[k])));
        let Parent::Link(link) = *parent else {
            return point;
        };
        let pose = &poses[12 * link..];
        let row = |i: usize| {
            pose[i] * point[0] + pose[3 + i] * point[1] + pose[6 + i] * point[2] + pose[9 + i]
        };
        Vector3([row(0), row(1), row(2)])
    };
    for spring in &mechanism.description.springs {
        let between = place(&spring.ends[1]) - place(&spring.ends[0]);
        let length = between.dot(between).sqrt();
        let stretch = length - parameter(&spring.rest);
        stored += 0.5 * (parameter(&spring.stiffness) * stretch.squared());
        let rate = case.rate_expressions(&[length])[0];
        burnt += parameter(&spring.damping) * rate.squared();
    }
    (stored, burnt)
}
