//! Problems whose impulses, or whose least motions, rounding decides on.

use alloc::vec::Vec;

use super::*;
use crate::slices::{columns, combine, largest};

const INF: f64 = f64::INFINITY;
/// A of a contact and a joint that rubs, which one coordinate moves: of rank one but for rounding.
const JAMMED: [f64; 16] = [
    0.030398021104458404,
    -0.024446830476738325,
    0.031270168738377416,
    0.0012002858735251697,
    -0.024446830476738336,
    0.01966073772712549,
    -0.025148232889870392,
    -0.0009652991940777982,
    0.031270168738377416,
    -0.025148232889870392,
    0.032167339102978074,
    0.0012347231969621637,
    0.0012002858735251747,
    -0.0009652991940778021,
    0.0012347231969621693,
    4.739407783281254e-05,
];

/// A problem with the blocks, all with four directions.
fn problem(blocks: &[Block], a: &[f64], b: &[f64]) -> Problem {
    let mut problem = Problem::default();
    problem.a = a.to_vec();
    let mut first = 0;
    for block in blocks {
        match block {
            Block::Row { .. } => problem.push(*block, 4, [b[first]], [0.0; 2]),
            _ => problem.push(*block, 4, [0, 1, 2].map(|k| b[first + k]), [0.0; 2]),
        }
        if block.rows() == 4 {
            problem.push_beside(b[first + 3]);
        }
        first += block.rows();
    }
    problem
}

/// Λ and w.
fn solved(
    solvers: &mut Solvers,
    formulation: Formulation,
    problem: &Problem,
    start: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let mut impulses = start.to_vec();
    let solved = solvers.solve(&formulation, problem, &mut impulses);
    assert!(solved.is_ok(), "{solved:?}");
    let mut w = problem.b.clone();
    combine(&mut w, impulses.iter().copied().zip(columns(&problem.a, impulses.len())));
    (impulses, w)
}

fn row(most: f64) -> Block {
    Block::Row { lower: -most, upper: most }
}

fn contact(friction: f64, torsion: Option<f64>) -> Block {
    Block::Contact { friction, torsion }
}

/// Nothing moves, by impulses of the size that b asks for. Such of any size would do, and those that differ by what moves
/// nothing make w of the rounding of A.
fn assert_held((impulses, w): &(Vec<f64>, Vec<f64>), motion: f64) {
    assert!(largest(w) < motion && largest(impulses) < 1.0, "{impulses:?} {w:?}");
}

#[test]
fn what_is_jammed_is_held_by_small_impulses() {
    let blocks = [contact(1.0, None), row(0.005)];
    let of_polygon = problem(
        &blocks,
        &JAMMED,
        &[
            -0.00039173251563507223,
            0.0003150408498307683,
            -0.000402971687365794,
            -1.5467816622077163e-05,
        ],
    );
    for formulation in [Formulation::anitescu_potra(), Formulation::anitescu()] {
        let found = solved(&mut Solvers::default(), formulation, &of_polygon, &[0.0; 4]);
        assert_held(&found, 1e-12);
    }
    let of_cone = problem(
        &[contact(1.0, Some(0.02)), row(1e-4), row(1e-4)],
        &[
            0.5937442867450063,
            0.45217116177008954,
            -0.4347666690722608,
            0.1988379396380033,
            1.262105996655668,
            -0.022437973286394193,
            0.4521711617700896,
            0.34435490850343264,
            -0.3311003646553734,
            0.15142677441660968,
            0.9611678756748726,
            -0.01708783507508923,
            -0.4347666690722608,
            -0.3311003646553734,
            0.3183560006487566,
            -0.1455982156485702,
            -0.9241716214067228,
            0.016430108254073216,
            0.19883793963800328,
            0.15142677441660968,
            -0.14559821564857017,
            0.06658847440239181,
            0.4226643718216667,
            -0.007514211888046777,
            1.262105996655668,
            0.9611678756748726,
            -0.9241716214067228,
            0.4226643718216667,
            2.6828242096050685,
            -0.04769578633389013,
            -0.022437973286394193,
            -0.01708783507508923,
            0.016430108254073216,
            -0.007514211888046777,
            -0.04769578633389012,
            0.0008479452458583788,
        ],
        &[
            -0.002062777324106314,
            -0.001570926137825042,
            0.0015104597155619652,
            -0.000690799730283581,
            -0.00438478935994964,
            7.795366363463375e-05,
        ],
    );
    let start = [
        0.10190179934308352,
        -0.09638253492262261,
        0.03308147020988469,
        -0.0019218838746652125,
        -7.670576838542402e-05,
        -0.0001,
    ];
    for start in [[0.0; 6], start] {
        let found = solved(&mut Solvers::default(), Formulation::coulomb(), &of_cone, &start);
        assert_held(&found, 1e-12);
    }
    let sticking = problem(
        &[contact(INF, None), row(1e-4)],
        &[
            0.060911298628082595,
            -0.05167484921673733,
            0.0920237136875901,
            -0.04415468326070788,
            -0.05167484921673733,
            0.04383899377810057,
            -0.07806944912151377,
            0.037459168513900715,
            0.09202371368759013,
            -0.07806944912151378,
            0.13902780061483203,
            -0.06670811527364598,
            -0.04415468326070788,
            0.037459168513900715,
            -0.06670811527364598,
            0.0320077899792892,
        ],
        &[
            -0.0005844861990768221,
            0.0004958560546687034,
            -0.0008830314133807672,
            0.0004236948137778101,
        ],
    );
    let found = solved(&mut Solvers::default(), Formulation::sticking(), &sticking, &[0.0; 4]);
    // What is left of b along what moves nothing.
    assert_held(&found, 3e-11);
}

