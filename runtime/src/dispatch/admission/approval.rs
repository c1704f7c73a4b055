//! Decides about a call before it starts, for example by asking a person.

use std::{future::Future, sync::Arc};

use toolwright_core::{
    driver::{Caught, check_form},
    tool::{ApprovalRequest, BoxFuture, Decision},
};

/// Decides whether calls may start, and answers their [questions](toolwright_core::ToolContext::ask): at once, or when a person
/// has answered. A request with a [question](ApprovalRequest::question) is one for an answer.
///
/// While it decides, the call does not count as running, its time limit has not begun, and other calls continue. If the
/// call is cancelled before the decision, the future is dropped.
///
/// It gets the arguments as the tool would read them, after repairs by [leniency](toolwright_core::Leniency). A call
/// whose arguments do not fit the schema of its tool is refused before.
///
/// A closure that takes an [`ApprovalRequest`] and gives a future of a [`Decision`] is one. It is code of the process that
/// makes the call. Decisions that come from elsewhere are for [`RunControl::decide`](crate::RunControl::decide).
///
/// ```
/// use toolwright::approval::{ApprovalRequest, Approver, Decision};
///
/// fn is_approver(_: impl Approver) {}
///
/// is_approver(async |request: ApprovalRequest| match request.call.name.as_str() {
///     "delete_file" => Decision::deny("files are kept here"),
///     _ => Decision::Approve,
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not decide about calls",
    label = "not an `Approver`",
    note = "write a closure such as `async |request: ApprovalRequest| Decision::Approve`, whose future is `Send` and borrows nothing, or implement `Approver`"
)]
pub trait Approver: Send + Sync + 'static {
    /// Decides about one call.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the call is cancelled: the decision is not needed any more.
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'_, Decision>;
}

#[diagnostic::do_not_recommend]
impl<D, F> Approver for D
where
    D: Fn(ApprovalRequest) -> F + Send + Sync + 'static,
    F: Future<Output = Decision> + Send + 'static,
{
    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'_, Decision> {
        Box::pin(self(request))
    }
}

/// Asks the approver for a decision about a call, or for the answer to its question. Without an approver, and where a filled
/// form does not fit, the answer is no.
pub(crate) async fn decide(
    approver: Option<Arc<dyn Approver>>,
    request: ApprovalRequest,
) -> Decision {
    let Some(approver) = approver else {
        return Decision::deny("it needs an approval, and there is no approver");
    };
    let question = request.question.clone();
    // Asking is the approver's code as well, so that it stands inside of the catch.
    let asked = Caught::new(Box::pin(async { approver.decide(request).await }));
    let decision = asked
        .await
        .unwrap_or_else(|_| Decision::deny("the approver failed"));
    let fits = question.map_or(Ok(()), |question| check_form(&question, &decision));
    match fits {
        Ok(()) => decision,
        Err(error) => Decision::deny(format!("the answer does not fit: {}", error.message)),
    }
}
