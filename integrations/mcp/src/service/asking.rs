//! Questions to the person at the client.
//!
//! Before 2026-07-28, a question is a request to the client, and the call waits for its answer. From then on a question is
//! the result of the call. The client makes the call again with the answer, the call runs from its beginning, and gets to
//! the same question. What was answered before comes back with the state of the request, which is [signed](state). The
//! client answers for its person and could make up any answer; what lies between it and the service cannot.

mod state;

use std::{
    collections::BTreeMap,
    fmt::Write,
    future::pending,
    hash::{BuildHasher, RandomState},
    sync::Arc,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{
        ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationCapability, InputRequest, InputRequests, InputRequiredResult, InputResponses,
        ProtocolVersion,
    },
    service::{Peer, RequestContext},
};
use serde::Deserialize as _;
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use toolwright_core::{ToolContext, driver::Mutex};

use state::Known;
pub(crate) use state::StateKey;

use super::{Served, caller};

/// Asks the person at the client. It is an extension of the context of a call.
#[derive(Clone)]
pub(crate) struct Asking(Arc<State>);

struct State {
    way: Way,
    has_forms: bool,
    has_urls: bool,
    /// The answers that are known, by the keys of their questions.
    known: Mutex<BTreeMap<String, ElicitResult>>,
    /// The questions by their keys, also those with an answer.
    questions: Mutex<BTreeMap<String, ElicitRequestParams>>,
}

enum Way {
    /// By a request to the client.
    Request(Peer<RoleServer>),
    /// By the result of the call.
    Result(ByResult),
}

struct ByResult {
    key: StateKey,
    /// The owner, and what is requested: a state is for it.
    about: String,
    id: String,
    asked: Mutex<InputRequests>,
    /// What the client lacks.
    lacks: Mutex<Option<ElicitationCapability>>,
    /// The call is over: something is asked, or lacking.
    is_over: Notify,
}

/// The reason why there is no answer.
pub(crate) enum Unanswered {
    /// The client cannot ask a person in this way.
    Unsupported,
    /// The client did not answer.
    Failed(String),
    /// Another question of the call has this key.
    Taken(String),
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
        let modes = client.elicitation.as_ref();
        let has_urls = modes.is_some_and(|modes| modes.url.is_some());
        let version = context.protocol_version();
        let is_new =
            version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        let mut known = BTreeMap::new();
        let way = if is_new {
            let owner = caller::owner(context).unwrap_or_default();
            let [what, name, arguments] = request.call;
            let about = digest(&[&owner, what, name, arguments]);
            let key = served.state_key.clone();
            let before = request.state.map(|state| key.read(&about, state));
            let before = before.transpose()?;
            let id = before.map(|before| {
                known = before.answers;
                before.id
            });
            // A question with a name may be answered before it is asked.
            let answers = request.answers.into_iter().flatten();
            known.extend(answers.filter_map(|(key, answer)| {
                Some((key.clone(), ElicitResult::deserialize(answer).ok()?))
            }));
            Way::Result(ByResult {
                key,
                about,
                id: id.unwrap_or_else(new_id),
                asked: Mutex::default(),
                lacks: Mutex::default(),
                is_over: Notify::new(),
            })
        } else {
            Way::Request(context.peer.clone())
        };
        Ok(Self(Arc::new(State {
            way,
            has_forms: asks_in_forms(&client),
            has_urls,
            known: Mutex::new(known),
            questions: Mutex::default(),
        })))
    }

    /// The prefix of the idempotency key of a call that may be made again.
    pub(crate) fn id(&self) -> Option<String> {
        match &self.0.way {
            Way::Result(ByResult { id, .. }) => Some(format!("mcp.{id}")),
            Way::Request(_) => None,
        }
    }

    /// Returns true if a call goes on after its question.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.0.way, Way::Request(_))
    }

    /// Returns true if the context is that of the call itself, and not that of one in the run of an agent.
    pub(crate) fn is_of(&self, cx: &ToolContext) -> bool {
        let key = cx.idempotency_key();
        self.id()
            .zip(key)
            .is_some_and(|(id, key)| key.starts_with(&id))
    }

    /// Asks, and gives the answer. If the result of the call has to ask, it never returns: the call is over then.
    pub(crate) async fn ask(
        &self,
        key: String,
        question: ElicitRequestParams,
    ) -> Result<ElicitResult, Unanswered> {
        let is_supported = match &question {
            ElicitRequestParams::UrlElicitationParams { .. } => self.0.has_urls,
            _ => self.0.has_forms,
        };
        if !is_supported {
            return Err(Unanswered::Unsupported);
        }
        if !self.0.is_same(&key, &question) {
            return Err(Unanswered::Taken(key));
        }
        let known = self.0.known.lock().get(&key).cloned();
        if let Some(answer) = known {
            return Ok(answer);
        }
        match &self.0.way {
            Way::Request(peer) => {
                let answer = peer.create_elicitation(question).await;
                let answer = answer.map_err(|error| Unanswered::Failed(error.to_string()))?;
                self.0.known.lock().insert(key, answer.clone());
                Ok(answer)
            }
            Way::Result(by) => {
                let question = InputRequest::Elicitation(ElicitRequest::new(question));
                by.asked.lock().insert(key, question);
                by.is_over.notify_one();
                pending().await
            }
        }
    }

    /// Refuses the call of a client that lacks this. Where the protocol has no such refusal, it returns.
    pub(crate) async fn refuse(&self, lacks: ElicitationCapability) {
        if let Way::Result(by) = &self.0.way {
            *by.lacks.lock() = Some(lacks);
            by.is_over.notify_one();
            pending::<()>().await;
        }
    }

    /// Waits until the result has to ask, and gives that result; an error if the client lacks what a question needs.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn asked(&self) -> Result<InputRequiredResult, ErrorData> {
        let Way::Result(by) = &self.0.way else {
            return pending().await;
        };
        by.is_over.notified().await;
        if let Some(lacks) = by.lacks.lock().take() {
            let mut needs = ClientCapabilities::default();
            needs.elicitation = Some(lacks);
            return Err(ErrorData::missing_required_client_capability(needs));
        }
        let mut known = self.0.known.lock().clone();
        // Not what the client said about other things.
        let questions = self.0.questions.lock();
        known.retain(|key, _| questions.contains_key(key));
        let known = Known::new(by.id.clone(), known);
        let state = by.key.sign(&by.about, &known);
        Ok(InputRequiredResult::new(
            Some(by.asked.lock().clone()),
            state,
        ))
    }
}

impl State {
    /// True if no other question has the key.
    fn is_same(&self, key: &str, question: &ElicitRequestParams) -> bool {
        let mut questions = self.questions.lock();
        let first = questions.entry(key.to_owned());
        first.or_insert_with(|| question.clone()) == question
    }
}

pub(super) fn asks_in_forms(client: &ClientCapabilities) -> bool {
    let modes = client.elicitation.as_ref();
    // Neither is declared: forms are what there was at first.
    modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// A digest of texts, in hexadecimal digits.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_be_bytes());
        digest.update(part);
    }
    let digest = digest.finalize();
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A new id: what is hashed is known, but not the keys.
fn new_id() -> String {
    let keys = RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one(0_u8), keys.hash_one(1_u8))
}
