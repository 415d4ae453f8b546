//! Seeded random problems.

use fastrand::Rng;
use jourdain::lcp::boxed::Problem;

/// A boxed problem with its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) lo: Vec<f64>,
    pub(crate) hi: Vec<f64>,
}

impl Owned {
    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem { a: &self.a, b: &self.b, lo: &self.lo, hi: &self.hi }
    }
}

/// A number from −1 to 1.
pub(crate) fn number(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

/// What bounds a row is given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// λ ≥ 0.
    Contacts,
    /// Some of every kind.
    Mixed,
}

/// Contacts, joints, limits and motors of bodies whose masses differ by up to 10⁶: A = J M⁻¹ Jᵀ and
/// b = J v + c, with rows that repeat others or are sums of them.
pub(crate) fn bodies(rng: &mut Rng, rows: Rows, offset: f64) -> Owned {
    let (n, dof) = (rng.usize(1..=16), rng.usize(1..=12));
    let spread = rng.f64() * 3.0;
    let mass: Vec<f64> = (0..dof).map(|_| 10f64.powf(spread * number(rng))).collect();
    let v: Vec<f64> = (0..dof).map(|_| number(rng)).collect();
    let mut j: Vec<Vec<f64>> = Vec::new();
    for i in 0..n {
        let row = match rng.usize(0..6) {
            0 if i > 0 => j[rng.usize(0..i)].clone(),
            1 if i > 1 => {
                let (one, other) = (&j[rng.usize(0..i)], &j[rng.usize(0..i)]);
                one.iter().zip(other).map(|(x, y)| x + y).collect()
            }
            _ => (0..dof).map(|_| if rng.bool() { number(rng) } else { 0.0 }).collect(),
        };
        j.push(row);
    }
    let entry = |i: usize, k: usize| (0..dof).map(|l| j[i][l] * j[k][l] / mass[l]).sum::<f64>();
    let b = (0..n).map(|i| (0..dof).map(|l| j[i][l] * v[l]).sum::<f64>() + offset * number(rng));
    let b = b.collect();
    let (lo, hi) = (0..n).map(|_| bounds(rng, rows)).unzip();
    Owned { a: (0..n * n).map(|e| entry(e % n, e / n)).collect(), b, lo, hi }
}

/// Bounds that zero lies between.
fn bounds(rng: &mut Rng, rows: Rows) -> (f64, f64) {
    let none = f64::INFINITY;
    let kind = match rows {
        Rows::Contacts => 0,
        Rows::Mixed => rng.usize(0..6),
    };
    match kind {
        0 | 1 => (0.0, none),
        2 => (-none, none),
        3 => (-rng.f64(), rng.f64()),
        4 => (-none, 0.0),
        _ => (0.0, 10.0 * rng.f64()),
    }
}

/// A positive definite matrix and a skew one: a P-matrix that is not symmetric.
pub(crate) fn unsymmetric(rng: &mut Rng, rows: Rows) -> Owned {
    let mut owned = bodies(rng, rows, 1.0);
    let n = owned.b.len();
    for j in 0..n {
        owned.a[j * n + j] += 0.1;
        for i in 0..j {
            let skew = number(rng);
            owned.a[j * n + i] += skew;
            owned.a[i * n + j] -= skew;
        }
    }
    owned
}

/// Optimality of a quadratic program, \[H −Cᵀ; C 0\]: positive semidefinite, with zeros on its diagonal.
pub(crate) fn optimality(rng: &mut Rng, offset: f64) -> Owned {
    let (n, m) = (rng.usize(1..=6), rng.usize(1..=6));
    let size = n + m;
    let root: Vec<f64> = (0..n * n).map(|_| number(rng)).collect();
    let c: Vec<f64> = (0..n * m).map(|_| number(rng)).collect();
    let rank = rng.usize(0..=n);
    let h = |i: usize, j: usize| (0..rank).map(|k| root[k * n + i] * root[k * n + j]).sum::<f64>();
    let entry = |i: usize, j: usize| match (i < n, j < n) {
        (true, true) => h(i, j),
        (true, false) => -c[i * m + j - n],
        (false, true) => c[j * m + i - n],
        (false, false) => 0.0,
    };
    let b = (0..size).map(|i| if i < n { offset * number(rng) + 0.5 } else { number(rng) + 0.5 });
    Owned {
        b: b.collect(),
        a: (0..size * size).map(|e| entry(e % size, e / size)).collect(),
        lo: vec![0.0; size],
        hi: vec![f64::INFINITY; size],
    }
}

/// Contacts with Coulomb's friction over four directions, as a linear complementarity problem of normal
/// impulses, impulses along the directions and sliding speeds,
///
/// > \[A_nn A_nt 0; A_tn A_tt E; μ −Eᵀ 0\],
///
/// which is copositive, and has a solution where b = J v; μ from 0 to 2, some contacts twice.
pub(crate) fn friction(rng: &mut Rng) -> Owned {
    let (contacts, dof) = (rng.usize(1..=5), rng.usize(3..=9));
    let spread = rng.f64() * 3.0;
    let mass: Vec<f64> = (0..dof).map(|_| 10f64.powf(spread * number(rng))).collect();
    let v: Vec<f64> = (0..dof).map(|_| number(rng)).collect();
    let (mut normals, mut tangents) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
    for i in 0..contacts {
        if i > 0 && rng.usize(0..5) == 0 {
            normals.push(normals[i - 1].clone());
            tangents.extend_from_within(4 * (i - 1)..4 * i);
            continue;
        }
        let mut row = || (0..dof).map(|_| number(rng)).collect::<Vec<f64>>();
        normals.push(row());
        for tangent in [row(), row()] {
            tangents.push(tangent.clone());
            tangents.push(tangent.iter().map(|x| -x).collect());
        }
    }
    let mu: Vec<f64> = (0..contacts).map(|_| 2.0 * rng.f64()).collect();
    let rows: Vec<Vec<f64>> = normals.into_iter().chain(tangents).collect();
    let (moving, n) = (5 * contacts, 6 * contacts);
    let entry = |i: usize, k: usize| match (i < moving, k < moving) {
        (true, true) => (0..dof).map(|l| rows[i][l] * rows[k][l] / mass[l]).sum::<f64>(),
        (true, false) => f64::from(i >= contacts && (i - contacts) / 4 == k - moving),
        (false, true) if k < contacts => {
            if k == i - moving {
                mu[k]
            } else {
                0.0
            }
        }
        (false, true) => -f64::from((k - contacts) / 4 == i - moving),
        (false, false) => 0.0,
    };
    let speed = |i: usize| (0..dof).map(|l| rows[i][l] * v[l]).sum::<f64>();
    Owned {
        b: (0..n).map(|i| if i < moving { speed(i) } else { 0.0 }).collect(),
        a: (0..n * n).map(|e| entry(e % n, e / n)).collect(),
        lo: vec![0.0; n],
        hi: vec![f64::INFINITY; n],
    }
}
