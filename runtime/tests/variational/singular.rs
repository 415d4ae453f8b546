//! Linkages that come through singular positions, where rows of their closure lose rank.

use nalgebra::{Vector3, vector};

use super::linkages::FourBar;
use super::*;

#[test]
fn a_parallelogram_comes_through_its_dead_centres() {
    for v in [vector![1.0, 1.0, -1.0]] {
        for h in [1e-2, 3e-3, 1e-3] {
            let run = Variational::new(FourBar).unwrap().step_size(h).unwrap();
            let mut run = run.state(Vector3::zeros(), v).unwrap();
            let result = run.run(10.0, |_: &State<FourBar>| Vector0::zeros());
            println!("{v:?} {h} {:?} {:?}", run.current(), result);
        }
    }
}
