//! Runs the tests of every package, so that a bare `cargo test` means everything.
//!
//! Cargo unites the features of all packages that it builds together. The tests need every feature and
//! the examples need few: were both default members, `cargo run --example quickstart` would compile
//! what only tests use. So the default members are the examples and this test, which starts a second
//! cargo for the rest. A filter goes along: `cargo test cancelling`.

use std::{
    env,
    process::{Command, ExitCode},
};

/// Every package with tests, apart from the examples.
const PACKAGES: [&str; 11] = [
    "toolwright",
    "toolwright-emulation",
    "toolwright-macros",
    "toolwright-json",
    "toolwright-postgres",
    "toolwright-providers",
    "toolwright-runtime",
    "toolwright-served-examples",
    "toolwright-server",
    "toolwright-sqlite",
    "renamed",
];

fn main() -> ExitCode {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg("test");
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    for package in PACKAGES {
        cargo.args(["--package", package]);
    }
    cargo.arg("--").args(env::args_os().skip(1));
    match cargo.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
