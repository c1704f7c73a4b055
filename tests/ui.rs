//! What the compiler says of each mistake: `ui/<topic>/<mistake>.rs` and the text beside it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the texts anew.

#[test]
fn ui() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/[!a]*/*.rs");
    tests.compile_fail("tests/ui/at*/*.rs");
    tests.pass("tests/ui/allowed/*.rs");
}
