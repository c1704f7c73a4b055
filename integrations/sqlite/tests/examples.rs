//! The example ends well, and says in its last line what it has shown.

use std::{env, process::Command};

#[test]
fn conversations_are_continued_after_a_restart() {
    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    let mut example = Command::new(built.join("examples").join("conversations"));
    // Offline, whatever the environment holds.
    let ran = example.env_clear().output().expect("it is built");
    let (said, wrong) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{said}{wrong}");
    for line in [
        "   You began with \"I like trains.\", and said 1 more.",
        "   You began with \"I fly to Oslo.\", and said 1 more.",
        "ada has 4 messages, in version 2",
        "ben has 4 messages, in version 2",
        "cleo has 2 messages, in version 1",
    ] {
        assert!(said.lines().any(|it| it == line), "{line}: {said}");
    }
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("Shown: "), "{last}");
}
