//! Starts an example that serves pages. It is compiled in a package of its own: what it needs takes long to compile, and no
//! other example needs it.

use std::{
    env,
    process::{Command, ExitCode},
};

/// Starts the example of this name, with the arguments of this program.
pub(crate) fn start(name: &str) -> ExitCode {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../served/Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--manifest-path", manifest, "--bin"]);
    cargo.arg(format!("served-{name}")).arg("--");
    match cargo.args(env::args_os().skip(1)).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
