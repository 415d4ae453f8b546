//! The quantities that can be asked for.

use jourdain_codegen::derive::{Mechanism, Solver, symbols};
use jourdain_codegen::expr::{Expr, Vector3};

/// Generalised forces that are given, beside the sets of the equations.
pub(crate) const FORCE: u8 = 64;

/// What a quantity is a function of, beside the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Q,
    V,
    A,
    Force,
    T,
}

impl Argument {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Argument::Q => "q",
            Argument::V => "v",
            Argument::A => "a",
            Argument::Force => "tau",
            Argument::T => "t",
        }
    }

    pub(crate) fn set(self) -> u8 {
        match self {
            Argument::Q => symbols::Q,
            Argument::V => symbols::V,
            Argument::A => symbols::A,
            Argument::Force => FORCE,
            Argument::T => symbols::TIME,
        }
    }
}

/// Expressions row by row.
pub(crate) enum Derived<'g> {
    Number(Expr<'g>),
    Vector(Vec<Expr<'g>>),
    Matrix(Vec<Vec<Expr<'g>>>),
}

/// A quantity.
pub(crate) struct Kind {
    /// What it is asked for by.
    pub(crate) key: &'static str,
    /// The name of its function, that of the robot's method if there is one.
    pub(crate) word: &'static str,
    /// What it is called: letter and what is below, above or behind it, in text and in LaTeX.
    pub(crate) symbol: [&'static str; 2],
    pub(crate) meaning: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) arguments: &'static [Argument],
    pub(crate) is_symmetric: bool,
    /// Whether it is printed where nothing is asked for.
    pub(crate) is_usual: bool,
    /// Whether forms of the mechanism may compute it in fewer operations.
    pub(crate) has_forms: bool,
    pub(crate) derive: for<'g> fn(&Mechanism<'g>) -> Derived<'g>,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)
    }
}

use Argument::{A, Force, Q, T, V};
use Derived::{Matrix, Number, Vector};

const PLAIN: Kind = Kind {
    key: "",
    word: "",
    symbol: ["", ""],
    meaning: "",
    unit: "",
    arguments: &[Q],
    is_symmetric: false,
    is_usual: true,
    has_forms: false,
    derive: |m| Vector(m.gap()),
};

