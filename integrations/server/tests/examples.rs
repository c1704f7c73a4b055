//! The examples end well, fit the terminal, and say in their last line what they have shown.

#[path = "../../../tests/packages/mistakes.rs"]
mod mistakes;

use std::env;

use mistakes::mistakes;

#[test]
fn examples_fit_the_terminal_and_say_what_they_show() {
    let program = env::current_exe().expect("a test knows where it is");
    // Cargo puts tests into `deps`, and examples beside that.
    let built = program.ancestors().nth(2).expect("is in two folders");
    // The input of `playground` and `react_chat` ends at once, and so do they.
    let wrong: Vec<String> = ["axum_chat", "playground", "react_chat"]
        .iter()
        .flat_map(|name| mistakes(name, &built.join("examples").join(name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
