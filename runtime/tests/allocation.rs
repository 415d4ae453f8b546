//! Solvers allocate nothing once their workspace has room.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "an allocator that counts is one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use jourdain::Pose;
use jourdain::contact::{Anitescu, AnitescuPotra, Formulation, Normal, Restitution, Todorov};
use jourdain::description::ShapeKind;
use jourdain::geometry::{Narrow, Solid};
use jourdain::hybrid::Automaton;
use jourdain::integrate::{
    Adaptive, At, Driven, Phase, RungeKutta4, SemiImplicitEuler, Space, Tolerance,
};
use jourdain::lcp::boxed::Problem;
use jourdain::lcp::{self, dantzig, gauss_seidel, lemke, newton};
use jourdain::prelude::*;
use jourdain::qp::{self, dual_active_set};
use jourdain::space::Storage;
use nalgebra::{Matrix3, SVector, Vector3};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all is done by the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `run` allocates.
fn allocations<T>(run: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    let result = run();
    let count = ALLOCATIONS.with(Cell::get) - before;
    drop(result);
    count
}

/// M = A Aᵀ + ¹⁄₁₀ of a sequence of numbers between −1 and 1, and q from it.
fn problem(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut state = 1u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let a: Vec<f64> = (0..n * n).map(|_| number()).collect();
    let entry = |i: usize, j: usize| (0..n).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
    let m = (0..n * n).map(|e| entry(e % n, e / n) + if e % (n + 1) == 0 { 0.1 } else { 0.0 });
    (m.collect(), (0..n).map(|_| number()).collect())
}

#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| vec![0u8; 3]), 1);
}

