//! The texts of errors that the guide explains are those of the code.

use std::path::Path;

const PAGE: &str = include_str!("../../../src/guide/when_something_fails.md");

/// The folders whose code has texts for users.
const FOLDERS: [&str; 8] = [
    "core/src",
    "integrations/postgres/src",
    "integrations/server/src",
    "integrations/sqlite/src",
    "providers/src",
    "runtime/src",
    "streams/src",
    "tool-macros/src",
];

/// The code of the folders, with strings of several lines in one.
fn code() -> String {
    let mut code = String::new();
    for folder in FOLDERS {
        crate::documentation::visit(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut |path, text| {
                if path.extension().is_some_and(|kind| kind == "rs") {
                    let lines = text.lines().map(str::trim);
                    for line in lines.filter(|line| !line.starts_with("//")) {
                        match line.strip_suffix('\\') {
                            Some(begun) => code.push_str(begun),
                            None => code.extend([line, "\n"]),
                        }
                    }
                }
            },
        );
    }
    code
}

/// The texts that the page quotes: the code in the first cell of each row.
fn quoted() -> Vec<&'static str> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split_once(" | ").map(|(cell, _)| cell));
    cells
        .filter(|cell| cell.starts_with('`') && !cell.ends_with("(of rustc)"))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn every_text_that_the_page_explains_is_in_the_code() {
    let code = code();
    let quoted = quoted();
    assert!(quoted.len() > 40, "only {quoted:?} were found");
    let mut wrong = Vec::new();
    for text in quoted {
        for part in text.split('…').map(str::trim) {
            if !code.contains(part) {
                wrong.push(format!("{text:?}: {part:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "no code has\n{}", wrong.join("\n"));
}
