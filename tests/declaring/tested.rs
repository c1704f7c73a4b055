//! The numbers of TESTED.md are those of the folders and files that it tells of. Where `../shared` is absent, what stands
//! there is not compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn page() -> String {
    fs::read_to_string(root().join("TESTED.md")).expect("it is there")
}

/// The cells of the row that begins with a name.
fn row(page: &str, name: &str) -> Vec<String> {
    let start = format!("| {name} |");
    let row = page.lines().find(|line| line.starts_with(&start));
    let row = row.unwrap_or_else(|| panic!("TESTED.md has no row {name}"));
    let cells = row.trim_matches('|').split('|');
    cells.map(|cell| cell.trim().to_owned()).collect()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("is JSON"))
        .collect()
}

#[test]
fn the_recordings_are_those_of_the_page() {
    let records = lines(&root().join("../shared/wire/index.jsonl"));
    if records.is_empty() {
        return;
    }
    let page = page();
    let (mut conversations, mut protocols) = (BTreeSet::new(), BTreeMap::new());
    for record in &records {
        let text = |name: &str| record[name].as_str().expect("is text").to_owned();
        conversations.insert((text("provider"), text("conversation")));
        let entry = protocols.entry(text("provider"));
        let (count, vendors): &mut (usize, BTreeSet<String>) = entry.or_default();
        *count += 1;
        vendors.insert(text("vendor"));
    }
    let all = (records.len(), conversations.len());
    let sum = format!("{} exchanges of {} conversations", all.0, all.1);
    assert!(page.contains(&sum), "{sum}");
    for (protocol, (count, vendors)) in protocols {
        let vendors = vendors.into_iter().collect::<Vec<_>>().join(", ");
        let name = format!("`{protocol}`");
        assert_eq!(row(&page, &name), [name, count.to_string(), vendors]);
    }
}

#[test]
fn the_corpora_are_those_of_the_page() {
    let folder = root().join("../shared/corpora");
    let page = page();
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|it| it == "jsonl") {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let count = lines(&path).len().to_string();
            assert_eq!(row(&page, &format!("`{name}`"))[1], count, "{name}");
        }
    }
}

#[test]
fn the_behaviours_and_the_clients_are_those_of_the_page() {
    let page = page();
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is there");
    let source = read("live/src/behaviour/all.rs");
    let ways = source.matches("ways: ").count() + source.matches("ways: BOTH").count();
    assert!(page.contains(&format!("{ways} behaviours")), "{ways}");

    let package: Value =
        serde_json::from_str(&read("tests/front_ends/package.json")).expect("is JSON");
    let versions = |end: &str, prefix: &str| {
        let clients = package["dependencies"].as_object().expect("has clients");
        let of = clients
            .iter()
            .filter(|(name, _)| name.starts_with(prefix) || *name == end);
        let versions = of.filter_map(|(_, version)| version.as_str()?.rsplit('@').next());
        let versions: BTreeSet<_> = versions.collect();
        versions.into_iter().collect::<Vec<_>>().join(", ")
    };
    assert_eq!(row(&page, "AI SDK (`ai`)")[1], versions("ai", "ai"));
    let ag_ui = versions("@ag-ui/client", "ag-ui-client");
    assert_eq!(row(&page, "AG-UI (`@ag-ui/client`)")[1], ag_ui);
}
