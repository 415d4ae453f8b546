//! Seeded random problems, and their solutions by a singular value decomposition.

use jourdain::kkt::{Dense, Method, Problem};
use nalgebra::{DMatrix, DVector};

pub(crate) use crate::numbers::Numbers;

pub(crate) const DENSE: [Dense; 4] = [Dense::Lu, Dense::Cholesky, Dense::PivotedQr, Dense::Svd];

pub(crate) fn methods() -> Vec<Method> {
    let mut all = vec![Method::Adaptive, Method::NullSpace, Method::Proximal];
    all.extend(DENSE.map(Method::Direct));
    all.extend(DENSE.map(Method::RangeSpace));
    all.extend(DENSE.map(Method::Articulated));
    all
}

impl Numbers {
    /// Between 10^−decades and 10^decades.
    pub(crate) fn size(&mut self, decades: f64) -> f64 {
        f64::powf(10.0, decades * self.next())
    }

    pub(crate) fn vector(&mut self, n: usize) -> DVector<f64> {
        DVector::from_fn(n, |_, _| self.next())
    }
}

/// A problem and what its construction says of it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) mass: DMatrix<f64>,
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) force: DVector<f64>,
    pub(crate) target: DVector<f64>,
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) massless: Vec<usize>,
}

impl Case {
    /// A branched mechanism of up to 14 coordinates with loops; some rows are combinations of others, some
    /// coordinates are without mass but moved by a row of their own.
    pub(crate) fn random(seed: u64) -> Self {
        let numbers = &mut Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851);
        (0..8).for_each(|_| _ = numbers.next());
        let n = 1 + numbers.below(14);
        let parents = tree(n, numbers);
        let massless: Vec<usize> = match numbers.below(3) {
            0 => (0..n).filter(|_| numbers.below(6) == 0).collect(),
            _ => Vec::new(),
        };
        let mass = mass(&parents, &massless, numbers);
        let jacobian = jacobian(&parents, &massless, numbers);
        let target = &jacobian * numbers.vector(n);
        Self { mass, jacobian, force: numbers.vector(n), target, parents, massless }
    }

    /// The same with a target that no motion may meet.
    pub(crate) fn contradictory(seed: u64) -> Self {
        let case = Self::random(seed);
        let target = Numbers(seed ^ 0x77).vector(case.target.len());
        Self { target, ..case }
    }

    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem::new(
            self.mass.as_slice(),
            self.jacobian.as_slice(),
            self.force.as_slice(),
            self.target.as_slice(),
        )
        .parents(&self.parents)
    }

    /// Rank of J with its rows scaled to one; `None` if the numbers do not clearly tell.
    pub(crate) fn rank(&self) -> Option<usize> {
        let mut rows = self.jacobian.clone();
        rows.row_iter_mut()
            .filter(|row| row.norm() > 0.0)
            .for_each(|mut row| _ = row.normalize_mut());
        let values = singular_values(&rows);
        let clear = values.iter().all(|&value| !(1e-11..1e-4).contains(&value));
        clear.then(|| values.iter().filter(|&&value| value > 1e-8).count())
    }

    /// The matrix of all equations, with −λ as unknowns.
    pub(crate) fn whole(&self) -> DMatrix<f64> {
        let (n, m) = (self.force.len(), self.target.len());
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(&self.mass);
        whole.view_mut((n, 0), (m, n)).copy_from(&self.jacobian);
        whole.view_mut((0, n), (n, m)).copy_from(&self.jacobian.transpose());
        whole
    }

    /// The solution by Moore and Penrose's inverse of that matrix; `None` if the rank is not clear.
    pub(crate) fn reference(&self) -> Option<Reference> {
        let (n, m, rank) = (self.force.len(), self.target.len(), self.rank()?);
        let side = DVector::from_fn(n + m, |i, _| match i.checked_sub(n) {
            None => self.force[i],
            Some(row) => self.target[row],
        });
        let (inverse, condition) = pseudo_inverse(&self.whole(), n + rank);
        let solution = inverse * side;
        let (x, lambda) = (solution.rows(0, n).into_owned(), -solution.rows(n, m));
        Some(Reference { rank, x, lambda, condition })
    }
}

