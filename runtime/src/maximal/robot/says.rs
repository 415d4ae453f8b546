//! What a robot says at coordinates, in a form that knows no type of robot.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::contact;
use crate::description::Level;
use crate::kernels::Regressor;
use crate::maximal::own::{Own, Place, Terms, filled};
use crate::model::with_data;
use crate::space::Storage;

/// With the robot in it.
pub(super) fn own<M>(robot: M, places: Vec<Place>) -> Own
where
    M: Regressor + Send + Sync + 'static,
{
    let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels);
    let contacts = robot.contact_parameters().into_iter().enumerate();
    Own {
        joints: M::JOINTS,
        places,
        positions: levels.map(|&level| level == Level::Position).collect(),
        contacts: contacts.filter(|(k, _)| M::CONTACTS[*k].turns).collect(),
        says: Arc::new(move |q, v, t, h| terms(&robot, (q, v), (t, h))),
    }
}

fn terms<M: Regressor>(robot: &M, (q, v): (&[f64], &[f64]), (t, h): (f64, Option<f64>)) -> Terms {
    let (mut at, mut rate) = (M::Q::zeros(), M::V::zeros());
    at.as_mut_slice().copy_from_slice(q);
    rate.as_mut_slice().copy_from_slice(v);
    let (q, v) = (&at, &rate);
    let (nv, nc, limits, contacts) = (M::NV, M::NC, M::LIMITS.len(), M::CONTACTS.len());
    let turning = if M::CONTACTS.iter().any(|contact| contact.turns) { contacts } else { 0 };
    let (lines, force) = match h {
        Some(h) => {
            let (q, v) = (q.as_slice(), v.as_slice());
            with_data(robot, |robot| contact::lines(robot, (q, v), (t, h)))
        }
        None => (Vec::new(), Vec::new()),
    };
    Terms {
        elastic: force,
        lines,
        error: filled(nc, |out| robot.constraint_into(q, t, out)),
        rate: filled(nc, |out| robot.constraint_rate_into(q, v, t, out)),
        jacobian: filled(nc * nv, |out| robot.constraint_jacobian_into(q, v, t, out)),
        limit: filled(limits, |out| robot.limit_into(q, out)),
        limit_jacobian: filled(limits * nv, |out| robot.limit_jacobian_into(q, out)),
        gap: filled(turning, |out| robot.gap_into(q, out)),
        contact_jacobian: filled(3 * turning * nv, |out| robot.contact_jacobian_into(q, out)),
    }
}
