//! Contacts with friction: copositive problems that have solutions.

use fastrand::Rng;
use jourdain::lcp;

use crate::families::friction;
use crate::solvers::scaled_residual;

#[test]
fn friction_is_solved() {
    let mut rng = Rng::with_seed(8);
    let mut workspace = lcp::Workspace::default();
    for case in 0..500 {
        let owned = friction(&mut rng);
        let solution = lcp::solve(&owned.a, &owned.b, &mut workspace)
            .unwrap_or_else(|error| panic!("{case}: {error}\n{owned:?}"));
        let residual = scaled_residual(&owned.problem(), solution.z);
        assert!(residual <= 1e-9, "{case}: {residual:e}, {:?}", solution.status);
    }
}
