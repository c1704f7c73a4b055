//! The Markdown of the packages on this machine, which is no text of a model: nothing in it is a call, and all of it is text.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use libtest_mimic::{Failed, Trial};
use serde_json::json;
use toolwright::{
    ToolDefinition,
    emulation::ToolText,
    schema::Schema,
    tool::{ToolDefinitions, ToolHints},
};

/// The number of files that are read at most, and that there have to be.
const MOST: usize = 3_000;
const LEAST: usize = 200;

/// Tools with names that are words, of which every other one only reads.
const NAMES: [&str; 20] = [
    "get",
    "run",
    "search",
    "test",
    "read_file",
    "build",
    "list",
    "install",
    "open",
    "add",
    "find",
    "delete",
    "fetch",
    "send",
    "query",
    "update",
    "ping",
    "create",
    "print",
    "exec",
];

/// One test of all files.
pub(crate) fn trial() -> Trial {
    let mut files = Vec::new();
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    if let Some(home) = home {
        add_files(&home.join("registry/src"), &mut files);
    }
    let are_few = files.len() < LEAST;
    Trial::test("markdown::files", move || check(&files)).with_ignored_flag(are_few)
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_markdown = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("md"));
        if path.is_dir() {
            add_files(&path, files);
        } else if is_markdown && files.len() < MOST {
            files.push(path);
        }
    }
}

fn check(files: &[PathBuf]) -> Result<(), Failed> {
    let tool = |(place, name): (usize, &&'static str)| {
        let schema = Schema::from_value(&json!({"type": "object"}));
        ToolDefinition {
            hints: ToolHints::NONE.with_read_only(place % 2 == 0),
            ..ToolDefinition::new(*name, "", schema)
        }
    };
    let tools: ToolDefinitions = NAMES.iter().enumerate().map(tool).collect();
    let parser = ToolText::new(&tools);
    let (mut read, mut wrong) = (0, Vec::new());
    for file in files {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        read += 1;
        let found = parser.parse(&text);
        if !found.calls.is_empty() || found.text != text.trim() {
            wrong.push(format!(
                "{}: {:?} {:?}",
                file.display(),
                found.calls,
                found.refused
            ));
        }
    }
    let _ = writeln!(
        io::stderr(),
        "markdown: {read} files, {} are read otherwise",
        wrong.len()
    );
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}
