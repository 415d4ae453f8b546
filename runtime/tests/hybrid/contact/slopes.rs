//! Exact derivatives of accelerations and guards in the modes that falls come through, against differences of the sixth
//! order.

use jourdain::hybrid::contact::{InContact, Mode, Touch};
use jourdain::hybrid::{Automaton, Hybrid};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::manifold;
use jourdain::prelude::*;

use super::differences::{agree, differences};
use super::nothing;
use crate::numbers::Numbers;

type Done = Result<(), Box<dyn std::error::Error>>;

/// How many phases and guards were compared: of contacts that stick, and that slide, and of all guards.
#[derive(Debug, Default)]
struct Compared {
    sticking: usize,
    sliding: usize,
    limited: usize,
    free: usize,
    guards: usize,
    /// Of which differences find no derivatives.
    left_out: usize,
}

impl Compared {
    /// All kinds of phases were there, and nearly all guards had derivatives by differences.
    fn assert_enough(&self) {
        let Self { sticking, sliding, limited, free, guards, left_out } = *self;
        let least = [sticking, sliding, limited, free].into_iter().min();
        assert!(least >= Some(2) && guards > 100 && left_out * 20 < guards, "{self:?}");
    }

    fn at<M: Model, C: Controller<M>>(
        &mut self,
        automaton: &mut InContact<'_, M, C>,
        mode: &Mode,
        phase: &Phase,
    ) {
        let mut found = vec![f64::NAN; M::NV * (2 * M::NV + 1)];
        let name = automaton.mode_name(mode);
        let error = automaton.derivatives(mode, phase.at(), &mut found);
        assert!(error.is_some_and(|error| M::NU > 0 && error < 1e-8 || error == 0.0), "{error:?}");
        let expected = differences::<M>(phase, M::NV, |phase, out| {
            automaton.rates(mode, phase.at(), out, &mut []);
        });
        let Some(expected) = expected else {
            self.left_out += 1;
            return;
        };
        agree(&name, &found, &expected);
        let mut guards = Vec::new();
        automaton.guards(mode, &mut guards);
        for guard in guards {
            let mut found = vec![f64::NAN; 2 * M::NV + 1];
            let known = automaton.guard_derivatives(mode, guard, phase.at(), &mut found);
            let expected = differences::<M>(phase, 1, |phase, out| {
                out[0] = automaton.guard(mode, guard, phase.at());
            });
            assert!(known.is_some(), "{}", automaton.guard_name(guard));
            let Some(expected) = expected else {
                self.left_out += 1;
                continue;
            };
            agree(&format!("{name}: {}", automaton.guard_name(guard)), &found, &expected);
            self.guards += 1;
        }
        let touches = |of: fn(&Touch) -> bool| usize::from(mode.contacts().iter().any(of));
        self.sticking += touches(|touch| matches!(touch, Touch::Stick));
        self.sliding += touches(|touch| matches!(touch, Touch::Slide { .. }));
        self.limited += usize::from(mode.limits().contains(&true));
        self.free += touches(|touch| !touch.is_closed());
    }

    /// Compares in each mode of a motion once, in the middle of the first stretch where what slides is no slower than
    /// 0.05 m/s, so that differences find how its direction turns.
    fn along<M: Model>(
        &mut self,
        simulation: &mut HybridSimulation<M>,
        controller: impl Controller<M>,
        (mut phase, seconds): (Phase, f64),
    ) -> Done {
        let (space, tolerance) = (Space::of::<M>(0), Tolerance::new(1e-9, 1e-9)?);
        let mut automaton = simulation.automaton(controller);
        let mode = automaton.start(&mut phase)?;
        let mut motion = Hybrid::stiff(automaton, &space, mode, phase, tolerance)?;
        let mut last = None;
        motion.run_observed(seconds, |automaton, mode, stretch| {
            let phase = stretch.at(0.5 * (stretch.start() + stretch.end()));
            let is_new = last.as_ref() != Some(mode) && !mode.is_redundant();
            if is_new && slowest(automaton, mode, &phase) > 0.05 {
                self.at(automaton, mode, &phase);
                last = Some(mode.clone());
            }
        })?;
        Ok(())
    }
}

