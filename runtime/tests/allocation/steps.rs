//! Steps with contact, and impacts.

use jourdain::contact::{Anitescu, AnitescuPotra, Formulation, Normal, Restitution, Todorov};
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::SVector;

use super::{Plate, allocations, askew};

/// How often a robot that starts like this allocates when it takes so many steps once more, until one fails, how many
/// contacts press in all of them, and how many steps there are.
fn second_run<M: Model>(
    simulation: Simulation<M>,
    (q, v): (M::Q, M::V),
    steps: usize,
) -> [usize; 3] {
    let input = M::U::zeros();
    let mut simulation = simulation.state(q.clone(), v.clone()).unwrap();
    let run = |simulation: &mut Simulation<M>| {
        let mut pressed = 0;
        for step in 0..steps {
            if simulation.step(&input).is_err() {
                return [pressed, step];
            }
            pressed += simulation.impulse().normal.iter().filter(|x| **x > 0.0).count();
        }
        [pressed, steps]
    };
    let first = run(&mut simulation);
    simulation.reset(q, v).unwrap();
    let mut second = [0; 2];
    let count = allocations(|| second = run(&mut simulation));
    assert_eq!(first, second);
    [count, first[0], first[1]]
}

/// It falls and lands askew; the second time there is room for it.
#[test]
fn steps_with_contact() {
    for formulation in [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Todorov(Todorov::default()),
        Formulation::Coulomb(Normal::Gap),
        Formulation::Frictionless(Normal::Gap),
        Formulation::Sticking(Normal::Gap),
    ] {
        let simulation = Simulation::new(Plate { e: 0.0 }).unwrap().step_size(2e-3).unwrap();
        let simulation = simulation.formulation(formulation);
        let [count, pressed, steps] = second_run(simulation, askew(0.05), 200);
        assert!(
            count == 0 && pressed > 40 && steps == 200,
            "{formulation:?}: {count} {pressed} {steps}"
        );
    }
}

/// By Poisson's law, whose compressions are kept.
#[test]
fn impacts() {
    for formulation in [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Coulomb(Normal::Gap),
        Formulation::Frictionless(Normal::Gap),
    ] {
        let simulation = Simulation::new(Plate { e: 0.5 }).unwrap().step_size(2e-3).unwrap();
        let simulation = simulation.formulation(formulation).restitution(Restitution::Poisson);
        let [count, pressed, steps] = second_run(simulation, askew(0.05), 200);
        assert!(
            count == 0 && pressed > 10 && steps == 200,
            "{formulation:?}: {count} {pressed} {steps}"
        );
    }
}

/// A bead on ground that is curved.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(height = x * x),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    contact(bowl, on = bead, friction = 0.1),
)]
struct Bead;

#[test]
fn steps_with_a_normal_that_turns() {
    let start = (SVector::from([0.4, 0.2]), SVector::zeros());
    let [count, pressed, steps] = second_run(Simulation::new(Bead).unwrap(), start, 200);
    assert!(count == 0 && pressed > 10 && steps == 200, "{count} {pressed} {steps}");
}

/// Impacts of a plate whose corners hit at once, or one after the other.
#[test]
fn impacts_at_a_configuration() {
    use jourdain::impact::{Among, Friction, Impacts, Law, Restitution, Sequence};
    let model = Plate { e: 0.5 };
    let (q, _) = askew(0.0);
    let mut v = SVector::<f64, 6>::zeros();
    (v[0], v[2]) = (0.3, -1.0);
    let frictions =
        [Friction::Cone, Friction::Polygon(6), Friction::Frictionless, Friction::Sticking];
    for (friction, restitution) in
        frictions.into_iter().flat_map(|of| [(of, Restitution::Newton), (of, Restitution::Poisson)])
    {
        for sequence in [Sequence::Simultaneous, Sequence::Sequential] {
            let law = Law { friction, restitution, sequence, ..Law::default() };
            let mut impacts = Impacts::new(&model, law).unwrap();
            let mut to = v;
            let mut strike = || {
                impacts.resolve(&model, 0.0, &q, &v, Among::Within(10.0), &mut to).unwrap().impacts
            };
            assert!(strike() > 0);
            assert_eq!(allocations(strike), 0, "{law:?}");
        }
    }
}
