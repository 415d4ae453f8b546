//! All quantities of a mechanism, ready to emit.

use crate::description::Requirement;
use crate::expr::{Expr, Operations};

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
}

/// The quantities of a mechanism.
#[derive(Debug)]
pub struct Equations<'g> {
    /// Those that every model has.
    pub quantities: Vec<Quantity<'g>>,
    /// Pose, Jacobian and bias of every declared frame.
    pub frames: Vec<[Quantity<'g>; 3]>,
}

impl<'g> Equations<'g> {
    /// Derives all quantities.
    pub fn derive(mechanism: &Mechanism<'g>, requirements: &[Requirement]) -> Self {
        let m = mechanism;
        let folded = m.folded();
        let vector = |kernel: &str, outputs| quantity(m, kernel, outputs);
        let matrix = |kernel: &str, rows: Square<'g>| matrix(m, kernel, &rows);
        let square = |kernel: &str, derive: fn(&Mechanism<'g>) -> Square<'g>| {
            let lanes = folded.as_ref().map(|m| matrix(kernel, m.spread_matrix(&derive(m))));
            cheaper(m, matrix(kernel, derive(m)), lanes)
        };
        let force = |kernel: &str, derive: fn(&Mechanism<'g>) -> Vec<Expr<'g>>| {
            let lanes = folded.as_ref().map(|m| vector(kernel, m.spread(&derive(m))));
            cheaper(m, vector(kernel, derive(m)), lanes)
        };
        let whole = |kernel: &str, derive: fn(&Mechanism<'g>) -> Vec<Expr<'g>>| {
            let lanes = folded.as_ref().map(|m| vector(kernel, derive(m)));
            cheaper(m, vector(kernel, derive(m)), lanes)
        };
        let quantities = vec![
            square("MassMatrix", Mechanism::mass_matrix),
            square("CoriolisMatrix", Mechanism::coriolis_matrix),
            force("GravityForce", Mechanism::gravity_force),
            force("BiasForce", Mechanism::bias_force),
            force("InverseDynamics", |m| m.inverse_dynamics(&m.state.v, &m.state.a)),
            force("ForwardDynamics", Mechanism::forward_dynamics),
            whole("KineticEnergy", |m| vec![m.kinetic_energy()]),
            whole("PotentialEnergy", |m| vec![m.potential_energy()]),
            whole("CenterOfMass", |m| m.center_of_mass().0.to_vec()),
            whole("Momentum", Mechanism::momentum),
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
        Self { frames: frames.collect(), quantities }
    }
}

/// The one that takes fewer instructions.
fn cheaper<'g>(m: &Mechanism<'g>, one: Quantity<'g>, other: Option<Quantity<'g>>) -> Quantity<'g> {
    match other {
        Some(other) if m.graph.cost(&other.outputs) < m.graph.cost(&one.outputs) => other,
        _ => one,
    }
}

fn quantity<'g>(mechanism: &Mechanism<'g>, kernel: &str, outputs: Vec<Expr<'g>>) -> Quantity<'g> {
    let shape = match kernel {
        "KineticEnergy" | "PotentialEnergy" => Shape::Number,
        _ => Shape::Vector(outputs.len()),
    };
    let operations = mechanism.graph.operations(&outputs);
    Quantity { kernel: kernel.to_owned(), outputs, shape, operations }
}

fn matrix<'g>(mechanism: &Mechanism<'g>, kernel: &str, rows: &Square<'g>) -> Quantity<'g> {
    let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    let columns = (0..width).flat_map(|j| rows.iter().map(move |row| row[j]));
    let mut quantity = quantity(mechanism, kernel, columns.collect());
    quantity.shape = Shape::Matrix(height, width);
    quantity
}
