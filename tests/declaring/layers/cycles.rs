//! Cycles of imports between the modules of a folder.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Package, Steps};

/// The imports between the modules of a folder.
pub(super) type Edges = BTreeSet<(String, String)>;

/// The imports between modules that stand side by side, by their folder.
pub(super) fn beside(package: &Package) -> BTreeMap<Steps, Edges> {
    let mut folders: BTreeMap<Steps, Edges> = BTreeMap::new();
    for way in package.ways() {
        if let Some((folder, from, to)) = package.beside(&way) {
            folders.entry(folder).or_default().insert((from, to));
        }
    }
    folders
}

/// A shortest cycle of imports, from a module back to itself.
pub(super) fn cycle(edges: &Edges) -> Option<Vec<String>> {
    let cycles = edges.iter().filter_map(|(from, to)| {
        let mut cycle = way(edges, to, from)?;
        cycle.insert(0, from.clone());
        Some(cycle)
    });
    cycles.min_by_key(Vec::len)
}

/// A shortest way from one module to another one.
pub(super) fn way(edges: &Edges, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_owned()]];
    let mut seen = BTreeSet::from([from.to_owned()]);
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let last = &way[way.len() - 1];
            if last == to {
                return Some(way);
            }
            for (_, next) in edges.iter().filter(|(from, _)| from == last) {
                if seen.insert(next.clone()) {
                    longer.push(way.iter().chain([next]).cloned().collect());
                }
            }
        }
        ways = longer;
    }
    None
}

#[test]
fn cycles_of_any_length_are_found() {
    let edges = |pairs: &[(&str, &str)]| -> Edges {
        let pairs = pairs.iter().copied();
        pairs.map(|(from, to)| (from.into(), to.into())).collect()
    };
    assert_eq!(cycle(&edges(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let pair = edges(&[("a", "b"), ("b", "a"), ("b", "c")]);
    assert_eq!(cycle(&pair).expect("is one"), ["a", "b", "a"]);
    let three = edges(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]);
    assert_eq!(cycle(&three).expect("is one"), ["b", "c", "d", "b"]);
}
