//! Dispatch of calls without a runner: the options of a batch, its events, and the order of its calls.
//!
//! [`Toolset::dispatch`](crate::Toolset::dispatch) is where to begin.

pub use toolwright_runtime::{CallState, Schedule};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    DispatchEvent, DispatchOptions, DispatchStream, OversizedOutput, dispatch_fn,
    dispatch_stream_fn,
};
