//! Robots of which nothing moves, or nothing is.

use jourdain::identification::BaseParameters;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, Vector6};

use crate::Vector0;

/// No links at all.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(kernels(all))]
struct Nothing;

/// A link that is welded to the world.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = m, com = [1, 2, 3], sphere(radius = 0.1)),
    joint(weld, fixed(world -> plate), at = [0, 0, 1]),
    frame(mark, on = plate, at = [0.5, 0, 0]),
    spring(wire, a = world, b = plate @ [0, 0, 1], stiffness = 3),
    kernels(all),
)]
struct Welded {
    m: f64,
}

/// A link without mass that moves.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(link(ghost, massless), joint(slide, prismatic(world -> ghost), axis = [1, 0, 0]))]
struct Massless;

/// A leaf without mass behind a link with mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 1, inertia = [1, 1, 1]),
    joint(base, floating(world -> body)),
    link(finger, massless),
    joint(knuckle, revolute(body -> finger), axis = [0, 0, 1]),
    kernels(all),
)]
struct MasslessLeaf;

/// Two links of which the first spins about the line on which the second's mass lies.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(stick, mass = 1, com = [0, 0, 1]),
    joint(spin, revolute(world -> stick), axis = [0, 0, 1]),
)]
struct Spindle;

/// Runs 10 steps.
fn run<M: Model>(model: M) -> Result<Simulation<M>, SimulationError> {
    let mut simulation = Simulation::new(model)?;
    simulation.run(0.01, |_: &State<M>| jourdain::space::Storage::zeros())?;
    Ok(simulation)
}

/// Kernels that are asked for have no columns, or entries that are not finite; none panics.
#[test]
fn kernels_of_nothing() {
    let q = Vector0::zeros();
    assert_eq!(Nothing.inverse_dynamics_derivatives(&q, &q, &q).shape(), (0, 0));
    assert_eq!(Nothing.forward_dynamics_derivatives(&q, &q, &q).shape(), (0, 0));
    assert_eq!(Nothing.torque_regressor(&q, &q, &q).shape(), (0, 0));
    assert_eq!(Nothing.joint_jacobians(&q).jacobian().shape(), (6, 0));
    assert_eq!(Nothing.centroidal_matrix(&q).shape(), (6, 0));
    assert_eq!(Welded { m: 1.0 }.field_derivatives(&q, &q, &q).shape(), (0, 1));
    assert_eq!(Welded { m: 1.0 }.inertial_parameters().shape(), (0, 1));
    let base = BaseParameters::of(&Welded { m: 1.0 }, 0);
    assert_eq!(base.map(|base| base.combinations().shape()), Ok((0, 0)));
}

/// What moves no inertia has no inverse, but every derivative of inverse dynamics.
#[test]
fn kernels_without_inertia() {
    let (q, v) = (MasslessLeaf.neutral(), SVector::<f64, 7>::repeat(0.5));
    assert!(MasslessLeaf.inverse_dynamics_derivatives(&q, &v, &v).iter().all(|x| x.is_finite()));
    assert!(!MasslessLeaf.inverse_mass_matrix(&q).iter().all(|x| x.is_finite()));
    assert!(!MasslessLeaf.forward_dynamics_derivatives(&q, &v, &v).iter().all(|x| x.is_finite()));
}

#[test]
fn nothing_is_a_robot_too() -> Result<(), SimulationError> {
    assert_eq!((Nothing::NQ, Nothing::NV, Nothing::NU), (0, 0, 0));
    let q = Vector0::zeros();
    assert_eq!(Nothing.mass_matrix(&q).shape(), (0, 0));
    assert_eq!(Nothing.forward_dynamics(&q, &q, &q), q);
    assert_eq!(Nothing.kinetic_energy(&q, &q), 0.0);
    assert_eq!(Nothing.potential_energy(&q), 0.0);
    assert_eq!(Nothing.momentum(&q, &q), Vector6::zeros());
    assert_eq!(Nothing.total_mass(), 0.0);
    assert!(Nothing.center_of_mass(&q).x.is_nan(), "nothing has no centre");
    assert!((run(Nothing)?.current().time - 0.01).abs() < 1e-15);
    Ok(())
}

