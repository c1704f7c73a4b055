//! The facade: few names at its root, and one path for each name.

use std::{collections::BTreeMap, fs, path::Path};

use super::imports::used;

/// The most names at the root. The others are in the module where a reader looks for them.
const MOST_AT_THE_ROOT: usize = 30;

#[test]
fn the_facade_exports_no_name_twice() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let module = path.file_stem().expect("it has a name").to_string_lossy();
        if path.extension().is_none_or(|kind| kind != "rs") || module == "macros" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it can be read");
        let public = text.split("pub mod __private").next().unwrap_or_default();
        for import in used(&without_comments(public)) {
            let name = import.last().expect("a path has a name").clone();
            places.entry(name).or_default().push(module.to_string());
        }
    }
    assert!(places.len() > 100, "only {} names were found", places.len());

    // A trait and the macro that derives it have one name, and `Part` is a part of a message or of a type.
    let twice = places.iter().filter(|(name, modules)| {
        modules.len() > 1 && !matches!(name.as_str(), "Tool" | "ToolInput" | "Part")
    });
    assert_eq!(twice.collect::<Vec<_>>(), []);

    let at_the_root = places.iter().filter(|(name, modules)| {
        modules.iter().any(|module| module == "lib") && name.starts_with(char::is_uppercase)
    });
    let at_the_root: Vec<_> = at_the_root.map(|(name, _)| name).collect();
    assert!(
        at_the_root.len() <= MOST_AT_THE_ROOT,
        "{} names are at the root: {at_the_root:?}",
        at_the_root.len()
    );
}

fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.flat_map(|line| [line, "\n"]).collect()
}
