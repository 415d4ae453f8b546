//! Ground of varying height, boxes on the ground and balls that touch each other.

use jourdain::constrained::{Constrained, Hold};
use jourdain::prelude::*;
use nalgebra::{Vector2, Vector3};

use crate::{Vector0, close};

/// A solid ball on a slope that falls along x, which is a plane or a height.
macro_rules! rolling {
    ($name:ident, $($ground:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            link(ball, mass = 2, sphere(radius = 0.1)),
            joint(plane, planar(world -> ball), axis = [0, -1, 0]),
            contact(slope, on = ball, sphere = 0.1, friction = 0.3, $($ground)*),
        )]
        struct $name {
            slope: f64,
        }
    };
}

rolling!(OnPlane, plane(normal = [sin(slope), 0, cos(slope)]));
rolling!(OnHeight, height = -x * sin(slope) / cos(slope));

/// Where a ball is after so many steps of a millisecond.
fn rolled<M>(ball: M, start: Vector3<f64>) -> Result<Vector3<f64>, SimulationError>
where
    M: Model<Q = Vector3<f64>, V = Vector3<f64>, U = Vector0>,
{
    let mut simulation = Simulation::new(ball)?.state(start, Vector3::zeros())?;
    simulation.run(0.3, |_: &State<M>| Vector0::zeros())?;
    Ok(simulation.current().q)
}

/// It rolls with (5/7) g sin θ down the slope.
#[test]
fn a_ball_rolls_down_a_straight_height_as_down_a_plane() -> Result<(), SimulationError> {
    let slope = 15_f64.to_radians();
    let start = 0.1 * Vector3::new(slope.sin(), slope.cos(), 0.0);
    let plane = rolled(OnPlane { slope }, start)?;
    close("q", rolled(OnHeight { slope }, start)?.as_slice(), plane.as_slice(), 1e-9);
    let acceleration = 5.0 / 7.0 * 9.81 * slope.sin();
    let steps = 300.0;
    let distance = 0.5 * acceleration * 1e-6 * steps * (steps + 1.0);
    close("way", &[(plane - start).xy().norm()], &[distance], 1e-9);
    Ok(())
}

/// What holds a contact on a straight height is what holds it on a plane.
#[test]
fn contacts_on_a_height_are_held_as_on_a_plane() -> Result<(), Box<dyn std::error::Error>> {
    let slope = 0.3;
    let (q, v) = (Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.4, -0.5, 2.0));
    let tau = Vector3::new(1.0, 2.0, 3.0);
    let mut plane = Constrained::new(OnPlane { slope });
    let mut height = Constrained::new(OnHeight { slope });
    for hold in [Hold::Normal, Hold::Point, Hold::Along(Vector3::new(1.0, 0.0, 2.0))] {
        plane.hold_contact("slope", Some(hold))?;
        height.hold_contact("slope", Some(hold))?;
        let expected = plane.forward_dynamics(&q, &v, &tau, 0.0)?;
        let found = height.forward_dynamics(&q, &v, &tau, 0.0)?;
        close("v̇", found.as_slice(), expected.as_slice(), 1e-10);
    }
    Ok(())
}

/// A bead without friction over z = k x²/2.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(height = 0.5 * k * x * x),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    contact(bowl, on = bead, friction = mu),
)]
struct Bead {
    k: f64,
    mu: f64,
}

/// (1 + k²x²) ẍ + k² x ẋ² + g k x = 0 by Runge and Kutta's method of order four.
fn on_the_parabola(k: f64, mut x: Vector2<f64>, duration: f64) -> Vector2<f64> {
    let rate = |s: Vector2<f64>| {
        let (x, v) = (s.x, s.y);
        Vector2::new(v, -(k * k * x * v * v + 9.81 * k * x) / (1.0 + k * k * x * x))
    };
    let h = duration / 2000.0;
    for _ in 0..2000 {
        let a = rate(x);
        let b = rate(x + 0.5 * h * a);
        let c = rate(x + 0.5 * h * b);
        let d = rate(x + h * c);
        x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    x
}

/// The error falls with the step, as that of a method of first order does.
#[test]
fn a_bead_slides_in_a_parabola() -> Result<(), SimulationError> {
    let (k, start) = (1.5, 0.4);
    let expected = on_the_parabola(k, Vector2::new(start, 0.0), 0.5);
    let mut errors = [0.0; 2];
    for (error, h) in errors.iter_mut().zip([1e-3, 2.5e-4]) {
        let q = Vector2::new(start, 0.5 * k * start * start);
        let mut bead = Simulation::new(Bead { k, mu: 0.0 })?.step_size(h)?;
        bead.reset(q, Vector2::zeros())?;
        bead.run(0.5, |_: &State<Bead>| Vector0::zeros())?;
        *error = (bead.current().q.x - expected.x).abs();
    }
    assert!(errors[0] < 5e-3 && errors[1] < 0.4 * errors[0], "{errors:?}");
    Ok(())
}

/// With friction it rests on the slope, and what holds it there is its weight.
#[test]
fn a_bead_rests_where_the_slope_is_less_than_friction() -> Result<(), SimulationError> {
    let (k, start, h) = (1.5, 0.4, 1e-3);
    let q = Vector2::new(start, 0.5 * k * start * start);
    let mut bead = Simulation::new(Bead { k, mu: 0.7 })?.state(q, Vector2::zeros())?;
    bead.run(0.1, |_: &State<Bead>| Vector0::zeros())?;
    close("q", bead.current().q.as_slice(), q.as_slice(), 1e-9);
    let contact = &bead.contacts()[0];
    let slope = k * start;
    close("n", &[contact.normal.x / contact.normal.z], &[-slope], 1e-9);
    let force = bead.impulse().world(0, contact) / h;
    close("f", force.as_slice(), &[0.0, 0.0, 0.5 * 9.81], 1e-9);
    Ok(())
}

/// A dome that ends at x = 1.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    contact(dome, on = bead, height = a * sqrt(1 - x * x)),
)]
struct Dome {
    a: f64,
}

