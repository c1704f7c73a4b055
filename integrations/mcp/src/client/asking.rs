//! Questions of a server to a person.

use std::{fmt, sync::Arc, time::Duration};

use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
    InputResponses,
};
use serde_json::Value;
use tokio::{sync::watch, time::Instant};
use toolwright_core::{
    Decision, Schema, ToolContext,
    driver::{Caught, Mutex, OutputCheck},
    tool::BoxFuture,
};

/// A question that a server has for a person within a call.
///
/// Its text is that of the server: show from whom it comes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Question {
    /// The question.
    pub message: String,
    /// How it is answered.
    pub way: QuestionWay,
    /// The context of the call, where the server says which one it asks for: in the protocol of 2026-07-28.
    pub context: Option<ToolContext>,
}

/// How a person answers a question of a server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum QuestionWay {
    /// By a form: a JSON object of this schema, whose members are strings, numbers, booleans and choices.
    Form(Schema),
    /// At this address (`http` or `https`), which a person opens; the server does not get the answer from here.
    Url(String),
}

type Asker = Arc<dyn Fn(Question) -> BoxFuture<'static, Decision> + Send + Sync>;

/// The way to a person, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Asking {
    asker: Arc<Mutex<Option<Asker>>>,
    /// The questions that wait.
    open: watch::Sender<usize>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Unasked {
    Nobody,
    TooMany,
    Sampling,
    Roots,
    Unknown,
}

/// The longest time for an answer: the limits of calls stand still meanwhile, those of others on this connection too.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The largest number of questions of a server that wait at once.
const MAX_OPEN: usize = 8;

impl fmt::Display for Unasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nobody => "an answer of a person (elicitation), and nobody can be asked here",
            Self::TooMany => "answers to too many questions at once",
            Self::Sampling => {
                "the use of a model (sampling), which no server gets here; SEP-2577 deprecates it"
            }
            Self::Roots => "the folders (roots), which no server sees here; SEP-2577 deprecates it",
            Self::Unknown => "what is not known here",
        })
    }
}

impl Asking {
    pub(crate) fn set(&self, asker: Asker) {
        *self.asker.lock() = Some(asker);
    }

    pub(crate) fn is_possible(&self) -> bool {
        self.asker.lock().is_some()
    }

    /// Waits until this time has passed, without the time in which a person is asked.
    pub(crate) async fn late(&self, limit: Duration) {
        let mut left = limit;
        loop {
            self.idle().await;
            let begun = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                () = self.busy() => {}
            }
            left = left.saturating_sub(begun.elapsed());
        }
    }

    /// Lets the limits of calls stand still as long as it lives.
    pub(crate) fn pause(&self) -> Open<'_> {
        self.open.send_modify(|count| *count += 1);
        Open(&self.open)
    }

    /// Waits until no question is open, and then until one is.
    async fn idle(&self) {
        // It lives as long as this.
        let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
    }

    async fn busy(&self) {
        let _ = self.open.subscribe().wait_for(|open| *open > 0).await;
    }

    /// Asks a person.
    pub(crate) async fn ask(
        &self,
        request: ElicitRequestParams,
        context: Option<ToolContext>,
    ) -> Result<ElicitResult, Unasked> {
        let person = self.asker.lock().clone().ok_or(Unasked::Nobody)?;
        let _open = Open::new(&self.open).ok_or(Unasked::TooMany)?;
        let (message, way) = match request {
            ElicitRequestParams::FormElicitationParams {
                message,
                requested_schema,
                ..
            } => {
                let schema = serde_json::to_value(requested_schema).unwrap_or_default();
                (message, QuestionWay::Form(Schema::from_value(&schema)))
            }
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
                let is_web = http::Uri::try_from(&url).is_ok_and(|url| {
                    url.scheme_str()
                        .is_some_and(|it| it == "http" || it == "https")
                });
                if !is_web {
                    return Ok(ElicitResult::new(ElicitationAction::Decline));
                }
                (message, QuestionWay::Url(url))
            }
            _ => return Err(Unasked::Unknown),
        };
        let question = Question {
            message,
            way: way.clone(),
            context,
        };
        let asked = Caught::new(Box::pin(async move { person(question).await }));
        let decision = match tokio::time::timeout(LONGEST, asked).await {
            Ok(decision) => decision.unwrap_or_else(|_| Decision::deny("the hook failed")),
            Err(_) => Decision::deny("nobody answered in time"),
        };
        Ok(answer(decision, &way))
    }

    /// Answers what the result of a call requires.
    pub(crate) async fn answer_all(
        &self,
        requests: InputRequests,
        context: &ToolContext,
    ) -> Result<InputResponses, Unasked> {
        let mut answers = InputResponses::new();
        for (key, request) in requests {
            let asked = match request {
                InputRequest::Elicitation(asked) => asked.params,
                InputRequest::CreateMessage(_) => return Err(Unasked::Sampling),
                InputRequest::ListRoots(_) => return Err(Unasked::Roots),
                _ => return Err(Unasked::Unknown),
            };
            let answer = self.ask(asked, Some(context.clone())).await?;
            let answer = serde_json::to_value(answer).map_err(|_| Unasked::Unknown)?;
            answers.insert(key, answer);
        }
        Ok(answers)
    }
}

/// The decision as the answer of a form or of an address.
fn answer(decision: Decision, way: &QuestionWay) -> ElicitResult {
    let content = match (decision, way) {
        (Decision::Approve, QuestionWay::Url(_)) => {
            return ElicitResult::new(ElicitationAction::Accept);
        }
        (Decision::Approve, QuestionWay::Form(schema)) => Some(("{}".to_owned(), schema)),
        (Decision::ApproveWith { arguments }, QuestionWay::Form(schema)) => {
            Some((arguments, schema))
        }
        _ => None,
    };
    let fitting = content.and_then(|(text, schema)| {
        let content: Value = serde_json::from_str(&text).ok()?;
        let check = OutputCheck::new("the form", schema).ok()?;
        (content.is_object() && check.fits(&content)).then_some(content)
    });
    match fitting {
        Some(content) => ElicitResult::new(ElicitationAction::Accept).with_content(content),
        None => ElicitResult::new(ElicitationAction::Decline),
    }
}

/// A question that waits.
pub(crate) struct Open<'a>(&'a watch::Sender<usize>);

impl<'a> Open<'a> {
    fn new(open: &'a watch::Sender<usize>) -> Option<Self> {
        let has_room = open.send_if_modified(|count| {
            let has_room = *count < MAX_OPEN;
            *count += usize::from(has_room);
            has_room
        });
        has_room.then_some(Self(open))
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
