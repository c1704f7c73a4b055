//! Declarations and what they are checked for: macros, schemas, arguments, tools, and the layers of the code.
#![allow(
    clippy::incompatible_msrv,
    reason = "tests run on the pinned toolchain"
)]

mod allowed;
mod declaring;
mod defaults;
mod documentation;
mod dynamic;
mod guide;
mod habits;
#[path = "../support/handwritten.rs"]
#[allow(dead_code, reason = "tools that misbehave are for other tests")]
mod handwritten;
mod layers;
mod leniency;
mod missing_extensions;
mod packages;
mod prompt_lock;
mod renaming;
mod tested;
mod values;
mod visible;
mod way_back;
