//! Where the second half of a step begins.

/// What the second half of a step begins with.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Beginning<'a> {
    /// Where the step begins.
    pub(in crate::contact) q: &'a [f64],
    /// Where what overlaps there is displaced to, if anything is.
    pub(in crate::contact) from: Option<&'a [f64]>,
    pub(in crate::contact) w: &'a [f64],
}
