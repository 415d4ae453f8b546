use crate::cone::star::contacts::{Contacts, Friction};
use crate::cone::star::lanes::{LANES, WIDEST};
use crate::cone::star::matrix::Star;
use crate::cone::star::{Room, SideBySide, Sides};
use crate::cone::{Each, Law, Rows};
use crate::contact::direction;
use crate::kernel::compute;
use crate::numbers::Numbers;

const COUNTS: [usize; LANES] = [4, 6, 10, 4];
const CASES: usize = 400;
const ACCEPTED: f64 = 1e-11;
/// By how much numbers of a solution may be off.
const LEFT: f64 = 1e-9;

/// Four contacts of limbs on a body.
struct Limbs {
    shared: [[Rows; WIDEST]; 1],
    own: [[Each; 6]; 1],
}

impl Limbs {
    fn random(numbers: &mut Numbers) -> Self {
        let mut each = || [(); LANES].map(|()| numbers.next());
        let shared = [[[(); 3]; WIDEST].map(|column| column.map(|()| each()))];
        let mut own = [[0.0; LANES]; 6];
        for lane in 0..LANES {
            let rows = [[(); 3]; 3].map(|row| row.map(|()| numbers.next()));
            let entry = |i: usize, j: usize| (0..3).map(|k| rows[i][k] * rows[j][k]).sum::<f64>();
            let places = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
            for (to, (i, j)) in own.iter_mut().zip(places) {
                to[lane] = entry(i, j) + if i == j { 0.05 } else { 0.0 };
            }
        }
        Self { shared, own: [own] }
    }

    /// w of λ, of each contact.
    fn velocities(&self, b: &Rows, lambda: &Rows) -> [[f64; 3]; LANES] {
        let [shared] = &self.shared;
        let along = shared.map(|column| {
            let pairs = column.as_flattened().iter().zip(lambda.as_flattened());
            pairs.map(|(y, x)| y * x).sum::<f64>()
        });
        core::array::from_fn(|lane| {
            let [xx, xy, xz, yy, yz, zz] = self.own[0].map(|entry| entry[lane]);
            let own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
            [0, 1, 2].map(|i| {
                let through: f64 = (0..WIDEST).map(|k| shared[k][i][lane] * along[k]).sum();
                b[i][lane] + through + (0..3).map(|j| own[i][j] * lambda[j][lane]).sum::<f64>()
            })
        })
    }
}

/// By how much an impulse and w are off a law with a polygon of so many corners.
fn error(law: Law, [n, x, y]: [f64; 3], [w, u, v]: [f64; 3], (mu, count): (f64, usize)) -> f64 {
    let corners = || (0..count).map(|k| direction(k, count));
    // The most that friction of this normal impulse takes, and how far outside of its polygon it is.
    let against = corners().map(|[a, b]| -(a * u + b * v)).fold(f64::NEG_INFINITY, f64::max);
    let inner = (std::f64::consts::PI / count as f64).cos();
    let middles = (0..count).map(|k| {
        let ([a, b], [c, d]) = (direction(k, count), direction((k + 1) % count, count));
        ((a + c) * x + (b + d) * y) / 2.0 - inner * inner * mu * n
    });
    let outside = middles.fold(0.0, f64::max).max(-n);
    let missing = match law {
        Law::Coulomb => [n.min(w).abs(), (x * u + y * v + mu * n * against).abs()],
        Law::Convex => [(mu * against - w).max(0.0), (n * w + x * u + y * v).abs()],
    };
    missing.into_iter().fold(outside, f64::max)
}

/// What is found obeys its law, whatever edges and corners contacts slide at, and most is found.
#[test]
fn contacts_slide_on_edges_and_at_corners() {
    let sides = [Sides::new(&COUNTS, direction)];
    for (law, least) in [(Law::Coulomb, CASES / 2), (Law::Convex, CASES / 2)] {
        let (numbers, mut solved) = (&mut Numbers(19), 0);
        for case in 0..CASES {
            let limbs = Limbs::random(numbers);
            let b: Rows = [[(); LANES]; 3].map(|row| row.map(|()| numbers.next()));
            let mu = if case % 10 == 0 { 0.0 } else { 0.1 + 0.4 * numbers.next().abs() };
            let friction = Friction { law, polygons: Some(&sides) };
            let mut contacts = [Contacts { b, friction: [mu; LANES], ..Contacts::default() }];
            let (star, room) = (
                Star {
                    contacts: LANES,
                    shared: &limbs.shared,
                    weights: &[1.0; WIDEST],
                    own: &limbs.own,
                },
                &mut Room::default(),
            );
            let accepted = ACCEPTED;
            let search = SideBySide { star, friction, accepted, contacts: &mut contacts, room };
            if compute(search).is_none() {
                continue;
            }
            solved += 1;
            let [Contacts { lambda, .. }] = contacts;
            let velocities = limbs.velocities(&b, &lambda);
            for (lane, w) in velocities.into_iter().enumerate() {
                let impulse = lambda.map(|row| row[lane]);
                let error = error(law, impulse, w, (mu, COUNTS[lane]));
                assert!(error < LEFT, "{law:?}: {error:e} of {impulse:?}, {w:?}");
            }
        }
        assert!(solved > least, "{law:?}: {solved} of {CASES}");
    }
}