#[test]
fn lemke() {
    let (m, q) = problem(30);
    let mut workspace = lemke::Workspace::with_capacity(30);
    assert_eq!(allocations(|| lemke::solve(&m, &q, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| lemke::resume(&m, &q, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn dantzig() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[f64::INFINITY; 30] };
    let mut workspace = dantzig::Workspace::with_capacity(30);
    assert_eq!(allocations(|| dantzig::solve(&problem, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| dantzig::resume(&problem, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn dual_active_set() {
    let (hessian, force) = problem(20);
    let (inequalities, _) = problem(20);
    let problem = qp::Problem {
        hessian: qp::Hessian::Matrix(&hessian),
        force: &force,
        inequalities: &inequalities,
        bounds: &[1.0; 20],
        equations: &[1.0; 20],
        values: &[1.0],
    };
    let mut workspace = dual_active_set::Workspace::with_capacity(20, 21);
    let mut pivots = 0;
    let mut solve = || pivots = dual_active_set::solve(&problem, &mut workspace).unwrap().pivots;
    assert_eq!(allocations(&mut solve), 0);
    assert!(pivots > 1);
    assert_eq!(
        allocations(|| dual_active_set::resume(&problem, &mut workspace).unwrap().pivots),
        0
    );
}

#[test]
fn newton() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[f64::INFINITY; 30] };
    for equation in [newton::Equation::Natural, newton::Equation::FischerBurmeister] {
        let mut workspace = newton::Workspace::with_capacity(30).equation(equation);
        assert_eq!(allocations(|| newton::solve(&problem, &mut workspace).unwrap().pivots), 0);
        assert_eq!(allocations(|| newton::resume(&problem, &mut workspace).unwrap().pivots), 0);
    }
}

#[test]
fn gauss_seidel() {
    let (a, b) = problem(30);
    let problem = Problem { a: &a, b: &b, lo: &[0.0; 30], hi: &[1.0; 30] };
    let mut workspace = gauss_seidel::Workspace::with_capacity(30);
    assert_eq!(allocations(|| gauss_seidel::solve(&problem, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| gauss_seidel::resume(&problem, &mut workspace).unwrap().pivots), 0);
}

#[test]
fn policy() {
    let (m, q) = problem(30);
    let mut workspace = lcp::Workspace::with_capacity(30);
    assert_eq!(allocations(|| lcp::solve(&m, &q, &mut workspace).unwrap().pivots), 0);
    assert_eq!(allocations(|| lcp::resume(&m, &q, &mut workspace).unwrap().pivots), 0);
}

/// Of boxes on each other, once there is room for their points.
#[test]
fn narrow_phase() {
    let cube = Solid::new(ShapeKind::Box, &[1.0; 3]).unwrap();
    let at = |z: f64| Pose { rotation: Matrix3::identity(), position: Vector3::new(0.1, 0.2, z) };
    let mut narrow = Narrow::default();
    let mut touch = || narrow.touches((&cube, &at(1.0)), (&cube, &at(0.0)), 0.01).len();
    assert_eq!(touch(), 4);
    assert_eq!(allocations(touch), 0);
}

/// A plate on three points, whose centre of mass is between them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(plate, mass = 1, inertia = [0.1, 0.1, 0.2]),
    joint(base, floating(world -> plate)),
    contact(a, on = plate, at = [0.3, 0, 0], friction = 0.5, restitution = e),
    contact(b, on = plate, at = [-0.2, 0.2, 0], friction = 0.5, restitution = e),
    contact(c, on = plate, at = [-0.2, -0.3, 0], friction = 0.5, restitution = e),
)]
struct Plate {
    e: f64,
}

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

/// A plate somewhat askew, at this height.
fn askew(height: f64) -> (SVector<f64, 7>, SVector<f64, 6>) {
    let mut q = SVector::zeros();
    (q[2], q[3], q[6]) = (height, 0.05, (1.0_f64 - 0.05 * 0.05).sqrt());
    (q, SVector::zeros())
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

/// Of the plate in free flight, by every method, with its dense output and a guard that falls.
#[test]
fn smooth_steps() {
    let model = Plate { e: 0.0 }.prepare();
    let space = Space::of::<Plate>(0);
    let (q, _) = askew(1.0);
    let v = vec![0.3, 0.1, 0.5, 1.0, -2.0, 0.7];
    let start = Phase { time: 0.0, q: q.as_slice().to_vec(), v, z: vec![] };
    let mut system = Driven::new(&model, |_: &State<Plate>| SVector::<f64, 0>::zeros());
    let (mut phase, mut room) = (start.clone(), start.clone());
    let mut fixed = (RungeKutta4::new(&space), SemiImplicitEuler::new(&space));
    let steps = || {
        fixed.0.step(&mut system, &mut phase, 1e-2).unwrap();
        fixed.1.step(&mut system, &mut phase, 1e-2).unwrap();
    };
    assert_eq!(allocations(steps), 0);
    let mut explicit = Adaptive::new(&space, start.clone(), Tolerance::default()).unwrap();
    let mut implicit = Adaptive::stiff(&space, start.clone(), Tolerance::default()).unwrap();
    let mut falls = 0;
    let runs = || {
        explicit.run_to(&mut system, 1.0, 1000).unwrap();
        implicit.run_to(&mut system, 1.0, 1000).unwrap();
        for dense in [explicit.dense().unwrap(), implicit.dense().unwrap()] {
            let height = dense.end() - 1e-6;
            let mut guard = |at: At<'_>| height - at.time;
            let found = dense.first_crossing(&mut guard, dense.start(), &mut room).unwrap();
            falls += usize::from(found.is_some());
        }
        explicit.restart(&start, None).unwrap();
    };
    assert_eq!(allocations(runs), 0);
    assert_eq!(falls, 2);
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

/// Four corners at rest, in which rows are redundant, and one on which a tilted box slides.
#[test]
fn accelerations_in_modes_of_contact() {
    #[derive(Robot, Clone, Copy)]
    #[robot(
        link(body, box(size = [0.4, 0.2, 0.1]), mass = 2),
        joint(base, floating(world -> body)),
        contact(corner, on = body, box = [0.4, 0.2, 0.1], friction = 0.3),
    )]
    struct Brick;

    let tilted = nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.2, 0.0);
    let corners = [0.2, -0.2].into_iter().flat_map(|x| [0.1, -0.1].map(|y| (x, y)));
    let lowest = corners.map(|(x, y)| (tilted * Vector3::new(x, y, -0.05)).z).fold(0.0, f64::min);
    for (height, turn) in [(0.05, nalgebra::UnitQuaternion::identity()), (-lowest, tilted)] {
        let mut q = SVector::<f64, 7>::zeros();
        q[2] = height;
        q.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
        let v = SVector::<f64, 6>::zeros();
        let still = |_: &State<Brick>| SVector::<f64, 0>::zeros();
        let mut brick = HybridSimulation::new(Brick).unwrap().state(q, v).unwrap();
        brick.run(1e-3, still).unwrap();
        let (mode, state) = (brick.mode().unwrap().clone(), brick.current().clone());
        let mut automaton = brick.automaton(still);
        let (mut v_dot, mut guards) = ([0.0; 6], Vec::new());
        automaton.guards(&mode, &mut guards);
        let mut evaluate = |count: usize| {
            for k in 0..count {
                let time = 1e-3 * k as f64;
                let at = At { time, q: state.q.as_slice(), v: state.v.as_slice(), z: &[] };
                automaton.rates(&mode, at, &mut v_dot, &mut []);
                guards.iter().for_each(|guard| assert!(automaton.guard(&mode, *guard, at) > -1e-6));
            }
        };
        evaluate(20);
        assert_eq!(allocations(|| evaluate(40)), 0);
    }
}
