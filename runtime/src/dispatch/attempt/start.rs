//! The start of one attempt of a call.

use super::deadline::{Deadline, Time};
use crate::{
    ToolError,
    tool::{ContextParts, ToolContext},
};

/// The data that an attempt starts with, beside the call and its tool.
pub(crate) struct AttemptStart<'a> {
    pub(crate) cx: ContextParts,
    pub(crate) time: Time<'a>,
    /// The error of the attempt before this one.
    pub(crate) failed: Option<Box<ToolError>>,
}

impl<'a> AttemptStart<'a> {
    /// Makes the context and the deadline, where they stay: the time begins when the work is first polled, so that
    /// nobody's time counts who reads that it starts.
    #[inline]
    pub(crate) fn begin(
        self,
        call_id: &str,
    ) -> (ToolContext, Deadline<'a>, Option<Box<ToolError>>) {
        let deadline = self.time.begin();
        let cx = self.cx.with_deadline(deadline.at());
        (cx.into_context(call_id), deadline, self.failed)
    }
}
