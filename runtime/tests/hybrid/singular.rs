//! Closed loops that come through singular positions.

use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use super::linkages::FourBar;

type Vector0 = SVector<f64, 0>;

#[test]
fn a_parallelogram_comes_through_its_dead_centres() {
    for k in 4..=11 {
        let run = HybridSimulation::new(FourBar).unwrap().tolerance(10f64.powi(-k)).unwrap();
        let mut run = run.state(Vector3::zeros(), vector![1.0, 1.0, -1.0]).unwrap();
        let result = run.run(10.0, |_: &State<FourBar>| Vector0::zeros());
        println!("{k} {} {:?} {:?}", run.current().q[0]-31.914741, run.effort(), result);
    }
}
