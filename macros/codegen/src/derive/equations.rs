//! All quantities of a mechanism, ready to emit.

use std::cell::OnceCell;

use crate::description::Requirement;
use crate::expr::{Expr, Graph, Operations};
use crate::kernels::Family;

use super::candidates::{Candidate, cheapest, cost};
use super::forms::{Axes, Forms, Limbs, Solver};
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::prepare::{Preparation, is_field};
use super::requested::requested;

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
    /// What it takes to compute them beyond what depends on the fields alone.
    pub operations: Operations,
    /// The form that was chosen; empty where there is one form only.
    pub form: String,
    /// What the choice went by: estimated time, in additions.
    pub cost: f64,
    /// Where the last columns, a square matrix X, are still to be multiplied with the other ones, each
    /// x to become −X x: the rows of each x that are not always zero.
    pub products: Option<Vec<Vec<usize>>>,
}

/// The quantities of a mechanism. Their symbols of the set [`symbols::FIELD`] stand for prepared
/// numbers.
///
/// [`symbols::FIELD`]: super::symbols::FIELD
#[derive(Debug)]
pub struct Equations<'g> {
    /// The prepared numbers, from the fields.
    pub preparation: Quantity<'g>,
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
            vector("CenterOfMass", m.center_of_mass().0.to_vec()),
            choice.vector("Momentum", |m| m.momentum()),
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
        let mut frames: Vec<_> = frames.collect();
        let mut requested = requested(&choice, families, forms);
        let mut preparation = Preparation::new(m.graph);
        if !m.description.fields.is_empty() {
            let all = quantities.iter_mut().chain(frames.iter_mut().flatten());
            all.chain(&mut requested).for_each(|quantity| quantity.prepare(&mut preparation));
        }
        let numbers = vector("Preparation", preparation.numbers);
        let operations = m.graph.operations(&numbers.outputs);
        let preparation = Quantity { operations, ..numbers };
        Self { preparation, quantities, requested, bodies: m.moving_links(), frames }
    }
}

/// Operations on lanes that a kernel may have. LLVM brings registers out of memory in a time that
/// grows with the square of their number: 5000 operations take it 5 s, 7000 take 15 s.
const MOST_IN_LANES: usize = 6000;

/// Derives quantities in every form of a mechanism and keeps the cheapest.
pub(super) struct Choice<'a, 'g> {
    pub(super) mechanism: &'a Mechanism<'g>,
    forms: Forms,
    candidates: Vec<Candidate<'g>>,
    /// What is tried where lanes would take the compiler too long.
    without_lanes: OnceCell<Vec<Candidate<'g>>>,
}

impl<'a, 'g> Choice<'a, 'g> {
    pub(super) fn new(mechanism: &'a Mechanism<'g>, forms: &Forms) -> Self {
        let candidates = mechanism.candidates(forms);
        Self { mechanism, forms: *forms, candidates, without_lanes: OnceCell::new() }
    }

    fn number(&self, kernel: &str, derive: fn(&Mechanism<'g>) -> Expr<'g>) -> Quantity<'g> {
        self.choose(|m| Quantity::number(m.graph, kernel, derive(m)))
    }

    pub(super) fn vector(
        &self,
        kernel: &str,
        derive: fn(&Mechanism<'g>) -> Vec<Expr<'g>>,
    ) -> Quantity<'g> {
        self.choose(|m| Quantity::vector(m.graph, kernel, derive(m)))
    }

    pub(super) fn matrix(
        &self,
        kernel: &str,
        derive: fn(&Mechanism<'g>) -> Square<'g>,
    ) -> Quantity<'g> {
        self.choose(|m| Quantity::matrix(m.graph, kernel, &derive(m)))
    }

    /// By the cheapest solver.
    fn forward_dynamics(&self, asked: Option<Solver>) -> Quantity<'g> {
        let derive = |solver: Solver| {
            let by = |m: &Mechanism<'g>| {
                Quantity::vector(m.graph, "ForwardDynamics", m.forward_dynamics(solver))
            };
            let quantity = self.choose(by);
            Quantity { form: format!("{}, {}", quantity.form, solver.name()), ..quantity }
        };
        let solvers = Solver::ALL.into_iter().filter(|&solver| {
            self.mechanism.solves_by(solver) && asked.is_none_or(|asked| asked == solver)
        });
        cheapest(solvers.map(derive)).unwrap_or_else(|| derive(Solver::Factorization))
    }

    pub(super) fn choose(&self, derive: impl Fn(&Mechanism<'g>) -> Quantity<'g>) -> Quantity<'g> {
        let form = |candidate: &Candidate<'g>| {
            let quantity = derive(&candidate.mechanism);
            let compiles = self.forms.limbs.is_some()
                || !candidate.mechanism.has_lanes()
                || quantity.operations.arithmetic() <= MOST_IN_LANES;
            compiles.then(|| Quantity { form: candidate.name.clone(), ..quantity })
        };
        let without_lanes = || {
            // Searching for the best axes takes longer than it would save.
            let axes = self.forms.axes.or(Some(Axes::Outer));
            let forms = Forms { limbs: Some(Limbs::OneByOne), axes, ..self.forms };
            self.without_lanes.get_or_init(|| self.mechanism.candidates(&forms))
        };
        cheapest(self.candidates.iter().filter_map(form))
            .or_else(|| cheapest(without_lanes().iter().filter_map(form)))
            .unwrap_or_else(|| derive(self.mechanism))
    }
}

impl<'g> Quantity<'g> {
    fn number(graph: &'g Graph, kernel: &str, output: Expr<'g>) -> Self {
        Self { shape: Shape::Number, ..Self::vector(graph, kernel, vec![output]) }
    }

    pub(super) fn vector(graph: &'g Graph, kernel: &str, outputs: Vec<Expr<'g>>) -> Self {
        let operations = graph.operations_beyond(&outputs, is_field);
        Self {
            kernel: kernel.to_owned(),
            shape: Shape::Vector(outputs.len()),
            cost: cost(&operations, outputs.len()),
            operations,
            form: String::new(),
            products: None,
            outputs,
        }
    }

    /// Reads prepared numbers instead of fields.
    fn prepare(&mut self, preparation: &mut Preparation<'g>) {
        self.outputs = preparation.apply(&self.outputs);
    }

    pub(super) fn matrix(graph: &'g Graph, kernel: &str, rows: &Square<'g>) -> Self {
        let (height, width) = (rows.len(), rows.first().map_or(0, Vec::len));
        let columns = (0..width).flat_map(|j| rows.iter().map(move |row| row[j]));
        let shape = Shape::Matrix(height, width);
        Self { shape, ..Self::vector(graph, kernel, columns.collect()) }
    }
}
