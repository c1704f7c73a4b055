//! Our servers and programs of others. Cargo builds the programs of this package for it.

#![allow(clippy::unwrap_used, missing_docs)]
#![allow(
    dead_code,
    unreachable_pub,
    reason = "of a program only its tools are used here"
)]

#[path = "../../src/all.rs"]
mod all;
#[path = "../../src/asking.rs"]
mod asking;
#[path = "../../src/changing.rs"]
mod changing;
#[path = "../../../../../integrations/mcp/examples/mcp_server.rs"]
mod example;
#[path = "../../src/long.rs"]
mod long;
#[path = "../../src/tools.rs"]
mod tools;

mod in_process;
mod others;
mod ours;
mod server;
