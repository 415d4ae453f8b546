//! What a model says of contacts and limits, which act in one sense only, and of what may touch.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::{Contact, ContactParameters, Shape, ShapeParameters};
use crate::frame::Pose;

use super::Model;

/// The provided methods of [`Model`](super::Model).
macro_rules! one_sided {
    () => {
        slices! {
            /// The gaps φ(q) of all contacts in metres, positive apart; `out` holds one number a
            /// contact.
            gap_into: Gap(q) -> Self::CONTACTS.len();
            /// The contact Jacobian J(q), (3 contacts, nv), column by column; rows of a contact:
            /// normal, first and second tangent.
            contact_jacobian_into: ContactJacobian(q) -> 3 * Self::CONTACTS.len() * Self::NV;
            /// J̇ v of the contacts, (3 contacts), in m/s².
            contact_bias_into: ContactBias(q, v) -> 3 * Self::CONTACTS.len();
            /// World positions of the contacts' points, three numbers a contact.
            contact_points_into: ContactPoints(q) -> 3 * Self::CONTACTS.len();
            /// Normal, first and second tangent in the world of each contact whose normal
            /// [turns](Contact::turns), nine numbers each.
            contact_frames_into: ContactFrames(q) -> 9 * lengths::turning::<Self>();
            /// The limits C(q), which never become negative, one number each.
            limit_into: Limit(q) -> Self::LIMITS.len();
            /// The Jacobian (∂C/∂q) N of the limits, (limits, nv), column by column.
            limit_jacobian_into: LimitJacobian(q) -> Self::LIMITS.len() * Self::NV;
            /// What of C̈ does not depend on v̇, (limits): the rates J v change by J v̇ + bias.
            limit_bias_into: LimitBias(q, v) -> Self::LIMITS.len();
            /// For each of [`COLUMNS`](Model::COLUMNS), the motion that a unit velocity of its
            /// coordinate gives to the links that [`SUPPORTS`](Model::SUPPORTS) names, in world axes:
            /// linear, of the point that is at the world's origin, then angular; six numbers each. The
            /// point x of a link moves with the sum of linear + angular × x.
            joint_columns_into: JointColumns(q) -> 6 * Self::COLUMNS.len();
        }

        records! {
            /// Friction, restitution, axes and radius of each contact. Of one whose normal
            /// [turns](Contact::turns), the axes are NaN.
            contact_parameters: ContactParameters() -> Self::CONTACTS.len(), ContactParameters[14];
            /// Friction, restitution and resistance to turning of each of [`PAIRS`](Model::PAIRS).
            pair_parameters: PairParameters() -> Self::PAIRS.len(), PairParameters[4];
        }

        /// Where each of [`SHAPES`](Model::SHAPES) is on its link, and how large.
        fn shape_parameters(&self) -> Vec<ShapeParameters> {
            let mut flat = vec![f64::NAN; one_sided::length_of(Self::SHAPES)];
            run::<Self, Self::ShapeParameters, _>(self, [], &mut flat);
            one_sided::shapes_of(Self::SHAPES, &flat)
        }

        /// Adds to `row`, (nv), how fast the point `x` of a link moves along `direction`, both in world
        /// axes, where [`joint_columns_into`](Model::joint_columns_into) wrote `columns`; nothing for a
        /// link that no joint moves. A row between two links is that of the one and, for the reversed direction
        /// at the same point, of the other.
        ///
        /// # Panics
        ///
        /// If `columns` or `row` is too short, or there is no such link, with both numbers.
        #[track_caller]
        fn add_point_row(
            columns: &[f64],
            link: usize,
            x: &Vector3<f64>,
            direction: &Vector3<f64>,
            row: &mut [f64],
        ) {
            let function = "add_point_row";
            plain::check(function, "columns", columns.len(), 6 * Self::COLUMNS.len());
            plain::check(function, "row", row.len(), Self::NV);
            plain::check_index(function, "link", link, Self::LINKS.len());
            table::Table::of::<Self>().add_point_row(columns, link, x, direction, row);
        }

        /// Friction, restitution, axes and radius of each contact, with the axes that those which
        /// turn have at `q`.
        fn contact_parameters_at(&self, q: &Self::Q) -> Vec<ContactParameters> {
            let mut contacts = self.contact_parameters();
            let mut frames = vec![f64::NAN; 9 * lengths::turning::<Self>()];
            self.contact_frames_into(q, &mut frames);
            one_sided::turn(&mut contacts, Self::CONTACTS, &frames);
            contacts
        }
    };
}

pub(super) use one_sided;

/// The gaps of all contacts at `q` in metres, positive apart.
pub(crate) fn gaps<M: Model>(model: &M, q: &M::Q) -> Vec<f64> {
    let mut gaps = vec![f64::NAN; M::CONTACTS.len()];
    model.gap_into(q, &mut gaps);
    gaps
}

/// Gives contacts whose normals turn their axes, nine numbers each.
pub(super) fn turn(parameters: &mut [ContactParameters], contacts: &[Contact], frames: &[f64]) {
    let all = parameters.iter_mut().zip(contacts).filter(|(_, contact)| contact.turns);
    for ((parameters, _), frame) in all.zip(frames.chunks_exact(9)) {
        parameters.set_axes(frame);
    }
}

/// How many numbers the poses, sizes and coefficients of shapes are.
pub(super) fn length_of(shapes: &[Shape]) -> usize {
    shapes.iter().map(|shape| 14 + shape.kind.sizes()).sum()
}

/// The shapes of which `flat` has poses, sizes, friction and restitution, one after the other.
pub(super) fn shapes_of(shapes: &[Shape], flat: &[f64]) -> Vec<ShapeParameters> {
    let mut rest = flat;
    let shape = |shape: &Shape| {
        let (pose, after) = rest.split_at(12);
        let (sizes, after) = after.split_at(shape.kind.sizes());
        let (coefficients, after) = after.split_at(2);
        rest = after;
        ShapeParameters {
            pose: Pose::from_slice(pose),
            sizes: sizes.to_vec(),
            friction: coefficients[0],
            restitution: coefficients[1],
        }
    };
    shapes.iter().map(shape).collect()
}
