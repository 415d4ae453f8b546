use crate::cone::star::contacts::{Contacts, Friction};
use crate::cone::star::lanes::{LANES, WIDEST};
use crate::cone::star::matrix::Star;
use crate::cone::star::{Room, SideBySide, Stays};
use crate::cone::{Each, Law, Rows};
use crate::kernel::compute;
use crate::numbers::Numbers;

type Arms = [Rows; WIDEST];

fn cross(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3])
}

fn unit(x: [f64; 3]) -> [f64; 3] {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x.map(|x| x / length)
}

/// Four contacts of a body of 1 kg, from all sides.
fn arms(numbers: &mut Numbers) -> Arms {
    let contacts: [[[f64; WIDEST]; 3]; LANES] = core::array::from_fn(|_| {
        let mut some = || [0.0; 3].map(|_| numbers.next());
        let (normal, point) = (unit(some()), some());
        let first = unit(cross(normal, some()));
        [normal, first, cross(normal, first)].map(|d| {
            let turn = cross(point, d);
            [d[0], d[1], d[2], turn[0], turn[1], turn[2]]
        })
    });
    let of = |k: usize, axis: usize| core::array::from_fn(|lane| contacts[lane][axis][k]);
    core::array::from_fn(|k| core::array::from_fn(|axis| of(k, axis)))
}

/// λ by a law, from some, and w.
fn solve(arms: &Arms, (law, asks): (Law, bool), contacts: Contacts) -> Option<[Rows; 2]> {
    let own: [[Each; 6]; 1] = [[[0.0; LANES]; 6]];
    let shared = [*arms];
    let star = Star { contacts: LANES, shared: &shared, weights: &[1.0; WIDEST], own: &own };
    let (mut contacts, mut room) = ([contacts], Room::default());
    let (accepted, friction) = (1e-11, Friction::round(law));
    compute(SideBySide { star, friction, accepted, contacts: &mut contacts, room: &mut room })?;
    if asks && !compute(Stays { star, friction, accepted, room: &mut room }) {
        return None;
    }
    let [Contacts { lambda, b: mut w, .. }] = contacts;
    for y in arms {
        let pairs = y.as_flattened().iter().zip(lambda.as_flattened());
        let by = pairs.map(|(y, x)| y * x).sum::<f64>();
        w.as_flattened_mut().iter_mut().zip(y.as_flattened()).for_each(|(w, y)| *w += by * y);
    }
    Some([lambda, w])
}

fn largest(w: &Rows) -> f64 {
    w.as_flattened().iter().fold(0.0, |most, w| most.max(w.abs()))
}

/// What moves is a solution only where the convex law moves something under load as well; where that brings all to rest, so
/// does what is found, or nothing is.
#[test]
fn nothing_moves_that_may_be_at_rest() {
    let numbers = &mut Numbers(7);
    let [mut held, mut refused, mut moved] = [0; 3];
    for _ in 0..4000 {
        let arms = arms(numbers);
        let mut b = Rows::default();
        for y in &arms {
            let v = numbers.next();
            b.as_flattened_mut().iter_mut().zip(y.as_flattened()).for_each(|(b, y)| *b += v * y);
        }
        let lambda = [0; 3].map(|_| [0; LANES].map(|_| numbers.next().max(0.0)));
        let contacts = Contacts { b, friction: [0.7; LANES], lambda, ..Contacts::default() };
        let none = Contacts { lambda: Rows::default(), ..contacts };
        let Some([relaxed, at_rest]) = solve(&arms, (Law::Convex, false), none) else { continue };
        let Some([free, _]) = solve(&arms, (Law::Coulomb, false), contacts) else { continue };
        let asked = solve(&arms, (Law::Coulomb, true), contacts);
        // Where it is about to slide, an error of 1e-11 hides a slip of 1e-9, and either is right.
        let is_rest = largest(&at_rest) < 1e-11;
        match asked {
            Some([_, w]) if is_rest => {
                assert!(largest(&w) < 1e-9, "{w:?}");
                held += 1;
            }
            Some([lambda, _]) => {
                assert_eq!(lambda, free);
                moved += 1;
            }
            None => {
                let loaded = |lane: usize| relaxed[0][lane] > 1e-6;
                let slips = |lane: usize| at_rest.iter().any(|row| row[lane].abs() > 1e-6);
                assert!(!(0..LANES).any(|lane| loaded(lane) && slips(lane)), "{at_rest:?}");
                refused += 1;
            }
        }
    }
    assert!(held > 100 && refused > 10 && moved > 100, "{held} {refused} {moved}");
}
