//! Derivatives along the tangent space of the configurations.
//!
//! The derivative by coordinate j is that along q ⊕ δ e_j, in other words along q̇ = N(q) e_j: with
//! q̇ = v it is the partial derivative; a unit quaternion has q̇ = ½ q ⊗ (ω, 0), and a pose ẋ = R u
//! beside it, with u and ω in the child's axes.

use crate::expr::{Expr, Rotation, Symbol, Vector3};
use crate::joint::Chart;

use super::mechanism::Mechanism;
use super::symbols;

impl<'g> Mechanism<'g> {
    /// The derivative of `outputs` by the configuration along velocity coordinate `dof`.
    pub(super) fn tangent_derivative(&self, outputs: &[Expr<'g>], dof: usize) -> Vec<Expr<'g>> {
        let lanes: Vec<_> =
            self.lanes[dof].iter().map(|&dof| self.configuration_rate(dof)).collect();
        self.graph.directional_derivative(outputs, |symbol| {
            let rate = |(first, rates): &(usize, Vec<Expr<'g>>)| {
                rates.get((symbol.index as usize).checked_sub(*first)?).copied()
            };
            if symbol.set == symbols::Q { lanes.iter().find_map(rate) } else { None }
        })
    }

    /// d/dt of `outputs` along q̇ = N(q) v and time, at v̇ = 0.
    pub(super) fn rate_of_change(&self, outputs: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let rate = self.configuration_velocity();
        self.graph.directional_derivative(outputs, |symbol| match symbol.set {
            symbols::Q => rate.get(symbol.index as usize).copied(),
            symbols::TIME => Some(self.graph.one()),
            _ => None,
        })
    }

    /// q̇ = N(q) v.
    pub fn configuration_velocity(&self) -> Vec<Expr<'g>> {
        let mut rate = vec![self.graph.zero(); self.nq()];
        for dof in 0..self.nv() {
            let (first, rates) = self.configuration_rate(dof);
            for (rate, part) in rate[first..].iter_mut().zip(rates) {
                *rate += part * self.state.v[dof];
            }
        }
        rate
    }

    /// The derivative of `outputs` by one variable.
    pub(super) fn partial_derivative(
        &self,
        outputs: &[Expr<'g>],
        set: u8,
        index: usize,
    ) -> Vec<Expr<'g>> {
        let variable = Symbol { set, index: index as u32 };
        self.graph.directional_derivative(outputs, |symbol| {
            (symbol == variable).then(|| self.graph.one())
        })
    }

    /// N(q) e for the unit velocity e of one coordinate: the first configuration coordinate of its
    /// joint, and the rates of all that the joint has.
    fn configuration_rate(&self, dof: usize) -> (usize, Vec<Expr<'g>>) {
        let joints = self.description.joints.iter().zip(&self.coordinates);
        let mut own = joints.filter(|(joint, _)| joint.mimic.is_none());
        let of_joint = |(joint, (_, v)): &(&crate::description::Joint, &(usize, usize))| {
            (*v..*v + joint.family.nv()).contains(&dof)
        };
        let Some((joint, &(first, v))) = own.find(of_joint) else {
            return (0, Vec::new());
        };
        let q = &self.state.q[first..first + joint.family.nq()];
        let unit = |k| Vector3::unit(self.graph, k);
        let rates = match (joint.family.chart(), dof - v) {
            (Chart::Vector, k) => {
                let mut rates = vec![self.graph.zero(); q.len()];
                rates[k] = self.graph.one();
                rates
            }
            (Chart::Quaternion, k) => quaternion_rate(q, unit(k)).to_vec(),
            (Chart::Pose, k @ 0..3) => {
                let turn = Rotation::quaternion([q[3], q[4], q[5], q[6]]);
                turn.times(unit(k)).0.to_vec()
            }
            (Chart::Pose, k) => {
                let still = [self.graph.zero(); 3];
                still.into_iter().chain(quaternion_rate(&q[3..], unit(k - 3))).collect()
            }
        };
        (first, rates)
    }
}

/// ½ q ⊗ (ω, 0).
fn quaternion_rate<'g>(q: &[Expr<'g>], w: Vector3<'g>) -> [Expr<'g>; 4] {
    let axis = Vector3([q[0], q[1], q[2]]);
    let [x, y, z] = (w * q[3] + axis.cross(w)).0;
    [x, y, z, -axis.dot(w)].map(|x| 0.5 * x)
}
