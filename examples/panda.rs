//! The Panda draws a circle with its tool, by computed torque after differential kinematics.
//!
//! > v_d = J⁺ ((ṗ_d + k (p_d − p)), 0),  τ = M K_d (v_d − v) + C v − τ_g
//!
//! with J the Jacobian of the tool and J⁺ = Jᵀ (J Jᵀ + ε 1)⁻¹; the zero keeps the hand's
//! orientation.

use std::error::Error;
use std::f64::consts::TAU;

use jourdain::Pose;
use jourdain::playback::{Body, Color, Plane, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{fact, save};
use jourdain_models::Panda;
use nalgebra::{Matrix3, Matrix6, SVector, Vector3, Vector6};

const DURATION: f64 = 8.0;
const PERIOD: f64 = 4.0;
const RADIUS: f64 = 0.15;

fn main() -> Result<(), Box<dyn Error>> {
    let start = Panda::ready();
    let center = Panda.frame_pose(Panda::TOOL, &start).position - Vector3::new(0.0, RADIUS, 0.0);
    let controller = |state: &State<Panda>| torque(state, &circle(&center, state.time));
    let mut simulation = Simulation::new(Panda)?.state(start, SVector::zeros())?;
    let mut recording = Recording::new(100.0)?;
    simulation.run_recorded(DURATION, controller, &mut recording)?;

    let error = tracking_error(&recording, &center);
    let effort = largest_effort(&recording);
    println!("Panda, a circle of {RADIUS} m radius, twice in {DURATION} s");
    println!("tool         {:.2} mm at most from where it should be", 1e3 * error);
    println!("torque       {:.0} % of a motor's limit at most", 100.0 * effort);
    let mut scene = Scene::film(&Panda, &recording);
    dress(&mut scene)?;
    draw_circle(&mut scene, &center);
    scene.ground.push(Plane::HORIZONTAL);
    scene.title = "Panda".into();
    scene.subtitle = "The tool draws a circle by computed torque".into();
    scene.facts = vec![
        fact("largest error", format!("{:.2} mm", 1e3 * error)),
        fact("largest torque", format!("{:.0} % of the limit", 100.0 * effort)),
    ];
    save(&scene, "panda")?;
    Ok(())
}

/// Where the tool should be, and how fast it should move.
fn circle(center: &Vector3<f64>, time: f64) -> [Vector3<f64>; 2] {
    let (sine, cosine) = (TAU * time / PERIOD).sin_cos();
    let position = center + RADIUS * Vector3::new(sine, cosine, 0.0);
    [position, RADIUS * TAU / PERIOD * Vector3::new(cosine, -sine, 0.0)]
}

fn torque(state: &State<Panda>, [position, velocity]: &[Vector3<f64>; 2]) -> SVector<f64, 8> {
    const PULL: f64 = 20.0;
    const DAMPING: f64 = 50.0;
    let State { q, v, .. } = state;
    let reference = ReferenceFrame::LocalWorldAligned;
    let jacobian = Panda.frame_jacobian(Panda::TOOL, reference, q);
    let linear = velocity + PULL * (position - Panda.frame_pose(Panda::TOOL, q).position);
    let twist = Vector6::new(linear.x, linear.y, linear.z, 0.0, 0.0, 0.0);
    let square: Matrix6<f64> = jacobian * jacobian.transpose() + 1e-6 * Matrix6::identity();
    let solved = square.cholesky().map_or(Vector6::zeros(), |factor| factor.solve(&twist));
    let wanted = jacobian.transpose() * solved;
    Panda.inverse_dynamics(q, v, &(DAMPING * (wanted - v)))
}

/// The largest distance of the tool from where it should be, after the first half second, in m.
fn tracking_error(recording: &Recording<Panda>, center: &Vector3<f64>) -> f64 {
    let settled = recording.samples().iter().filter(|s| s.state.time > 0.5);
    let errors = settled.map(|sample| {
        let State { time, q, .. } = &sample.state;
        (Panda.frame_pose(Panda::TOOL, q).position - circle(center, *time)[0]).norm()
    });
    errors.fold(0.0, f64::max)
}

/// The largest input as a fraction of its limit.
fn largest_effort(recording: &Recording<Panda>) -> f64 {
    let limits = Panda.coordinate_parameters();
    let inputs = recording.samples().iter().flat_map(|sample| {
        let pairs = sample.u.iter().zip(&limits);
        pairs.map(|(u, limit)| u.abs() / limit.effort)
    });
    inputs.fold(0.0, f64::max)
}

/// Tubes along the joints' axes, about as thick as the meshes in panda_description.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let tube =
        |from: [f64; 3], to: [f64; 3]| Shape::capsule(from.into(), to.into(), 0.055, Color::CHALK);
    let block =
        |half: [f64; 3], at: [f64; 3]| Shape::cuboid(half.into(), Color::GRAPHITE).at(at.into());
    let origin = [0.0; 3];
    scene.dress("panda_link0", [block([0.09, 0.09, 0.03], [0.0, 0.0, 0.03])])?;
    scene.dress("panda_link1", [tube([0.0, 0.0, -0.25], origin)])?;
    scene.dress("panda_link2", [tube(origin, [0.0, -0.2, 0.0])])?;
    scene
        .dress("panda_link3", [tube([0.0, 0.0, -0.1], origin), tube(origin, [0.0825, 0.0, 0.0])])?;
    scene.dress("panda_link4", [tube(origin, [-0.0825, 0.05, 0.0])])?;
    scene.dress("panda_link5", [tube([0.0, 0.0, -0.28], [0.0, 0.0, -0.02])])?;
    scene.dress("panda_link6", [tube(origin, [0.088, 0.0, 0.0])])?;
    scene.dress("panda_link7", [block([0.045, 0.045, 0.025], [0.0, 0.0, 0.08])])?;
    scene.dress("panda_hand", [block([0.03, 0.1, 0.025], [0.0, 0.0, 0.035])])?;
    let finger = |y: f64| {
        Shape::cuboid([0.01, 0.008, 0.026].into(), Color::STEEL).at([0.0, y, 0.026].into())
    };
    scene.dress("panda_leftfinger", [finger(0.008)])?;
    scene.dress("panda_rightfinger", [finger(-0.008)])?;
    for bare in ["panda_link8", "panda_hand_tcp"] {
        scene.dress(bare, [])?;
    }
    Ok(())
}

/// The circle as a body of its own, which stands still.
fn draw_circle(scene: &mut Scene, center: &Vector3<f64>) {
    let points = (0..48).map(|k| circle(center, PERIOD * f64::from(k) / 48.0)[0]);
    let dots = points.map(|point| Shape::sphere(0.006, Color::RED).at(point));
    scene.bodies.push(Body { name: "circle".into(), shapes: dots.collect() });
    let still = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    scene.frames.iter_mut().for_each(|frame| frame.poses.push(still));
}
