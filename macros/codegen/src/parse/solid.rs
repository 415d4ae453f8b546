//! Masses and central moments of inertia of homogeneous solids.
//!
//! Source: any table of moments of inertia; the capsule is a cylinder between two half balls whose
//! centres of mass are 3r/8 from their flat faces.

use std::f64::consts::PI;

use crate::description::Triple;
use crate::scalar::Scalar;

/// A solid about its centre, cylinders and capsules along z.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    Sphere {
        radius: Scalar,
    },
    /// Whole edges along x, y and z.
    Box {
        size: Triple,
    },
    Cylinder {
        radius: Scalar,
        length: Scalar,
    },
    /// `length` is that of the cylinder, without the two half balls.
    Capsule {
        radius: Scalar,
        length: Scalar,
    },
}

impl Solid {
    /// Volume, m³.
    pub(super) fn volume(&self) -> Scalar {
        match self.clone() {
            Solid::Sphere { radius } => ball(radius),
            Solid::Box { size: [x, y, z] } => x * y * z,
            Solid::Cylinder { radius, length } => disc(radius) * length,
            Solid::Capsule { radius, length } => disc(radius.clone()) * length + ball(radius),
        }
    }

    /// Principal moments xx, yy, zz about the centre for a mass of `mass`, kg m².
    pub(super) fn moments(&self, mass: Scalar) -> Triple {
        match self.clone() {
            Solid::Sphere { radius } => {
                let moment = number(0.4) * mass * square(radius);
                [moment.clone(), moment.clone(), moment]
            }
            Solid::Box { size } => {
                let [xx, yy, zz] = size.map(square);
                let twelfth = mass / number(12.0);
                [(yy.clone() + zz.clone()), (xx.clone() + zz), (xx + yy)]
                    .map(|sum| twelfth.clone() * sum)
            }
            Solid::Cylinder { radius, length } => cylinder(mass, radius, length),
            Solid::Capsule { radius, length } => capsule(mass, radius, length),
        }
    }
}

fn cylinder(mass: Scalar, radius: Scalar, length: Scalar) -> Triple {
    let rr = square(radius);
    let across = mass.clone() * (rr.clone() / number(4.0) + square(length) / number(12.0));
    [across.clone(), across, mass * rr / number(2.0)]
}

fn capsule(mass: Scalar, radius: Scalar, length: Scalar) -> Triple {
    let caps_length = number(4.0 / 3.0) * radius.clone();
    let line_density = mass / (length.clone() + caps_length.clone());
    let caps = line_density.clone() * caps_length;
    let [xx, yy, zz] = cylinder(line_density * length.clone(), radius.clone(), length.clone());
    let central = number(0.4) * square(radius.clone());
    let offset = square(length.clone()) / number(4.0) + number(0.375) * length * radius;
    let across = caps.clone() * (central.clone() + offset);
    [xx + across.clone(), yy + across, zz + caps * central]
}

fn ball(radius: Scalar) -> Scalar {
    number(4.0 / 3.0 * PI) * square(radius.clone()) * radius
}

fn disc(radius: Scalar) -> Scalar {
    number(PI) * square(radius)
}

fn square(x: Scalar) -> Scalar {
    x.clone() * x
}

fn number(x: f64) -> Scalar {
    Scalar::Number(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(triple: Triple) -> [f64; 3] {
        triple.map(|x| x.constant().unwrap())
    }

    /// Volume and moments of a solid of revolution of unit density by the midpoint rule over
    /// slices of radius r(z).
    fn sliced(half: f64, radius: impl Fn(f64) -> f64) -> (f64, [f64; 3]) {
        let (mut volume, mut across, mut along) = (0.0, 0.0, 0.0);
        let count = 200_000;
        let dz = 2.0 * half / f64::from(count);
        for k in 0..count {
            let z = -half + (f64::from(k) + 0.5) * dz;
            let rr = radius(z).powi(2);
            let slice = PI * rr * dz;
            volume += slice;
            along += slice * rr / 2.0;
            across += slice * (rr / 4.0 + z * z);
        }
        (volume, [across, across, along])
    }

    fn assert_solid(solid: &Solid, (volume, moments): (f64, [f64; 3])) {
        assert!((solid.volume().constant().unwrap() / volume - 1.0).abs() < 1e-8, "{solid:?}");
        for (ours, reference) in values(solid.moments(number(volume))).into_iter().zip(moments) {
            assert!((ours / reference - 1.0).abs() < 1e-8, "{solid:?}: {ours} {reference}");
        }
    }

    #[test]
    fn solids_of_revolution_equal_their_slices() {
        let (r, l) = (0.3, 0.7);
        let (radius, length) = (number(r), number(l));
        let round = |z: f64| (r * r - z * z).max(0.0).sqrt();
        assert_solid(&Solid::Sphere { radius: radius.clone() }, sliced(r, round));
        let cylinder = Solid::Cylinder { radius: radius.clone(), length: length.clone() };
        assert_solid(&cylinder, sliced(l / 2.0, |_| r));
        let capped = |z: f64| round((z.abs() - l / 2.0).max(0.0));
        assert_solid(&Solid::Capsule { radius, length }, sliced(l / 2.0 + r, capped));
    }

    #[test]
    fn box_of_known_edges() {
        let solid = Solid::Box { size: [1.0, 2.0, 3.0].map(number) };
        assert_eq!(solid.volume().constant(), Some(6.0));
        assert_eq!(values(solid.moments(number(12.0))), [13.0, 10.0, 5.0]);
    }
}
