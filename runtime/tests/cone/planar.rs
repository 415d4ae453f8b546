//! Contacts in a plane: two rows, which are a contact in space whose other tangent stands still.

use jourdain::cone::{self, Block, Law, Matrix, Problem, Settings, Workspace};

use crate::numbers::Numbers;

/// Boxes, discs and rods in the plane that touch one another and the ground, with rows between bounds.
struct Case {
    /// Y, (n, 3 bodies), row by row.
    rows: Vec<f64>,
    b: Vec<f64>,
    blocks: Vec<Block>,
    width: usize,
}

impl Case {
    fn random(seed: u64, decades: f64) -> Self {
        let numbers = &mut Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
        (0..8).for_each(|_| _ = numbers.next());
        let bodies = 1 + numbers.below(5);
        let width = 3 * bodies;
        let roots: Vec<f64> = (0..bodies).map(|_| 10f64.powf(decades * numbers.next())).collect();
        let velocity: Vec<f64> = (0..width).map(|_| numbers.next()).collect();
        let mut case = Self { rows: Vec::new(), b: Vec::new(), blocks: Vec::new(), width };
        for _ in 0..1 + numbers.below(10) {
            let (body, other) = (numbers.below(bodies), numbers.below(bodies + 1));
            let angle = 3.2 * numbers.next();
            let (n, t) = ([angle.cos(), angle.sin()], [-angle.sin(), angle.cos()]);
            let places = [[numbers.next(), numbers.next()], [numbers.next(), numbers.next()]];
            let is_row = numbers.below(5) == 0;
            for d in if is_row { vec![n] } else { vec![n, t] } {
                let mut row = vec![0.0; width];
                for (sign, of, r) in [(1.0, body, places[0]), (-1.0, other, places[1])] {
                    if of < bodies && other != body {
                        let moment = 3.0 * (r[0] * d[1] - r[1] * d[0]);
                        for (k, x) in [d[0], d[1], moment].into_iter().enumerate() {
                            row[3 * of + k] += sign * roots[of] * x;
                        }
                    } else if of == body && sign > 0.0 {
                        let moment = 3.0 * (r[0] * d[1] - r[1] * d[0]);
                        for (k, x) in [d[0], d[1], moment].into_iter().enumerate() {
                            row[3 * of + k] += roots[of] * x;
                        }
                    }
                }
                case.b.push(row.iter().zip(&velocity).map(|(y, v)| y * v).sum());
                case.rows.extend(row);
            }
            case.blocks.push(match is_row {
                true => Block::Row { lower: -0.3, upper: 0.4 },
                false => Block::Planar { friction: [0.0, 0.3, 0.8, 2.0][numbers.below(4)] },
            });
        }
        case
    }

    /// The same as contacts in space: the other tangent moves a body of its own, which stands still.
    fn in_space(&self) -> Self {
        let planar = |block: &&Block| matches!(block, Block::Planar { .. });
        let width = self.width + self.blocks.iter().filter(planar).count();
        let mut space = Self { rows: Vec::new(), b: Vec::new(), blocks: Vec::new(), width };
        let (mut first, mut extra) = (0, self.width);
        for block in &self.blocks {
            for row in first..first + block.rows() {
                space.rows.extend(&self.rows[row * self.width..][..self.width]);
                space.rows.extend(std::iter::repeat_n(0.0, width - self.width));
                space.b.push(self.b[row]);
            }
            space.blocks.push(match *block {
                Block::Planar { friction } => {
                    let start = space.rows.len();
                    space.rows.resize(start + width, 0.0);
                    space.rows[start + extra] = 1.0;
                    space.b.push(0.0);
                    extra += 1;
                    Block::Contact { friction, torsion: None }
                }
                other => other,
            });
            first += block.rows();
        }
        space
    }

    fn matrix(&self) -> Vec<f64> {
        let row = |i: usize| &self.rows[i * self.width..][..self.width];
        let n = self.b.len();
        let entry = |k: usize| row(k % n).iter().zip(row(k / n)).map(|(x, y)| x * y).sum();
        (0..n * n).map(entry).collect()
    }
}

fn velocity(matrix: &[f64], b: &[f64], z: &[f64]) -> Vec<f64> {
    let n = b.len();
    (0..n).map(|i| b[i] + (0..n).map(|j| matrix[j * n + i] * z[j]).sum::<f64>()).collect()
}

/// Eight units of rounding of the largest sum in A λ.
fn rounding(matrix: &[f64], z: &[f64]) -> f64 {
    let n = z.len();
    let sum = |i: usize| (0..n).map(|j| (matrix[j * n + i] * z[j]).abs()).sum::<f64>();
    8.0 * f64::EPSILON * (0..n).map(sum).fold(0.0, f64::max)
}

