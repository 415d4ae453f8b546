//! The same floating mechanism, described from another link: joints accelerate alike, and the
//! floating bases as the two links do.

use fastrand::Rng;

use super::motion::{motion, quaternion};
use super::{Numbers, close, describe, with};
use crate::derive::{Mechanism, Solver};
use crate::description::Description;

/// All reversible families are on the way from the torso to the sole; others branch off, before and
/// behind the new root.
const BIPED: &str = "
    gravity = [0.5, -0.3, -9.81],
    link(torso, mass = 5, com = [0.1, -0.05, 0.2], inertia = [0.3, 0.25, 0.2, 0.01, -0.02, 0.03]),
    joint(base, floating(world -> torso)),
    link(thigh, mass = 2, com = [0.01, 0.02, -0.2], inertia = [0.05, 0.05, 0.01]),
    joint(hip, revolute(torso -> thigh), at = [0, 0.1, -0.1], rpy = [0.2, -0.3, 0.4],
        axis = [0.2, 1, -0.4], stiffness = 3, damping = 0.4, armature = 0.02),
    link(shank, mass = 1.5, com = [0, 0.01, -0.15], inertia = [0.03, 0.03, 0.005, 0.001, 0, 0]),
    joint(slide, prismatic(thigh -> shank), at = [0, 0, -0.4], rpy = [0.1, 0.2, 0], axis = [0.1, 0, 1]),
    link(shin, mass = 0.7, com = [0.02, 0, -0.1], inertia = [0.01, 0.012, 0.004]),
    joint(pull, revolute(shank -> shin), at = [0.05, 0, 0], axis = [0, 1, 0],
        mimic(hip, multiplier = -0.7, offset = 0.2)),
    link(ankle, mass = 0.4, com = [0.01, 0, 0], inertia = [0.002, 0.002, 0.002]),
    joint(screw, helical(shin -> ankle), at = [0, 0, -0.3], axis = [1, 2, 3], pitch = 0.07),
    link(foot, mass = 0.8, com = [0.05, 0, -0.03], inertia = [0.002, 0.005, 0.005]),
    joint(roll, cylindrical(ankle -> foot), at = [0, 0, -0.02], quaternion = [0.1, 0.2, 0.3, 0.9], axis = [1, 0, 0]),
    link(sole, mass = 0.1, com = [0, 0, -0.01], inertia = [1e-3, 1e-3, 1e-3]),
    joint(weld, fixed(foot -> sole), at = [0.02, 0, -0.05], rpy = [0, 0.1, 0.5]),
    link(toe, mass = 0.2, com = [0.03, 0, 0], inertia = [1e-3, 1e-3, 1e-3]),
    joint(hinge, revolute(sole -> toe), at = [0.1, 0, 0], axis = [0, 1, 0]),
    link(arm, mass = 1, com = [0, 0, -0.2], inertia = [0.02, 0.02, 0.003]),
    joint(shoulder, spherical(torso -> arm), at = [0, 0.2, 0.3]),
    link(hand, mass = 0.3, com = [0, 0, -0.05], inertia = [1e-3, 1e-3, 1e-3]),
    joint(wrist, universal(arm -> hand), at = [0, 0, -0.4], axes = [[1, 0, 0], [0, 1, 0]]),
    frame(eye, on = torso, at = [0.1, 0, 0.4], rpy = [0, 0.3, 0]),
    frame(tip, on = toe, at = [0.05, 0, 0]),
    contact(heel, on = sole, at = [-0.05, 0, -0.02], sphere = 0.01, friction = 0.5),
    spring(tendon, a = thigh @ [0, 0, -0.1], b = foot @ [-0.05, 0, 0], stiffness = 100, damping = 2, rest = 0.3),";

/// Place of the base joint's coordinates; all others follow in both descriptions.
const BASE: (usize, usize) = (7, 6);

fn rooted(link: &str) -> Description {
    describe(&format!("{BIPED} root = {link}"))
}

fn state(rng: &mut Rng, m: &Mechanism<'_>) -> Numbers {
    let mut numbers = |n: usize| (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<_>>();
    let mut state = Numbers { q: numbers(m.nq()), v: numbers(m.nv()), a: numbers(m.nv()) };
    let last = state.q.len() - 2;
    for first in [3, last - 4] {
        let quaternion = &mut state.q[first..first + 4];
        let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        quaternion.iter_mut().for_each(|x| *x /= norm);
    }
    // The base is driven by nothing.
    state.a[..BASE.1].fill(0.0);
    state
}

fn same_motion(root: &str) {
    let (original, other) = (describe(BIPED), rooted(root));
    let rng = &mut Rng::with_seed(11);
    for _ in 0..10 {
        with(&original, |m| {
            let x = state(rng, m);
            let v_dot = x.of(&m.forward_dynamics(Solver::Factorization), m.graph);
            let base = motion(m, &x, &v_dot, root);
            let mut y = x.clone();
            y.q[..3].copy_from_slice(&base.pose[9..]);
            y.q[3..7].copy_from_slice(&quaternion(&base.pose[..9]));
            y.v[..6].copy_from_slice(&base.velocity);
            with(&other, |n| {
                let found = y.of(&n.forward_dynamics(Solver::Factorization), n.graph);
                close("base", &found[..BASE.1], &base.acceleration, 1e-10);
                close("joints", &found[BASE.1..], &v_dot[BASE.1..], 1e-10);
                same_quantities((m, &x), (n, &y));
                for link in ["torso", "toe", "hand", "shank"] {
                    let (a, b) = (motion(m, &x, &v_dot, link), motion(n, &y, &found, link));
                    close("v of a link", &b.velocity, &a.velocity, 1e-12);
                    close("v̇ of a link", &b.acceleration, &a.acceleration, 1e-10);
                }
            });
        });
    }
}

fn same_quantities((m, x): (&Mechanism<'_>, &Numbers), (n, y): (&Mechanism<'_>, &Numbers)) {
    close("links", &y.of(&n.link_poses(), n.graph), &x.of(&m.link_poses(), m.graph), 1e-12);
    close("momentum", &y.of(&n.momentum(), n.graph), &x.of(&m.momentum(), m.graph), 1e-12);
    let energies =
        |m: &Mechanism<'_>, x: &Numbers| x.of(&[m.kinetic_energy(), m.potential_energy()], m.graph);
    close("T, U", &energies(n, y), &energies(m, x), 1e-12);
    close("gap", &y.of(&n.gap(), n.graph), &x.of(&m.gap(), m.graph), 1e-12);
    let speeds = |m: &Mechanism<'_>, x: &Numbers| -> Vec<f64> {
        let rows = x.of(&m.contact_jacobian().concat(), m.graph);
        rows.chunks_exact(m.nv()).map(|row| super::dot(row, &x.v)).collect()
    };
    close("J v of contacts", &speeds(n, y), &speeds(m, x), 1e-12);
    let springs = |m: &Mechanism<'_>, x: &Numbers| x.of(&m.passive_force(), m.graph);
    close("springs", &springs(n, y)[BASE.1..], &springs(m, x)[BASE.1..], 1e-11);
}

