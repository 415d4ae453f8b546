//! What is refused, and that nothing is written then.

use jourdain::ModelError;
use jourdain::impact::{Among, Error, Friction, Impacts, Law, Part, Restitution};
use nalgebra::Vector3;

use crate::contacts;
use crate::robots::Rod;

fn refused(law: Law) -> Error {
    Impacts::new(&Rod { mu: 0.5, e: 0.5 }, law).map(|_| ()).unwrap_err()
}

#[test]
fn laws_that_are_none() {
    for directions in [0, 2, 5, 1 << 40] {
        let law = Law { friction: Friction::Polygon(directions), ..Law::default() };
        assert_eq!(refused(law), Error::Directions { directions });
    }
    for value in [-0.1, 1.1, f64::NAN] {
        let error = refused(Law { limit_restitution: value, ..Law::default() });
        assert!(matches!(error, Error::Restitution { of: "limits", .. }), "{error}");
    }
    for friction in [Friction::Polygon(8), Friction::Sticking] {
        let error = refused(Law { friction, restitution: Restitution::Stronge, ..Law::default() });
        assert!(matches!(error, Error::NotOffered { .. }), "{error}");
    }
}

#[test]
fn coefficients_that_are_none() {
    for (mu, e) in [(-0.1, 0.5), (f64::NAN, 0.5), (0.5, 1.5), (0.5, -0.1)] {
        let error = Impacts::new(&Rod { mu, e }, Law::default()).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Model(ModelError::Quantity { .. })), "{error}");
    }
}

/// The error of an impact, after which v⁺ is what it was.
fn fails(law: Law, q: Vector3<f64>, v: Vector3<f64>, t: f64, among: Among<'_>) -> Error {
    let rod = Rod { mu: 0.5, e: 0.5 };
    let mut impacts = Impacts::new(&rod, law).unwrap();
    let mut v_plus = Vector3::new(7.0, 8.0, 9.0);
    let error = impacts.resolve(&rod, t, &q, &v, among, &mut v_plus).map(|_| ()).unwrap_err();
    assert_eq!(v_plus, Vector3::new(7.0, 8.0, 9.0));
    error
}

#[test]
fn states_and_parts_that_are_none() {
    let (q, v) = (Vector3::zeros(), Vector3::new(0.0, -1.0, 0.0));
    let all = Among::Within(f64::MAX);
    let error = fails(Law::default(), q, Vector3::repeat(f64::NAN), 0.0, all);
    assert!(matches!(error, Error::Model(ModelError::NotFinite { quantity: "v", .. })), "{error}");
    let error = fails(Law::default(), q, v, f64::INFINITY, all);
    assert!(matches!(error, Error::Model(ModelError::NotFinite { quantity: "t", .. })), "{error}");
    for part in [Part::Contact(2), Part::Declared(0), Part::Limit { v: 0, upper: false }] {
        let error = fails(Law::default(), q, v, 0.0, Among::Listed(&[part]));
        assert_eq!(error, Error::Unknown { part });
        assert!(error.to_string().contains(&part.to_string()));
    }
    for value in [-1.0, f64::NAN] {
        let error = fails(Law::default(), q, v, 0.0, Among::Within(value));
        assert!(matches!(error, Error::Tolerance { .. }), "{error}");
    }
    let stronge = Law { restitution: Restitution::Stronge, ..Law::default() };
    let error = fails(stronge, q, v, 0.0, Among::Listed(&contacts(2)));
    assert_eq!(error, Error::Several { count: 2 });
}
