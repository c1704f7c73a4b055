//! What an example prints: it ends well, fits the terminal, and says in its last line what it has shown.

use std::{path::Path, process::Command};

/// The widest line, in characters.
const COLUMNS: usize = 100;

/// What is wrong with the output of an example.
pub(crate) fn mistakes(name: &str, program: &Path) -> Vec<String> {
    let mut example = Command::new(program);
    // Offline, whatever the environment holds.
    let ran = example.env_clear().output();
    let ran = ran.unwrap_or_else(|error| panic!("{name} is no example of the package: {error}"));

    let mut wrong = Vec::new();
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        wrong.push(format!("{name} failed: {said}"));
    }
    let output = String::from_utf8_lossy(&ran.stdout);
    for line in output.lines() {
        if line.chars().count() > COLUMNS {
            wrong.push(format!(
                "{name} prints a line of over {COLUMNS} columns: {line}"
            ));
        }
    }
    let last = output.lines().last().unwrap_or_default();
    if !last.starts_with("Shown: ") {
        wrong.push(format!(
            "{name} does not end with what it has shown: {last}"
        ));
    }
    wrong
}
