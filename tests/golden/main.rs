//! What is generated, for the eye: the source of the smallest model, and what every kernel costs.

use std::fmt::Write;

use jourdain::Model;
use jourdain_models::{
    Acrobot, CartPole, DoublePendulum, G1, Go2, HollowBall, Panda, SlidingBrick, Solo12, Ur5,
    WheeledBrick,
};

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

fn column<M: Model>() -> Vec<(&'static str, String)> {
    let head = [("", M::NAME.to_owned()), ("nv", M::NV.to_string())];
    let costs = M::OPERATIONS.iter().map(|(name, cost)| {
        let turns = cost.trigonometric;
        (*name, format!("{} + {turns}", cost.arithmetic()))
    });
    head.into_iter().chain(costs).collect()
}