#[test]
fn ground_that_is_no_number_is_an_error() -> Result<(), SimulationError> {
    let error = Simulation::new(Dome { a: f64::NAN }).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("field `a` in the height of contact `dome`"), "{error}");
    let (q, v) = (Vector2::new(0.5, 2.0), Vector2::new(90.0, 0.0));
    let mut dome = Simulation::new(Dome { a: 1.0 })?.state(q, v)?;
    let error = dome.run(0.01, |_: &State<Dome>| Vector0::zeros()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("gap"), "{error}");
    assert!(dome.current().q.x < 1.0 && dome.gaps()[0].is_finite());
    dome.reset(Vector2::new(2.0, 0.0), v)?;
    let before = dome.current().clone();
    assert!(dome.step(&Vector0::zeros()).is_err());
    assert_eq!(dome.current(), &before);
    Ok(())
}

/// A box that may stand anywhere.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(brick, mass = 3, box(size = [0.2, 0.4, 0.6])),
    joint(free, floating(world -> brick)),
    contact(side, on = brick, box = [0.2, 0.4, 0.6], friction = 0.5),
)]
struct Brick;

/// Its four lower vertices carry its weight together.
#[test]
fn a_box_stands_on_four_vertices() -> Result<(), SimulationError> {
    let mut q = Brick.neutral();
    q[2] = 0.3;
    let mut brick = Simulation::new(Brick)?.state(q, nalgebra::SVector::zeros())?;
    brick.run(0.1, |_: &State<Brick>| Vector0::zeros())?;
    close("q", brick.current().q.as_slice(), q.as_slice(), 1e-9);
    let impulse = &brick.impulse().normal;
    close("upper", &impulse[4..], &[0.0; 4], 0.0);
    close("weight", &[impulse[..4].iter().sum::<f64>() / 1e-3], &[3.0 * 9.81], 1e-9);
    Ok(())
}

/// Three balls in a row, and a point that is none of them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1), joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1), joint(y, prismatic(world -> b), axis = [1, 0, 0], at = [0.2, 0, 0]),
    link(c, mass = 1), joint(z, prismatic(world -> c), axis = [1, 0, 0], at = [0.4, 0, 0]),
    shape(first, on = a, sphere = 0.1, restitution = 1),
    shape(second, on = b, sphere = 0.1, restitution = 1),
    shape(third, on = c, sphere = 0.1, restitution = 1),
    pair(first, second), pair(third, second),
)]
struct Cradle;

/// (−⅓, ⅔, ⅔) where they touch, (0, 0, 1) where they do not.
///
/// Source: Newton's law at all contacts at once, m (v⁺ − v) = Jᵀ Λ with J v⁺ = −J v or Λ = 0.
#[test]
fn balls_hit_each_other_in_a_row() -> Result<(), SimulationError> {
    assert_eq!(Cradle::SHAPES.len(), 3);
    assert!(Cradle::PAIRS.is_empty());
    let names: Vec<_> = Cradle::CONTACTS.iter().map(|c| (c.name, c.link, c.other)).collect();
    assert_eq!(names, [("first_second", 0, Some(1)), ("third_second", 2, Some(1))]);
    let v = Vector3::new(1.0, 0.0, 0.0);
    let mut touching = Simulation::new(Cradle)?.state(Vector3::zeros(), v)?;
    touching.step(&Vector0::zeros())?;
    let third = 1.0 / 3.0;
    close("v", touching.current().v.as_slice(), &[-third, 2.0 * third, 2.0 * third], 1e-12);
    let apart = Vector3::new(-0.01, 0.0, 0.01);
    let mut gapped = Simulation::new(Cradle)?.state(apart, v)?;
    gapped.run(0.1, |_: &State<Cradle>| Vector0::zeros())?;
    close("v", gapped.current().v.as_slice(), &[0.0, 0.0, 1.0], 1e-9);
    Ok(())
}
