//! A block on an incline holds as long as the friction polygon has room.
//!
//! Friction by a polygon of η directions holds along one of them up to tan θ = μ, and half-way
//! between two of them up to μ cos(π/η). The incline is a tilted gravity.

use std::f64::consts::PI;

use jourdain::prelude::*;
use nalgebra::Vector3;

use crate::Vector0;

const MU: f64 = 0.6;

/// A block that can slide and lift, over a plane, with the given number of friction directions.
macro_rules! block {
    ($name:ident, $directions:literal) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
                            gravity = [gx, gy, gz],
                            link(first, massless),
                            joint(x, prismatic(world -> first), axis = [1, 0, 0]),
                            link(second, massless),
                            joint(y, prismatic(first -> second), axis = [0, 1, 0]),
                            link(block, mass = 2),
                            joint(z, prismatic(second -> block), axis = [0, 0, 1]),
                            contact(sole, on = block, friction = 0.6, directions = $directions),
                        )]
        struct $name {
            gx: f64,
            gy: f64,
            gz: f64,
        }

        impl $name {
            /// On a slope with this tangent that falls in the direction `heading`.
            fn on(slope: f64, heading: f64) -> Self {
                let (sin, cos) = slope.atan().sin_cos();
                let (y, x) = heading.sin_cos();
                Self {
                    gx: 9.81 * sin * x,
                    gy: 9.81 * sin * y,
                    gz: -9.81 * cos,
                }
            }
        }
    };
}

block!(Four, 4);
block!(Six, 6);
block!(Eight, 8);

/// The speed after a tenth of a second.
fn speed<M>(block: M) -> Result<f64, SimulationError>
where
    M: Model<Q = Vector3<f64>, V = Vector3<f64>, U = Vector0>,
{
    let mut simulation = Simulation::new(block)?.formulation(Formulation::StewartTrinkle);
    simulation.run(0.1, |_: &State<M>| Vector0::zeros())?;
    Ok(simulation.current().v.norm())
}

fn holds_up_to<M>(directions: usize, on: impl Fn(f64, f64) -> M) -> Result<(), SimulationError>
where
    M: Model<Q = Vector3<f64>, V = Vector3<f64>, U = Vector0>,
{
    let half = PI / directions as f64;
    for k in 0..directions {
        let along = 2.0 * half * k as f64;
        for (heading, limit) in [(along, MU), (along + half, MU * half.cos())] {
            let what = format!("{directions} directions, heading {heading}");
            assert!(speed(on(0.999 * limit, heading))? < 1e-12, "{what} holds");
            assert!(speed(on(1.001 * limit, heading))? > 1e-4, "{what} slides");
        }
    }
    Ok(())
}

#[test]
fn a_block_holds_up_to_the_friction_polygon() -> Result<(), SimulationError> {
    holds_up_to(4, Four::on)?;
    holds_up_to(6, Six::on)?;
    holds_up_to(8, Eight::on)
}
