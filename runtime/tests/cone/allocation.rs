//! After set-up, solving allocates nothing, whatever stage it takes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use jourdain::cone::{self, Law, Settings, Stage, Workspace};

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

/// How often this allocates.
fn allocations(run: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    run();
    COUNT.with(Cell::get) - before
}

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
                let count = allocations(|| {
                    cone::solve(&problem, &settings, &mut workspace).unwrap();
                    workspace.start(&guess);
                    cone::solve(&problem, &settings, &mut workspace).unwrap();
                });
                assert_eq!(count, 0, "{law:?} {seed} {factored}");
            }
        }
    }
}

/// Of a problem that takes all stages up to polygons, in a workspace that has solved one of the same size.
#[test]
fn what_follows_allocates_nothing() {
    let settings = Settings::default();
    let hard = Case::random(181, 3.0, Gaps::Open);
    let mut easy = hard.clone();
    easy.b.fill(0.0);
    for factored in [false, true] {
        let mut workspace = Workspace::default();
        cone::solve(&easy.problem(Law::Coulomb, factored), &settings, &mut workspace).unwrap();
        let problem = hard.problem(Law::Coulomb, factored);
        let mut status = Stage::Start;
        let count = allocations(|| {
            status = cone::solve(&problem, &settings, &mut workspace).unwrap().status;
        });
        assert_eq!(count, 0, "{factored} {status:?}");
        assert!(factored || status == Stage::Polygon, "{status:?}");
    }
}
