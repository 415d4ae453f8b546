//! Motion with feet that are held still: every contact's point, and every frame that is called a foot,
//! with its axes.

use jourdain::constrained::{Constrained, Hold};
use jourdain::kkt::{Dense, Method};
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::exchange::Record;
use crate::states::State;

/// Records accelerations, impacts and the forces of the feet, by every method; NaN where one finds
/// none.
pub fn record<M: Model + Clone>(robot: &M, state: &State<M>, record: &mut Record) {
    for method in methods() {
        let values = motion(robot, state, method)
            .unwrap_or_else(|_| std::array::from_fn(|_| missing::<M>()));
        for (name, value) in ["v_dot", "force", "v_after", "impulse"].iter().zip(&values) {
            record.push(format!("held {name} by {method:?}"), value.as_slice());
        }
    }
}

fn methods() -> impl Iterator<Item = Method> {
    let single = [Method::Adaptive, Method::NullSpace, Method::Proximal];
    let dense = [Dense::Lu, Dense::Cholesky, Dense::PivotedQr, Dense::Svd];
    let of_dense = [Method::Direct, Method::RangeSpace, Method::Articulated];
    let all = of_dense.into_iter().flat_map(move |method| dense.map(method));
    single.into_iter().chain(all)
}

/// v̇ and Hᵀ λ of the state's forces, v⁺ and Hᵀ Λ of an impact.
fn motion<M: Model + Clone>(
    robot: &M,
    State { q, v, tau, .. }: &State<M>,
    method: Method,
) -> Result<[M::V; 4], Box<dyn std::error::Error>> {
    let mut held = Constrained::new(robot.clone()).method(method);
    for contact in M::CONTACTS {
        held.hold_contact(contact.name, Some(Hold::Point))?;
    }
    for frame in M::FRAMES.iter().filter(|frame| frame.name.starts_with("foot")) {
        if let Some(foot) = FrameId::named(frame.name) {
            held.hold_frame(foot, true);
        }
    }
    let v_dot = held.forward_dynamics(q, v, tau, 0.0)?;
    let force = held.constraint_force();
    let v_after = held.impact(q, v, 0.0)?;
    Ok([v_dot, force, v_after, held.constraint_force()])
}

fn missing<M: Model>() -> M::V {
    let mut vector = M::V::zeros();
    vector.as_mut_slice().fill(f64::NAN);
    vector
}