#[test]
fn a_stance_foot_as_root_changes_no_motion() {
    same_motion("foot");
}

#[test]
fn the_far_side_of_a_fixed_joint_can_be_root() {
    same_motion("sole");
}

#[test]
fn a_leaf_can_be_root() {
    same_motion("toe");
}

#[test]
fn the_middle_of_a_chain_can_be_root() {
    same_motion("shin");
    same_motion("thigh");
}

#[test]
fn the_declared_base_as_root_changes_nothing() {
    same_motion("torso");
}

/// What another base needs of a hinge is the negated axis, with the joint's place as the origin of
/// what was the base.
#[test]
fn a_tree_described_by_hand_from_its_other_end() {
    let link = |name: &str, com: &str| {
        format!("link({name}, mass = 2, com = {com}, inertia = [0.1, 0.2, 0.15, 0.01, 0, 0.02])")
    };
    let (a, b) = (link("a", "[0.1, 0.2, 0.3]"), link("b", "[0, 0.1, -0.2]"));
    let shifted = link("a", "[-0.3, 0.3, -0.1]");
    let gravity = "gravity = [1, 2, -9]";
    let automatic = describe(&format!(
        "{gravity}, {a}, {b}, joint(base, floating(world -> a)),
        joint(hinge, revolute(a -> b), at = [0.4, -0.1, 0.4], axis = [1, -2, 0.5]), root = b"
    ));
    let by_hand = describe(&format!(
        "{gravity}, {shifted}, {b}, joint(base, floating(world -> b)),
        joint(hinge, revolute(b -> a), axis = [-1, 2, -0.5])"
    ));
    let rng = &mut Rng::with_seed(3);
    let mut numbers = |n: usize| (0..n).map(|_| rng.f64() - 0.5).collect::<Vec<_>>();
    let mut x = Numbers { q: numbers(8), v: numbers(7), a: numbers(7) };
    x.q[3..7].copy_from_slice(&[0.1, 0.5, -0.1, 0.73f64.sqrt()]);
    let look = |m: &Mechanism<'_>| {
        let mut all = x.of(&m.mass_matrix().concat(), m.graph);
        all.extend(x.of(&m.bias_force(), m.graph));
        all.extend(x.of(&m.forward_dynamics(Solver::Factorization), m.graph));
        all
    };
    close("M, bias, v̇", &with(&automatic, look), &with(&by_hand, look), 1e-12);
}

/// The root belongs to one tree; what else hangs on the world stays where it is.
#[test]
fn a_root_leaves_other_trees_alone() {
    let links = "gravity = [0, 0, -9.81],
        link(cart, mass = 1, inertia = [1, 1, 1]), link(body, mass = 2, com = [0.1, 0, 0], inertia = [1, 1, 1]),
        link(leg, mass = 3, com = [0, 0.1, 0], inertia = [1, 1, 1]),
        joint(knee, revolute(body -> leg), at = [0, 0, -0.5], axis = [0, 1, 0]),
        joint(base, floating(world -> body)), joint(rail, prismatic(world -> cart), axis = [1, 0, 0])";
    for entries in [format!("{links}, root = leg"), format!("{links}, root = body")] {
        with(&describe(&entries), |m| {
            let x = Numbers {
                q: vec![0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.7],
                v: vec![0.0; 8],
                a: vec![0.0; 8],
            };
            let mass = x.of(&m.mass_matrix().concat(), m.graph);
            assert_eq!(mass[8 * 7 + 7], 1.0, "the cart moves alone");
            assert_eq!(m.bodies.len(), 3);
            let poses = x.of(&m.link_poses(), m.graph);
            close("cart", &poses[9..12], &[0.7, 0.0, 0.0], 0.0);
        });
    }
}

#[test]
fn a_joint_that_cannot_run_backwards_is_named() {
    for (root, joint, family) in [("arm", "shoulder", "spherical"), ("hand", "wrist", "universal")]
    {
        let item = format!("#[robot({BIPED} root = {root})] struct Biped;");
        let text = crate::expand(item.parse().expect("tokens")).to_string();
        let expected = format!(
            "joint `{joint}` lies between the robot's base and its `root`, but a {family} joint \
             cannot be traversed backwards"
        );
        assert!(text.contains(&expected));
        assert!(text.contains("Biped"), "a stub follows the error");
    }
}
