//! Approvals by the person at the client, and answers to questions.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use toolwright_core::{
    ApprovalRequest, Decision, ToolCall,
    tool::{Question, QuestionWay},
    visible,
};

use super::asking::{Asking, Unanswered, digest};

/// Decides about a call, or answers its question.
pub(crate) async fn decide(asking: Asking, request: ApprovalRequest) -> Decision {
    // An approval is for one call, for its tool and its arguments to the byte, and so is an answer.
    let call = request.context.idempotency_key().unwrap_or_default();
    let asked = request.question.as_ref().map(serde_json::to_string);
    let asked = asked.and_then(Result::ok).unwrap_or_default();
    let name = request.question_key.as_deref();
    let id = digest(&[
        "approval",
        &call,
        &request.call.name,
        &request.call.arguments,
        &asked,
        name.unwrap_or_default(),
    ]);
    let Some(question) = question(&request.call, request.question.as_ref(), &id) else {
        return Decision::deny("the client cannot show this form");
    };
    // A client knows a question by its key.
    match asking.ask(name.map_or(id, str::to_owned), question).await {
        Ok(answer) => decision(answer, request.question.as_ref()),
        Err(Unanswered::Unsupported) => unsupported(),
        Err(Unanswered::Failed(why)) => {
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

/// What a person at a client is asked: whether a call runs, or its question. `None` for a form that the protocol does not have.
pub(super) fn question(
    call: &ToolCall,
    asked: Option<&Question>,
    id: &str,
) -> Option<ElicitRequestParams> {
    let (message, requested_schema) = match asked {
        // What is asked is yes or no: the action of the answer.
        None => {
            let (name, arguments) = (visible(&call.name), visible(&call.arguments));
            let message = format!("Run the tool {name} with these arguments?\n{arguments}");
            (message, ElicitationSchema::new([].into()))
        }
        Some(question) => match &question.way {
            QuestionWay::Form(schema) => {
                let schema = serde_json::from_str(schema.as_str()).ok()?;
                (question.message.clone(), schema)
            }
            QuestionWay::Url(url) => {
                return Some(ElicitRequestParams::UrlElicitationParams {
                    meta: None,
                    message: question.message.clone(),
                    url: url.clone(),
                    elicitation_id: id.to_owned(),
                });
            }
            _ => return None,
        },
    };
    Some(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema,
    })
}

pub(super) fn decision(answer: ElicitResult, asked: Option<&Question>) -> Decision {
    match (answer.action, answer.content) {
        (ElicitationAction::Accept, Some(form))
            if asked.is_some_and(|it| it.schema().is_some()) =>
        {
            Decision::approve_with(form.to_string())
        }
        // An address was opened, or there was nothing to fill in.
        (ElicitationAction::Accept, _) if asked.is_some() => Decision::approve_with("{}"),
        (ElicitationAction::Accept, _) => Decision::Approve,
        (ElicitationAction::Decline, _) => Decision::deny("the person at the client declined it"),
        // Cancelled, or a word that is newer than this: no approval.
        _ => Decision::deny("the person at the client did not decide"),
    }
}
