//! Chains of four-bar linkages as descriptions, for robots of any number of bars.
//!
//! Cranks of 1 m and 1 kg stand side by side on the ground, 1 m apart; each carries a coupler of the same
//! kind that ends at the tip of the next.
//!
//! Source: Bayo, Avello, Singularity-Free Augmented Lagrangian Algorithms for Constrained Multibody
//! Dynamics (1994); the collection of multibody benchmarks of IFToMM.

use std::fmt::Write;

/// The struct `Chain{loops}` with its attribute.
pub(crate) fn chain(loops: usize) -> Result<String, std::fmt::Error> {
    let bar = "mass = 1, inertia = [1.0 / 12.0, 1.0 / 12.0, 0.01]";
    let mut text = String::from("#[derive(Robot, Clone, Copy, Debug)]\n#[robot(\n");
    for k in 0..=loops {
        writeln!(text, "link(crank{k}, {bar}, com = [0, 0, 0.5]),")?;
        writeln!(
            text,
            "joint(pivot{k}, revolute(world -> crank{k}), at = [{k}, 0, 0], axis = [0, 1, 0]),"
        )?;
    }
    for k in 0..loops {
        let next = k + 1;
        writeln!(text, "link(coupler{k}, {bar}, com = [0.5, 0, 0]),")?;
        writeln!(
            text,
            "joint(pin{k}, revolute(crank{k} -> coupler{k}), at = [0, 0, 1], axis = [0, 1, 0]),"
        )?;
        writeln!(
            text,
            "closure(tip{k}, a = coupler{k} @ [1, 0, 0], b = crank{next} @ [0, 0, 1], axes = [x, z]),"
        )?;
    }
    writeln!(text, ")]\nstruct Chain{loops};\n")?;
    Ok(text)
}
