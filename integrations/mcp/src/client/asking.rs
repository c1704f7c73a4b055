//! Questions of a server to a person.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
    InputResponses,
};
use serde_json::Value;
use tokio::{sync::watch, time::Instant};
use toolwright_core::{
    Decision, Schema, ToolContext,
    driver::{Caught, Mutex, check_form, defect},
    tool::{self, BoxFuture, Question},
};

type Asker =
    Arc<dyn Fn(Question, Option<ToolContext>) -> BoxFuture<'static, Decision> + Send + Sync>;

/// The way to a person, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Asking {
    asker: Arc<Mutex<Option<Asker>>>,
    in_runs: Arc<AtomicBool>,
    /// A call may wait until a person has signed in.
    signs_in: Arc<AtomicBool>,
    waiting: watch::Sender<Waiting>,
}

/// What waits for a person.
#[derive(Default)]
struct Waiting {
    questions: usize,
    sign_ins: usize,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Unasked {
    Nobody,
    TooMany,
    Sampling,
    Roots,
    Unknown,
    /// The call could not ask.
    ByCall(tool::Unasked),
}

/// The longest time for an answer: the limits of calls stand still meanwhile, those of others on this connection too. They stand
/// still no longer than this in all, so that questions without an end do not hold a call for ever.
pub(crate) const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The largest number of questions of a call, or of its task.
pub(crate) const MAX_QUESTIONS: usize = 100;
/// The largest number of questions of a server that wait at once.
const MAX_OPEN: usize = 8;

impl fmt::Display for Unasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Nobody => "an answer of a person (elicitation), and nobody can be asked here",
            Self::TooMany => "answers to too many questions at once",
            Self::Sampling => {
                "the use of a model (sampling), which no server gets here; SEP-2577 deprecates it"
            }
            Self::Roots => "the folders (roots), which no server sees here; SEP-2577 deprecates it",
            Self::Unknown => "what is not known here",
            Self::ByCall(why) => return write!(f, "an answer of a person (elicitation): {why}"),
        };
        f.write_str(what)
    }
}

impl Asking {
    pub(crate) fn set(&self, asker: Asker) {
        *self.asker.lock() = Some(asker);
    }

    pub(crate) fn set_in_runs(&self) {
        self.in_runs.store(true, Ordering::Relaxed);
    }

    /// Whether a call asks its questions by its context, and may end until the answer is there.
    pub(crate) fn is_in_runs(&self) -> bool {
        self.in_runs.load(Ordering::Relaxed)
    }

    /// Whether a person answers questions.
    pub(crate) fn is_possible(&self) -> bool {
        self.is_in_runs() || self.asker.lock().is_some()
    }

    pub(crate) fn set_signs_in(&self) {
        self.signs_in.store(true, Ordering::Relaxed);
    }

    /// Whether a call may wait for a person.
    pub(crate) fn may_wait(&self) -> bool {
        self.signs_in.load(Ordering::Relaxed) || self.is_possible()
    }

    /// Waits until this time has passed, without the time in which a person is asked, up to an hour of it.
    pub(crate) async fn late(&self, limit: Duration) {
        let (mut left, mut held) = (limit, LONGEST);
        loop {
            let begun = Instant::now();
            let is_idle = tokio::time::timeout(held, self.idle()).await.is_ok();
            held = held.saturating_sub(begun.elapsed());
            let begun = Instant::now();
            tokio::select! {
                () = tokio::time::sleep(left) => return,
                () = self.busy(), if is_idle => {}
            }
            left = left.saturating_sub(begun.elapsed());
        }
    }

