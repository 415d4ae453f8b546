//! What a family says of its child's motion.

use std::marker::PhantomData;

/// Axes and pitch of a joint, lowered to expressions.
#[derive(Debug)]
pub struct Geometry<'g>(pub PhantomData<&'g ()>);

/// Motion of the child in the joint's frame.
#[derive(Debug)]
pub struct Motion<'g>(pub PhantomData<&'g ()>);
