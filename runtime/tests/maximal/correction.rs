//! What puts errors right gives no energy: a joint that is misaligned at rest ends aligned and at rest.

use jourdain::contact::Softness;
use jourdain::maximal::{Body, Joint, Kind, Method, Orientation, Row, World};
use nalgebra::{Vector3, Vector6};

use crate::numbers::Numbers;
use crate::{body, frame, vector};

pub(crate) const KINDS: [Kind; 6] = [
    Kind::Ball,
    Kind::Hinge,
    Kind::Slider,
    Kind::Wheel { angle: 1.1 },
    Kind::Universal,
    Kind::Fixed,
];

/// A joint between two bodies at rest, misaligned by about 1 cm and 10 mrad.
fn misaligned(kind: Kind, softness: Softness, numbers: &mut Numbers) -> World {
    let mut world = World::new(Vector3::zeros());
    for _ in 0..2 {
        let mut body = body(numbers);
        (body.linear, body.angular) = (Vector3::zeros(), Vector3::zeros());
        world.add_body(body).unwrap();
    }
    let here = frame(vector(numbers), vector(numbers).normalize());
    let joint = Joint::here(kind, [Some(0), Some(1)], &here, world.bodies()).unwrap();
    world.add_joint(joint.softened(softness)).unwrap();
    let by = 0.01 * Vector6::from_fn(|_, _| numbers.next());
    let body = &mut world.bodies_mut()[1];
    body.position += by.fixed_rows::<3>(0);
    body.rotation = Orientation::Finite.turned(&body.rotation, &by.fixed_rows::<3>(3).into());
    world
}

fn error(world: &World) -> f64 {
    let mut rows: Vec<Row> = Vec::new();
    world.joints().iter().for_each(|joint| joint.rows_into(world.bodies(), &mut rows));
    rows.iter().map(|row| row.value.abs()).fold(0.0, f64::max)
}

fn center(world: &World) -> Vector3<f64> {
    let mass: f64 = world.bodies().iter().map(|body| body.mass).sum();
    world.bodies().iter().map(|body| body.mass * body.position).sum::<Vector3<f64>>() / mass
}

#[test]
fn a_misaligned_joint_ends_aligned_and_at_rest() {
    let numbers = &mut Numbers(11);
    for (kind, method) in
        KINDS.into_iter().zip([Method::Direct, Method::Sweeps { limit: 100_000 }].repeat(3))
    {
        let fifth = Softness::new(0.2, 0.0).unwrap();
        let mut world = misaligned(kind, fifth, numbers);
        world.settings.method = method;
        let (start, place) = (error(&world), center(&world));
        assert!(start > 1e-4);
        let mut last = start;
        for _ in 0..20 {
            world.step(1e-3).unwrap();
            assert!((0.79 * last..0.81 * last).contains(&error(&world)), "{kind:?}");
            last = error(&world);
        }
        assert!(last < 0.02 * start);
        assert_eq!(world.kinetic_energy(), 0.0, "{kind:?}");
        assert!((center(&world) - place).norm() < 1e-12, "{kind:?}");
    }
}

#[test]
fn the_whole_error_is_put_right_within_a_step() {
    let numbers = &mut Numbers(12);
    for kind in KINDS {
        let mut world = misaligned(kind, Softness::default(), numbers);
        world.step(1e-3).unwrap();
        assert!(error(&world) < 1e-12, "{kind:?} {:e}", error(&world));
        assert_eq!(world.kinetic_energy(), 0.0, "{kind:?}");
    }
}

/// k = γ/(h K), d = (1 − γ)/K: the row gives way to a weight by m g/k, and loses energy until it does.
#[test]
fn a_soft_row_is_a_spring_with_a_damper() {
    let (h, stiffness, damping, mass) = (1e-3, 500.0, 5.0, 2.0);
    let soft = Softness::spring(stiffness, damping, h).unwrap();
    let mut world = World::new(Vector3::new(0.0, 0.0, -10.0));
    let ball = world.add_body(Body::ball(mass, 0.1)).unwrap();
    let here = frame(Vector3::zeros(), Vector3::z());
    let joint = Joint::here(Kind::Fixed, [None, Some(ball)], &here, world.bodies()).unwrap();
    world.add_joint(joint.softened(soft)).unwrap();
    let energy = |world: &World| {
        let z = world.bodies()[0].position.z;
        world.kinetic_energy() + world.potential_energy() + 0.5 * stiffness * z * z
    };
    let mut lowest: f64 = 0.0;
    let start = energy(&world);
    for _ in 0..6000 {
        world.step(h).unwrap();
        lowest = lowest.min(world.bodies()[ball].position.z);
        // Semi-implicit steps let the energy of an oscillation waver by about h ω of it.
        assert!(energy(&world) < start + 0.02);
    }
    let rest = -mass * 10.0 / stiffness;
    assert!((world.bodies()[ball].position.z - rest).abs() < 1e-4);
    // A damped oscillation overshoots by a little more than implicit steps do: exp(−π ζ/√(1 − ζ²)).
    let zeta = damping / (2.0 * f64::sqrt(stiffness * mass));
    let overshoot = (-std::f64::consts::PI * zeta / f64::sqrt(1.0 - zeta * zeta)).exp();
    assert!((lowest / rest - 1.0 - overshoot).abs() < 0.03, "{lowest}");
}
