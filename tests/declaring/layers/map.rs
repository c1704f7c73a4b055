//! What ARCHITECTURE.md says of packages and their layers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The layers of a package: the number of each module's, counted from the top.
pub(super) type Layers = BTreeMap<String, usize>;

/// The folders of the packages that have a library: the rows of the table of packages.
pub(crate) fn packages() -> Vec<String> {
    let text = text();
    let (_, section) = text.split_once("## Packages").expect("it has packages");
    let folders = rows(section).filter_map(|row| {
        let folder = names(row, 1).next()?.trim_end_matches('/').to_owned();
        has_library(&root().join(&folder)).then_some(folder)
    });
    let folders: Vec<_> = folders.collect();
    assert!(folders.len() > 5, "{folders:?}");
    folders
}

/// The layers of the packages that have some, by the folder that the heading names.
pub(super) fn layers() -> BTreeMap<String, Layers> {
    let text = text();
    let sections = text.split("\n## ").filter_map(|section| {
        let (heading, section) = section.split_once('\n')?;
        let heading = heading.strip_suffix(", from the top")?;
        let folder = heading.split('`').nth(1);
        let folder = folder.unwrap_or_else(|| panic!("`{heading}` names its folder in backquotes"));
        let layers = (0..).zip(rows(section)).flat_map(|(layer, row)| {
            let modules = names(row, 2).map(|module| module.trim_end_matches("/*").to_owned());
            modules.map(move |module| (module, layer))
        });
        let layers: Layers = layers.collect();
        assert!(layers.len() > 3, "{heading} has layers");
        Some((folder.trim_end_matches('/').to_owned(), layers))
    });
    sections.collect()
}

/// The folders of the packages with a library that are there, apart from those of tests.
fn found() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for parent in ["", "integrations"] {
        for entry in fs::read_dir(root().join(parent)).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if has_library(&path) {
                let folder = path.strip_prefix(root()).expect("it is below");
                found.insert(folder.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

#[test]
fn every_package_is_on_the_map() {
    let listed: BTreeSet<_> = packages().into_iter().collect();
    assert_eq!(listed, found());
    for folder in layers().keys() {
        assert!(
            listed.contains(folder),
            "`{folder}` has layers and is no package"
        );
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn has_library(folder: &Path) -> bool {
    folder.join("Cargo.toml").exists() && folder.join("src/lib.rs").exists()
}

fn text() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map is there")
}

/// The rows of the first table of a section.
fn rows(section: &str) -> impl Iterator<Item = &str> {
    let lines = section.lines();
    let rows = lines.skip_while(|line| !line.starts_with("| ---")).skip(1);
    rows.take_while(|line| line.starts_with('|'))
}

/// What stands in backquotes in a cell of a row.
fn names(row: &str, cell: usize) -> impl Iterator<Item = &str> {
    let cell = row.split('|').nth(cell).expect("it has the cell");
    cell.split('`').skip(1).step_by(2)
}
