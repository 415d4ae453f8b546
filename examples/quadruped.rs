//! Solo 12 falls from 0.4 m, tilted, and stands up under a proportional–derivative controller.
//!
//! The run is done twice: once for the clock, once step by step with every step judged from
//! outside. Both must end in the same bits.

use std::error::Error;
use std::time::Instant;

use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{Audit, audited_run, energy, fact, save};
use jourdain_models::Solo12;
use nalgebra::{SVector, UnitQuaternion, Vector3};

const DURATION: f64 = 5.0;
const HEIGHT: f64 = 0.4;
/// Roll and pitch at the start, in radians.
const TILT: [f64; 2] = [0.15, 0.1];
/// N m/rad and N m s/rad.
const GAINS: [f64; 2] = [10.0, 0.3];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut timed, controller) = dropped()?;
    let start = energy(&timed);
    let clock = Instant::now();
    let report = timed.run(DURATION, controller)?;
    let speed = report.steps as f64 / clock.elapsed().as_secs_f64();

    let (mut simulation, controller) = dropped()?;
    let mut recording = Recording::new(200.0)?;
    let audit = audited_run(&mut simulation, DURATION, controller, &mut recording)?;
    let same = timed.current() == simulation.current();
    let end = energy(&simulation);

    println!("Solo 12, {} degrees of freedom, dropped from {HEIGHT} m", Solo12::NV);
    println!("speed        {speed:.0} steps per second, {} steps of 1 ms", audit.steps);
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!(
        "penetration  {:.1e} m at most, {:.1e} m in the last second",
        audit.penetration, audit.final_penetration
    );
    println!("feet         {:.1e} m/s at most in the last second", audit.final_speed);
    println!(
        "energy       {start:.3} J at the start, {end:.3} J at the end, {:.3} J lost to impacts and motors",
        start - end
    );
    println!("torque       {:.2} N m at most", audit.input);
    println!("second run   {}", if same { "the same to the last bit" } else { "differs" });
    save(&scene(&recording, &audit, speed)?, "quadruped")?;
    Ok(())
}

/// The robot in the air, and a controller that holds its legs as they stand.
fn dropped() -> Result<(Simulation<Solo12>, Pd<Solo12>), SimulationError> {
    let [stiffness, damping] = GAINS;
    let standing = Solo12::standing(HEIGHT);
    let tilt = UnitQuaternion::from_euler_angles(TILT[0], TILT[1], 0.0);
    let mut q = standing;
    q.fixed_rows_mut::<4>(3).copy_from(&tilt.coords);
    let simulation = Simulation::new(Solo12)?.state(q, SVector::zeros())?;
    Ok((simulation, Pd::new(&Solo12, standing, stiffness, damping)))
}

fn scene(recording: &Recording<Solo12>, audit: &Audit, speed: f64) -> Result<Scene, UnknownBody> {
    let mut scene = Scene::film(&Solo12, recording);
    dress(&mut scene)?;
    scene.title = "Solo 12".into();
    scene.subtitle = "Dropped from 0.4 m, tilted; joint PD control, 18 degrees of freedom, 4 frictional contacts, steps of 1 ms".into();
    scene.facts = vec![
        fact("steps per second", format!("{speed:.0}")),
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("penetration at rest", format!("{:.0e} m", audit.final_penetration)),
        fact("foot speed at rest", format!("{:.0e} m/s", audit.final_speed)),
    ];
    Ok(scene)
}

/// Shapes after the extents of the meshes in solo_description.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let point = Vector3::new;
    let trunk = Shape::cuboid(point(0.205, 0.062, 0.026), Color::GRAPHITE);
    let deck = Shape::cuboid(point(0.13, 0.045, 0.006), Color::ORANGE).at(point(0.0, 0.0, 0.028));
    scene.dress("base_link", [trunk, deck])?;
    for (leg, front, left) in
        [("FL", 1.0, 1.0), ("FR", 1.0, -1.0), ("HL", -1.0, 1.0), ("HR", -1.0, -1.0)]
    {
        let hip = Shape::capsule(
            point(-0.14 * front, 0.0, 0.0),
            point(-0.01 * front, 0.0, 0.0),
            0.0225,
            Color::GRAPHITE,
        );
        let out = |y: f64, z: f64| point(0.0, left * y, z);
        let thigh = Shape::capsule(out(0.019, 0.0), out(0.019, -0.16), 0.019, Color::CHALK);
        let shank = Shape::capsule(out(0.008, 0.0), out(0.008, -0.16), 0.010, Color::STEEL);
        let knee = Shape::capsule(out(-0.012, 0.0), out(0.014, 0.0), 0.014, Color::GRAPHITE);
        scene.dress(&format!("{leg}_SHOULDER"), [hip])?;
        scene.dress(&format!("{leg}_UPPER_LEG"), [thigh])?;
        scene.dress(&format!("{leg}_LOWER_LEG"), [shank, knee])?;
        scene.dress(&format!("{leg}_FOOT"), [Shape::sphere(0.016, Color::GRAPHITE)])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> (Simulation<Solo12>, Audit) {
        let (mut simulation, controller) = dropped().unwrap();
        let mut recording = Recording::new(1.0).unwrap();
        let audit = audited_run(&mut simulation, DURATION, controller, &mut recording).unwrap();
        (simulation, audit)
    }

    #[test]
    fn it_stands_without_penetration_residual_or_drift_and_does_so_again() {
        let (simulation, audit) = run();
        assert_eq!(audit.steps, 5000);
        assert!(audit.residual <= 1e-9, "{audit:?}");
        assert!(audit.final_penetration < 1e-6, "{audit:?}");
        assert!(audit.final_speed < 1e-6, "{audit:?}");
        assert!(audit.input <= 2.5, "{audit:?}");
        let height = simulation.current().q[2];
        assert!((0.22..0.24).contains(&height), "{height}");

        let (again, same_audit) = run();
        assert_eq!(again.current(), simulation.current());
        assert_eq!(same_audit, audit);
    }

    /// With the same gains as at 1 ms, and the actuators' torque as a bound: servos are implicit.
    #[test]
    fn it_stands_with_steps_of_10_ms_by_servos() {
        let (mut simulation, _) = dropped().unwrap();
        simulation = simulation.step_size(0.01).unwrap();
        let (standing, [stiffness, damping]) = (Solo12::standing(HEIGHT), GAINS);
        for joint in Solo12::JOINTS.iter().filter(|joint| joint.nv == 1) {
            let position = standing[joint.q];
            let servo = Motor::Servo { position, velocity: 0.0, stiffness, damping, force: 2.5 };
            simulation.set_motor(joint.name, Some(servo)).unwrap();
        }
        simulation.run(5.0, |_: &State<Solo12>| SVector::zeros()).unwrap();
        let (height, speed) = (simulation.current().q[2], simulation.current().v.norm());
        assert!((0.22..0.24).contains(&height), "{height}");
        assert!(speed < 1e-6, "{speed:e}");
        assert!(simulation.impulse().motors.iter().all(|p| p.abs() <= 0.025));
    }
}
