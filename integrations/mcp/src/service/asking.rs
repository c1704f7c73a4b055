//! Questions to the person at the client.
//!
//! Before 2026-07-28, a question is a request to the client, and the call waits for its answer. From then on a question is
//! the result of the call. The client makes the call again with the answer, the call runs from its beginning, and gets to
//! the same question. What was answered before comes back with the state of the request, which is [signed](state). The
//! client answers for its person and could make up any answer; what lies between it and the service cannot.

mod state;

use std::{
    collections::BTreeMap,
    future::pending,
    hash::{BuildHasher, RandomState},
    sync::Arc,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationCapability, FormElicitationCapability, InputRequest, InputRequests,
        InputRequiredResult, InputResponses, ProtocolVersion, RequestId, ServerRequest,
        UrlElicitationCapability,
    },
    service::{OriginatingRequestId, Peer, PeerRequestOptions, RequestContext},
};
use serde::Deserialize as _;
use tokio::sync::Notify;
use toolwright_core::{ErrorCategory, ToolError, driver::Mutex, tool::Question};

use state::Known;
pub(crate) use state::StateKey;

use super::{Served, caller};
use crate::{digest::digest, requests::Unanswered};

/// Asks the person at the client, as the approver of a call.
#[derive(Clone)]
pub(crate) struct Asking(Arc<State>);

struct State {
    way: Way,
    modes: Modes,
}

/// How the client can ask its person. It is an extension of the context of a call whose questions the client answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modes {
    pub(crate) forms: bool,
    pub(crate) urls: bool,
}

enum Way {
    /// By a request to the client, within its own one of this id.
    Request(Peer<RoleServer>, RequestId),
    /// By the result of the call.
    Result(ByResult),
}

struct ByResult {
    key: StateKey,
    /// The owner, and what is requested: a state is for it.
    about: String,
    id: String,
    /// The answers that are known, by the keys of their questions.
    known: BTreeMap<String, ElicitResult>,
    /// The digests of the questions that the client was asked before, by their keys.
    read: BTreeMap<String, String>,
    /// The digests of the questions of this request, also where there is an answer.
    questions: Mutex<BTreeMap<String, String>>,
    asked: Mutex<InputRequests>,
    /// The call is over: something is asked.
    is_over: Notify,
}

/// A request that may ask: a call of a tool, of a prompt, or of a resource.
pub(crate) struct Request<'a> {
    /// What is requested, and with which arguments.
    pub(crate) call: [&'a str; 3],
    /// What comes back of the request before.
    pub(crate) state: Option<&'a str>,
    pub(crate) answers: Option<&'a InputResponses>,
}

impl Asking {
    /// # Errors
    ///
    /// When a state came that the service did not give for this.
    pub(crate) fn new(
        served: &Served,
        request: &Request<'_>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Self, ErrorData> {
        let client = context.client_capabilities().unwrap_or_default();
        let version = context.protocol_version();
        let is_new =
            version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        let way = if is_new {
            let owner = caller::owner(context).unwrap_or_default();
            let [what, name, arguments] = request.call;
            let about = digest(&[&owner, what, name, arguments]);
            let key = served.state_key.clone();
            let before = request.state.map(|state| key.read(&about, state));
            let before = before.transpose()?;
            let (id, mut known, read) = match before {
                Some(before) => (before.id, before.answers, before.questions),
                None => (new_id(), BTreeMap::new(), BTreeMap::new()),
            };
            // A question with a name may be answered before it is asked.
            let answers = request.answers.into_iter().flatten();
            known.extend(answers.filter_map(|(key, answer)| {
                Some((key.clone(), ElicitResult::deserialize(answer).ok()?))
            }));
            Way::Result(ByResult {
                key,
                about,
                id,
                known,
                questions: Mutex::new(read.clone()),
                read,
                asked: Mutex::default(),
                is_over: Notify::new(),
            })
        } else {
            Way::Request(context.peer.clone(), context.id.clone())
        };
        Ok(Self(Arc::new(State {
            way,
            modes: Modes::of(&client),
        })))
    }

    /// The prefix of the idempotency key of a call that may be made again.
    pub(crate) fn id(&self) -> Option<String> {
        match &self.0.way {
            Way::Result(ByResult { id, .. }) => Some(format!("mcp.{id}")),
            Way::Request(..) => None,
        }
    }

