//! After set-up, solving allocates nothing, whatever stage it takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use jourdain::cone::{self, Law, Settings, Workspace};

use crate::problems::{Case, Gaps};

/// The system's allocator, which counts what each thread asks for.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is handed on as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn solving_allocates_nothing() {
    let seeds = if cfg!(debug_assertions) { 10 } else { 150 };
    let settings = Settings::default();
    for law in [Law::Coulomb, Law::Convex] {
        for seed in 0..seeds {
            let case = Case::random(seed, 1.0, Gaps::Open);
            let (n, width) = (case.b.len(), case.rows.len() / case.b.len());
            for (factored, mut workspace) in
                [(false, Workspace::with_capacity(n)), (true, Workspace::with_factors(n, width))]
            {
                let problem = case.problem(law, factored);
                let guess = vec![0.1; n];
                let before = COUNT.with(Cell::get);
                let first = cone::solve(&problem, &settings, &mut workspace).unwrap().status;
                workspace.start(&guess);
                let second = cone::solve(&problem, &settings, &mut workspace).unwrap().status;
                let after = COUNT.with(Cell::get);
                assert_eq!(before, after, "{law:?} {seed} {factored} {first:?} {second:?}");
            }
        }
    }
}