/// A solution, and the condition of the equations.
pub(crate) struct Reference {
    pub(crate) rank: usize,
    pub(crate) x: DVector<f64>,
    pub(crate) lambda: DVector<f64>,
    pub(crate) condition: f64,
}

/// Moore and Penrose's inverse of a symmetric matrix of known rank, and the condition. By eigenvalues, since
/// nalgebra's singular vectors are now and then wrong in the fifth digit.
pub(crate) fn pseudo_inverse(matrix: &DMatrix<f64>, rank: usize) -> (DMatrix<f64>, f64) {
    if matrix.is_empty() || rank == 0 {
        return (DMatrix::zeros(matrix.ncols(), matrix.nrows()), 1.0);
    }
    let eigen = matrix.clone().symmetric_eigen();
    let mut sizes = eigen.eigenvalues.abs().as_slice().to_vec();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let least = sizes[rank - 1];
    let inverse = eigen.eigenvalues.map(|x| if x.abs() < least { 0.0 } else { 1.0 / x });
    let vectors = &eigen.eigenvectors;
    (vectors * DMatrix::from_diagonal(&inverse) * vectors.transpose(), sizes[0] / least)
}

fn singular_values(matrix: &DMatrix<f64>) -> Vec<f64> {
    if matrix.is_empty() {
        return Vec::new();
    }
    let mut values = matrix.singular_values().as_slice().to_vec();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// Parents, mostly of a few chains.
fn tree(n: usize, numbers: &mut Numbers) -> Vec<Option<usize>> {
    let parent = |i: usize, numbers: &mut Numbers| match numbers.below(5) {
        0 => None,
        1 => Some(numbers.below(i)),
        _ => Some(i - 1),
    };
    (0..n).map(|i| if i == 0 { None } else { parent(i, numbers) }).collect()
}

fn chain(parents: &[Option<usize>], i: usize) -> Vec<usize> {
    std::iter::successors(Some(i), |&i| parents[i]).collect()
}

/// LᵀL with L sparse by the tree, in units of coordinates that differ.
fn mass(parents: &[Option<usize>], massless: &[usize], numbers: &mut Numbers) -> DMatrix<f64> {
    let n = parents.len();
    let mut lower = DMatrix::zeros(n, n);
    for i in 0..n {
        for j in chain(parents, i) {
            lower[(i, j)] = 0.5 * numbers.next();
        }
        lower[(i, i)] = 1.0 + numbers.next().abs();
    }
    let units = DVector::from_fn(n, |i, _| match massless.contains(&i) {
        true => 0.0,
        false => numbers.size(1.0),
    });
    let scale = DMatrix::from_diagonal(&units);
    &scale * lower.transpose() * lower * &scale
}

/// Rows that act along one chain or between two; combinations of them; and one for each coordinate without
/// mass.
fn jacobian(parents: &[Option<usize>], massless: &[usize], numbers: &mut Numbers) -> DMatrix<f64> {
    let n = parents.len();
    let mut rows: Vec<DVector<f64>> = Vec::new();
    for _ in 0..numbers.below(n + 1) {
        let mut row = DVector::zeros(n);
        for end in 0..1 + numbers.below(2) {
            let leaf = numbers.below(n);
            let sign = 1.0 - 2.0 * end as f64;
            chain(parents, leaf).into_iter().for_each(|i| row[i] += sign * numbers.next());
        }
        rows.push(row * numbers.size(1.0));
    }
    for &coordinate in massless {
        let mut row = numbers.vector(n) * 0.5;
        massless.iter().for_each(|&other| row[other] = 0.0);
        row[coordinate] = 1.0;
        rows.push(row);
    }
    if numbers.below(2) == 0 {
        for _ in 0..numbers.below(n + 2) {
            let sum = rows.iter().fold(DVector::zeros(n), |sum, row| sum + row * numbers.next());
            let place = numbers.below(rows.len() + 1);
            rows.insert(place, sum);
        }
    }
    DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j])
}
