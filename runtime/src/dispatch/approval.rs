//! Asking somebody whether a call may run.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;

use crate::{
    run::Decision,
    tool::{BoxFuture, Effects, ToolCall, ToolContext},
};

/// Decides whether a call that needs an approval may run. It may take its time: the call waits, and
/// those beside it go on.
pub trait Approver: Send + Sync + 'static {
    /// Decides about one call.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the calls are cancelled or dropped: nobody waits any more.
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'_, Decision>;
}

/// A call that somebody has to approve.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call, as the model wrote it.
    pub call: ToolCall,
    /// What it may change.
    pub effects: Effects,
    /// What the tool will be handed.
    pub context: ToolContext,
}

/// What somebody decides about a call; a call that nobody can decide about does not run.
pub(crate) async fn decide(
    approver: Option<Arc<dyn Approver>>,
    call: ToolCall,
    effects: Effects,
    context: ToolContext,
) -> Decision {
    let Some(approver) = approver else {
        return Decision::deny("it needs an approval, and nobody is there to give one");
    };
    let request = ApprovalRequest {
        call,
        effects,
        context,
    };
    // Asking is the approver's code as well, so that it stands inside of what is guarded.
    let asked = AssertUnwindSafe(async { approver.decide(request).await });
    let decision = asked.catch_unwind().await;
    decision.unwrap_or_else(|_| Decision::deny("whoever decides about it failed"))
}
