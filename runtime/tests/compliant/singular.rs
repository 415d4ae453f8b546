//! Closed loops that come to singular positions: a typed error, never another branch.

use jourdain::compliant;
use jourdain::constrained::{Assembly, Constrained};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use super::linkages::{FourBar, SliderCrank};

type Vector0 = SVector<f64, 0>;

fn assert_singular<M: Model<U = Vector0> + Copy>(model: M, (q, v): (&M::Q, &M::V)) {
    for tolerance in (3..=9).map(|k| 10f64.powi(-k)) {
        let run = CompliantSimulation::new(model).unwrap().tolerance(tolerance).unwrap();
        let mut run = run.state(q.clone(), v.clone()).unwrap();
        let error = run.run(10.0, |_: &State<M>| Vector0::zeros()).unwrap_err();
        let is_singular = matches!(
            error,
            compliant::Error::Simulation(SimulationError::SingularPosition {
                constraint: "pin",
                ..
            })
        );
        assert!(is_singular, "{tolerance} {error}");
    }
}

#[test]
fn a_loop_that_comes_to_a_dead_centre_says_so() {
    assert_singular(FourBar, (&Vector3::zeros(), &vector![1.0, 1.0, -1.0]));
    let dead = std::f64::consts::FRAC_PI_2 * vector![1.0, 1.0, -1.0];
    assert_singular(FourBar, (&dead, &Vector3::zeros()));
    let mut held = Constrained::new(SliderCrank);
    let q = held.assemble(&vector![1.0, 1.1, 1.7], Assembly::Mass, 0.0).unwrap().value;
    let v = vector![4.0, -8.0, 3.0];
    let v = held.assemble_velocity(&q, &v, Assembly::Mass, 0.0).unwrap().value;
    assert_singular(SliderCrank, (&q, &v));
}
