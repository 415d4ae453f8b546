//! A made-up quadruped of the size of Solo 12 that falls, stands, and then trots.

use jourdain::Pose;
use jourdain::playback::{
    Body, Color, Fact, ForceArrow, Plane, Plot, Scene, Series, Shape, Snapshot,
};
use nalgebra::{Matrix3, Rotation3, Vector3};

const DURATION: f64 = 5.0;
const RATE: f64 = 100.0;
const FOOT: f64 = 0.0165;
const SHANK: f64 = 0.16;
const HIPS: [[f64; 2]; 4] = [[0.19, 0.1], [0.19, -0.1], [-0.19, 0.1], [-0.19, -0.1]];
const NAMES: [&str; 4] = ["FL", "FR", "HL", "HR"];

fn bodies() -> Vec<Body> {
    let base = Vector3::new(0.2, 0.1, 0.04);
    let mut bodies =
        vec![Body { name: "base_link".into(), shapes: vec![Shape::cuboid(base, Color::CHALK)] }];
    for leg in NAMES {
        let down = Vector3::new(0.0, 0.0, -SHANK);
        let link = |color| Shape::capsule(Vector3::zeros(), down, 0.013, color);
        let along_y = |radius, length, color| {
            let half: Vector3<f64> = Vector3::y() * length / 2.0;
            Shape::capsule(-half, half, radius, color)
        };
        let shoulder = along_y(0.028, 0.03, Color::GRAPHITE);
        let knee = along_y(0.018, 0.02, Color::GRAPHITE);
        let foot = Shape::sphere(FOOT, Color::GRAPHITE).at(down);
        let parts = [
            ("SHOULDER", vec![shoulder]),
            ("UPPER_LEG", vec![link(Color::ORANGE)]),
            ("LOWER_LEG", vec![knee, link(Color::STEEL), foot]),
        ];
        bodies.extend(parts.map(|(part, shapes)| Body { name: format!("{leg}_{part}"), shapes }));
    }
    bodies
}

fn height(t: f64) -> f64 {
    let fall = 0.36 - 4.905 * t * t;
    let landed = t - 0.146;
    let stand = 0.25 + 0.03 * (-5.0 * landed).exp() * (18.0 * landed + 2.9).sin();
    if landed < 0.0 { fall } else { stand }
}

/// Forward position, and how far a leg of the given diagonal is in its swing, from 0 to 1.
fn gait(t: f64, diagonal: usize) -> (f64, f64, Option<f64>) {
    let start = 2.0;
    let phase = ((t - start) / 0.4 + 0.5 * diagonal as f64).rem_euclid(1.0);
    let forward = 0.25 * (t - start).max(0.0);
    let offset = if phase < 0.5 { 4.0 * phase - 1.0 } else { 3.0 - 4.0 * phase };
    let swing = (t > start && phase < 0.5).then_some(2.0 * phase);
    let reach = if t > start { 0.025 * offset } else { 0.0 };
    (forward, reach, swing)
}

fn about_y(angle: f64) -> Matrix3<f64> {
    Rotation3::from_axis_angle(&Vector3::y_axis(), angle).into_inner()
}

fn leg(t: f64, k: usize) -> ([Pose; 3], Option<ForceArrow>) {
    let diagonal = usize::from(k == 1 || k == 2);
    let (forward, reach, swing) = gait(t, diagonal);
    let base = height(t);
    let lift = swing.map_or(0.0, |s| 0.04 * (std::f64::consts::PI * s).sin());
    let drop = (base - FOOT - lift).min(0.262);
    let distance = drop.hypot(reach);
    let knee = (distance / (2.0 * SHANK)).min(1.0).acos();
    let bend = if k < 2 { 1.0 } else { -1.0 };
    let lean = -reach.atan2(drop);
    let upper = about_y(lean + bend * knee);
    let lower = about_y(lean - bend * knee);
    let side = HIPS[k][1].signum() * 0.035;
    let hip = Vector3::new(forward + HIPS[k][0], HIPS[k][1] + side, base);
    let elbow = hip - upper * Vector3::z() * SHANK;
    let foot = elbow - lower * Vector3::z() * SHANK;
    let stance = swing.is_none() && t > 0.146;
    let share = if t > 2.0 { 2.0 } else { 4.0 };
    let landing = 1.0 + 40.0 * (-((t - 0.16) / 0.012).powi(2)).exp();
    let shape = landing + 0.25 * (40.0 * t).sin() * (-3.0 * (t - 0.15).max(0.0)).exp();
    let push = Vector3::new(-reach * 40.0, side.signum() * 0.8, 24.5 / share * shape);
    let arrow =
        stance.then_some(ForceArrow { point: Vector3::new(foot.x, foot.y, 0.0), force: push });
    let place = |rotation, position| Pose { rotation, position };
    let shoulder = place(Matrix3::identity(), hip - Vector3::y() * side / 2.0);
    ([shoulder, place(upper, hip), place(lower, elbow)], arrow)
}

fn snapshot(t: f64) -> Snapshot {
    let forward = gait(t, 0).0;
    let base =
        Pose { rotation: Matrix3::identity(), position: Vector3::new(forward, 0.0, height(t)) };
    let legs = [0, 1, 2, 3].map(|k| leg(t, k));
    Snapshot {
        time: t,
        poses: std::iter::once(base).chain(legs.iter().flat_map(|(poses, _)| *poses)).collect(),
        forces: legs.iter().filter_map(|(_, arrow)| *arrow).collect(),
    }
}

fn curves(frames: &[Snapshot]) -> Vec<Plot> {
    let series = |name: &str, value: &dyn Fn(f64) -> f64| Series {
        name: name.into(),
        values: frames.iter().map(|frame| value(frame.time)).collect(),
    };
    let plot =
        |title: &str, unit: &str, series| Plot { title: title.into(), unit: unit.into(), series };
    let kinetic = |t: f64| 0.5 * 2.5 * ((height(t + 1e-4) - height(t)) / 1e-4).powi(2);
    let normal = |k: usize| move |t: f64| leg(t, k).1.map_or(0.0, |arrow| arrow.force.z);
    let feet = (0..4).map(|k| series(NAMES[k], &normal(k))).collect();
    vec![
        plot("Base height", "m", vec![series("z", &height)]),
        plot(
            "Energy",
            "J",
            vec![
                series("kinetic", &kinetic),
                series("potential", &|t| 24.5 * height(t)),
                series("total", &|t| kinetic(t) + 24.5 * height(t)),
            ],
        ),
        plot("Normal contact force", "N", feet),
    ]
}

pub(crate) fn scene() -> Scene {
    let count = (DURATION * RATE) as usize;
    let frames: Vec<_> = (0..=count).map(|k| snapshot(k as f64 / RATE)).collect();
    let fact = |name: &str, value: &str| Fact { name: name.into(), value: value.into() };
    Scene {
        title: "Quadruped".into(),
        subtitle: "Dropped from 0.36 m onto the ground, then trotting".into(),
        facts: vec![
            fact("degrees of freedom", "18"),
            fact("duration", "5 s"),
            fact("step", "1 ms"),
        ],
        bodies: bodies(),
        ground: vec![Plane::HORIZONTAL],
        heights: Vec::new(),
        plots: curves(&frames),
        frames,
    }
}
