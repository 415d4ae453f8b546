use jourdain::Robot;
use jourdain::kernels::InverseMassMatrix;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn mobility<M: InverseMassMatrix>(model: &M, q: &M::Q) -> M::InverseMassMatrix {
    model.inverse_mass_matrix(q)
}

fn main() {
    let q = nalgebra::vector![0.0];
    mobility(&Arm, &q);
}
