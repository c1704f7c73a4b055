//! Approvals by the person at the client.

use std::{fmt::Write, sync::Arc};

use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, ClientCapabilities, ElicitRequest, ElicitRequestParams,
        ElicitResult, ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
        InputResponses, ProtocolVersion,
    },
    service::{Peer, RequestContext},
};
use serde::Deserialize as _;
use sha2::{Digest, Sha256};
use toolwright_core::{ApprovalRequest, Decision, ToolCall, driver::Mutex, visible};

/// Asks the person at the client whether a call may run.
#[derive(Clone)]
pub(crate) struct Asking(Arc<Way>);

enum Way {
    /// By a request to the client, as in the protocols before 2026-07-28.
    Request(Peer<RoleServer>),
    /// By the result of the call, which the client then makes again with the answer.
    Result {
        /// The answers, and the call that they are for.
        answers: Option<(String, InputResponses)>,
        asked: Mutex<Option<InputRequiredResult>>,
    },
    /// The client cannot ask a person.
    Nobody,
}

/// The key of the question in a result.
const APPROVAL: &str = "approval";

impl Asking {
    pub(crate) fn new(
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let has_forms = context
            .client_capabilities()
            .is_some_and(|it| asks_in_forms(&it));
        let version = context.protocol_version();
        let is_new =
            version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        Self(Arc::new(match (has_forms, is_new) {
            (false, _) => Way::Nobody,
            (true, false) => Way::Request(context.peer.clone()),
            (true, true) => Way::Result {
                answers: request
                    .request_state
                    .clone()
                    .zip(request.input_responses.clone()),
                asked: Mutex::new(None),
            },
        }))
    }

    /// Decides about the call. If the result has to ask, the decision is a denial that nobody reads.
    pub(crate) async fn decide(&self, request: ApprovalRequest) -> Decision {
        match &*self.0 {
            Way::Nobody => Decision::deny(
                "it needs an approval, and the client cannot ask a person (it has no form elicitation)",
            ),
            Way::Request(peer) => match peer.create_elicitation(question(&request.call)).await {
                Ok(answer) => decision(&answer),
                Err(error) => Decision::deny(format!("the client did not ask a person: {error}")),
            },
            Way::Result { answers, asked } => {
                let call = fingerprint(&request);
                let answer = answers.as_ref().filter(|(about, _)| *about == call);
                let answer = answer.and_then(|(_, answers)| answers.get(APPROVAL));
                let answer = answer.and_then(|answer| ElicitResult::deserialize(answer).ok());
                if let Some(answer) = answer {
                    return decision(&answer);
                }
                let asks = InputRequest::Elicitation(ElicitRequest::new(question(&request.call)));
                let asks = [(APPROVAL.to_owned(), asks)].into();
                *asked.lock() = Some(InputRequiredResult::new(Some(asks), Some(call)));
                Decision::deny("a person is asked")
            }
        }
    }

    /// The result that asks, if one has to.
    pub(crate) fn take_asked(&self) -> Option<InputRequiredResult> {
        match &*self.0 {
            Way::Result { asked, .. } => asked.lock().take(),
            _ => None,
        }
    }
}

pub(super) fn asks_in_forms(client: &ClientCapabilities) -> bool {
    client
        .elicitation
        .as_ref()
        // Neither is said: forms are what there was at first.
        .is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
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

/// What an answer is for: the tool and its arguments, to the byte. The client, for whom the person decides, could decide
/// without that person, so that nothing is signed.
fn fingerprint(request: &ApprovalRequest) -> String {
    let mut digest = Sha256::new();
    for part in [&request.call.name, &request.call.arguments] {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    digest
        .finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
