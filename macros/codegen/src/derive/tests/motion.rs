//! How a link moves, by the frame that lies on it.

use super::{Numbers, dot};
use crate::derive::Mechanism;
use crate::description::{Frame, Placement};
use crate::diagnostic::{Location, Name};

/// What a link does: pose, velocity and acceleration in its own axes, linear first.
pub(super) struct Motion {
    pub(super) pose: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) acceleration: Vec<f64>,
}

/// Motion of a link whose mechanism has the state `x` and accelerates by `v_dot`; the acceleration
/// is u̇ of the velocity's components, not the classical u̇ + ω × u.
pub(super) fn motion(m: &Mechanism<'_>, x: &Numbers, v_dot: &[f64], link: &str) -> Motion {
    let index = m.description.links.iter().position(|l| l.name.text == link);
    let frame = Frame {
        name: Name { text: link.into(), at: Location::token(proc_macro2::Span::call_site()) },
        link: index.expect("a link"),
        placement: Placement::identity(),
        held: false,
    };
    let jacobian = x.of(&m.frame_jacobian(&frame).concat(), m.graph);
    let times =
        |y: &[f64]| -> Vec<f64> { jacobian.chunks_exact(m.nv()).map(|row| dot(row, y)).collect() };
    let (velocity, mut acceleration) = (times(&x.v), times(v_dot));
    let bias = x.of(&m.frame_bias(&frame), m.graph);
    acceleration.iter_mut().zip(&bias).for_each(|(a, b)| *a += b);
    let (u, w) = (&velocity[..3], &velocity[3..]);
    let dragged = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| w[i] * u[j] - w[j] * u[i]);
    acceleration.iter_mut().zip(dragged).for_each(|(a, drag)| *a -= drag);
    Motion { pose: x.of(&m.frame_pose(&frame), m.graph), velocity, acceleration }
}

/// The quaternion of a rotation that is given column by column.
pub(super) fn quaternion(r: &[f64]) -> [f64; 4] {
    let at = |i: usize, j: usize| r[3 * j + i];
    let signed = |k: usize| match k {
        3 => at(0, 0) + at(1, 1) + at(2, 2),
        k => 2.0 * at(k, k) - (at(0, 0) + at(1, 1) + at(2, 2)),
    };
    let largest = (0..4).fold(0, |best, k| if signed(k) > signed(best) { k } else { best });
    let mut q = [0.0; 4];
    let size = (1.0 + signed(largest)).sqrt();
    q[largest] = 0.5 * size;
    for k in (0..4).filter(|&k| k != largest) {
        let (low, high) = (k.min(largest), k.max(largest));
        let pair = if high == 3 {
            let (i, j) = ((low + 1) % 3, (low + 2) % 3);
            at(j, i) - at(i, j)
        } else {
            at(low, high) + at(high, low)
        };
        q[k] = 0.5 * pair / size;
    }
    q
}
