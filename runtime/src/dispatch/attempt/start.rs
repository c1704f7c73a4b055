//! The start of one attempt of a call.

use tokio::sync::watch;

use super::deadline::Time;
use toolwright_core::{ToolError, driver::ContextParts};

/// The data that an attempt starts with, beside the call and its tool. The time limit starts at the first poll of the
/// work, so that a slow reader of events does not use it up.
pub(crate) struct AttemptStart {
    pub(crate) cx: ContextParts,
    pub(crate) time: Time,
    /// The error of the attempt before this one.
    pub(crate) failed: Option<Box<ToolError>>,
    /// The questions of the attempt wait as long as it is there.
    pub(crate) asks: Option<watch::Receiver<()>>,
}
