//! The examples that serve pages end well, fit the terminal, and say in their last line what they have shown.

#[path = "../mistakes.rs"]
mod mistakes;

use std::path::Path;

use mistakes::mistakes;

#[test]
fn examples_that_serve_fit_the_terminal_and_say_what_they_show() {
    let mut wrong = mistakes(
        "axum_chat",
        Path::new(env!("CARGO_BIN_EXE_served-axum_chat")),
    );
    // Its input ends at once, and so does it.
    wrong.extend(mistakes(
        "playground",
        Path::new(env!("CARGO_BIN_EXE_served-playground")),
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
