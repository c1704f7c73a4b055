//! The layers of ARCHITECTURE.md are those of the code: nothing is imported upwards, the modules of a folder import each
//! other in no circle, and an `impl` stands with its type or its trait. What differs is in `exceptions`, with a reason.

mod cycles;
mod exceptions;
mod facade;
mod homes;
mod imports;
pub(super) mod map;
mod seam;

use std::collections::{BTreeMap, BTreeSet};

use cycles::Edges;
use exceptions::{AWAY, BACK};
use imports::Package;

#[test]
fn nothing_is_imported_upwards() {
    let mut wrong = Vec::new();
    let packages = map::layers();
    assert!(packages.len() > 5, "the map has layers");
    for (folder, layers) in packages {
        let ways = package(&folder).ways();
        assert!(ways.len() > 20, "{folder} has only {} imports", ways.len());
        for way in ways {
            let (from, to) = (&way.from[0], &way.to[0]);
            // A module that no row names is of the layer of the module around it.
            let layer = |steps: &[String]| {
                let mut around = (1..=steps.len()).rev().map(|of| steps[..of].join("::"));
                around.find_map(|module| layers.get(&module))
            };
            let (Some(above), Some(below)) = (layer(&way.from), layer(&way.to)) else {
                if from != to
                    && from != "__private"
                    && from != "testing"
                    && to != "assert_prompt_lock"
                {
                    wrong.push(format!("{folder}: {way} stands in no layer"));
                }
                continue;
            };
            if below < above {
                wrong.push(format!("{folder}: {way}"));
            }
        }
    }
    assert!(wrong.is_empty(), "upwards:\n{}", wrong.join("\n"));
}

#[test]
fn modules_of_a_folder_import_each_other_in_no_circle() {
    let mut allowed: BTreeMap<&str, Edges> = BTreeMap::new();
    for (folder, from, to, _) in BACK {
        let edge = ((*from).to_owned(), (*to).to_owned());
        allowed.entry(folder).or_default().insert(edge);
    }
    let (mut circles, mut unused) = (Vec::new(), Vec::new());
    for folder in map::packages() {
        let package = package(&folder);
        for (inside, edges) in cycles::beside(&package) {
            let place = place(&folder, &inside);
            let back = allowed.remove(place.as_str()).unwrap_or_default();
            let rest: Edges = edges.difference(&back).cloned().collect();
            if let Some(cycle) = cycles::cycle(&rest) {
                circles.push(format!("{place}: {}", cycle.join(" -> ")));
                for pair in cycle.windows(2) {
                    let edge = Some((inside.clone(), pair[0].clone(), pair[1].clone()));
                    let ways = package.ways().into_iter();
                    let ways = ways.filter(|way| package.beside(way) == edge);
                    circles.extend(ways.map(|way| format!("    {way}")));
                }
            }
            for (from, to) in back {
                let closes = edges.contains(&(from.clone(), to.clone()))
                    && cycles::way(&rest, &to, &from).is_some();
                if !closes {
                    unused.push(format!("{place}: {from} -> {to}"));
                }
            }
        }
    }
    let gone = allowed.keys().map(|place| (*place).to_owned());
    unused.extend(gone);
    assert!(circles.is_empty(), "in circles:\n{}", circles.join("\n"));
    assert!(unused.is_empty(), "close no circle:\n{}", unused.join("\n"));
}

#[test]
fn impls_stand_with_their_type_or_their_trait() {
    let mut found = BTreeSet::new();
    for folder in map::packages() {
        for away in homes::away(&package(&folder)) {
            found.insert((place(&folder, &away.module), away.of.join("::")));
        }
    }
    let listed: BTreeSet<_> = AWAY
        .iter()
        .map(|(module, of, _)| ((*module).to_owned(), (*of).to_owned()))
        .collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(new.is_empty(), "impls away from their type: {new:#?}");
    assert!(gone.is_empty(), "take these out of the list: {gone:#?}");
}

fn package(folder: &str) -> Package {
    Package::read(&map::root().join(folder).join("src"))
}

/// A module with its package in front.
fn place(folder: &str, module: &[String]) -> String {
    let steps = [folder]
        .into_iter()
        .chain(module.iter().map(String::as_str));
    steps.collect::<Vec<_>>().join("::")
}
