//! Names that meet those of generated code.

use jourdain::prelude::*;
use nalgebra::Vector1;

/// A kernel is called the same.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -input],
    link(output, mass = r#type, com = [q, 0, 0]),
    joint(r#move, revolute(world -> output), axis = [0, 1, 0], actuated, damping = self.k),
    link("left-foot link", mass = v * o, com = [0.1, 0, 0]),
    joint("0", prismatic(output -> "left-foot link"), axis = [A, 0, 0], damping = f),
    frame(r#in, on = output),
    frame("left-foot sole", on = "left-foot link"),
)]
#[expect(non_snake_case, reason = "the name of a type parameter in generated code")]
struct MassMatrix {
    r#type: f64,
    q: f32,
    v: f64,
    o: f64,
    f: f64,
    k: f64,
    input: f64,
    A: f64,
}

/// What a description with errors is given for kernels.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(link(self_, mass = 1), joint(fn_, prismatic(world -> self_), axis = [1, 0, 0]))]
struct Nothing;

/// The name of the trait.
mod inner {
    use jourdain::Robot;

    #[derive(Robot, Clone, Copy, Debug)]
    #[robot(link(a, mass = 3), joint(b, prismatic(world -> a), axis = [1, 0, 0]))]
    pub(super) struct Model;
}

#[test]
fn names_of_generated_code_can_be_used() -> Result<(), SimulationError> {
    let model =
        MassMatrix { r#type: 2.0, q: 0.5, v: 1.5, o: 2.0, f: 0.1, k: 0.2, input: 9.81, A: -1.0 };
    assert_eq!(MassMatrix::JOINT_NAMES, ["move", "0"]);
    assert_eq!(model.fields(), [2.0, 0.5, 1.5, 2.0, 0.1, 0.2, 9.81, -1.0]);
    let mass = model.mass_matrix(&model.neutral());
    assert!((mass[(0, 0)] - 0.53).abs() < 1e-15);
    assert!((mass[(1, 1)] - 3.0).abs() < 1e-15);
    for name in ["in", "left-foot sole"] {
        assert!(FrameId::<MassMatrix>::named(name).is_some(), "{name}");
    }
    Simulation::new(model)?.step(&Vector1::zeros())?;
    let q = Vector1::zeros();
    assert_eq!(Nothing.mass_matrix(&q)[0], 1.0);
    assert_eq!(inner::Model.mass_matrix(&q)[0], 3.0);
    Ok(())
}
