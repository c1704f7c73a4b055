//! Dispatch of calls without a runner: the options of a batch, its events, and the order of its calls.
//!
//! [`Dispatch`](crate::Dispatch) is the entry point.

pub use toolwright_core::{CallState, Schedule};
#[cfg(feature = "runtime")]
#[doc(hidden)]
pub use toolwright_runtime::TimeLimit;
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{
    CallOptions, DispatchEvent, DispatchOptions, DispatchStream, OversizedOutput, dispatch_fn,
    dispatch_stream_fn,
};
