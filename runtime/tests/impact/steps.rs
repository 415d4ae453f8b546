//! A step of time stepping tends to an impact as it becomes short.

use jourdain::contact::Normal;
use jourdain::impact::{Among, Friction, Impacts, Law};
use jourdain::prelude::*;
use nalgebra::SVector;

use crate::robots::Body;

/// By the order of one in the length of the step, for each law that steps have too.
#[test]
fn short_steps_are_impacts() -> Result<(), Box<dyn std::error::Error>> {
    let laws = [
        (Friction::Cone, Formulation::coulomb()),
        (Friction::Polygon(4), Formulation::StewartTrinkle),
        (Friction::Frictionless, Formulation::Frictionless(Normal::Gap)),
        (Friction::Sticking, Formulation::Sticking(Normal::Gap)),
    ];
    let restitutions = [
        (jourdain::impact::Restitution::Newton, Restitution::Newton),
        (jourdain::impact::Restitution::Poisson, Restitution::Poisson),
    ];
    let body = Body { m: 1.0, a: 0.02, b: 0.03, c: 0.04, mu: 0.4, e: 0.5 };
    let mut q = body.neutral();
    q[2] = 0.1;
    let v = SVector::<f64, 6>::from([0.3, -0.2, -1.0, 0.4, -0.5, 0.1]);
    for (friction, formulation) in laws {
        for (restitution, of_steps) in restitutions {
            let law = Law { friction, restitution, ..Law::default() };
            let mut v_plus = v;
            let mut impacts = Impacts::new(&body, law)?;
            impacts.resolve(&body, 0.0, &q, &v, Among::Within(1e-9), &mut v_plus)?;
            for h in [1e-4, 1e-5, 1e-6] {
                let simulation = Simulation::new(body)?.step_size(h)?.formulation(formulation);
                let mut simulation = simulation.restitution(of_steps).state(q, v)?;
                simulation.step(&SVector::<f64, 0>::zeros())?;
                let error = (simulation.current().v - v_plus).norm();
                assert!(error < 100.0 * h, "{law:?} {h}: {error}");
            }
        }
    }
    Ok(())
}
