//! Starts the example `axum_chat`.

mod start;

use std::process::ExitCode;

fn main() -> ExitCode {
    start::start("axum_chat")
}
