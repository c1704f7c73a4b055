//! The examples end well, and say in their last line what they have shown.

use std::{env, process::Command};

/// Runs an example offline, whatever the environment holds, and gives what it prints.
fn printed(name: &str) -> String {
    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    let mut example = Command::new(built.join("examples").join(name));
    let ran = example.env_clear().output().expect("it is built");
    let (said, wrong) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{said}{wrong}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("Shown: "), "{last}");
    said.into_owned()
}

#[test]
fn a_run_whose_process_is_killed_goes_on_in_another_one() {
    let said = printed("resume");
    assert!(
        said.lines()
            .any(|line| line == "is killed. The second one:"),
        "{said}"
    );
}

#[test]
fn conversations_are_continued_after_a_restart() {
    let said = printed("conversations");
    for line in [
        "   You began with \"I like trains.\", and said 1 more.",
        "   You began with \"I fly to Oslo.\", and said 1 more.",
        "ada has 4 messages, in version 2",
        "ben has 4 messages, in version 2",
        "cleo has 2 messages, in version 1",
    ] {
        assert!(said.lines().any(|it| it == line), "{line}: {said}");
    }
}