/// All of them, in the order in which they are printed.
pub(crate) static KINDS: [Kind; 22] = [
    Kind {
        key: "qdot",
        word: "configuration_velocity",
        symbol: ["q̇", "\\dot q"],
        meaning: "rates of the coordinates, N(q) v",
        unit: "m/s, rad/s, 1/s",
        arguments: &[Q, V],
        derive: |m| Vector(m.configuration_velocity()),
        ..PLAIN
    },
    Kind {
        key: "T",
        word: "kinetic_energy",
        symbol: ["T", "T"],
        meaning: "kinetic energy",
        unit: "J",
        arguments: &[Q, V],
        has_forms: true,
        derive: |m| Number(m.kinetic_energy()),
        ..PLAIN
    },
    Kind {
        key: "U",
        word: "potential_energy",
        symbol: ["U", "U"],
        meaning: "potential energy of gravity",
        unit: "J",
        derive: |m| Number(m.potential_energy()),
        ..PLAIN
    },
    Kind {
        key: "U_s",
        word: "elastic_energy",
        symbol: ["U_s", "U_s"],
        meaning: "potential energy of springs",
        unit: "J",
        derive: |m| Number(m.elastic_energy()),
        ..PLAIN
    },
    Kind {
        key: "M",
        word: "mass_matrix",
        symbol: ["M", "M"],
        meaning: "mass matrix",
        unit: "kg, kg m, kg m²",
        is_symmetric: true,
        has_forms: true,
        derive: |m| Matrix(m.mass_matrix()),
        ..PLAIN
    },
    Kind {
        key: "C",
        word: "coriolis_matrix",
        symbol: ["C", "C"],
        meaning: "Coriolis matrix",
        unit: "those of M, per second",
        arguments: &[Q, V],
        has_forms: true,
        derive: |m| Matrix(m.coriolis_matrix()),
        ..PLAIN
    },
    Kind {
        key: "gravity",
        word: "gravity_force",
        symbol: ["τ_g", "\\tau_g"],
        meaning: "generalised force of gravity",
        unit: "N, N m",
        has_forms: true,
        derive: |m| Vector(m.gravity_force()),
        ..PLAIN
    },
    Kind {
        key: "bias",
        word: "bias_force",
        symbol: ["b", "b"],
        meaning: "C v − τ_g",
        unit: "N, N m",
        arguments: &[Q, V],
        is_usual: false,
        has_forms: true,
        derive: |m| Vector(m.bias_force()),
        ..PLAIN
    },
    Kind {
        key: "B",
        word: "input_matrix",
        symbol: ["B", "B"],
        meaning: "input matrix",
        unit: "generalised force per input",
        arguments: &[],
        derive: |m| Matrix(m.input_matrix()),
        ..PLAIN
    },
    Kind {
        key: "passive",
        word: "passive_force",
        symbol: ["τ_p", "\\tau_p"],
        meaning: "generalised force of springs and dampers",
        unit: "N, N m",
        arguments: &[Q, V],
        derive: |m| Vector(m.passive_force()),
        ..PLAIN
    },
    Kind {
        key: "h",
        word: "constraint",
        symbol: ["h", "h"],
        meaning: "errors of the constraints, 0 for rows of velocities",
        unit: "m, rad",
        arguments: &[Q, T],
        derive: |m| Vector(m.constraints().errors()),
        ..PLAIN
    },
    Kind {
        key: "H",
        word: "constraint_jacobian",
        symbol: ["H", "H"],
        meaning: "Jacobian of the constraints, ḣ = H v + ∂h/∂t",
        unit: "1, m",
        arguments: &[Q, V, T],
        derive: |m| Matrix(m.constraints().jacobian()),
        ..PLAIN
    },
    Kind {
        key: "hdot",
        word: "constraint_rate",
        symbol: ["ḣ", "\\dot h"],
        meaning: "rates of the constraints",
        unit: "m/s, rad/s",
        arguments: &[Q, V, T],
        is_usual: false,
        derive: |m| Vector(m.constraints().rates()),
        ..PLAIN
    },
    Kind {
        key: "Hdot_v",
        word: "constraint_bias",
        symbol: ["Ḣ v", "\\dot H v"],
        meaning: "second rates of the constraints at v̇ = 0",
        unit: "m/s², rad/s²",
        arguments: &[Q, V, T],
        is_usual: false,
        derive: |m| Vector(m.constraints().bias()),
        ..PLAIN
    },
    Kind {
        key: "phi",
        word: "gap",
        symbol: ["φ", "\\varphi"],
        meaning: "gaps of the contacts",
        unit: "m",
        derive: |m| Vector(m.gap()),
        ..PLAIN
    },
    Kind {
        key: "J",
        word: "contact_jacobian",
        symbol: ["J", "J"],
        meaning: "contact Jacobian; of each contact the row of its normal, then of two tangents",
        unit: "1, m",
        derive: |m| Matrix(m.contact_jacobian()),
        ..PLAIN
    },
    Kind {
        key: "Jdot_v",
        word: "contact_bias",
        symbol: ["J̇ v", "\\dot J v"],
        meaning: "accelerations of the contacts at v̇ = 0",
        unit: "m/s²",
        arguments: &[Q, V],
        is_usual: false,
        derive: |m| Vector(m.contact_bias()),
        ..PLAIN
    },
    Kind {
        key: "com",
        word: "center_of_mass",
        symbol: ["x_c", "x_c"],
        meaning: "centre of mass in the world",
        unit: "m",
        is_usual: false,
        derive: |m| {
            let Vector3(entries) = m.center_of_mass();
            Vector(entries.to_vec())
        },
        ..PLAIN
    },
    Kind {
        key: "p",
        word: "generalized_momentum",
        symbol: ["p", "p"],
        meaning: "generalised momentum M v",
        unit: "kg m/s, kg m²/s",
        arguments: &[Q, V],
        is_usual: false,
        has_forms: true,
        // What follows there is ∂T/∂q.
        derive: |m| Vector(m.generalized_momentum().into_iter().take(m.nv()).collect()),
        ..PLAIN
    },
    Kind {
        key: "momentum",
        word: "momentum",
        symbol: ["h₀", "h_0"],
        meaning: "momentum, and angular momentum about the world's origin",
        unit: "kg m/s, kg m²/s",
        arguments: &[Q, V],
        is_usual: false,
        has_forms: true,
        derive: |m| Vector(m.momentum()),
        ..PLAIN
    },
    Kind {
        key: "inverse",
        word: "inverse_dynamics",
        symbol: ["τ", "\\tau"],
        meaning: "M v̇ + C v − τ_g, all that acts beside gravity, springs and dampers among it",
        unit: "N, N m",
        arguments: &[Q, V, A],
        is_usual: false,
        has_forms: true,
        derive: |m| Vector(m.inverse_dynamics(&m.state.v, &m.state.a)),
        ..PLAIN
    },
    Kind {
        key: "forward",
        word: "forward_dynamics",
        symbol: ["v̇", "\\dot v"],
        meaning: "M⁻¹ (τ − C v + τ_g), where τ is all that acts beside gravity, springs and dampers among it",
        unit: "m/s², rad/s²",
        arguments: &[Q, V, Force],
        is_usual: false,
        has_forms: true,
        derive: |m| Vector(m.forward_dynamics(Solver::Factorization)),
        ..PLAIN
    },
];
