//! What the compiler says of each mistake: `ui/<topic>/<mistake>.rs` and the text beside it, a file a rule: a
//! file costs what a hundred mistakes in it do. `ui/RULES.md` lists the rules and their files.

#[path = "support/exhaustive.rs"]
mod exhaustive;

use std::{collections::BTreeSet, env, fs, path::Path};

use exhaustive::one_of;

/// Nothing that compiles may be among them: only then trybuild checks all in one go, which takes a tenth
/// of the time.
///
/// A share of them is checked, and all where the switch of the long tests is set or trybuild is told what to do.
#[test]
fn ui() {
    let is_told = env::var_os("TRYBUILD").is_some()
        || env::args().any(|argument| argument.starts_with("trybuild="));
    let step = if is_told { 1 } else { one_of(4) };
    let tests = trybuild::TestCases::new();
    for case in cases().iter().step_by(step) {
        tests.compile_fail(Path::new("tests/ui").join(format!("{case}.rs")));
    }
}

#[test]
fn every_rule_has_its_cases() {
    let rules = fs::read_to_string("tests/ui/RULES.md").expect("the list is there");
    let mut wrong = Vec::new();
    let mut listed = BTreeSet::new();
    for row in rules.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [rule, says, files, forms @ ..] = cells.as_slice() else {
            panic!("`{row}` has a cell for the rule, one for its message and one for its files");
        };
        if *rule == "Rule" || rule.starts_with("---") {
            continue;
        }
        assert_eq!(forms.len(), 4, "`{rule}` has a cell for each form");
        let counted = forms.iter().filter(|form| **form != "–");
        let expected: usize = counted.map(|form| form.parse::<usize>().expect(rule)).sum();
        if expected == 0 {
            wrong.push(format!("`{rule}` has no case"));
        }
        let mut found = 0;
        for file in files.split(", ") {
            listed.insert(file.to_owned());
            match fs::read_to_string(format!("tests/ui/{file}.stderr")) {
                Err(_) => wrong.push(format!("`{rule}`: there is no `{file}`")),
                Ok(said) => found += said.lines().filter(|line| line.contains(says)).count(),
            }
        }
        if found < expected {
            wrong.push(format!(
                "`{rule}`: `{says}` is said {found} times of {expected} cases"
            ));
        }
    }
    let unlisted = cases().difference(&listed).cloned().collect::<Vec<_>>();
    wrong.extend(
        unlisted
            .iter()
            .map(|case| format!("`{case}` is not listed")),
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Errors of rustc about the user's own mistake, whose first line names what is generated.
const SHOW_PRIVATE_NAMES: [&str; 2] = ["derive/struct_twice", "parameter/without_size_inside"];

#[test]
fn the_first_line_of_an_error_shows_no_private_name() {
    let mut wrong = Vec::new();
    for case in cases() {
        let said = fs::read_to_string(format!("tests/ui/{case}.stderr")).expect("it is there");
        let shown = said.lines().find(|line| {
            let private = ["__", "toolwright_core", "tool::method::", "driver::"];
            line.starts_with("error") && private.iter().any(|name| line.contains(name))
        });
        match shown {
            Some(line) if !SHOW_PRIVATE_NAMES.contains(&&*case) => {
                wrong.push(format!("{case}: {line}"));
            }
            None if SHOW_PRIVATE_NAMES.contains(&&*case) => wrong.push(format!("{case}: none")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folders of the cases.
fn topics() -> Vec<String> {
    let entries = fs::read_dir("tests/ui").expect("the folder is there");
    let folders = entries
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.is_dir());
    folders.map(|folder| name(&folder)).collect()
}

/// Every mistake, as `<topic>/<mistake>`.
fn cases() -> BTreeSet<String> {
    let mut cases = BTreeSet::new();
    for topic in topics() {
        let files = fs::read_dir(Path::new("tests/ui").join(&topic)).expect("it is a folder");
        for file in files {
            let file = file.expect("it can be read").path();
            if file.extension().is_some_and(|extension| extension == "rs") {
                cases.insert(format!("{topic}/{}", name(&file)));
            }
        }
    }
    cases
}

fn name(path: &Path) -> String {
    let name = path.file_stem().expect("it has a name");
    name.to_string_lossy().into_owned()
}
