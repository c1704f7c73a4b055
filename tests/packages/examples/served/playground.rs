//! Starts the example `playground`.

mod start;

use std::process::ExitCode;

fn main() -> ExitCode {
    start::start("playground")
}
