//! Stronge's law against closed forms of planar impacts, and against small steps in space.

use jourdain::impact::{Error, Law, Part, Restitution};
use jourdain::prelude::*;
use nalgebra::{Matrix3, SVector, Vector3};

use crate::robots::{Body, Rod};
use crate::{near, strike};

const TIP: &[Part] = &[Part::Contact(0)];

fn stronge() -> Law {
    Law { restitution: Restitution::Stronge, ..Law::default() }
}

/// A rod at an angle to the vertical, and the mobilities A_nn, A_nt, A_tt of its tip, the tangent being such that A_nt > 0;
/// how fast the middle moves along that tangent is the last of v.
struct Tilted {
    rod: Rod,
    q: Vector3<f64>,
    a: [f64; 3],
    tangent: f64,
}

fn tilted(rod: Rod, angle: f64) -> Tilted {
    let q = Vector3::new(0.0, 0.0, angle);
    let rows = rod.contact_jacobian(&q);
    let inverse = rod.mass_matrix(&q).try_inverse().unwrap();
    let k = if rows.row(1).norm() > rows.row(2).norm() { 1 } else { 2 };
    let of = |i: usize, j: usize| (rows.row(i) * inverse * rows.row(j).transpose())[0];
    let a = [of(0, 0), of(0, k), of(k, k)];
    let tangent = rows[(k, 0)] * a[1].signum();
    // A rod of one metre: 12 times the square of its lever.
    near(&[a[0], a[2]], &[1.0 + 3.0 * angle.sin().powi(2), 1.0 + 3.0 * angle.cos().powi(2)], 1e-12);
    Tilted { rod, q, a: [a[0], a[1].abs(), a[2]], tangent }
}

impl Tilted {
    /// Velocities (normal, along the tangent) after it has come down at 1 m/s with this slip.
    fn after(&self, slip: f64) -> Result<[f64; 2], Error> {
        let v = Vector3::new(slip * self.tangent, -1.0, 0.0);
        let (v_plus, outcome) = strike(&self.rod, stronge(), (&self.q, &v), TIP)?;
        assert!(outcome.work <= 1e-12);
        let rows = self.rod.contact_jacobian(&self.q);
        let k = if rows.row(1).norm() > rows.row(2).norm() { 1 } else { 2 };
        let w = rows * v_plus;
        Ok([w[0], w[k] * rows[(k, 0)] * self.tangent])
    }

    /// The same by Routh's diagram: until p_s it slips with the rates b and c of normal and slip, then with others.
    fn routh(&self, slip: f64) -> [f64; 2] {
        let ([n, a, t], Rod { mu, e }) = (self.a, self.rod);
        let sense = slip.signum();
        let (b, c) = (n - mu * sense * a, a - mu * sense * t);
        let sticks = a / t <= mu;
        // What follows the end of slip: it sticks, or slips along the positive tangent.
        let (b_later, c_later) =
            if sticks { (n - a * a / t, 0.0) } else { (n - mu * a, a - mu * t) };
        let p_slip = if slip * c < 0.0 { -slip / c } else { f64::INFINITY };
        let p_compressed = if b > 0.0 { 1.0 / b } else { f64::INFINITY };
        if p_slip >= p_compressed {
            let work = e * e * 0.5 / b;
            let w = e;
            let p = p_compressed + w / b;
            if p <= p_slip {
                return [w, slip + c * p];
            }
            let at_end = -1.0 + b * p_slip;
            let rest = work - 0.5 * at_end * at_end / b;
            let w = (at_end * at_end + 2.0 * b_later * rest).sqrt();
            return [w, c_later * (w - at_end) / b_later];
        }
        let at_end = 1.0 - b * p_slip;
        let taken = 0.5 * (1.0 + at_end) * p_slip + 0.5 * at_end * at_end / b_later;
        let w = e * (2.0 * b_later * taken).sqrt();
        [w, c_later * (w + at_end) / b_later]
    }
}

