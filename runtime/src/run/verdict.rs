//! What follows from a reply, or from its absence.

use super::{Failure, Finish, Limit, ModelCall};
use crate::{
    FinishReason,
    model::{ModelError, ModelErrorKind, ModelResponse},
};

/// How often a provider may pause one run before that is an error.
pub(super) const MAX_PAUSES: u32 = 16;

/// What follows from a reply, or from its absence.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// Its calls are run.
    RunCalls,
    /// The provider paused; it is asked to go on.
    GoOn,
    /// It is no answer to a locked request: the model is asked once more, without tools.
    Flatten,
    /// The run is over.
    End(Finish),
}

/// What follows from a reply. `pauses` is how often the provider has paused before.
pub(super) fn of_reply(
    call: ModelCall,
    response: &ModelResponse,
    pauses: u32,
    limit: Limit,
) -> Verdict {
    if call == ModelCall::Open && response.requires_tool_execution() {
        return Verdict::RunCalls;
    }
    let refused = response.refusal.is_some() && response.text.is_empty();
    match (response.finish_reason, call) {
        (FinishReason::Refusal, _) => Verdict::End(Finish::Refused),
        _ if refused => Verdict::End(Finish::Refused),
        (FinishReason::ContentFilter, _) => Verdict::End(Finish::Filtered),
        (FinishReason::Length, _) => Verdict::End(Finish::Truncated),
        (FinishReason::MalformedCall, ModelCall::Open) => failed(
            ModelErrorKind::MalformedReply,
            "the model wrote a call that its provider could not read".to_owned(),
        ),
        (FinishReason::Paused, ModelCall::Open) if pauses < MAX_PAUSES => Verdict::GoOn,
        (FinishReason::Paused, ModelCall::Open) => failed(
            ModelErrorKind::Overloaded,
            format!("the provider paused the turn {} times", MAX_PAUSES + 1),
        ),
        (_, ModelCall::Open) => Verdict::End(Finish::Answered),
        (_, ModelCall::Locked) if response.text.is_empty() => Verdict::Flatten,
        (_, ModelCall::Locked | ModelCall::Flattened) => {
            let summarized = !response.text.is_empty();
            Verdict::End(Finish::Limit { limit, summarized })
        }
    }
}

/// What follows when there is no reply.
pub(super) fn of_error(call: ModelCall, error: &ModelError, limit: Limit) -> Verdict {
    let refused = matches!(
        error.kind,
        ModelErrorKind::InvalidRequest | ModelErrorKind::ToolsUnsupported
    );
    match call {
        // A provider that refuses a locked request may take a flattened one.
        ModelCall::Locked if refused => Verdict::Flatten,
        ModelCall::Flattened if refused => Verdict::End(Finish::Limit {
            limit,
            summarized: false,
        }),
        _ => Verdict::End(Finish::Failed(Failure::Model(error.clone()))),
    }
}

fn failed(kind: ModelErrorKind, message: String) -> Verdict {
    Verdict::End(Finish::Failed(Failure::Model(ModelError::new(
        kind, message,
    ))))
}
