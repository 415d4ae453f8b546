use crate::cone::star::contacts::{Contacts, Friction};
use crate::cone::star::lanes::{LANES, WIDEST};
use crate::cone::star::matrix::Star;
use crate::cone::star::{Room, SideBySide};
use crate::cone::{Each, Law, Rows};
use crate::kernel::compute;

const NONE: [Each; 2] = [[0.0; LANES]; 2];

fn are_near(x: &Rows, y: &Rows) -> bool {
    x.as_flattened().iter().zip(y.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-14)
}

/// λ of four limbs, each of which moves nothing but itself, from none; how many iterations that took.
fn solve(law: Law, contacts: Contacts) -> (Rows, usize) {
    let mut contacts = [contacts];
    let own =
        [[[1.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES], [0.0; LANES], [1.0; LANES]]];
    let shared = [[[[0.0; LANES]; 3]; WIDEST]];
    let star = Star { contacts: LANES, shared: &shared, weights: &[1.0; WIDEST], own: &own };
    let mut room = Room::default();
    let friction = Friction::round(law);
    let solve =
        SideBySide { star, friction, accepted: 5e-10, contacts: &mut contacts, room: &mut room };
    let iterations = compute(solve).unwrap();
    (contacts[0].lambda, iterations)
}

/// Two that slide on, one that would if it were not held, and one without friction.
#[test]
fn what_slips_is_expected_to_go_on() {
    let b = [[-1.0; LANES], [3.0, -0.3, 0.3, 3.0], [4.0, 0.6, -0.2, 4.0]];
    let contacts =
        Contacts { b, friction: [0.5, 0.5, 0.5, 0.0], slip: [b[1], b[2]], ..Contacts::default() };
    let (lambda, iterations) = solve(Law::Coulomb, contacts);
    assert_eq!(iterations, 1);
    for lane in 0..LANES {
        let slip = b[1][lane].hypot(b[2][lane]);
        let share = (contacts.friction[lane] / slip).min(1.0);
        let expected = [1.0, -share * b[1][lane], -share * b[2][lane]];
        for axis in 0..3 {
            assert!((lambda[axis][lane] - expected[axis]).abs() < 1e-14, "{lane}: {lambda:?}");
        }
    }
    // If nothing slips yet, they stick at first, and the solution is the same.
    let (stuck, iterations) = solve(Law::Coulomb, Contacts { slip: NONE, ..contacts });
    assert_eq!(iterations, 2);
    assert!(are_near(&stuck, &lambda), "{stuck:?}");
    // A slip the other way delays it only.
    let back = contacts.slip.map(|of| of.map(|x| -x));
    for law in [Law::Coulomb, Law::Convex] {
        let (slid, _) = solve(law, Contacts { slip: back, ..contacts });
        let (stuck, _) = solve(law, Contacts { slip: NONE, ..contacts });
        assert!(are_near(&stuck, &slid), "{slid:?}");
    }
}

/// Without bound of friction what presses sticks, however fast it would slip, and what does not is free.
#[test]
fn infinite_friction_sticks() {
    let b = [[-1.0, -1e-9, 1.0, 0.0], [3.0, 2.0, -5.0, 1.0], [-4.0, 0.5, 2.0, 1.0]];
    let friction = [f64::INFINITY; LANES];
    for (slip, lambda) in [(NONE, [[0.0; LANES]; 3]), ([b[1], b[2]], [[0.3; LANES]; 3])] {
        let (lambda, _) = solve(Law::Coulomb, Contacts { b, friction, slip, lambda, polygons: 0 });
        let presses = [1.0, 1.0, 0.0, 0.0];
        let expected = b.map(|row| [0, 1, 2, 3].map(|lane| -presses[lane] * row[lane]));
        assert!(are_near(&lambda, &expected), "{lambda:?}");
    }
}
