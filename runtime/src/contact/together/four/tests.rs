use super::*;
use crate::contact::{Conditions, Todorov};
use crate::kernel::{Computation, compute};

/// What springs demand of four contacts, all at once.
struct AtOnce<'a>(&'a mut Four, &'a Beginning, &'a Todorov);

impl Computation for AtOnce<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        self.0.demand_springs::<A>(self.1, self.2, 1e-3);
    }
}

#[test]
fn springs_demand_the_same_of_four_as_of_each() {
    let mut contact = ContactParameters::from_slice(&[0.0; 14]);
    contact.friction = 0.5;
    for margin in [0.0, 0.01] {
        let law = Todorov::new(1e-2, 0.03).unwrap().margin(margin).unwrap();
        let conditions = Conditions::of(Formulation::Todorov(law));
        for gaps in [[-0.02, 0.0, 0.005, 0.01], [0.010_000_1, 1.0, -1e-9, 1e-9]] {
            let row = |k: usize| core::array::from_fn(|i| ((3 * k + i) as f64).sin());
            let [velocity, free, lambda] = [0, 4, 8].map(|k| [row(k), row(k + 1), row(k + 2)]);
            let start = Beginning { gap: gaps, velocity, free };
            let mut each = Four { free, ..Four::new(&[contact; LANES]) };
            each.contacts.lambda = lambda;
            let mut at_once = each;
            each.demand_each(start, 0, &[contact; LANES], (1e-3, &conditions));
            compute(AtOnce(&mut at_once, &start, &law));
            assert_eq!(at_once.is_active, each.is_active);
            assert_eq!(at_once.is_active, gaps.map(|gap| gap <= margin));
            assert_eq!([at_once.free, at_once.contacts.lambda], [each.free, each.contacts.lambda]);
            let near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-15 * y.abs();
            let targets = at_once.target.as_flattened().iter().zip(each.target.as_flattened());
            assert!(targets.clone().all(near), "{gaps:?}: {targets:?}");
            for (lane, active) in at_once.is_active.iter().enumerate().filter(|(_, of)| **of) {
                let softness = |four: &Four| four.softness.map(|of| of[lane]);
                assert_eq!(softness(&at_once), softness(&each), "{active}");
            }
        }
    }
}