#[test]
fn a_welded_link_is_still_there() -> Result<(), SimulationError> {
    let (model, q) = (Welded { m: 2.0 }, Vector0::zeros());
    assert_eq!((Welded::NQ, Welded::NV), (0, 0));
    assert_eq!(Model::link_poses(&model, &q)[0].position, Vector3::z());
    let mark = FrameId::<Welded>::named("mark").expect("declared");
    assert_eq!(model.frame_pose(mark, &q).position, Vector3::new(0.5, 0.0, 1.0));
    run(model)?;
    assert!(matches!(
        Simulation::new(Welded { m: -2.0 }),
        Err(SimulationError::Model(ModelError::Quantity { value: -2.0, .. }))
    ));
    Ok(())
}

fn singular<M: Model>(model: &M) -> &'static str {
    match model.check_mass_matrix(&model.neutral()) {
        Err(ModelError::SingularMassMatrix { joint, pivot, .. }) => {
            assert!(pivot.abs() < 1e-12);
            joint
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn joints_that_move_no_inertia_are_named() {
    assert_eq!(singular(&Massless), "slide");
    assert_eq!(singular(&MasslessLeaf), "knuckle");
    assert_eq!(singular(&Spindle), "spin");
    for refused in [
        Simulation::new(Massless).err(),
        Simulation::new(MasslessLeaf).err(),
        Simulation::new(Spindle).err(),
    ] {
        assert!(matches!(
            refused,
            Some(SimulationError::Model(ModelError::SingularMassMatrix { .. }))
        ));
    }
}

#[test]
fn kernels_of_singular_robots_return() {
    let q = nalgebra::Vector1::zeros();
    assert_eq!(Massless.mass_matrix(&q)[0], 0.0);
    assert!(!Massless.forward_dynamics(&q, &q, &nalgebra::Vector1::new(1.0))[0].is_finite());
}

/// A point mass on two crossed joints: it hangs on the first one's axis where both angles are zero,
/// and only there.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(yoke, massless),
    joint(turn, revolute(world -> yoke), axis = [0, 0, 1]),
    link(bob, mass = 1, com = [0, 0, -1]),
    joint(swing, revolute(yoke -> bob), axis = [0, 1, 0]),
)]
struct SphericalPendulum;

#[test]
fn a_singular_configuration_is_refused_where_it_is_met() -> Result<(), SimulationError> {
    let still = nalgebra::Vector2::zeros();
    let idle = |_: &State<SphericalPendulum>| jourdain::space::Storage::zeros();
    let aside = nalgebra::vector![0.0, 0.5];
    Simulation::new(SphericalPendulum)?.state(aside, still)?.run(0.1, idle)?;
    let hanging = Simulation::new(SphericalPendulum)?.run(0.1, idle);
    assert!(matches!(
        hanging,
        Err(SimulationError::Model(ModelError::SingularMassMatrix { joint: "turn", .. }))
    ));
    Ok(())
}

#[test]
fn what_was_not_recorded_is_not_made_up_for() -> Result<(), SimulationError> {
    let idle = |_: &State<SphericalPendulum>| jourdain::space::Storage::zeros();
    let aside = nalgebra::vector![0.0, 0.5];
    let mut simulation = Simulation::new(SphericalPendulum)?.state(aside, aside)?;
    let mut recording = Recording::new(10.0)?;
    simulation.run_recorded(0.5, idle, &mut recording)?;
    let before = recording.samples().len();
    simulation.run(5.0, idle)?;
    simulation.run_recorded(0.02, idle, &mut recording)?;
    assert_eq!((before, recording.samples().len()), (5, 6));
    Ok(())
}
