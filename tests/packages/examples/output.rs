//! Every example ends well, fits the terminal, and says in its last line what it has shown.

use std::{env, fs, path::Path, process::Command};

/// The widest line, in characters.
const COLUMNS: usize = 100;

#[test]
fn examples_fit_the_terminal_and_say_what_they_show() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let names: Vec<String> = fs::read_dir(folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("is readable").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert!(names.contains(&"quickstart".to_owned()), "{names:?}");

    let wrong: Vec<String> = names.iter().flat_map(|name| mistakes(name)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the output of an example.
fn mistakes(name: &str) -> Vec<String> {
    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    let mut example = Command::new(built.join("examples").join(name));
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
