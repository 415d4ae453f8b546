//! A Coriolis matrix C with Ṁ − 2C skew-symmetric.
//!
//! C = Σ Jᵀ (I J̇ + B J) over the bodies, where B is linear in the body's velocity, B v is its
//! velocity-dependent force v ×* I v, and B + Bᵀ = İ; then C + Cᵀ = Ṁ. With the moment N = ∫ ṙ rᵀ dm
//! and the momentum p = ∫ ṙ dm,
//!
//! > N = [ω]× Σ + u hᵀ,  B (e, s) = (tr(N) e − N e,  e × p),  Bᵀ (e, s) = (tr(N) e − Nᵀ e + p × s, 0).
//!
//! N and p add over bodies and move as moments do: N' = R N Rᵀ + (R p) rᵀ. With the composites of
//! all that hangs on a body, the entries of a pair of columns a (outer, nearer to the world) and b
//! are S_a · (I_c Ṡ_b + B_c S_b) and Ṡ_a · I_c S_b + S_a · B_cᵀ S_b, where Ṡ = v × S + S̊.
//!
//! Source: the recursion of Echeandia and Wensing, Numerical Methods to Compute the Coriolis Matrix
//! and Christoffel Symbols for Rigid-Body Systems (2021), algorithm 1; B as above follows from the
//! three conditions by inspection of the moments.

use crate::expr::{Matrix3, Vector3};
use crate::joint::Twist;

use super::mass_matrix::Square;
use super::mechanism::{Column, Mechanism};
use super::newton_euler::Wrench;

/// N and p of a body.
#[derive(Clone, Copy)]
struct Flow<'g> {
    moment: Matrix3<'g>,
    momentum: Vector3<'g>,
}

impl<'g> Flow<'g> {
    fn add(&mut self, part: &Self) {
        self.moment += part.moment;
        self.momentum += part.momentum;
    }

    /// B S.
    fn times(&self, twist: &Twist<'g>) -> Wrench<'g> {
        let (n, e) = (&self.moment, twist.angular);
        Wrench { moment: e * n.trace() - *n * e, force: e.cross(self.momentum) }
    }

    /// The moment of Bᵀ S, whose force is zero.
    fn transposed_times(&self, twist: &Twist<'g>) -> Vector3<'g> {
        let (n, e) = (&self.moment, twist.angular);
        e * n.trace() - n.transpose() * e + self.momentum.cross(twist.linear)
    }
}

/// What one column carries inwards: I Ṡ + B S, I S and Bᵀ S.
#[derive(Clone, Copy)]
struct Carried<'g> {
    drive: Wrench<'g>,
    momentum: Wrench<'g>,
    transposed: Wrench<'g>,
}

impl<'g> Mechanism<'g> {
    /// C.
    pub fn coriolis_matrix(&self) -> Square<'g> {
        let (composites, flows, rates) = (self.composites(), self.flows(), self.column_rates());
        let zero = Vector3::zero(self.graph);
        let mut matrix = vec![vec![self.graph.zero(); self.nv()]; self.nv()];
        for k in (0..self.bodies.len()).rev() {
            let (composite, flow) = (&composites[k], &flows[k]);
            for (column, rate) in self.bodies[k].columns.iter().zip(&rates[k]) {
                let mut drive = composite.momentum(rate);
                drive.add(flow.times(&column.twist));
                let transposed = flow.transposed_times(&column.twist);
                let carried = Carried {
                    drive,
                    momentum: composite.momentum(&column.twist),
                    transposed: Wrench { force: zero, moment: transposed },
                };
                self.project_column(k, column, carried, &rates, &mut matrix);
            }
        }
        matrix
    }

    /// Adds the entries of one column of body `k` with the columns of the body and of all that it
    /// hangs on.
    fn project_column(
        &self,
        k: usize,
        column: &Column<'g>,
        mut carried: Carried<'g>,
        rates: &[Vec<Twist<'g>>],
        matrix: &mut Square<'g>,
    ) {
        for other in &self.bodies[k].columns {
            matrix[other.dof][column.dof] += carried.drive.power(&other.twist);
        }
        let mut inner = k;
        for outer in self.path(self.bodies[k].parent) {
            carried = carried.inwards(&self.bodies[inner]);
            for (other, rate) in self.bodies[outer].columns.iter().zip(&rates[outer]) {
                matrix[other.dof][column.dof] += carried.drive.power(&other.twist);
                matrix[column.dof][other.dof] +=
                    carried.momentum.power(rate) + carried.transposed.power(&other.twist);
            }
            inner = outer;
        }
    }

    /// Ṡ of every column of every body.
    fn column_rates(&self) -> Vec<Vec<Twist<'g>>> {
        let velocity = self.velocities();
        let rate = |v: &Twist<'g>, column: &Column<'g>| {
            let Twist { angular: e, linear: s } = column.twist;
            Twist {
                angular: v.angular.cross(e) + column.rate.angular,
                linear: v.angular.cross(s) + v.linear.cross(e) + column.rate.linear,
            }
        };
        let of_body = |(body, v): (&super::mechanism::Body<'g>, &Twist<'g>)| {
            body.columns.iter().map(|column| rate(v, column)).collect()
        };
        self.bodies.iter().zip(&velocity).map(of_body).collect()
    }

    /// N and p of each body together with all that hangs on it.
    fn flows(&self) -> Vec<Flow<'g>> {
        let velocity = self.velocities();
        let mut flows: Vec<Flow<'g>> = Vec::new();
        for (body, v) in self.bodies.iter().zip(&velocity) {
            let (m, h, s) = (body.moments.mass, body.moments.first, body.moments.second);
            flows.push(Flow {
                moment: v.angular.skew() * s + v.linear.outer(h),
                momentum: v.linear * m + v.angular.cross(h),
            });
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let momentum = body.rotation.times(flows[k].momentum);
                let turned = body.rotation.conjugate(flows[k].moment);
                let moment = turned + momentum.outer(body.position);
                flows[parent].add(&Flow { moment, momentum });
            }
        }
        flows
    }
}

impl<'g> Carried<'g> {
    fn inwards(&self, body: &super::mechanism::Body<'g>) -> Self {
        Self {
            drive: self.drive.inwards(body),
            momentum: self.momentum.inwards(body),
            transposed: self.transposed.inwards(body),
        }
    }
}
