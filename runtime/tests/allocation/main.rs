//! Solvers, steps and accelerations allocate nothing once they have room.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]
#![allow(unsafe_code, reason = "an allocator that counts is one")]

#[path = "../common/numbers.rs"]
#[allow(dead_code, reason = "other tests draw whole numbers")]
mod numbers;

mod motion;
mod solvers;
mod steps;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use jourdain::Robot;
use nalgebra::SVector;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all is done by the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `run` allocates.
fn allocations<T>(run: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    let result = run();
    let count = ALLOCATIONS.with(Cell::get) - before;
    drop(result);
    count
}

/// A plate on three points, whose centre of mass is between them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(plate, mass = 1, inertia = [0.1, 0.1, 0.2]),
    joint(base, floating(world -> plate)),
    contact(a, on = plate, at = [0.3, 0, 0], friction = 0.5, restitution = e),
    contact(b, on = plate, at = [-0.2, 0.2, 0], friction = 0.5, restitution = e),
    contact(c, on = plate, at = [-0.2, -0.3, 0], friction = 0.5, restitution = e),
)]
struct Plate {
    e: f64,
}

/// A plate somewhat askew, at this height.
fn askew(height: f64) -> (SVector<f64, 7>, SVector<f64, 6>) {
    let mut q = SVector::zeros();
    (q[2], q[3], q[6]) = (height, 0.05, (1.0_f64 - 0.05 * 0.05).sqrt());
    (q, SVector::zeros())
}

#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| vec![0u8; 3]), 1);
}
