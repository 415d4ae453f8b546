//! The equations of motion as linear functions of the inertial parameters.
//!
//! Ten parameters a moving body, in the frame of the link that its joint carries:
//!
//! > π = [m, h_x, h_y, h_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz],
//!
//! h = m c, I about the frame's origin, of all links that are fixed together. With the acceleration
//! field a + U r, the wrench of a body is linear in them:
//!
//! > f = m a + U h,  n = h × a + I α + ω × I ω.
//!
//! The wrenches of unit parameters are carried inwards and projected as in inverse dynamics. Energies
//! are linear in the same parameters, without accelerations:
//!
//! > T = ½ m u² + h · (u × ω) + ½ ω · I ω,  U = −g · (m x + R h).
//!
//! Source: Atkeson, An, Hollerbach, Estimation of Inertial Parameters of Manipulator Loads and Links
//! (1986); Gautier, Khalil, On the Identification of the Inertial Parameters of Robots (1988), for the
//! energies. The order of the parameters is Pinocchio's.

use crate::expr::{Expr, Matrix3, Rotation, Vector3};
use crate::joint::Twist;

use super::inertia::Moments;
use super::lower;
use super::mass_matrix::Square;
use super::mechanism::{Mechanism, Placed};
use super::newton_euler::Wrench;

/// Parameters of one body.
const PARAMETERS: usize = 10;

/// The places of I_xx, I_xy, I_yy, I_xz, I_yz and I_zz.
const INERTIA: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];

impl<'g> Mechanism<'g> {
    /// Y with Y π = M v̇ + C v − τ_g but for what armature adds.
    pub fn torque_regressor(&self) -> Square<'g> {
        let parameters = 0..PARAMETERS;
        let place = |i: usize, body: &usize| PARAMETERS * body + i;
        let columns: Vec<Vec<usize>> = (self.originals.iter())
            .flat_map(|bodies| {
                parameters.clone().map(|i| bodies.iter().map(|body| place(i, body)).collect())
            })
            .collect();
        let width = PARAMETERS * self.bodies.len();
        let mut regressor = vec![vec![self.graph.zero(); width]; self.nv()];
        for (k, wrenches) in self.unit_wrenches().into_iter().enumerate() {
            for (i, mut wrench) in wrenches.into_iter().enumerate() {
                for outer in self.path(Some(k)) {
                    for column in &self.bodies[outer].columns {
                        let power = wrench.power(&column.twist);
                        regressor[column.dof][PARAMETERS * k + i] += power;
                    }
                    wrench = wrench.inwards(&self.bodies[outer]);
                }
            }
        }
        self.spread_between(&regressor, &columns)
    }

    /// The rows of T and U: each times π is the energy, but for what armature adds to T.
    pub fn energy_regressor(&self) -> Square<'g> {
        let (velocities, poses) = (self.velocities(), self.poses());
        let (mut kinetic, mut potential) = (Vec::new(), Vec::new());
        for place in &self.named {
            let Some(k) = place.body else { continue };
            let Twist { angular: w, linear: u } = seen_from(&velocities[k], place);
            kinetic.push(0.5 * u.dot(u));
            kinetic.extend(u.cross(w).0);
            kinetic.extend(INERTIA.map(|(i, j)| {
                let product = w[i] * w[j];
                if i == j { 0.5 * product } else { product }
            }));
            let (rotation, position) = self.pose(&poses, place);
            potential.push(-self.gravity.dot(position));
            potential.extend((-(rotation.transpose() * self.gravity)).0);
            potential.extend([self.graph.zero(); 6]);
        }
        vec![kinetic, potential]
    }

    /// π.
    pub fn inertial_parameters(&self) -> Vec<Expr<'g>> {
        let place = |(k, place): (usize, &Placed<'g>)| {
            let inverse = Rotation::matrix(place.rotation.to_matrix(self.graph).transpose());
            let origin = -place.rotation.transposed_times(place.position);
            parameters(&self.moments_of(k).placed(&inverse, origin))
        };
        self.named.iter().enumerate().flat_map(place).collect()
    }

    /// What the links of body `k` have together, in the body's frame.
    fn moments_of(&self, k: usize) -> Moments<'g> {
        let links = self.links.iter().zip(&self.description.links);
        let own = links.filter(|(place, _)| place.body == Some(k));
        let moved = own.map(|(place, link)| {
            lower::moments(self.graph, &link.inertial).placed(&place.rotation, place.position)
        });
        moved.fold(Moments::zero(self.graph), |sum, moments| sum + moments)
    }

    /// The wrench for each parameter of each body, about the origin and in the axes of the body.
    fn unit_wrenches(&self) -> Vec<Vec<Wrench<'g>>> {
        let velocities = self.velocities();
        let (v, a) = (&self.state.v, &self.state.a);
        let accelerations = self.accelerations(v, a, -self.gravity);
        let of_body = |(k, place): (usize, &Placed<'g>)| {
            let turn = |x| place.rotation.transposed_times(x);
            let acceleration = &accelerations[k];
            let linear = turn(acceleration.linear + acceleration.field * place.position);
            let (alpha, w) = (turn(acceleration.angular), turn(velocities[k].angular));
            let wrenches = unit_wrenches(linear, alpha, w);
            wrenches.into_iter().map(|wrench| wrench.placed(place)).collect()
        };
        self.named.iter().enumerate().map(of_body).collect()
    }
}

/// The wrench for each parameter in the frame of the parameters, for the acceleration `a` of its
/// origin and the angular acceleration `alpha`.
fn unit_wrenches<'g>(a: Vector3<'g>, alpha: Vector3<'g>, w: Vector3<'g>) -> Vec<Wrench<'g>> {
    let graph = a[0].graph();
    let zero = Vector3::zero(graph);
    let field = alpha.skew() + w.skew_squared();
    let mut wrenches = vec![Wrench { force: a, moment: zero }];
    for k in 0..3 {
        wrenches.push(Wrench { force: field.column(k), moment: Vector3::unit(graph, k).cross(a) });
    }
    for (i, j) in INERTIA {
        let mut inertia = Matrix3::zero(graph);
        inertia[i][j] = graph.one();
        inertia[j][i] = graph.one();
        let moment = inertia * alpha + w.cross(inertia * w);
        wrenches.push(Wrench { force: zero, moment });
    }
    wrenches
}

/// A body's motion at and in the axes of something that is fixed to it.
fn seen_from<'g>(twist: &Twist<'g>, place: &Placed<'g>) -> Twist<'g> {
    let linear = twist.linear + twist.angular.cross(place.position);
    Twist {
        angular: place.rotation.transposed_times(twist.angular),
        linear: place.rotation.transposed_times(linear),
    }
}

fn parameters<'g>(moments: &Moments<'g>) -> Vec<Expr<'g>> {
    let second = &moments.second;
    let inertia = Matrix3::diagonal(second.trace()) - *second;
    let [x, y, z] = moments.first.0;
    [moments.mass, x, y, z].into_iter().chain(INERTIA.map(|(i, j)| inertia[i][j])).collect()
}
