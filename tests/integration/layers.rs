//! The layers of ARCHITECTURE.md are those of the code: nothing is imported upwards, and modules of one
//! folder do not import each other, apart from the few that are listed with a reason.

mod facade;
mod imports;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use imports::Package;

/// Modules of one folder that import each other, and why they may.
const MUTUAL: [(&str, &str, &str); 7] = [
    (
        "runtime::arguments::explain::expectation",
        "fault",
        "a fault holds what was expected, whose words quote what came",
    ),
    (
        "runtime::dispatch::attempt::execute",
        "offload",
        "work that is moved elsewhere executes its layers there",
    ),
    (
        "runtime::schema::const_check",
        "constraint",
        "the numbers of a type hold those of its constraints, which are checked like it",
    ),
    (
        "runtime::schema::const_check",
        "untagged",
        "the numbers of a type hold those of its variants, which are checked like it",
    ),
    (
        "providers::profile::render::merge",
        "union",
        "a union is merged by its variants, and a variant may be one of `allOf`",
    ),
    (
        "providers::provider::openai_responses::reply::items::same",
        "whole",
        "the items are one type in several files",
    ),
    (
        "tool-macros::expand::describe::flatten",
        "object",
        "a flattened object is an object",
    ),
];

#[test]
fn nothing_is_imported_upwards() {
    let mut wrong = Vec::new();
    for (folder, heading, least) in [
        ("runtime", "## The runtime, from the top", 300),
        ("providers", "## The providers, from the top", 300),
        ("emulation", "## The emulation, from the top", 50),
        ("streams", "## The streams, from the top", 20),
        (
            "integrations/postgres",
            "## The store in PostgreSQL, from the top",
            20,
        ),
        ("integrations/server", "## The server, from the top", 20),
        (
            "integrations/sqlite",
            "## The store in SQLite, from the top",
            20,
        ),
    ] {
        let layers = layers(heading);
        let ways = package(folder).ways();
        assert!(
            ways.len() > least,
            "{folder} has only {} imports",
            ways.len()
        );
        for way in ways {
            let (from, to) = (&way.from[0], &way.to[0]);
            let (Some(above), Some(below)) = (layers.get(from), layers.get(to)) else {
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
fn modules_of_a_folder_do_not_import_each_other() {
    let mut found = BTreeSet::new();
    for folder in [
        "json",
        "runtime",
        "providers",
        "emulation",
        "streams",
        "integrations/postgres",
        "integrations/server",
        "integrations/sqlite",
        "integrations/store-tests",
        "tool-macros",
    ] {
        let package = package(folder);
        let beside: BTreeSet<_> = package
            .ways()
            .iter()
            .filter_map(|way| package.beside(way))
            .collect();
        for (folder_of, one, other) in &beside {
            if one < other && beside.contains(&(folder_of.clone(), other.clone(), one.clone())) {
                let mut place = vec![folder.to_owned()];
                place.extend(folder_of.iter().cloned());
                place.push(one.clone());
                found.insert((place.join("::"), other.clone()));
            }
        }
    }
    let listed: BTreeSet<_> = MUTUAL
        .iter()
        .map(|(one, other, _)| ((*one).to_owned(), (*other).to_owned()))
        .collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(new.is_empty(), "these import each other: {new:#?}");
    assert!(gone.is_empty(), "take these out of the list: {gone:#?}");
}

fn package(folder: &str) -> Package {
    Package::read(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(folder)
            .join("src"),
    )
}

/// The layer of each module, counted from the top: the rows of a table of ARCHITECTURE.md.
fn layers(heading: &str) -> BTreeMap<String, usize> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = fs::read_to_string(path).expect("the map is there");
    let (_, section) = text.split_once(heading).expect("it has this section");
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with("| ---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let mut layers = BTreeMap::new();
    for (layer, row) in rows.enumerate() {
        let modules = row
            .split('|')
            .nth(2)
            .expect("the second cell has the modules");
        for module in modules.split('`').skip(1).step_by(2) {
            let module = module.trim_end_matches("/*");
            layers.insert(module.to_owned(), layer);
        }
    }
    assert!(layers.len() > 3, "{heading} has layers");
    layers
}