/// The least speed of what slides with friction, by its guards.
fn slowest<M: Model, C: Controller<M>>(
    automaton: &mut InContact<'_, M, C>,
    mode: &Mode,
    phase: &Phase,
) -> f64 {
    let mut guards = Vec::new();
    automaton.guards(mode, &mut guards);
    let slips = guards.iter().filter(|guard| automaton.guard_name(**guard).starts_with("slip"));
    let slips: Vec<usize> = slips.copied().collect();
    let speeds = slips.iter().map(|guard| automaton.guard(mode, *guard, phase.at()).abs());
    speeds.fold(f64::INFINITY, f64::min)
}

fn phase<M: Model>(q: &[f64], v: &[f64]) -> Phase {
    Phase { q: q.into(), v: v.into(), ..Phase::neutral(&Space::of::<M>(0)) }
}

/// A body without contacts.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2, com = [0.1, 0, 0.05], inertia = [0.2, 0.3, 0.4]),
    joint(base, floating(world -> body)),
)]
struct Body;

#[test]
fn free_body() -> Done {
    let (mut numbers, mut compared) = (Numbers(1), Compared::default());
    for _ in 0..5 {
        let mut simulation = HybridSimulation::new(Body)?;
        let start = tumbling::<Body>(&mut numbers, 1.0, 3.0);
        compared.along(&mut simulation, nothing, (start, 1.0))?;
    }
    Ok(())
}

/// A pose of the height `z`, turned a little, all other coordinates zero, and velocities up to `speed`.
fn tumbling<M: Model>(numbers: &mut Numbers, z: f64, speed: f64) -> Phase {
    let mut start = Phase::neutral(&Space::of::<M>(0));
    let change: Vec<f64> = (0..M::NV).map(|_| 0.05 * numbers.next()).collect();
    manifold::integrate(M::JOINTS, &change, 1.0, &mut start.q);
    start.q[2] = z;
    start.v.iter_mut().for_each(|v| *v = speed * numbers.next());
    start
}

