//! Derivatives by recursion against differentiation on the graph.

use jourdain_codegen::derive::{Derivatives, Solver, symbols};
use jourdain_codegen::expr::{Expr, Symbol};
use nalgebra::DMatrix;

use crate::law::Case;
use crate::{check, lagrange};

#[test]
fn analytical_derivatives_equal_differentiation_on_the_graph() {
    check("∂ID/∂q and ∂ID/∂v", 1e-10, |case| {
        let a = &case.form.state.a;
        let analytical = case.form.analytical_derivatives(a);
        let automatic =
            [by_q(case, &case.inverse_dynamics()), by_v(case, &case.inverse_dynamics())];
        let kept = case.form.inverse_dynamics_derivatives(a);
        [both(case, &analytical, &automatic), both(case, &kept, &automatic)].concat()
    });
}

#[test]
fn forward_dynamics_varies_by_the_inverse_of_the_mass_matrix() {
    check("∂FD = −M⁻¹ ∂ID", 1e-8, |case| {
        let parts = case.form.forward_dynamics_derivatives();
        let inverse = case.square(parts.inverse_mass);
        let v_dot = case.form.forward_dynamics(Solver::Factorization);
        let expected = [by_q(case, &v_dot), by_v(case, &v_dot)];
        let found = [parts.inverse.by_q, parts.inverse.by_v];
        let found = found.map(|rows| -(&inverse * case.square(rows)));
        let by_tau = columns(case, &v_dot, |j| derivative(case, &v_dot, symbols::A, j));
        let pairs = |(a, b): (&DMatrix<f64>, &DMatrix<f64>)| entries(a, b);
        let mut all: Vec<_> = found.iter().zip(&expected).flat_map(pairs).collect();
        all.extend(entries(&inverse, &by_tau));
        all
    });
}

#[test]
fn inverse_of_the_mass_matrix_is_symmetric() {
    check("M M⁻¹ = 1", 1e-8, |case| {
        let inverse = case.square(case.form.inverse_mass_matrix());
        let product = case.square(case.form.mass_matrix()) * &inverse;
        let identity = DMatrix::identity(product.nrows(), product.nrows());
        [entries(&product, &identity), entries(&inverse, &inverse.transpose())].concat()
    });
}

#[test]
fn rate_of_the_mass_matrix_is_its_derivative() {
    check("Ṁ", 1e-10, |case| {
        let rates = case.rates(&case.form.mass_matrix().concat());
        let found = case.values(&case.form.mass_matrix_rate().concat());
        found.into_iter().zip(rates).collect()
    });
}

/// C_ij = Σ Γ_ijk v_k with the Christoffel symbols of the first kind, in the form with brackets where
/// q̇ ≠ v.
#[test]
fn coriolis_matrix_is_that_of_the_christoffel_symbols() {
    check("C = Σ Γ v", 1e-9, |case| {
        let n = case.v().len();
        let mass = case.form.mass_matrix();
        let value = case.square(mass.clone());
        let slopes: Vec<_> = (0..n)
            .map(|k| {
                let slope = by_coordinate(case, &mass.concat(), k);
                DMatrix::from_row_slice(n, n, &case.values(&slope))
            })
            .collect();
        let bracket = lagrange::brackets(case);
        // ⟨[X_a, X_b], X_c⟩
        let product = |a: usize, b: usize, c: usize| bracket(a, b).dot(&value.row(c).transpose());
        let symbol = |i: usize, j: usize, k: usize| {
            let flat = slopes[k][(i, j)] + slopes[j][(i, k)] - slopes[i][(j, k)];
            0.5 * (flat + product(k, j, i) - product(k, i, j) - product(j, i, k))
        };
        let v = case.v();
        let entry = |i, j| (0..n).map(|k| symbol(i, j, k) * v[k]).sum::<f64>();
        entries(&DMatrix::from_fn(n, n, entry), &case.square(case.form.coriolis_matrix()))
    });
}

/// The derivative of `outputs` along velocity coordinate `k`.
fn by_coordinate<'g>(case: &Case<'g>, outputs: &[Expr<'g>], k: usize) -> Vec<Expr<'g>> {
    let graph = case.mechanism.graph;
    let mut direction = vec![graph.zero(); case.mechanism.nv()];
    direction[k] = graph.one();
    let rate = lagrange::configuration_rate(case, &direction);
    graph.directional_derivative(outputs, |symbol| {
        (symbol.set == symbols::Q).then(|| rate[symbol.index as usize])
    })
}

fn derivative<'g>(case: &Case<'g>, outputs: &[Expr<'g>], set: u8, k: usize) -> Vec<Expr<'g>> {
    let graph = case.mechanism.graph;
    let variable = Symbol { set, index: k as u32 };
    graph.directional_derivative(outputs, |symbol| (symbol == variable).then(|| graph.one()))
}

fn columns<'g>(
    case: &Case<'g>,
    outputs: &[Expr<'g>],
    column: impl Fn(usize) -> Vec<Expr<'g>>,
) -> DMatrix<f64> {
    let all: Vec<_> = (0..case.mechanism.nv()).flat_map(column).collect();
    DMatrix::from_column_slice(outputs.len(), case.mechanism.nv(), &case.values(&all))
}

fn by_q<'g>(case: &Case<'g>, outputs: &[Expr<'g>]) -> DMatrix<f64> {
    columns(case, outputs, |k| by_coordinate(case, outputs, k))
}

fn by_v<'g>(case: &Case<'g>, outputs: &[Expr<'g>]) -> DMatrix<f64> {
    columns(case, outputs, |k| derivative(case, outputs, symbols::V, k))
}

fn both<'g>(
    case: &Case<'g>,
    found: &Derivatives<'g>,
    expected: &[DMatrix<f64>; 2],
) -> Vec<(f64, f64)> {
    let q = entries(&case.square(found.by_q.clone()), &expected[0]);
    let v = entries(&case.square(found.by_v.clone()), &expected[1]);
    [q, v].concat()
}

fn entries(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Vec<(f64, f64)> {
    assert_eq!(a.shape(), b.shape());
    a.iter().copied().zip(b.iter().copied()).collect()
}
