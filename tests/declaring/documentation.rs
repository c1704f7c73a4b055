//! What the documentation shows is what a reader can write.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::layers::map;

/// The packages that a reader depends on beside `toolwright`.
const DIRECT: [&str; 2] = ["integrations/recording", "integrations/store-tests"];

/// The folders whose documentation people read.
fn folders() -> Vec<PathBuf> {
    let packages = map::packages().into_iter().chain([String::new()]);
    packages
        .map(|folder| map::root().join(folder).join("src"))
        .collect()
}

/// The crates behind `toolwright`, as code names them.
fn inner_crates() -> Vec<String> {
    let packages = map::packages().into_iter();
    let inner = packages.filter(|folder| !DIRECT.contains(&folder.as_str()));
    inner
        .map(|folder| {
            let manifest = fs::read_to_string(map::root().join(folder).join("Cargo.toml"));
            let manifest = manifest.expect("it has one");
            let name = manifest.split('"').nth(1).expect("the name is first");
            name.replace('-', "_")
        })
        .collect()
}

/// A reader depends on `toolwright`, and has none of the crates behind it.
#[test]
fn examples_name_the_crate_that_the_reader_has() {
    let inner = inner_crates();
    assert!(inner.contains(&"toolwright_core".to_owned()), "{inner:?}");
    let mut wrong = Vec::new();
    let mut files = 0;
    for folder in folders() {
        visit(&folder, &mut |path, text| {
            files += 1;
            for (line, number) in text.lines().zip(1..) {
                let all = path.extension().is_some_and(|kind| kind == "md");
                if names_inner_crate(line, all, &inner) {
                    wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
                }
            }
        });
    }
    assert!(files > 300, "only {files} files were found");
    assert!(
        wrong.is_empty(),
        "write `toolwright::`:\n{}",
        wrong.join("\n")
    );
}

/// Words by which users of other frameworks search the reference, and what it finds.
#[test]
fn the_words_of_other_frameworks_are_found() {
    const WORDS: [&str; 17] = [
        "agent",
        "authentication",
        "cors",
        "guardrail",
        "handoff",
        "history",
        "human in the loop",
        "max_turns",
        "mcp",
        "memory",
        "middleware",
        "preamble",
        "prompt",
        "stream",
        "structured output",
        "temperature",
        "useChat",
    ];
    let mut found = BTreeSet::new();
    for folder in folders() {
        visit(&folder, &mut |_, text| {
            for aliases in text.split("#[doc(alias").skip(1) {
                let aliases = aliases.split(")]").next().unwrap_or_default();
                found.extend(aliases.split('"').skip(1).step_by(2).map(str::to_owned));
            }
        });
    }
    let missing: Vec<_> = WORDS
        .iter()
        .filter(|word| !found.contains(**word))
        .collect();
    assert!(missing.is_empty(), "no item has the alias {missing:?}");
}

/// A sentence is read by itself: in search results, in an index, by somebody who came from elsewhere.
#[test]
fn no_sentence_points_at_the_one_before() {
    const OPENINGS: [&str; 3] = ["The same,", "That of ", "Those of "];
    let mut wrong = Vec::new();
    for folder in folders() {
        visit(&folder, &mut |path, text| {
            for (line, number) in text.lines().zip(1..) {
                let line = line.trim();
                let words = line.trim_start_matches(['/', '!']).trim_start();
                let is_documentation =
                    words.len() < line.len() || path.extension() == Some("md".as_ref());
                let points = OPENINGS.iter().any(|opening| {
                    words.starts_with(opening) || words.contains(&format!(". {opening}"))
                });
                if is_documentation && points {
                    wrong.push(format!("{}:{number}: {words}", path.display()));
                }
            }
        });
    }
    assert!(wrong.is_empty(), "say of what:\n{}", wrong.join("\n"));
}

/// The README is read where no documentation is built: each of its links leads to a file.
#[test]
fn links_of_the_readme_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("is there");
    let targets = readme.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let files: Vec<_> = targets
        .filter(|target| !target.starts_with("https://") && !target.starts_with('#'))
        .collect();
    assert!(files.len() > 20, "only {files:?} were found");
    for file in files {
        assert!(root.join(file).is_file(), "README.md: {file}");
    }
}

/// True if a line of documentation shows a crate that the reader does not depend on. A hidden line may have
/// one, and the target of a link, which nobody sees.
fn names_inner_crate(line: &str, all_is_documentation: bool, inner: &[String]) -> bool {
    let line = line.trim();
    let text = line
        .strip_prefix("//!")
        .or_else(|| line.strip_prefix("///"));
    let text = text.or(all_is_documentation.then_some(line));
    text.is_some_and(|text| {
        let hidden = text.trim_start().starts_with("# use ");
        let shown = without_targets(text);
        !hidden && inner.iter().any(|name| shown.contains(name))
    })
}

/// Takes out the targets of links.
fn without_targets(text: &str) -> String {
    if text.trim_start().starts_with('[') && text.contains("]: ") {
        return String::new();
    }
    let mut parts = text.split("](");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str(part.split_once(')').map_or("", |(_, after)| after));
    }
    shown
}

pub(crate) fn visit(folder: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("is readable").path();
        if path.is_dir() {
            visit(&path, see);
        } else if let Ok(text) = fs::read_to_string(&path) {
            see(&path, &text);
        }
    }
}
