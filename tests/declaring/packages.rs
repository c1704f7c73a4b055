//! What crates.io and docs.rs need of each package that is published.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::layers::map;

/// The folders of the packages that are published, the facade last.
fn folders() -> Vec<PathBuf> {
    let folders = map::packages().into_iter().chain([String::new()]);
    folders.map(|folder| map::root().join(folder)).collect()
}

fn manifest(folder: &Path) -> String {
    fs::read_to_string(folder.join("Cargo.toml")).expect("it has one")
}

/// The lines of a table, without comments.
fn table<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let lines = manifest.lines().skip_while(|line| *line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

#[test]
fn published_packages_are_complete() {
    let mut wrong = Vec::new();
    for folder in folders() {
        let manifest = manifest(&folder);
        let package = table(&manifest, "[package]");
        let mut missing = Vec::new();
        for key in [
            "version",
            "edition",
            "rust-version",
            "license",
            "repository",
            "keywords",
            "categories",
        ] {
            let line = format!("{key}.workspace = true");
            if !package.contains(&line.as_str()) {
                missing.push(line);
            }
        }
        for start in ["description = \"", "include"] {
            if !package.iter().any(|line| line.starts_with(start)) {
                missing.push(start.to_owned());
            }
        }
        if table(&manifest, "[package.metadata.docs.rs]")
            != [
                "all-features = true",
                r#"rustdoc-args = ["--cfg", "docsrs"]"#,
            ]
        {
            missing.push("[package.metadata.docs.rs]".to_owned());
        }
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            if fs::read(folder.join(file)).map_or(0, |text| text.len()) < 100 {
                missing.push(file.to_owned());
            }
        }
        wrong.extend(
            missing
                .iter()
                .map(|what| format!("{}: {what}", folder.display())),
        );
    }
    assert!(wrong.is_empty(), "missing:\n{}", wrong.join("\n"));
}

/// An edition of one package with another of the next is nothing that was tested.
#[test]
fn packages_require_each_other_in_their_version() {
    let manifest = manifest(&map::root());
    let version = table(&manifest, "[workspace.package]")
        .into_iter()
        .find_map(|line| line.strip_prefix("version = "))
        .expect("it has a version")
        .trim_matches('"');
    let ours = table(&manifest, "[workspace.dependencies]").into_iter();
    let ours: Vec<_> = ours
        .filter(|line| line.starts_with("toolwright"))
        .map(|line| (line, format!("version = \"={version}\"")))
        .collect();
    assert!(ours.len() > 10, "{ours:?}");
    for (line, exact) in ours {
        assert!(line.contains(&exact), "{line}");
    }
}

/// A feature that stands in no table is found by nobody.
#[test]
fn every_feature_is_in_the_readme_and_on_the_crate_page() {
    let root = map::root();
    let manifest = manifest(&root);
    let features = table(&manifest, "[features]").into_iter();
    let names = features.filter_map(|line| Some(line.split_once(" = ")?.0));
    let features: BTreeSet<_> = names.filter(|name| *name != "default").collect();
    assert!(features.len() > 20, "{features:?}");
    for page in ["README.md", "src/lib.rs"] {
        let text = fs::read_to_string(root.join(page)).expect("it is there");
        for feature in &features {
            assert!(text.contains(&format!("`{feature}`")), "{page}: {feature}");
        }
    }
}
