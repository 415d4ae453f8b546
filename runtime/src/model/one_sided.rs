//! What a model says of contacts and limits, which act in one sense only.

/// The provided methods of [`Model`](super::Model).
macro_rules! one_sided {
    () => {
        slices! {
            /// The gaps φ(q) of all contacts in metres, positive apart; `out` holds one number a
            /// contact.
            gap_into: Gap(q);
            /// The contact Jacobian J(q), (3 contacts, nv), column by column; rows of a contact:
            /// normal, first and second tangent.
            contact_jacobian_into: ContactJacobian(q);
            /// J̇ v of the contacts, (3 contacts), in m/s².
            contact_bias_into: ContactBias(q, v);
            /// World positions of the contacts' points, three numbers a contact.
            contact_points_into: ContactPoints(q);
            /// The limits C(q), which never become negative, one number each.
            limit_into: Limit(q);
            /// The Jacobian (∂C/∂q) N of the limits, (limits, nv), column by column.
            limit_jacobian_into: LimitJacobian(q);
            /// What of C̈ does not depend on v̇, (limits): the rates J v change by J v̇ + bias.
            limit_bias_into: LimitBias(q, v);
        }

        records! {
            /// Friction, restitution, axes and radius of each contact.
            contact_parameters: ContactParameters() -> Self::CONTACTS.len(), ContactParameters[12];
        }
    };
}

pub(super) use one_sided;