    /// Returns true if a call goes on after its question.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.0.way, Way::Request(..))
    }

    /// How the client can ask.
    pub(crate) fn modes(&self) -> Modes {
        self.0.modes
    }

    /// The refusal of a client that lacks what a question needs. `None` for another failure of a call, and where the protocol
    /// has no such refusal.
    pub(crate) fn refusal(&self, error: &ToolError) -> Option<ErrorData> {
        let lacks = match error.details.get(LACKS)?.as_str() {
            URLS => ElicitationCapability::new().with_url(UrlElicitationCapability::new()),
            _ => ElicitationCapability::new().with_form(FormElicitationCapability::new()),
        };
        let mut needs = ClientCapabilities::default();
        needs.elicitation = Some(lacks);
        let is_told = !self.is_live();
        is_told.then(|| ErrorData::missing_required_client_capability(needs))
    }

    /// Asks in one of the [ways](Self::modes) that the client has, and gives the answer. If the result of the call has to ask, it
    /// never returns: the call is over then.
    ///
    /// # Errors
    ///
    /// Why the client did not answer.
    pub(crate) async fn ask(
        &self,
        key: String,
        question: ElicitRequestParams,
    ) -> Result<ElicitResult, String> {
        match &self.0.way {
            Way::Request(peer, within) => {
                let mut request = ElicitRequest::new(question);
                // By it the question goes where the client listens. `rmcp` knows it only in the task of its handler.
                let within = OriginatingRequestId(within.clone());
                request.extensions.insert(within);
                let request = ServerRequest::ElicitRequest(request);
                let options = PeerRequestOptions::no_options();
                let sent = peer.send_cancellable_request(request, options).await;
                let handle = sent.map_err(|error| error.to_string())?;
                // A call that ends before leaves no question behind.
                let unanswered = Unanswered::new(&handle);
                let answer = handle.await_response().await;
                unanswered.end();
                match answer.map_err(|error| error.to_string())? {
                    ClientResult::ElicitResult(answer) => Ok(answer),
                    _ => Err("its answer is not one to a question".to_owned()),
                }
            }
            Way::Result(by) => {
                let text = serde_json::to_string(&question).unwrap_or_default();
                let question_now = digest(&[&text]);
                // An answer is for what the person has read, unless it came without a question.
                let was_read = by.read.get(&key).is_none_or(|it| *it == question_now);
                by.questions.lock().insert(key.clone(), question_now);
                if let Some(answer) = by.known.get(&key).filter(|_| was_read) {
                    return Ok(answer.clone());
                }
                let question = InputRequest::Elicitation(ElicitRequest::new(question));
                by.asked.lock().insert(key, question);
                by.is_over.notify_one();
                pending().await
            }
        }
    }

    /// Waits until the result has to ask, and gives that result.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn asked(&self) -> InputRequiredResult {
        let Way::Result(by) = &self.0.way else {
            return pending().await;
        };
        by.is_over.notified().await;
        let (questions, asked) = (by.questions.lock().clone(), by.asked.lock().clone());
        let mut known = by.known.clone();
        // What this attempt has not come to stays, but not what the client said about other things, and not what is asked again.
        known.retain(|key, _| questions.contains_key(key) && !asked.contains_key(key));
        let known = Known::new(by.id.clone(), known, questions);
        InputRequiredResult::new(Some(asked), by.key.sign(&by.about, &known))
    }
}

impl Modes {
    pub(super) fn of(client: &ClientCapabilities) -> Self {
        let modes = client.elicitation.as_ref();
        Self {
            // Neither is declared: forms are what there was at first.
            forms: modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none()),
            urls: modes.is_some_and(|modes| modes.url.is_some()),
        }
    }

    pub(super) fn can_ask(self, question: &Question) -> bool {
        match question.address() {
            Some(_) => self.urls,
            None => self.forms,
        }
    }
}

/// The failure of a call that needs the answer to this question, where the client cannot ask it.
pub(super) fn lacking(question: &Question) -> ToolError {
    let message = "it needs the answer of a person, and the client cannot ask one";
    let lacks = question.address().map_or(FORMS, |_| URLS);
    ToolError::new(ErrorCategory::Unknown, message).with_detail(LACKS, lacks)
}

/// The detail of a failure that names what the client lacks: one of the two below.
const LACKS: &str = "client_lacks";
const FORMS: &str = "elicitation.form";
const URLS: &str = "elicitation.url";

/// A new id: what is hashed is known, but not the keys.
fn new_id() -> String {
    let keys = RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one(0_u8), keys.hash_one(1_u8))
}