/// Four legs of three joints, whose knees have ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(trunk, box(size = [0.4, 0.2, 0.1]), mass = 4),
    joint(base, floating(world -> trunk)),
    link(fl_hip, mass = 0.2, inertia = [0.0003, 0.0003, 0.0003]),
    joint(fl_roll, revolute(trunk -> fl_hip), at = [0.2, 0.1, 0], axis = [1, 0, 0], actuated),
    link(fl_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(fl_pitch, revolute(fl_hip -> fl_thigh), axis = [0, 1, 0], actuated),
    link(fl_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(fl_knee, revolute(fl_thigh -> fl_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated, limits = [-0.1, 0.1]),
    link(fr_hip, mass = 0.2, inertia = [0.0003, 0.0003, 0.0003]),
    joint(fr_roll, revolute(trunk -> fr_hip), at = [0.2, -0.1, 0], axis = [1, 0, 0], actuated),
    link(fr_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(fr_pitch, revolute(fr_hip -> fr_thigh), axis = [0, 1, 0], actuated),
    link(fr_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(fr_knee, revolute(fr_thigh -> fr_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated, limits = [-0.1, 0.1]),
    link(hl_hip, mass = 0.2, inertia = [0.0003, 0.0003, 0.0003]),
    joint(hl_roll, revolute(trunk -> hl_hip), at = [-0.2, 0.1, 0], axis = [1, 0, 0], actuated),
    link(hl_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(hl_pitch, revolute(hl_hip -> hl_thigh), axis = [0, 1, 0], actuated),
    link(hl_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(hl_knee, revolute(hl_thigh -> hl_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated, limits = [-0.1, 0.1]),
    link(hr_hip, mass = 0.2, inertia = [0.0003, 0.0003, 0.0003]),
    joint(hr_roll, revolute(trunk -> hr_hip), at = [-0.2, -0.1, 0], axis = [1, 0, 0], actuated),
    link(hr_thigh, mass = 0.3, com = [0, 0, -0.08], inertia = [0.001, 0.001, 0.0001]),
    joint(hr_pitch, revolute(hr_hip -> hr_thigh), axis = [0, 1, 0], actuated),
    link(hr_shank, mass = 0.1, com = [0, 0, -0.08], inertia = [0.0003, 0.0003, 0.00003]),
    joint(hr_knee, revolute(hr_thigh -> hr_shank), at = [0, 0, -0.16], axis = [0, 1, 0], actuated, limits = [-0.1, 0.1]),
    contact(fl, on = fl_shank, at = [0, 0, -0.16], sphere = 0.02, friction = mu),
    contact(fr, on = fr_shank, at = [0, 0, -0.16], sphere = 0.02, friction = mu),
    contact(hl, on = hl_shank, at = [0, 0, -0.16], sphere = 0.02, friction = mu),
    contact(hr, on = hr_shank, at = [0, 0, -0.16], sphere = 0.02, friction = mu),
)]
struct Quadruped {
    mu: f64,
}

#[test]
fn quadruped_that_falls() -> Done {
    let (mut numbers, mut compared) = (Numbers(2), Compared::default());
    for (mu, speed) in [(0.25, 1.5), (0.4, 0.5)] {
        let robot = Quadruped { mu };
        let mut simulation = HybridSimulation::new(robot)?;
        let start = tumbling::<Quadruped>(&mut numbers, 0.36, speed);
        // Two of the knees are driven to their ends.
        let mut target = robot.neutral();
        (target[9], target[15]) = (1.0, -1.0);
        let legs = Pd::new(&robot, target, 5.0, 0.1);
        compared.along(&mut simulation, legs, (start, 0.06))?;
    }
    compared.assert_enough();
    Ok(())
}

/// Two legs in a plane, whose tangents move along one line, and whose hips have ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(torso, mass = 8, inertia = [0.2, 0.2, 0.2]),
    joint(base, planar(world -> torso), axis = [0, -1, 0]),
    link(front, mass = 1, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.001]),
    joint(hip_f, revolute(torso -> front), at = [0.25, 0, -0.05], axis = [0, 1, 0], passive, limits = [-0.4, 0.4], damping = 0.5),
    link(back, mass = 1, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.001]),
    joint(hip_b, revolute(torso -> back), at = [-0.25, 0, -0.05], axis = [0, 1, 0], passive, limits = [-0.4, 0.4], damping = 0.5),
    contact(foot_f, on = front, at = [0, 0, -0.5], friction = 0.2),
    contact(foot_b, on = back, at = [0, 0, -0.5], friction = 0.4),
)]
struct Legged;

#[test]
fn legs_in_a_plane() -> Done {
    let (mut numbers, mut compared) = (Numbers(3), Compared::default());
    for _ in 0..20 {
        let mut simulation = HybridSimulation::new(Legged)?;
        let mut start = phase::<Legged>(&[0.0, 0.6, 0.0, 0.1, -0.1], &[0.0; 5]);
        start.v.iter_mut().for_each(|v| *v = numbers.next());
        compared.along(&mut simulation, nothing, (start, 0.5))?;
    }
    compared.assert_enough();
    Ok(())
}

/// A carriage that is driven ever faster drags a block by a spring, and a pendulum hangs on a rod in a limited region.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(carriage, mass = 1),
    joint(drive, prismatic(world -> carriage), axis = [1, 0, 0], passive),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(block, mass = 2),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    link(pendulum, mass = 0.5, com = [0, 0, -0.3], inertia = [0.01, 0.01, 0.01]),
    joint(pivot, revolute(block -> pendulum), axis = [0, 1, 0], passive),
    drive(motor, joint = drive, rate = 0.3 * t + 0.1 * sin(3 * t)),
    spring(rope, a = carriage @ [0, 0, 0], b = block @ [0, 0, 0], stiffness = 40, rest = 0),
    limit(reach, c = 0.3 + x * x / 10 - pivot),
    contact(foot, on = block, friction = 0.25),
)]
struct Dragged;

#[test]
fn drive_and_declared_limit() -> Done {
    let mut compared = Compared::default();
    let mut simulation = HybridSimulation::new(Dragged)?;
    for pivot in [-0.4, 0.1, 0.3] {
        let start = phase::<Dragged>(&[1.2, 1.0, 0.0, pivot], &[0.0, 0.7, 0.0, 1.0]);
        compared.along(&mut simulation, nothing, (start, 3.0))?;
    }

    let Compared { sticking, sliding, limited, .. } = compared;
    assert!(sticking >= 2 && sliding >= 2 && limited >= 2, "{compared:?}");
    Ok(())
}
