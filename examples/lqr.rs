//! Balancing by a linear–quadratic regulator in discrete time.
//!
//! > x⁺ = A x + B u,  u = −K x,  K = (R + BᵀPB)⁻¹ BᵀPA,  P = Q + AᵀPA − AᵀPB K
//!
//! with x = (q − q₀, v) about an equilibrium q₀ of a robot with two joints and one motor; A and B
//! are central differences of the semi-implicit Euler step.

use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{Matrix4, RowVector4, Vector2, Vector4};

const STEP: f64 = 1e-3;

/// u = −K (q − q₀, v).
#[derive(Clone, Copy, Debug)]
pub struct Balance {
    equilibrium: Vector2<f64>,
    gains: RowVector4<f64>,
    cost: Matrix4<f64>,
}

impl Balance {
    /// With the diagonal `weights` of Q on (q − q₀, v) and R = `effort`.
    pub fn new<M>(model: &M, equilibrium: Vector2<f64>, weights: [f64; 4], effort: f64) -> Self
    where
        M: Model<Q = Vector2<f64>, V = Vector2<f64>>,
    {
        let at = |x: &Vector4<f64>, u: f64| step(model, &equilibrium, x, u);
        let small = 1e-6;
        let slope = |x: Vector4<f64>, u: f64| (at(&x, u) - at(&-x, -u)) / (2.0 * small);
        let columns = [0, 1, 2, 3].map(|k| slope(Vector4::ith(k, small), 0.0));
        let a = Matrix4::from_columns(&columns);
        let b = slope(Vector4::zeros(), small);
        let weights = Matrix4::from_diagonal(&weights.into());
        let (gains, cost) = regulator(&a, &b, &weights, effort);
        Self { equilibrium, gains, cost }
    }

    /// The input at a state.
    pub fn input(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
        -(self.gains * self.away(q, v)).x
    }

    /// xᵀ P x, what it costs to come from a state to the equilibrium.
    pub fn cost(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> f64 {
        let x = self.away(q, v);
        (x.transpose() * self.cost * x).x
    }

    fn away(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector4<f64> {
        let away = q - self.equilibrium;
        Vector4::new(away.x, away.y, v.x, v.y)
    }
}

/// The step of a simulation from (q₀ + q, v) under the input `u`, as (q, v).
fn step<M>(model: &M, equilibrium: &Vector2<f64>, x: &Vector4<f64>, u: f64) -> Vector4<f64>
where
    M: Model<Q = Vector2<f64>, V = Vector2<f64>>,
{
    let (q, v) = (x.fixed_rows::<2>(0), x.fixed_rows::<2>(2).into_owned());
    let input_matrix = model.input_matrix();
    let force = u * Vector2::from_column_slice(input_matrix.as_slice());
    let v_next = v + STEP * model.forward_dynamics(&(equilibrium + q), &v, &force);
    let q_next = q + STEP * v_next;
    Vector4::new(q_next.x, q_next.y, v_next.x, v_next.y)
}

/// K and P by iterating the Riccati equation to its fixed point.
fn regulator(
    a: &Matrix4<f64>,
    b: &Vector4<f64>,
    q: &Matrix4<f64>,
    r: f64,
) -> (RowVector4<f64>, Matrix4<f64>) {
    let (mut p, mut gains) = (*q, RowVector4::zeros());
    for _ in 0..100_000 {
        let bp = b.transpose() * p;
        let next = bp * a / (r + (bp * b).x);
        p = q + a.transpose() * p * (a - b * next);
        let change = (next - gains).amax();
        gains = next;
        if change <= 1e-12 * gains.amax() {
            break;
        }
    }
    (gains, p)
}
