//! What is generated, for the eye: the source of the smallest model, and what every kernel costs.

#[path = "../laws/robots.rs"]
mod robots;

use std::fmt::Write;

use jourdain::prelude::*;
use jourdain_codegen::derive::{Equations, Forms, Mechanism};
use jourdain_codegen::expr::Graph;
use jourdain_codegen::kernels::Family;
use jourdain_models::{
    Acrobot, Bricard, CartPole, DoublePendulum, G1, Go2, HollowBall, JansenWalker, Panda,
    SliderCrank, SlidingBrick, Solo12, StewartPlatform, StickSlip, Ur5, WheeledBrick,
};

include!(concat!(env!("OUT_DIR"), "/chain1.rs"));
include!(concat!(env!("OUT_DIR"), "/chain2.rs"));
include!(concat!(env!("OUT_DIR"), "/chain10.rs"));
include!(concat!(env!("OUT_DIR"), "/chain40.rs"));

/// A point mass on a rod.
const PENDULUM: &str = "
#[robot(
    gravity = [0, 0, -9.81],
    link(bob, mass = m, com = [0, 0, -l]),
    joint(hinge, revolute(world -> bob), axis = [0, -1, 0], actuated, damping = 0.1),
)]
struct Pendulum { m: f64, l: f64 }";

#[test]
fn source_of_a_pendulum() {
    let item = PENDULUM.parse().expect("tokens");
    let file = syn::parse2(jourdain_codegen::expand(item)).expect("items");
    insta::assert_snapshot!("pendulum", prettyplease::unparse(&file));
}

/// Chains of four-bar linkages: linear in the number of loops.
#[test]
fn operations_of_chains() {
    let mut table = String::new();
    let chains = [Chain1::OPERATIONS, Chain2::OPERATIONS, Chain10::OPERATIONS, Chain40::OPERATIONS];
    for name in ["forward_dynamics", "constrained_dynamics", "constrained_impact"] {
        let _ = write!(table, "{name:<22}");
        for operations in chains {
            let found = operations.iter().find(|(other, _)| *other == name);
            let cost = found.map_or(0, |(_, operations)| operations.arithmetic());
            let _ = write!(table, " {cost:>8}");
        }
        table.push('\n');
    }
    insta::assert_snapshot!("chains", table);
}

/// One column for each model, in operations + sines and cosines.
#[test]
fn operations_of_all_kernels() {
    let columns = [
        column::<DoublePendulum>(),
        column::<Acrobot>(),
        column::<CartPole>(),
        column::<HollowBall>(),
        column::<WheeledBrick>(),
        column::<SlidingBrick>(),
        column::<Ur5>(),
        column::<Panda>(),
        column::<Solo12>(),
        column::<Go2>(),
        column::<G1>(),
        column::<SliderCrank>(),
        column::<Bricard>(),
        column::<StewartPlatform>(),
        column::<JansenWalker>(),
        column::<StickSlip>(),
    ];
    let mut table = String::new();
    for row in 0..columns[0].len() {
        for (k, column) in columns.iter().enumerate() {
            let (name, cost) = &column[row];
            if k == 0 {
                let _ = write!(table, "{name:<22}");
            }
            let _ = write!(table, " {cost:>16}");
        }
        table.push('\n');
    }
    insta::assert_snapshot!("operations", table);
}

/// One column for each robot: the kernels that a description can ask for, in operations.
#[test]
fn operations_of_requested_kernels() {
    let mut rows: Vec<(String, String)> = Vec::new();
    for description in robots::descriptions() {
        let graph = Graph::new();
        let mechanism = Mechanism::new(&graph, &description).expect("nothing runs backwards");
        let equations = Equations::derive(&mechanism, &[], &Family::ALL, &Forms::default());
        let quantities = equations.requested.iter();
        let costs = quantities.map(|q| (q.kernel.clone(), q.operations.arithmetic().to_string()));
        let head = [(String::new(), description.name.clone())];
        for (k, (name, cost)) in head.into_iter().chain(costs).enumerate() {
            match rows.get_mut(k) {
                Some(row) => write!(row.1, " {cost:>19}").expect("text"),
                None => rows.push((name, format!(" {cost:>19}"))),
            }
        }
    }
    let table: String = rows.iter().map(|(name, row)| format!("{name:<28}{row}\n")).collect();
    insta::assert_snapshot!("requested", table);
}

fn column<M: Model>() -> Vec<(&'static str, String)> {
    let head = [("", M::NAME.to_owned()), ("nv", M::NV.to_string())];
    let costs = M::OPERATIONS.iter().map(|(name, cost)| {
        let turns = cost.trigonometric;
        (*name, format!("{} + {turns}", cost.arithmetic()))
    });
    head.into_iter().chain(costs).collect()
}
