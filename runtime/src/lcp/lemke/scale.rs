//! Scaling by powers of two, which rounds nothing.

use alloc::vec::Vec;

/// The power of two next below `x`; one for zero.
pub(super) fn power_of_two(x: f64) -> f64 {
    if x > 0.0 { libm::exp2(libm::floor(libm::log2(x)).clamp(-1000.0, 1000.0)) } else { 1.0 }
}

/// The given numbers divided by their scales, in the storage of the first argument.
pub(super) fn divide(
    (mut m, mut q): (Vec<f64>, Vec<f64>),
    (m_given, m_scale): (&[f64], f64),
    (q_given, q_scale): (&[f64], f64),
) -> (Vec<f64>, Vec<f64>) {
    m.clear();
    m.extend(m_given.iter().map(|x| x / m_scale));
    q.clear();
    q.extend(q_given.iter().map(|x| x / q_scale));
    (m, q)
}
