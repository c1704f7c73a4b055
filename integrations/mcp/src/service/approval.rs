//! Approvals by the person at the client.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use toolwright_core::{ApprovalRequest, Decision, ToolCall, visible};

use super::asking::{Asking, Unanswered, digest};

/// Decides about a call.
pub(crate) async fn decide(asking: Asking, request: ApprovalRequest) -> Decision {
    // An approval is for one call, for its tool and its arguments to the byte.
    let call = request.context.idempotency_key().unwrap_or_default();
    let key = digest(&[
        "approval",
        &call,
        &request.call.name,
        &request.call.arguments,
    ]);
    match asking.ask(key, question(&request.call)).await {
        Ok(answer) => decision(&answer),
        Err(Unanswered::Unsupported) => unsupported(),
        Err(Unanswered::Failed(why) | Unanswered::Taken(why)) => {
            Decision::deny(format!("the client did not ask a person: {why}"))
        }
    }
}

/// The decision where nobody can be asked.
pub(super) fn unsupported() -> Decision {
    Decision::deny(
        "it needs an approval, and the client cannot ask a person (it has no form elicitation)",
    )
}

pub(super) fn question(call: &ToolCall) -> ElicitRequestParams {
    let name = visible(&call.name);
    let arguments = visible(&call.arguments);
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Run the tool {name} with these arguments?\n{arguments}"),
        // What is asked is yes or no: the action of the answer.
        requested_schema: ElicitationSchema::new([].into()),
    }
}

pub(super) fn decision(answer: &ElicitResult) -> Decision {
    match answer.action {
        ElicitationAction::Accept => Decision::Approve,
        ElicitationAction::Decline => Decision::deny("the person at the client declined it"),
        // Cancelled, or a word that is newer than this: no approval.
        _ => Decision::deny("the person at the client did not decide"),
    }
}
