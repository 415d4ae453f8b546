//! An order of elimination in which little is filled in.
//!
//! # Source
//!
//! Tinney, Walker: Direct Solutions of Sparse Network Equations by Optimally Ordered Triangular Factorization (1967), scheme 2.

use alloc::vec::Vec;

/// What each node is coupled to when it is eliminated, in an order of least such size.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Of each node, when it is eliminated.
    pub(super) position: Vec<usize>,
    /// Of each position, the later ones that are coupled to it then, ascending.
    pub(super) later: Vec<Vec<usize>>,
}

impl Order {
    /// Of `count` nodes with these edges, each once, of which the sizes are those of the nodes.
    pub(super) fn new(sizes: &[usize], edges: &[(usize, usize)]) -> Self {
        let count = sizes.len();
        let mut near: Vec<Vec<usize>> = alloc::vec![Vec::new(); count];
        for &(a, b) in edges {
            near[a].push(b);
            near[b].push(a);
        }
        near.iter_mut().for_each(|near| near.sort_unstable());
        let degree = |near: &[usize]| near.iter().map(|&k| sizes[k]).sum::<usize>();
        let mut degrees: Vec<usize> = near.iter().map(|near| degree(near)).collect();
        let mut position = alloc::vec![usize::MAX; count];
        let (mut eliminated, mut merged) = (Vec::with_capacity(count), Vec::new());
        for at in 0..count {
            let left = (0..count).filter(|&k| position[k] == usize::MAX);
            let Some(next) = left.min_by_key(|&k| degrees[k]) else { break };
            position[next] = at;
            eliminated.push(next);
            // What it was coupled to is coupled to each other now.
            let coupled = core::mem::take(&mut near[next]);
            for &k in &coupled {
                union(&near[k], &coupled, |other| other != k && other != next, &mut merged);
                core::mem::swap(&mut near[k], &mut merged);
                degrees[k] = degree(&near[k]);
            }
            near[next] = coupled;
        }
        let mut later: Vec<Vec<usize>> = eliminated
            .iter()
            .map(|&node| near[node].iter().map(|&k| position[k]).collect())
            .collect();
        later.iter_mut().for_each(|later| later.sort_unstable());
        Self { position, later }
    }
}

/// Those of two ascending lists that are `kept`, each once and ascending.
fn union(a: &[usize], b: &[usize], kept: impl Fn(usize) -> bool, to: &mut Vec<usize>) {
    to.clear();
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(&x), Some(&y)) if x == y => {
                b.next();
                a.next()
            }
            (Some(x), Some(y)) if x > y => b.next(),
            (None, Some(_)) => b.next(),
            (Some(_), _) => a.next(),
        };
        to.extend(next.filter(|&k| kept(k)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a path and of a star nothing is filled in.
    #[test]
    fn trees_fill_nothing_in() {
        let path: Vec<_> = (0..9).map(|k| (k, k + 1)).collect();
        let star: Vec<_> = (1..10).map(|k| (0, k)).collect();
        for edges in [path, star] {
            let order = Order::new(&[6; 10], &edges);
            assert_eq!(order.later.iter().map(Vec::len).sum::<usize>(), edges.len());
        }
    }

    /// What is coupled when a node is eliminated is coupled afterwards.
    #[test]
    fn patterns_are_closed_under_elimination() {
        let edges: Vec<_> =
            (0..20).flat_map(|a| [(a, (a * 7 + 3) % 23), (a, 20 + a % 5)]).collect();
        let mut edges: Vec<_> =
            edges.into_iter().filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        edges.dedup();
        let order = Order::new(&[6; 25], &edges);
        let has = |a: usize, b: usize| order.later[a.min(b)].contains(&a.max(b));
        for &(a, b) in &edges {
            assert!(has(order.position[a], order.position[b]));
        }
        for later in &order.later {
            for (k, &a) in later.iter().enumerate() {
                assert!(later[k + 1..].iter().all(|&b| has(a, b)));
            }
        }
    }
}
