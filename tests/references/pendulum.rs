//! The simple double pendulum in closed form.
//!
//! With s₁ = sin q₁, c₂ = cos q₂, s₁₂ = sin(q₁ + q₂):
//!
//! > M = [(m₁ + m₂) l₁² + m₂ l₂² + 2 m₂ l₁ l₂ c₂, m₂ l₂² + m₂ l₁ l₂ c₂; ·, m₂ l₂²],
//! > C v = m₂ l₁ l₂ s₂ [−(2 v₁ + v₂) v₂; v₁²],
//! > τ_g = −g [(m₁ + m₂) l₁ s₁ + m₂ l₂ s₁₂; m₂ l₂ s₁₂]
//!
//! Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", examples 1 and 2.

use fastrand::Rng;
use jourdain_models::DoublePendulum;
use nalgebra::{Matrix2, Vector2};

use crate::{between, close};

const G: f64 = 9.81;
const STATES: usize = 1000;

fn mass(p: &DoublePendulum, q: &Vector2<f64>) -> Matrix2<f64> {
    let DoublePendulum { m1, m2, l1, l2 } = *p;
    let c2 = q[1].cos();
    let side = m2 * l2 * l2 + m2 * l1 * l2 * c2;
    let corner = (m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2.0 * m2 * l1 * l2 * c2;
    Matrix2::new(corner, side, side, m2 * l2 * l2)
}

fn coriolis(p: &DoublePendulum, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
    let factor = p.m2 * p.l1 * p.l2 * q[1].sin();
    Vector2::new(-factor * (2.0 * v[0] + v[1]) * v[1], factor * v[0] * v[0])
}

fn gravity(p: &DoublePendulum, q: &Vector2<f64>) -> Vector2<f64> {
    let DoublePendulum { m1, m2, l1, l2 } = *p;
    let (s1, s12) = (q[0].sin(), (q[0] + q[1]).sin());
    -G * Vector2::new((m1 + m2) * l1 * s1 + m2 * l2 * s12, m2 * l2 * s12)
}

fn cases() -> impl Iterator<Item = (DoublePendulum, [Vector2<f64>; 3])> {
    let mut rng = Rng::with_seed(1);
    (0..STATES).map(move |_| {
        let mut length = || between(&mut rng, 0.1, 3.0);
        let pendulum = DoublePendulum { m1: length(), m2: length(), l1: length(), l2: length() };
        let mut angle = || between(&mut rng, -7.0, 7.0);
        let vectors = [(); 3].map(|()| Vector2::new(angle(), angle()));
        (pendulum, vectors)
    })
}

#[test]
fn manipulator_equation() {
    for (pendulum, [q, v, v_dot]) in cases() {
        let (m, c, tau_g) =
            (mass(&pendulum, &q), coriolis(&pendulum, &q, &v), gravity(&pendulum, &q));
        let found = pendulum.coriolis_matrix(&q, &v) * v;
        close("M", pendulum.mass_matrix(&q).as_slice(), m.as_slice(), 1e-12);
        close("C v", found.as_slice(), c.as_slice(), 1e-12);
        close("τ_g", pendulum.gravity_force(&q).as_slice(), tau_g.as_slice(), 1e-12);
        close("bias", pendulum.bias_force(&q, &v).as_slice(), (c - tau_g).as_slice(), 1e-12);
        let tau = m * v_dot + c - tau_g;
        let found = pendulum.inverse_dynamics(&q, &v, &v_dot);
        close("τ", found.as_slice(), tau.as_slice(), 1e-12);
        let found = m * pendulum.forward_dynamics(&q, &v, &tau) + c - tau_g;
        close("M v̇ + C v − τ_g", found.as_slice(), tau.as_slice(), 1e-12);
    }
    assert_eq!(DoublePendulum::NV, 2);
}

/// T and U of the first example, and B = 1.
#[test]
fn energies() {
    for (pendulum, [q, v, _]) in cases() {
        let DoublePendulum { m1, m2, l1, l2 } = pendulum;
        let sum = v[0] + v[1];
        let kinetic = 0.5 * (m1 + m2) * (l1 * v[0]).powi(2)
            + 0.5 * m2 * (l2 * sum).powi(2)
            + m2 * l1 * l2 * v[0] * sum * q[1].cos();
        let potential = -(m1 + m2) * G * l1 * q[0].cos() - m2 * G * l2 * (q[0] + q[1]).cos();
        close("T", &[pendulum.kinetic_energy(&q, &v)], &[kinetic], 1e-12);
        close("U", &[pendulum.potential_energy(&q)], &[potential], 1e-12);
        assert_eq!(pendulum.input_matrix(), Matrix2::identity());
    }
}
