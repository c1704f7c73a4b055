//! The start of one attempt of a call.

use super::deadline::Time;
use toolwright_core::{ToolError, driver::ContextParts};

/// The data that an attempt starts with, beside the call and its tool. The time begins when the work is first polled, so
/// that nobody's time counts who reads that it starts.
pub(crate) struct AttemptStart {
    pub(crate) cx: ContextParts,
    pub(crate) time: Time,
    /// The error of the attempt before this one.
    pub(crate) failed: Option<Box<ToolError>>,
}
