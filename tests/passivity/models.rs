//! The models, and robots of files.

use jourdain::constrained::Constrained;
use jourdain::contact::Formulation;
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::{
    Acrobot, Bricard, CartPole, CompassBiped, CompassGait, DoublePendulum, G1, Go2, HollowBall,
    JansenWalker, KneedWalker, Panda, SliderCrank, SlidingBrick, Solo12, StewartPlatform,
    StickSlip, Ur5, WheeledBrick,
};
use nalgebra::vector;

use crate::run::{Found, run, simulation};

/// Its first joint's frame is turned by a quaternion.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(urdf = "urdf/turned_joint.urdf")]
struct TurnedJoint;

/// The axes of its first inertia are turned by a quaternion.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(urdf = "urdf/turned_inertia.urdf")]
struct TurnedInertia;

/// Runs of so many steps of 10, 1 and 0.1 ms.
struct Watch {
    seconds: [f64; 3],
    found: Found,
}

impl Watch {
    fn see<M: Model + Clone>(&mut self, robot: &M, q: M::Q, v: M::V) {
        let (q, v) = if M::NC > 0 {
            Constrained::new(robot.clone()).project(&q, &v, 0.0).expect("a place")
        } else {
            (q, v)
        };
        for (h, seconds) in [1e-2, 1e-3, 1e-4].into_iter().zip(self.seconds) {
            let formulation = Formulation::coulomb();
            self.found.add(run(simulation(robot, (&q, &v), h, formulation), seconds));
        }
    }

    /// At rest, or at a speed of all coordinates, where contacts are so high above the ground.
    fn see_above<M: Model + Clone>(&mut self, robot: &M, (mut q, z): (M::Q, usize), height: f64) {
        let mut gaps = vec![0.0; M::CONTACTS.len()];
        robot.gap_into(&q, &mut gaps);
        q[z] += height - gaps.iter().copied().fold(f64::INFINITY, f64::min);
        self.see(robot, q, speeds::<M>(1.0));
    }
}

fn speeds<M: Model>(size: f64) -> M::V {
    let mut v = M::V::zeros();
    (0..M::NV).for_each(|i| v[i] = size * (1.3 * i as f64 + 0.7).sin());
    v
}

fn watch(seconds: [f64; 3]) -> Found {
    let mut watch = Watch { seconds, found: Found::default() };
    let acrobot = Acrobot { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5, height: 1.2, mu: 0.5, e: 0.0 };
    watch.see(&acrobot, vector![0.5, 0.3], vector![1.0, -2.0]);
    watch.see(&Bricard, vector![1.57, 1.57, 1.57, 1.57, 1.57], speeds::<Bricard>(2.0));
    watch.see(&WheeledBrick { m: 1.0, e: 0.0 }, vector![0.3], vector![-2.0]);
    watch.see(&SlidingBrick { m: 1.0, mu: 0.3 }, vector![0.0, 0.1], vector![1.0, 0.0]);
    watch.see(&CartPole { mc: 1.0, mp: 0.3, l: 0.5 }, vector![0.0, 2.0], vector![0.5, 1.0]);
    let pendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    watch.see(&pendulum, vector![1.5, 0.3], vector![1.0, 1.0]);
    let crank = SliderCrank { r: 0.2, l: 0.5, m: 1.0, omega: 0.0 };
    watch.see(&crank, vector![0.3, -0.5, 0.65], vector![0.0, 0.0, 0.0]);
    let mut q = StewartPlatform.neutral();
    q[2] = 1.2;
    watch.see(&StewartPlatform, q, speeds::<StewartPlatform>(0.3));
    let slip = StickSlip { m: 1.0, k: 50.0, speed: 0.0 };
    watch.see(&slip, vector![0.2, 0.0, 0.0], vector![0.5, 0.0, 0.0]);
    let gait = CompassGait { m_h: 10.0, m: 5.0, a: 0.5, b: 0.5 };
    watch.see(&gait, vector![0.1, 0.3], vector![0.5, -1.0]);
    let walker =
        KneedWalker { m_h: 0.5, m_t: 0.5, m_s: 0.05, a1: 0.375, b1: 0.125, a2: 0.175, b2: 0.325 };
    watch.see(&walker, vector![0.1, -0.3, 0.2], vector![-0.5, 1.0, 0.5]);
    watch.see(&Panda, Panda::ready(), speeds::<Panda>(1.0));
    watch.see(&Ur5, speeds::<Ur5>(1.0), speeds::<Ur5>(2.0));
    watch.see(&TurnedJoint, vector![0.7, 0.1], vector![1.0, -2.0]);
    watch.see(&TurnedInertia, vector![0.7, 0.1], vector![1.0, -2.0]);
    let ball = HollowBall { m: 1.0, r: 0.1, mu: 0.5, e: 0.0 };
    watch.see_above(&ball, (ball.neutral(), 1), 0.02);
    watch.see_above(&JansenWalker, (JansenWalker.neutral(), 1), 0.1);
    let biped = CompassBiped { m_h: 10.0, m: 5.0, a: 0.5, b: 0.5, slope: 0.0 };
    watch.see_above(&biped, (vector![0.0, 0.0, 0.3, -0.3], 1), 0.02);
    watch.see_above(&Solo12, (Solo12::standing(0.239), 2), 0.02);
    watch.see_above(&Go2, (Go2::standing(0.3), 2), 0.02);
    watch.see_above(&G1, (G1::standing(0.8), 2), 0.02);
    watch.found
}

#[test]
fn models_gain_nothing_in_a_step() {
    watch([0.3, 0.1, 0.01]).assert();
}

#[test]
#[ignore = "takes minutes, and an hour without optimisation"]
fn models_gain_nothing_in_ten_seconds() {
    watch([10.0, 10.0, 1.0]).assert();
}
