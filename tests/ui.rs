//! What the compiler says of each mistake: `ui/<topic>/<mistake>.rs` and the text beside it. What
//! stands in `ui/allowed/` must build and run.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the texts anew; read them before you keep them.

use std::fs;

#[test]
fn ui() {
    let tests = trybuild::TestCases::new();
    for topic in fs::read_dir("tests/ui").expect("the folder is there") {
        let topic = topic.expect("it can be read").path();
        let cases = topic.join("*.rs");
        if topic.ends_with("allowed") {
            tests.pass(cases);
        } else {
            tests.compile_fail(cases);
        }
    }
}