    /// Lets the limits of calls stand still as long as it lives.
    pub(crate) fn sign_in(&self) -> SignIn<'_> {
        self.waiting.send_modify(|waiting| waiting.sign_ins += 1);
        SignIn(&self.waiting)
    }

    /// Waits until nothing waits for a person, and then until something does.
    async fn idle(&self) {
        // It lives as long as this.
        let _ = self.waiting.subscribe().wait_for(Waiting::is_none).await;
    }

    async fn busy(&self) {
        let is_any = |waiting: &Waiting| !waiting.is_none();
        let _ = self.waiting.subscribe().wait_for(is_any).await;
    }

    /// Asks the hook, which answers in this process.
    pub(crate) async fn ask(
        &self,
        request: ElicitRequestParams,
        context: Option<ToolContext>,
    ) -> Result<ElicitResult, Unasked> {
        let person = self.asker.lock().clone().ok_or(Unasked::Nobody)?;
        let _asked = Asked::new(&self.waiting).ok_or(Unasked::TooMany)?;
        let question = question(request)?;
        if defect(&question).is_some() {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        let about = question.clone();
        let asked = Caught::new(Box::pin(async move { person(about, context).await }));
        let decision = match tokio::time::timeout(LONGEST, asked).await {
            Ok(decision) => decision.unwrap_or_else(|_| Decision::deny("the hook failed")),
            Err(_) => Decision::deny("nobody answered in time"),
        };
        Ok(answer(&decision, &question))
    }

    /// Asks as the tool asks whose call this is. Where nobody answers its questions, the hook does.
    async fn ask_by_call(
        &self,
        key: String,
        request: ElicitRequestParams,
        context: &ToolContext,
    ) -> Result<ElicitResult, Unasked> {
        let question = question(request.clone())?;
        if defect(&question).is_some() {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        let open = Asked::new(&self.waiting).ok_or(Unasked::TooMany)?;
        let decision = tokio::time::timeout(LONGEST, context.ask(key, question.clone())).await;
        drop(open);
        match decision {
            Ok(Ok(decision)) => Ok(answer(&decision, &question)),
            Ok(Err(tool::Unasked::Nobody)) => self.ask(request, Some(context.clone())).await,
            Ok(Err(why)) => Err(Unasked::ByCall(why)),
            Err(_) => Ok(ElicitResult::new(ElicitationAction::Decline)),
        }
    }

    /// Answers what the result of a call, or its task, requires. A later result may have the same keys: the round is a part of
    /// what the call asks under. Nobody is asked where a part cannot be answered.
    pub(crate) async fn answer_all(
        &self,
        requests: InputRequests,
        round: &str,
        context: &ToolContext,
    ) -> Result<InputResponses, Unasked> {
        let requests = requests.into_iter().map(|(key, request)| match request {
            InputRequest::Elicitation(asked) => Ok((key, asked.params)),
            InputRequest::CreateMessage(_) => Err(Unasked::Sampling),
            InputRequest::ListRoots(_) => Err(Unasked::Roots),
            _ => Err(Unasked::Unknown),
        });
        let requests: Vec<_> = requests.collect::<Result<_, _>>()?;
        let mut answers = InputResponses::new();
        for (key, asked) in requests {
            let answer = if self.is_in_runs() {
                self.ask_by_call(format!("{round}/{key}"), asked, context)
                    .await?
            } else {
                self.ask(asked, Some(context.clone())).await?
            };
            let answer = serde_json::to_value(answer).map_err(|_| Unasked::Unknown)?;
            answers.insert(key, answer);
        }
        Ok(answers)
    }
}

fn question(request: ElicitRequestParams) -> Result<Question, Unasked> {
    Ok(match request {
        ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } => {
            let schema = serde_json::to_value(requested_schema).unwrap_or_default();
            Question::form(message, Schema::from_value(&schema))
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            Question::url(message, url)
        }
        _ => return Err(Unasked::Unknown),
    })
}

/// The decision as the answer of a form or of an address. A form that does not fit declines.
fn answer(decision: &Decision, question: &Question) -> ElicitResult {
    // Who is asked here sees the question.
    let form = match decision {
        Decision::Approve => "{}",
        Decision::ApproveWith { arguments } => arguments,
        _ => return ElicitResult::new(ElicitationAction::Decline),
    };
    if check_form(question, &Decision::approve_with(form)).is_err() {
        return ElicitResult::new(ElicitationAction::Decline);
    }
    let accepted = ElicitResult::new(ElicitationAction::Accept);
    match serde_json::from_str::<Value>(form) {
        Ok(content) if question.schema().is_some() => accepted.with_content(content),
        _ => accepted,
    }
}

impl Waiting {
    fn is_none(&self) -> bool {
        self.questions + self.sign_ins == 0
    }
}

/// A question that waits.
struct Asked<'a>(&'a watch::Sender<Waiting>);

impl<'a> Asked<'a> {
    fn new(waiting: &'a watch::Sender<Waiting>) -> Option<Self> {
        let has_room = waiting.send_if_modified(|waiting| {
            let has_room = waiting.questions < MAX_OPEN;
            waiting.questions += usize::from(has_room);
            has_room
        });
        has_room.then(|| Self(waiting))
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|waiting| waiting.questions -= 1);
    }
}

/// A request that waits until a person has signed in.
pub(crate) struct SignIn<'a>(&'a watch::Sender<Waiting>);

impl Drop for SignIn<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|waiting| waiting.sign_ins -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Asking, MAX_OPEN};

    #[test]
    fn who_waits_for_a_sign_in_takes_no_room_of_questions() {
        let asking = Asking::default();
        let signing_in: Vec<_> = (0..MAX_OPEN).map(|_| asking.sign_in()).collect();
        let asked: Vec<_> = (0..MAX_OPEN).map(|_| Asked::new(&asking.waiting)).collect();
        assert!(asked.iter().all(Option::is_some));
        assert!(Asked::new(&asking.waiting).is_none());
        drop((asked, signing_in));
        assert!(asking.waiting.borrow().is_none());
    }
}