/// Each law, dense and by factors: the residual is within the tolerance, and so is the law itself, row by row. Masses are
/// alike, or apart by six and eight orders of magnitude: what jams then has impulses of 10⁷ times those that stop it.
#[test]
fn random_problems_are_solved() {
    let mut workspace = Workspace::default();
    let mut unsolved = Vec::new();
    let mut stages = std::collections::BTreeMap::<String, usize>::new();
    let many = if cfg!(debug_assertions) { [60, 60, 20] } else { [3000, 10_000, 4000] };
    for (decades, many) in [0.0, 1.5, 2.0].into_iter().zip(many) {
        for seed in 0..many {
            let case = Case::random(seed, decades);
            let (dense, damping) = (case.matrix(), vec![0.0; case.b.len()]);
            let factor = Matrix::Factor { rows: &case.rows, damping: &damping };
            let largest = case.b.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            for law in [Law::Coulomb, Law::Convex] {
                for matrix in [Matrix::Delassus(&dense), factor] {
                    let problem = Problem { matrix, b: &case.b, blocks: &case.blocks, law };
                    let found = cone::solve(&problem, &Settings::default(), &mut workspace);
                    let solution = match found {
                        Ok(solution) => solution,
                        Err(error) => {
                            unsolved.push(format!("{seed} {decades} {law:?}: {error}"));
                            continue;
                        }
                    };
                    *stages.entry(format!("{law:?} {:?}", solution.status)).or_default() += 1;
                    assert_eq!(cone::residual(&problem, solution.z), solution.residual);
                    let most = (1e-9 * largest).max(rounding(&dense, solution.z));
                    assert!(solution.residual <= most, "{seed} {decades}: {solution:?}");
                    let w = velocity(&dense, &case.b, solution.z);
                    check(&case, law, &dense, solution.z, &w);
                }
            }
        }
    }
    println!("{stages:?}");
    assert!(unsolved.is_empty(), "{unsolved:?}");
}

fn check(case: &Case, law: Law, matrix: &[f64], z: &[f64], w: &[f64]) {
    let (mut first, n) = (0, z.len());
    for block in &case.blocks {
        if let Block::Planar { friction } = *block {
            // Velocities, and impulses by what they change of them.
            let s = 0.5 * (matrix[first * (n + 1)] + matrix[(first + 1) * (n + 1)]);
            let ([n, t], [open, slip]) =
                ([s * z[first], s * z[first + 1]], [w[first], w[first + 1]]);
            let size = 1e-7 * (1.0 + n.abs());
            assert!(n >= -size && t.abs() <= friction * n + size, "{n} {t}");
            let open = if law == Law::Convex { open - friction * slip.abs() } else { open };
            assert!(n.min(open).abs() <= size, "{n} {open}");
            let held = (t + friction * n * slip.signum()).abs();
            assert!(held.min(slip.abs()) <= size, "{t} {slip}");
        }
        first += block.rows();
    }
}

/// What moves is unique under the convex law: it is the same in space, whose other tangents stand still.
#[test]
fn they_are_contacts_in_space() {
    let (mut workspace, settings) = (Workspace::default(), Settings::default());
    for seed in 0..if cfg!(debug_assertions) { 60 } else { 2000 } {
        let case = Case::random(seed, 0.5);
        let space = case.in_space();
        let (a, b) = (case.matrix(), space.matrix());
        let law = Law::Convex;
        let planar =
            Problem { matrix: Matrix::Delassus(&a), b: &case.b, blocks: &case.blocks, law };
        let wide =
            Problem { matrix: Matrix::Delassus(&b), b: &space.b, blocks: &space.blocks, law };
        let z = cone::solve(&planar, &settings, &mut workspace).unwrap().z.to_vec();
        let other = cone::solve(&wide, &settings, &mut workspace).unwrap().z.to_vec();
        let (w, other) = (velocity(&a, &case.b, &z), velocity(&b, &space.b, &other));
        let (mut first, mut of_space) = (0, 0);
        for block in &case.blocks {
            for row in 0..block.rows() {
                let [x, y] = [w[first + row], other[of_space + row]];
                assert!((x - y).abs() < 1e-7, "{seed}: {x} {y}");
            }
            first += block.rows();
            of_space += if block.rows() == 2 { 3 } else { 1 };
        }
    }
}

/// A block of 2 kg in a plane, by hand.
#[test]
fn a_block_sticks_slides_and_opens() {
    let matrix = [0.5, 0.0, 0.0, 0.5];
    let (mut workspace, settings) = (Workspace::default(), Settings::default());
    for (b, law, z) in [
        ([-1.0, 0.4], Law::Coulomb, [2.0, -0.8]),
        ([-1.0, 0.4], Law::Convex, [2.0, -0.8]),
        ([-1.0, 3.0], Law::Coulomb, [2.0, -1.0]),
        ([-1.0, -3.0], Law::Coulomb, [2.0, 1.0]),
        // (1 + μ²) λₙ = 2 (1 + μ 3)
        ([-1.0, 3.0], Law::Convex, [4.0, -2.0]),
        ([1.0, 3.0], Law::Coulomb, [0.0, 0.0]),
    ] {
        let blocks = [Block::Planar { friction: 0.5 }];
        let problem = Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks: &blocks, law };
        let found = cone::solve(&problem, &settings, &mut workspace).unwrap();
        assert!(found.z.iter().zip(z).all(|(x, y)| (x - y).abs() < 1e-12), "{b:?}: {found:?}");
        assert!(cone::gap(&problem, found.z).abs() < 1e-12);
    }
}
