//! Solids that hit each other, and balls in bowls.

use jourdain::contact::{Ground, Touching};
use jourdain::geometry::Grid;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

use crate::{Vector0, near, run};

/// Three short capsules in a row, whose pairs are found at run time.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1), joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1), joint(y, prismatic(world -> b), axis = [1, 0, 0], at = [0.2, 0, 0]),
    link(c, mass = 1), joint(z, prismatic(world -> c), axis = [1, 0, 0], at = [0.4, 0, 0]),
    shape(first, on = a, capsule = [0.1, 0.05], restitution = 1),
    shape(second, on = b, capsule = [0.1, 0.05], restitution = 1),
    shape(third, on = c, capsule = [0.1, 0.05], restitution = 1),
    pair(first, second), pair(third, second),
)]
struct Cradle;

/// (−⅓, ⅔, ⅔) where they touch, (0, 0, 1) where they do not.
///
/// Source: Newton's law at all contacts at once, m (v⁺ − v) = Jᵀ Λ with J v⁺ = −J v or Λ = 0; Poisson's gives back
/// Λ = (⅔, ⅓) of a compression that ends at (⅓, ⅓, ⅓).
#[test]
fn capsules_hit_each_other_in_a_row() -> Result<(), SimulationError> {
    assert_eq!(Cradle::PAIRS.len(), 2);
    let (v, third) = (Vector3::new(1.0, 0.0, 0.0), 1.0 / 3.0);
    for law in [Restitution::Newton, Restitution::Poisson] {
        let cradle = Simulation::new(Cradle)?.restitution(law);
        let mut touching = cradle.clone().state(Vector3::zeros(), v)?;
        assert!(run(&mut touching, 1)? < 1e-9);
        near(touching.current().v.as_slice(), &[-third, 2.0 * third, 2.0 * third], 1e-9);
        let mut gapped = cradle.state(Vector3::new(-0.01, 0.0, 0.01), v)?;
        assert!(run(&mut gapped, 100)? < 1e-9);
        near(gapped.current().v.as_slice(), &[0.0, 0.0, 1.0], 1e-9);
    }
    Ok(())
}

/// A fast one is seen before it has passed: the step that would have overlapped ends where they touch.
#[test]
fn what_is_fast_does_not_pass_through() -> Result<(), SimulationError> {
    let (apart, v) = (Vector3::new(-1.0, 0.0, 10.0), Vector3::new(500.0, 0.0, 0.0));
    let mut fast = Simulation::new(Cradle)?.step_size(1e-2)?.state(apart, v)?;
    run(&mut fast, 20)?;
    near(fast.current().v.as_slice(), &[0.0, 0.0, 500.0], 1e-6);
    Ok(())
}

#[test]
fn overlaps_at_the_start_are_named_and_can_be_resolved() -> Result<(), SimulationError> {
    let overlapping = Vector3::new(0.03, 0.0, 0.0);
    let mut start = Simulation::new(Cradle)?.state(overlapping, Vector3::zeros())?;
    let error = start.step(&Vector0::zeros()).unwrap_err();
    let SimulationError::Overlap { contact: "first_second", depth, .. } = error else {
        panic!("{error}");
    };
    near(&[depth], &[0.03], 1e-12);
    assert_eq!(start.current().q, overlapping);
    let mut slow = Simulation::new(Cradle)?.recovery(0.1)?.state(overlapping, Vector3::zeros())?;
    let report = slow.step(&Vector0::zeros())?;
    near(&[report.penetration], &[0.03], 1e-12);
    let q = slow.current().q;
    near(&[0.2 + q.y - q.x - 0.2], &[-0.027], 1e-9);
    assert!(Simulation::new(Cradle)?.recovery(1.5).is_err());
    assert!(Simulation::new(Cradle)?.margin(f64::NAN).is_err());
    Ok(())
}

/// Four balls that touch each other and a bowl, which is a height of the description or a grid of heights.
macro_rules! balls {
    ($name:ident, $($ground:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            link(a, mass = 1, sphere(radius = 0.1)), joint(ja, floating(world -> a)),
            link(b, mass = 1, sphere(radius = 0.1)), joint(jb, floating(world -> b)),
            link(c, mass = 1, sphere(radius = 0.1)), joint(jc, floating(world -> c)),
            $($ground)*
            shape(sa, on = a, sphere = 0.1, friction = 0.3),
            shape(sb, on = b, sphere = 0.1, friction = 0.3),
            shape(sc, on = c, sphere = 0.1, friction = 0.3),
            pair(sa, sb), pair(sb, sc), pair(sa, sc),
        )]
        struct $name;
    };
}