/// A row that gives way much is one of small numbers in balanced units: the basis of the last step has its impulse of the
/// other sign.
#[test]
fn a_soft_row_is_solved_to_its_own_numbers() {
    let mut solvers = Solvers::default();
    for b in [-3.3e-7, -3.09e-7] {
        let a = [1e4 + 5e-3, 0.0325, 0.0325, 0.199];
        let problem = problem(&[row(INF), row(1e-5)], &a, &[b, -1.05]);
        let formulation = Formulation::stewart_trinkle();
        let (impulses, w) = solved(&mut solvers, formulation, &problem, &[0.0; 2]);
        assert!(w[0].abs() < 1e-15 && impulses[1] == 1e-5, "{impulses:?} {w:?}");
    }
}

/// A joint that nothing moves but by rounding keeps to its dry friction.
#[test]
fn what_does_not_move_is_within_its_bounds() {
    let most = 1e-3;
    let mut blocks = [row(most); 6];
    blocks[5] = Block::Row { lower: 0.0, upper: INF };
    let problem = problem(
        &blocks,
        &[
            2.903774637184784e-18,
            1.568507364646781e-17,
            -6.447592247803806e-18,
            -2.7632750201603058e-17,
            -3.74233473953569e-17,
            -6.447592247803806e-18,
            7.913073095188486e-17,
            -8.132313160545407e-17,
            1.6717357329094154e-16,
            -1.7187204860476054e-17,
            -2.3690834107074555e-17,
            1.6717357329094154e-16,
            -6.447592247803806e-18,
            1.6717357329094154e-16,
            3.2840830986258176,
            1.640133268308412e-17,
            2.2365574528692527e-17,
            3.2840830986258176,
            -2.7632750201603058e-17,
            -1.7187204860476054e-17,
            9.990527362093189e-18,
            1.0443638726754965,
            3.18256194122073e-17,
            9.990527362093189e-18,
            -3.74233473953569e-17,
            -2.3690834107074555e-17,
            -1.6699025772362915e-16,
            2.5039289394199784e-17,
            -1.9090535437095564e-16,
            -1.6699025772362915e-16,
            -6.447592247803806e-18,
            1.6717357329094154e-16,
            3.2840830986258176,
            1.640133268308412e-17,
            2.2365574528692527e-17,
            3.2840830986258176,
        ],
        &[
            -1.4693107841523556e-15,
            1.573394192710964e-15,
            -0.010642973581793997,
            -0.2664475065016865,
            1.2490009027033011e-15,
            -0.010642973581793997,
        ],
    );
    let formulation = Formulation::stewart_trinkle();
    let (impulses, _) = solved(&mut Solvers::default(), formulation, &problem, &[0.0; 6]);
    assert!(impulses[..5].iter().all(|x| x.abs() <= most), "{impulses:?}");
}
