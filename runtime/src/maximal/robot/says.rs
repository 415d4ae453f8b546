//! What a robot says at coordinates, in a form that knows no type of robot.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::contact::Springs;
use crate::description::Level;
use crate::kernels::Regressor;
use crate::maximal::own::{Own, Place, Terms, filled};
use crate::space::Storage;

/// With the robot in it.
pub(super) fn own<M>(robot: M, places: Vec<Place>) -> Own
where
    M: Regressor + Send + Sync + 'static,
{
    let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels);
    let contacts = robot.contact_parameters().into_iter().enumerate();
    let springs = Springs::new(&robot);
    Own {
        joints: M::JOINTS,
        places,
        positions: levels.map(|&level| level == Level::Position).collect(),
        contacts: contacts.filter(|(k, _)| M::CONTACTS[*k].turns).collect(),
        says: Arc::new(move |q, v, t, h| {
            let springs = h.map(|h| limited(&robot, springs.clone(), (q, v), h));
            Terms { springs, ..terms(&robot, q, v, t) }
        }),
    }
}

fn state<M: Regressor>(q: &[f64], v: &[f64]) -> (M::Q, M::V) {
    let (mut at, mut rate) = (M::Q::zeros(), M::V::zeros());
    at.as_mut_slice().copy_from_slice(q);
    rate.as_mut_slice().copy_from_slice(v);
    (at, rate)
}

/// What springs ask for in a step of `h` seconds. By how much they are implicit is the robot's inertia to say: no motion but
/// that which the step does not resolve depends on it.
fn limited<M: Regressor>(
    robot: &M,
    mut springs: Springs,
    (q, v): (&[f64], &[f64]),
    h: f64,
) -> Springs {
    let (q, v) = state::<M>(q, v);
    springs.evaluate(robot, (&q, &v));
    let still = M::V::zeros();
    let free = robot.forward_dynamics(&q, &still, &still);
    springs.limit_by(h, |row| {
        let mut force = M::V::zeros();
        force.as_mut_slice().copy_from_slice(row);
        let pushed = robot.forward_dynamics(&q, &still, &force);
        pushed.as_slice().iter().zip(free.as_slice()).map(|(a, b)| a - b).collect()
    });
    springs
}

fn terms<M: Regressor>(robot: &M, q: &[f64], v: &[f64], t: f64) -> Terms {
    let (q, v) = &state::<M>(q, v);
    let (nv, nc, limits, contacts) = (M::NV, M::NC, M::LIMITS.len(), M::CONTACTS.len());
    let turning = if M::CONTACTS.iter().any(|contact| contact.turns) { contacts } else { 0 };
    Terms {
        passive: robot.passive_force(q, v).as_slice().to_vec(),
        springs: None,
        error: filled(nc, |out| robot.constraint_into(q, t, out)),
        rate: filled(nc, |out| robot.constraint_rate_into(q, v, t, out)),
        jacobian: filled(nc * nv, |out| robot.constraint_jacobian_into(q, v, t, out)),
        limit: filled(limits, |out| robot.limit_into(q, out)),
        limit_jacobian: filled(limits * nv, |out| robot.limit_jacobian_into(q, out)),
        gap: filled(turning, |out| robot.gap_into(q, out)),
        contact_jacobian: filled(3 * turning * nv, |out| robot.contact_jacobian_into(q, out)),
    }
}