balls!(
    InBowl,
    ground(height = 0.5 * (x * x + y * y)),
    contact(ca, on = a, sphere = 0.1, friction = 0.3),
    contact(cb, on = b, sphere = 0.1, friction = 0.3),
    contact(cc, on = c, sphere = 0.1, friction = 0.3),
);
balls!(OnGrid,);

fn around(angle: f64) -> Vector3<f64> {
    Vector3::new(0.3 * angle.cos(), 0.3 * angle.sin(), 0.25)
}

/// In a ring about the middle.
fn ring() -> SVector<f64, 21> {
    let mut q = SVector::<f64, 21>::zeros();
    for k in 0..3 {
        q.fixed_rows_mut::<3>(7 * k).copy_from(&around(2.0 * k as f64 + 0.1));
        q[7 * k + 6] = 1.0;
    }
    q
}

/// They come to rest in the middle, against each other, and their weight rests on the bowl.
#[test]
fn balls_gather_in_a_bowl() -> Result<(), SimulationError> {
    let mut bowl = Simulation::new(InBowl)?.step_size(1e-2)?.state(ring(), SVector::zeros())?;
    assert!(run(&mut bowl, 30)? < 1e-9);
    bowl.run(20.0, |_: &State<InBowl>| SVector::zeros())?;
    let State { q, v, .. } = bowl.current();
    assert!(v.amax() < 1e-2, "{v}");
    let distances = [(0, 7), (7, 14), (0, 14)]
        .map(|(i, j)| (q.fixed_rows::<3>(i) - q.fixed_rows::<3>(j)).norm());
    near(&distances, &[0.2; 3], 1e-3);
    Ok(())
}

/// A grid of half their radius is a bowl too, with edges over which they go on rolling a little.
#[test]
fn balls_gather_on_a_grid() -> Result<(), SimulationError> {
    let line = (0..41).map(|k| 0.05 * f64::from(k) - 1.0);
    let heights = line.clone().flat_map(|y| line.clone().map(move |x| 0.5 * (x * x + y * y)));
    let grid = Grid::new([-1.0; 2], [0.05; 2], 41, heights.collect()).unwrap();
    let ground = Ground::grid(grid, 0.3, 0.0).unwrap();
    let mut bowl = Simulation::new(OnGrid)?
        .step_size(1e-2)?
        .ground(ground)?
        .state(ring(), SVector::zeros())?;
    assert!(run(&mut bowl, 30)? < 1e-9);
    bowl.run(20.0, |_: &State<OnGrid>| SVector::zeros())?;
    let State { q, v, .. } = bowl.current();
    assert!(v.amax() < 0.2, "{v}");
    let lowest = |k: usize| q[7 * k + 2] - 0.1;
    assert!((0..3).all(|k| (0.0..0.05).contains(&lowest(k))), "{q}");
    let mut impulse = 0.0;
    for _ in 0..200 {
        bowl.step(&Vector0::zeros())?;
        let points = bowl.impulse().pairs.iter();
        let grounded = points.filter(|point| matches!(point.of, Touching::Ground(_)));
        impulse += grounded.map(|point| point.world().z).sum::<f64>();
    }
    near(&[impulse / 2.0], &[3.0 * 9.81], 0.5);
    Ok(())
}

/// A cube that is dropped beside the grid falls.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1, box(size = [0.2, 0.2, 0.2])), joint(j, floating(world -> a)),
    shape(cube, on = a, box = [0.2, 0.2, 0.2]),
)]
struct Cube;

#[test]
fn a_cube_stands_on_level_ground_of_a_grid() -> Result<(), SimulationError> {
    let grid = Grid::new([-1.0; 2], [2.0; 2], 2, vec![0.5; 4]).unwrap();
    let ground = Ground::grid(grid, 0.5, 0.0).unwrap();
    let mut q = Cube.neutral();
    q[2] = 0.6;
    let mut cube = Simulation::new(Cube)?.ground(ground)?.state(q, SVector::zeros())?;
    assert!(run(&mut cube, 100)? < 1e-9);
    near((cube.current().q - q).as_slice(), &[0.0; 7], 1e-12);
    assert_eq!(cube.impulse().pairs.len(), 4);
    q[0] = 1.2;
    cube.reset(q, SVector::zeros())?;
    run(&mut cube, 10)?;
    assert!(cube.current().v[2] < -0.09);
    Ok(())
}
