//! Dispatch of calls without a runner: the options of a batch, its events, and the order of its calls.
//!
//! [`Toolset::dispatch`](crate::Toolset::dispatch) is the entry point.

#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    CallOptions, DispatchEvent, DispatchOptions, DispatchStream, OversizedOutput, dispatch_fn,
    dispatch_stream_fn,
};
pub use toolwright_runtime::{CallState, Schedule};