/// All of Routh's cases: slip throughout in either sense, slip that ends in compression or in restitution, sticks or turns
/// round then, and slip that jams at first (A_nn < μ A_nt).
///
/// Source: Routh's diagram of the impulse; Stronge's coefficient by the triangles under w_n(p).
#[test]
fn planar_impacts_are_those_of_rouths_diagram() -> Result<(), Error> {
    let mut seen = [0; 6];
    for angle in [0.1, 0.5, std::f64::consts::FRAC_PI_4, 1.0, 1.3] {
        for mu in [0.0, 0.05, 0.2, 0.5, 0.9, 1.7, 3.0] {
            for e in [0.0, 0.3, 0.8, 1.0] {
                for slip in [-3.0, -1.0, -0.53, -0.2, -0.03, 0.03, 0.2, 0.7, 2.5] {
                    let tilted = tilted(Rod { mu, e }, angle);
                    let expected = tilted.routh(slip);
                    near(&tilted.after(slip)?, &expected, 1e-9);
                    let [n, a, t] = tilted.a;
                    let stops = expected[1] * slip <= 1e-9;
                    let sticks = a / t <= mu;
                    seen[usize::from(stops) + usize::from(sticks)] += 1;
                    seen[3] += usize::from(n < mu * a && slip > 0.0);
                    seen[4] += usize::from(stops && !sticks && expected[1] > 1e-9);
                    seen[5] += usize::from(slip > 0.0);
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
    Ok(())
}

/// The three laws agree where slip keeps its direction, and where there is no friction.
#[test]
fn coefficients_agree_where_slip_does_not_change() -> Result<(), Error> {
    let rod = Rod { mu: 0.2, e: 0.6 };
    let q = Vector3::new(0.0, 0.0, 0.5);
    let v = Vector3::new(20.0, -1.0, 0.0);
    let expected = strike(&rod, Law::default(), (&q, &v), TIP)?.0;
    for restitution in [Restitution::Poisson, Restitution::Stronge] {
        let law = Law { restitution, ..Law::default() };
        near(strike(&rod, law, (&q, &v), TIP)?.0.as_slice(), expected.as_slice(), 1e-9);
    }
    Ok(())
}

/// Keller's equations by the midpoint rule in small steps of p.
fn small_steps(a: &Matrix3<f64>, w: Vector3<f64>, mu: f64, e: f64, steps: usize) -> Vector3<f64> {
    let h = 4.0 * -w.x / a[(0, 0)] / steps as f64;
    let rate = |w: &Vector3<f64>| {
        let speed = w.y.hypot(w.z).max(1e-12);
        a * Vector3::new(1.0, -mu * w.y / speed, -mu * w.z / speed)
    };
    let (mut w, mut taken, mut returned) = (w, 0.0, 0.0);
    for _ in 0..100 * steps {
        let before = w;
        let half = w + rate(&w) * (h / 2.0);
        w += rate(&half) * h;
        let work = 0.5 * h * (before.x + w.x);
        if work < 0.0 {
            taken -= work;
        } else {
            returned += work;
        }
        if w.x > 0.0 && returned >= e * e * taken {
            break;
        }
    }
    w
}

/// A body whose point comes down in a general direction: slip turns, and the result is that of small steps.
#[test]
fn slip_in_space_turns_as_small_steps_do() -> Result<(), Error> {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut turned, mut ended) = (0, 0);
    for _ in 0..40 {
        let mut number = |least: f64, most: f64| least + (most - least) * random.f64();
        let inertia = [number(0.02, 0.03), number(0.02, 0.03), number(0.02, 0.03)];
        let [a, b, c] = inertia;
        let body = Body { m: 1.0, a, b, c, mu: number(0.1, 1.5), e: number(0.0, 1.0) };
        let mut q = body.neutral();
        let turn = SVector::<f64, 6>::from_fn(|k, _| if k < 3 { 0.0 } else { number(-0.5, 0.5) });
        q = body.integrate(&q, &turn);
        let mut v = SVector::<f64, 6>::from_fn(|_, _| number(-1.0, 1.0));
        let rows = body.contact_jacobian(&q);
        let rows = rows.fixed_rows::<3>(0).into_owned();
        if (rows * v).x > -0.3 {
            v -= rows.row(0).transpose() * (((rows * v).x + 1.0) / rows.row(0).norm_squared());
        }
        let inverse = body.mass_matrix(&q).try_inverse().unwrap();
        let mobility = rows * inverse * rows.transpose();
        let before = rows * v;
        let (_, outcome) = strike(&body, stronge(), (&q, &v), TIP)?;
        assert!(outcome.work <= 1e-12, "{}", outcome.work);
        let after = Vector3::from(outcome.parts[0].after);
        let expected = small_steps(&mobility, before, body.mu, body.e, 40_000);
        near(after.as_slice(), expected.as_slice(), 3e-4);
        let cross = before.y * after.z - before.z * after.y;
        turned += usize::from(cross.abs() > 1e-2);
        ended += usize::from(after.y.hypot(after.z) < 1e-9);
    }
    assert!(turned > 10 && ended > 3, "{turned} {ended}");
    Ok(())
}
