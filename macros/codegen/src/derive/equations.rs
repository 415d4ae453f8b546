//! All quantities of a mechanism, ready to emit.

use crate::description::Requirement;
use crate::kernels::Family;

use super::constraints::Mobility;
use super::contact_dynamics::ContactDynamics;
use super::forms::{Choice, Forms};
use super::held::Held;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::prepare::Preparation;
use super::quantity::Quantity;
use super::requested::requested;

/// The quantities of a mechanism. Their symbols of the set [`symbols::FIELD`] stand for prepared
/// numbers.
///
/// [`symbols::FIELD`]: super::symbols::FIELD
#[derive(Debug)]
pub struct Equations<'g> {
    /// The prepared numbers, from the fields.
    pub preparation: Quantity<'g>,
    /// Those that every model has, then those of what only some descriptions have.
    pub quantities: Vec<Quantity<'g>>,
    /// Those that the description asks for.
    pub requested: Vec<Quantity<'g>>,
    /// The link that each moving body is named after.
    pub bodies: Vec<usize>,
    /// For each velocity coordinate the one before it on the way to the root; see
    /// [`Mechanism::coordinate_parents`].
    pub parents: Vec<Option<usize>>,
    /// The velocity coordinate of each column of the joints, and the columns that move each link; empty
    /// where no rows are made of them.
    pub columns: (Vec<usize>, Vec<Vec<usize>>),
    /// How many rows constrained dynamics has.
    pub held_rows: usize,
    /// Of each contact the velocity coordinates that move it, from the root to the outermost.
    pub contact_coordinates: Vec<Vec<usize>>,
    /// Coordinates whose numbers lie side by side in contact dynamics.
    pub alike_coordinates: Vec<Vec<usize>>,
    /// Of each four contacts the body that carries them, where steps with contact are solved for velocities of bodies.
    pub contact_hubs: Vec<usize>,
    /// What the constraints leave of the motion, where it is known.
    pub mobility: Option<Mobility>,
    /// Pose, Jacobian and bias of every declared frame.
    pub frames: Vec<[Quantity<'g>; 3]>,
}

impl<'g> Equations<'g> {
    /// Derives all quantities, the dynamic ones in the cheapest of the `forms`.
    pub fn derive(
        mechanism: &Mechanism<'g>,
        requirements: &[Requirement],
        families: &[Family],
        forms: &Forms,
    ) -> Self {
        let m = mechanism;
        let choice = Choice::new(mechanism, forms);
        let vector = |kernel: &str, outputs| Quantity::vector(m.graph, kernel, outputs);
        let constraints = m.constraints();
        let held = Held::derive(&choice, &constraints);
        let [dynamics, impact] = held.quantities;
        let contact = ContactDynamics::derive(&choice);
        let matrix = |kernel: &str, rows: Square<'g>| Quantity::matrix(m.graph, kernel, &rows);
        let mut quantities = vec![
            choice.matrix("MassMatrix", |m| m.mass_matrix()),
            choice.matrix("CoriolisMatrix", |m| m.coriolis_matrix()),
            choice.vector("GravityForce", |m| m.gravity_force()),
            choice.vector("BiasForce", |m| m.bias_force()),
            choice.vector("InverseDynamics", |m| m.inverse_dynamics(&m.state.v, &m.state.a)),
            choice.forward_dynamics(forms.solver),
            choice.number("KineticEnergy", |m| m.kinetic_energy()),
            Quantity::number(m.graph, "PotentialEnergy", m.potential_energy()),
            Quantity::number(m.graph, "TotalMass", m.total_mass()),
            vector("Gravity", m.gravity.0.to_vec()),
            vector("CenterOfMass", m.center_of_mass().0.to_vec()),
            choice.vector("Momentum", |m| m.momentum()),
            choice.vector("GeneralizedMomentum", |m| m.generalized_momentum()),
            vector("PassiveForce", m.passive_force()),
            matrix("InputMatrix", m.input_matrix()),
            vector("LinkPoses", m.link_poses()),
            vector("Gap", m.gap()),
            matrix("ContactJacobian", m.contact_jacobian()),
            vector("ContactBias", m.contact_bias()),
            vector("ContactPoints", m.contact_points()),
            vector("ContactParameters", m.contact_parameters()),
            vector("Constraint", constraints.errors()),
            vector("ConstraintRate", constraints.rates()),
            matrix("ConstraintJacobian", constraints.jacobian()),
            vector("ConstraintBias", constraints.bias()),
            vector("ConstraintPoints", m.constraint_points()),
            vector("ConstraintParameters", m.constraint_parameters()),
            dynamics,
            impact,
            contact.quantity,
            contact.response,
            contact.momentum,
            vector("CoordinateParameters", m.coordinate_parameters()),
            vector("Requirements", m.required(requirements)),
        ];
        quantities.extend(m.features());
        let frames = m.description.frames.iter().enumerate().map(|(k, frame)| {
            [
                vector(&format!("Frame{k}Pose"), m.frame_pose(frame)),
                matrix(&format!("Frame{k}Jacobian"), m.frame_jacobian(frame)),
                vector(&format!("Frame{k}Bias"), m.frame_bias(frame)),
            ]
        });
        let mut frames: Vec<_> = frames.collect();
        let mut requested = requested(&choice, families, forms);
        let mut preparation = Preparation::new(m.graph);
        if !m.description.fields.is_empty() {
            let all = quantities.iter_mut().chain(frames.iter_mut().flatten());
            // What is computed from numbers of a step's beginning alone is given no fields.
            let reads_fields = |of: &&mut Quantity<'_>| {
                !["ContactResponse", "ContactMomentum"].contains(&of.kernel.as_str())
            };
            let all = all.chain(&mut requested).filter(reads_fields);
            all.for_each(|quantity| quantity.prepare(&mut preparation));
        }
        let numbers = vector("Preparation", preparation.numbers);
        let operations = m.graph.operations(&numbers.outputs);
        let preparation = Quantity { operations, ..numbers };
        Self {
            preparation,
            quantities,
            requested,
            bodies: m.moving_links(),
            parents: m.coordinate_parents(),
            columns: (m.column_coordinates(), m.supports()),
            held_rows: held.rows,
            contact_coordinates: contact.coordinates,
            alike_coordinates: contact.alike,
            contact_hubs: contact.hubs,
            mobility: m.mobility(&constraints, requirements),
            frames,
        }
    }
}
