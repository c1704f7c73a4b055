//! Approvals by the person at the client, and answers to questions.

use rmcp::{
    RoleServer,
    model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema},
    service::RequestContext,
};
use toolwright_core::{
    ApprovalRequest, Decision, ToolCall,
    tool::{Question, QuestionWay},
    visible,
};
use toolwright_runtime::DispatchOptions;

use super::{
    Served,
    asking::{Asking, Modes},
};
use crate::digest::digest;

impl Served {
    /// The settings of what a request runs. Without an approver of the application, the person at the client decides.
    pub(super) fn options_of(
        &self,
        asking: &Asking,
        request: &RequestContext<RoleServer>,
    ) -> DispatchOptions {
        let mut options = self.options.clone();
        options.context = self.context(request);
        if !options.calls.has_approver() {
            options.context = options.context.with_extension(asking.modes());
            let asking = asking.clone();
            let approver = move |request| decide(asking.clone(), request);
            options.calls = options.calls.with_approver(approver);
        }
        match asking.id() {
            Some(id) => options.with_batch_id(id),
            None => options,
        }
    }
}

/// Decides about a call, or answers its question.
async fn decide(asking: Asking, request: ApprovalRequest) -> Decision {
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
    let modes = asking.modes();
    let question = match question(&request.call, request.question.as_ref(), &id, modes) {
        Ok(question) => question,
        Err(why) => return Decision::deny(why),
    };
    // A client knows a question by its key.
    match asking.ask(name.map_or(id, str::to_owned), question).await {
        Ok(answer) => decision(answer, request.question.as_ref()),
        Err(why) => Decision::deny(format!("the client did not ask a person: {why}")),
    }
}

/// What a person at a client is asked: whether a call runs, or its question.
///
/// # Errors
///
/// Why a client that can ask in these ways cannot ask it.
pub(super) fn question(
    call: &ToolCall,
    asked: Option<&Question>,
    id: &str,
    modes: Modes,
) -> Result<ElicitRequestParams, &'static str> {
    let (message, requested_schema) = match asked.map(|asked| (&asked.message, &asked.way)) {
        // What is asked is yes or no: the action of the answer.
        None => {
            let (name, arguments) = (visible(&call.name), visible(&call.arguments));
            let message = format!("Run the tool {name} with these arguments?\n{arguments}");
            (message, ElicitationSchema::new([].into()))
        }
        Some((message, QuestionWay::Form(schema))) => {
            let schema = serde_json::from_str(schema.as_str()).map_err(|_| OTHER_FORM)?;
            (message.clone(), schema)
        }
        Some((message, QuestionWay::Url(url))) if modes.urls => {
            return Ok(ElicitRequestParams::UrlElicitationParams {
                meta: None,
                message: message.clone(),
                url: url.clone(),
                elicitation_id: id.to_owned(),
            });
        }
        Some((_, QuestionWay::Url(_))) => return Err(NO_URLS),
        Some(_) => return Err(OTHER_FORM),
    };
    if !modes.forms {
        return Err(NO_FORMS);
    }
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema,
    })
}

const NO_FORMS: &str = "the client cannot ask a person (it has no form elicitation)";
const NO_URLS: &str = "the client cannot open an address (it has no URL elicitation)";
const OTHER_FORM: &str = "the client cannot show this form: a form of the Model Context Protocol has only strings, numbers, booleans and \
     choices of strings";

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
