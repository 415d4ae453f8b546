//! Each output is written once, however its lanes lie.

use super::super::{Lengths, Writer};
use crate::derive::symbols;
use crate::emit::parts::{Cut, Parts};
use crate::emit::program::Program;
use crate::expr::{Expr, Graph};

const WHOLE: Cut = Cut { whole: 1000, part: 1000 };

/// The outputs that a line of a kernel writes.
fn written(line: &str) -> Vec<usize> {
    let numbers = |text: &str| -> Vec<usize> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
    };
    if let Some((_, places)) = line.split_once(", o, &") {
        return numbers(places);
    }
    if let Some((put, place)) = line.split_once(", o, ") {
        let lanes = if put.starts_with("put4") { 4 } else { 2 };
        return numbers(place).first().map_or(vec![], |&first| (first..first + lanes).collect());
    }
    line.strip_prefix("o[").map_or(vec![], |place| numbers(place)[..1].to_vec())
}

/// A kernel's text, once it is seen that each output is written once, and how many stores that takes.
fn check<'g>(graph: &'g Graph, outputs: &[Expr<'g>], cut: Cut) -> (String, usize) {
    let program = Program::new(graph, outputs, &[]);
    let parts = Parts::new(&program, cut);
    let lengths = Lengths { fields: 64, q: 64, v: 64, holds: 0, asked: 0 };
    let part = |k| Writer::new(&program, &parts).part(k, lengths);
    let text: String = (0..parts.all.len()).map(part).collect();
    let stores: Vec<_> = text.lines().map(written).filter(|places| !places.is_empty()).collect();
    let mut all: Vec<usize> = stores.iter().flatten().copied().collect();
    all.sort_unstable();
    assert_eq!(all, (0..outputs.len()).collect::<Vec<_>>(), "{text}");
    (text, stores.len())
}

/// Values of so many lanes, none of which is of the others.
fn values(graph: &Graph, lanes: usize, count: usize) -> Vec<Expr<'_>> {
    let symbol = |set, k| graph.symbol(set, k);
    let value = |n: usize| {
        let pack = |set| (0..lanes).map(|k| symbol(set, lanes * n + k)).collect::<Vec<_>>();
        let (q, v) = (graph.pack(&pack(symbols::Q)), graph.pack(&pack(symbols::V)));
        q * v + q
    };
    (0..count).map(value).collect()
}

fn lanes(value: Expr<'_>, order: impl IntoIterator<Item = usize>) -> Vec<Expr<'_>> {
    order.into_iter().map(|k| value.lane(k)).collect()
}

#[test]
fn rows_are_one_store() {
    let graph = Graph::new();
    let [a, b] = values(&graph, 4, 2)[..] else { panic!() };
    let outputs = [lanes(a, 0..4), lanes(b, 0..4), lanes(-a, 0..4)].concat();
    assert_eq!(check(&graph, &outputs, WHOLE).1, 3);
    let [a, b] = values(&graph, 2, 2)[..] else { panic!() };
    assert_eq!(check(&graph, &[lanes(b, 0..2), lanes(a, 0..2)].concat(), WHOLE).1, 2);
}

#[test]
fn lanes_in_any_order() {
    let graph = Graph::new();
    let [a, b, c] = values(&graph, 4, 3)[..] else { panic!() };
    // Joint by joint of four limbs: as many stores as registers.
    let joints: Vec<_> = (0..4).flat_map(|k| [a.lane(k), b.lane(k), c.lane(k)]).collect();
    assert_eq!(check(&graph, &joints, WHOLE).1, 3);
    // Once as a row and once the other way round; a lane twice; a part of the lanes; with others between.
    let both = [lanes(a, 0..4), lanes(a, (0..4).rev())].concat();
    assert_eq!(check(&graph, &both, WHOLE).1, 2);
    check(&graph, &lanes(a, [0, 0, 1, 1, 2, 3, 3]), WHOLE);
    check(&graph, &lanes(-a, [1, 0, 3, 2]), WHOLE);
    check(&graph, &lanes(a, [2, 3]), WHOLE);
    let mixed = [a.lane(1), graph.zero(), a.lane(0), graph.symbol(symbols::Q, 0), b.lane(3)];
    check(&graph, &mixed, WHOLE);
}

#[test]
fn lanes_of_many_values() {
    let graph = Graph::new();
    let all = values(&graph, 4, 14);
    for count in [12, 13, 14] {
        let outputs: Vec<_> =
            (0..4).flat_map(|k| all[..count].iter().map(move |x| x.lane(k))).collect();
        check(&graph, &outputs, WHOLE);
    }
}

#[test]
fn lanes_of_kernels_in_parts() {
    let graph = Graph::new();
    let values = values(&graph, 4, 6);
    let sums: Vec<_> = values.windows(2).map(|pair| pair[0] * pair[1]).collect();
    let rows = sums.iter().flat_map(|x| lanes(*x, 0..4));
    let outputs: Vec<_> = rows.chain(values.iter().flat_map(|x| lanes(*x, [3, 1, 0, 2]))).collect();
    let (text, _) = check(&graph, &outputs, Cut { whole: 4, part: 3 });
    assert!(text.contains("write4(") && text.contains("pack4(w4["), "{text}");
}

#[test]
fn sines_of_many_angles_take_several_calls() {
    let graph = Graph::new();
    for (angles, calls) in [(12, vec![12]), (13, vec![12, 1]), (28, vec![12, 12, 4])] {
        let turned = (0..angles).map(|k| graph.symbol(symbols::Q, k));
        let both: Vec<_> = turned.flat_map(|angle| [angle.sin(), angle.cos()]).collect();
        let (text, _) = check(&graph, &both, WHOLE);
        let arguments =
            |line: &str| line.contains("A::sin_cos").then(|| line.matches("q[").count());
        assert_eq!(text.lines().filter_map(arguments).collect::<Vec<_>>(), calls, "{text}");
        // The last angle is found by the last call.
        let (last, place) = (calls.len() - 1, calls[calls.len() - 1] - 1);
        for (name, output) in [("s", 2 * angles - 2), ("c", 2 * angles - 1)] {
            let line = format!("o[{output}] = {name}0_{last}[{place}];");
            assert!(text.contains(&line), "{line}\n{text}");
        }
    }
}

#[test]
fn sines_of_kernels_in_parts() {
    let graph = Graph::new();
    let values = values(&graph, 1, 13);
    let turned = values.iter().enumerate().map(|(k, x)| graph.symbol(symbols::A, k).sin() * *x);
    let (text, _) = check(&graph, &turned.collect::<Vec<_>>(), Cut { whole: 4, part: 3 });
    assert!(text.contains("w[") && text.contains("] = s0_1[0];"), "{text}");
}
