//! The runner's builder, and the events of a run.
//!
//! [`Runner`](crate::Runner) is the entry point.

pub use toolwright_runtime::{
    BuildError, NextRequest, NotWaiting, RunControl, RunEvent, RunHandle, RunIsOver, RunnerBuilder,
};
