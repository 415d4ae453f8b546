//! All quantities of a mechanism, ready to emit.

use crate::description::Requirement;
use crate::expr::{Expr, Operations};
use crate::kernels::Family;

use super::mass_matrix::Square;
use super::mechanism::Mechanism;

/// How the numbers of a quantity are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// So many in a row.
    Vector(usize),
    /// Rows and columns; the numbers are column by column.
    Matrix(usize, usize),
}

/// One quantity as a list of expressions.
#[derive(Clone, Debug)]
pub struct Quantity<'g> {
    /// The name of its kernel: for the quantities of all models, the associated type of the
    /// runtime's `Model`.
    pub kernel: String,
    /// Its numbers, matrices column by column.
    pub outputs: Vec<Expr<'g>>,
    /// Their arrangement.
    pub shape: Shape,
    /// What it takes to compute them.
    pub operations: Operations,
    /// Where the last columns, a square matrix X, are still to be multiplied with the other ones, each
    /// x to become −X x: the rows of each x that are not always zero.
    pub products: Option<Vec<Vec<usize>>>,
}

/// The quantities of a mechanism.
#[derive(Debug)]
pub struct Equations<'g> {
    /// Those that every model has.
    pub quantities: Vec<Quantity<'g>>,
    /// Those that the description asks for.
    pub requested: Vec<Quantity<'g>>,
    /// The link that each moving body is named after.
    pub bodies: Vec<usize>,
    /// Pose, Jacobian and bias of every declared frame.
    pub frames: Vec<[Quantity<'g>; 3]>,
}

impl<'g> Equations<'g> {
    /// Derives all quantities.
    pub fn derive(mechanism: &Mechanism<'g>, requirements: &[Requirement]) -> Self {
        let m = mechanism;
        let (v, a) = (&m.state.v, &m.state.a);
        let vector = |kernel: &str, outputs| quantity(m, kernel, outputs);
        let matrix = |kernel: &str, rows: Square<'g>| matrix(m, kernel, &rows);
        let quantities = vec![
            matrix("MassMatrix", m.mass_matrix()),
            matrix("CoriolisMatrix", m.coriolis_matrix()),
            vector("GravityForce", m.gravity_force()),
            vector("BiasForce", m.bias_force()),
            vector("InverseDynamics", m.inverse_dynamics(v, a)),
            vector("ForwardDynamics", m.forward_dynamics()),
            vector("KineticEnergy", vec![m.kinetic_energy()]),
            vector("PotentialEnergy", vec![m.potential_energy()]),
            vector("CenterOfMass", m.center_of_mass().0.to_vec()),
            vector("Momentum", m.momentum()),
            vector("PassiveForce", m.passive_force()),
            matrix("InputMatrix", m.input_matrix()),
            vector("LinkPoses", m.link_poses()),
            vector("Gap", m.gap()),
            matrix("ContactJacobian", m.contact_jacobian()),
            vector("ContactBias", m.contact_bias()),
            vector("ContactPoints", m.contact_points()),
            vector("ContactParameters", m.contact_parameters()),
            vector("CoordinateParameters", m.coordinate_parameters()),
            vector("Requirements", m.required(requirements)),
        ];
        let frames = m.description.frames.iter().enumerate().map(|(k, frame)| {
            [
                vector(&format!("Frame{k}Pose"), m.frame_pose(frame)),
                matrix(&format!("Frame{k}Jacobian"), m.frame_jacobian(frame)),
                vector(&format!("Frame{k}Bias"), m.frame_bias(frame)),
            ]
        });
        Self {
            frames: frames.collect(),
            quantities,
            requested: Vec::new(),
            bodies: m.moving_links(),
        }
    }

    /// The same with the kernels of these families.
    pub fn with(mut self, mechanism: &Mechanism<'g>, families: &[Family]) -> Self {
        self.requested = families.iter().flat_map(|&family| mechanism.requested(family)).collect();
        self
    }
}

/// A quantity in a row.
pub(super) fn quantity<'g>(
    mechanism: &Mechanism<'g>,
    kernel: &str,
    outputs: Vec<Expr<'g>>,
) -> Quantity<'g> {
    let shape = match kernel {
        "KineticEnergy" | "PotentialEnergy" => Shape::Number,
        _ => Shape::Vector(outputs.len()),
    };
    let operations = mechanism.graph.operations(&outputs);
    Quantity { kernel: kernel.to_owned(), outputs, shape, operations, products: None }
}

/// A matrix, given row by row.
pub(super) fn matrix<'g>(
    mechanism: &Mechanism<'g>,
    kernel: &str,
    rows: &Square<'g>,
) -> Quantity<'g> {
    let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    let columns = (0..width).flat_map(|j| rows.iter().map(move |row| row[j]));
    let mut quantity = quantity(mechanism, kernel, columns.collect());
    quantity.shape = Shape::Matrix(height, width);
    quantity
}
