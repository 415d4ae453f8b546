//! Motion with feet that are held still: every contact's point, and every frame that is declared so, with
//! its axes. What is timed is the default method, with all checks of its input and its solution.

use jourdain::constrained::{Constrained, Hold};
use jourdain::kernel::{F64x8, Input, Kernel, Number};
use jourdain::prelude::*;

use crate::states::State;
use crate::timing::Eight;

/// The robot with all its feet held.
pub fn held<M: Model>(robot: M) -> Constrained<M> {
    let mut held = Constrained::new(robot);
    for contact in M::CONTACTS {
        held.hold_contact(contact.name, Some(Hold::Point)).expect("a contact of the robot");
    }
    for frame in M::FRAMES.iter().filter(|frame| frame.held) {
        held.hold_frame(FrameId::named(frame.name).expect("a frame of the robot"), true);
    }
    held
}

/// v̇.
pub fn constrained_dynamics<M: Model>(held: &mut Constrained<M>, s: &State<M>, out: &mut M::V) {
    *out = held.forward_dynamics(&s.q, &s.v, &s.tau, 0.0).expect("feet that can be held");
}

/// v⁺.
pub fn constrained_impact<M: Model>(held: &mut Constrained<M>, s: &State<M>, out: &mut M::V) {
    *out = held.impact(&s.q, &s.v, 0.0).expect("feet that can be held");
}

/// Eight of either, without checks, in room that is allocated once.
pub struct Eights {
    /// All rows hold.
    holds: Vec<F64x8>,
    /// Nothing.
    asked: Vec<F64x8>,
    all: Vec<F64x8>,
}

impl Eights {
    /// The room for a robot.
    pub fn new<M: Model>() -> Self {
        Self {
            holds: vec![F64x8::splat(1.0); M::HELD_ROWS],
            asked: vec![F64x8::default(); M::HELD_ROWS],
            all: vec![F64x8::default(); M::NV + M::HELD_ROWS + 1],
        }
    }

    /// v̇ or v⁺.
    pub fn evaluate<K: Kernel>(&mut self, s: &Eight, out: &mut [F64x8]) {
        let (q, v, a, t) = (&s.q, &s.v, &s.tau, &[F64x8::default()]);
        let (holds, asked) = (&self.holds, &self.asked);
        let input = Input { q, v, a, t, holds, asked, ..Input::default() };
        F64x8::evaluate::<K>(&input, &mut self.all);
        out.copy_from_slice(&self.all[..out.len()]);
    }
}
