//! Items for a run: a cancel, a message, decisions, answers.

use std::{collections::HashSet, sync::Arc};

use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{json, value::RawValue};
use toolwright_core::{
    Decision, ErrorCategory, ToolError, ToolOutput,
    run::{PendingCall, Resolution, RunId, WaitsFor},
    tool::OutputPart,
};
use toolwright_runtime::store::{InboxContent, InboxItem};

use crate::{
    app::App,
    caller::Visitor,
    decisions,
    deliver::say,
    failure::Failure,
    incoming, json,
    parts::Read,
    runs_of_chat::{Chat, NO_ID, is_id},
    tools::BY_HAND,
};

/// What is said to a run without regard to its calls.
pub(crate) trait Said: DeserializeOwned + Send {
    fn item(
        self,
        visitor: &Visitor,
        run: &RunId,
    ) -> impl Future<Output = Result<InboxItem, Failure>> + Send;

    /// The answer of a run that is over, if it has nothing more to take.
    fn when_over(_: &RunId) -> Option<Result<Response, Failure>> {
        None
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cancel {
    #[serde(default)]
    after_round: bool,
}

impl Said for Cancel {
    /// A cancel counts once, however often it is sent.
    async fn item(self, _: &Visitor, _: &RunId) -> Result<InboxItem, Failure> {
        Ok(if self.after_round {
            InboxItem::with_id("cancel after round", InboxContent::CancelAfterRound)
        } else {
            InboxItem::with_id("cancel", InboxContent::Cancel)
        })
    }

    /// Nothing is left to cancel, which is what was wanted.
    fn when_over(run: &RunId) -> Option<Result<Response, Failure>> {
        Some(json::json(&json!({ "runId": run })))
    }
}

#[derive(Deserialize)]
pub(crate) struct Push {
    text: String,
    /// The id that the client gave it: sent twice to a run, it counts once.
    id: Option<String>,
}

impl Said for Push {
    /// The item, with what the checks of the application leave of the message.
    async fn item(self, visitor: &Visitor, run: &RunId) -> Result<InboxItem, Failure> {
        if self.text.trim().is_empty() {
            return Err(Failure::bad_request("the message is empty"));
        }
        if self.id.as_deref().is_some_and(|id| !is_id(id)) {
            return Err(Failure::bad_request(format!("the id {NO_ID}")));
        }
        let message = visitor.runner.check_input(self.text).await;
        let content = InboxContent::Message(message);
        let item = match self.id {
            Some(id) => InboxItem::with_id(format!("message {id}"), content),
            None => InboxItem::new(content),
        };
        // The runner of a sub-agent has checks of its own.
        let above = visitor.store.load(run, u64::MAX).await?.info.parent();
        Ok(if above.is_none() {
            item.checked()
        } else {
            item
        })
    }
}

/// Says something to a run.
pub(crate) async fn to_run<S: Said>(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    let run = RunId::new(id);
    match take_in::<S>(&app, &visitor, &run, request).await {
        Err(failure) if failure.is_not_running() => S::when_over(&run).unwrap_or(Err(failure)),
        told => told,
    }
}

async fn take_in<S: Said>(
    app: &Arc<App>,
    visitor: &Visitor,
    run: &RunId,
    request: Request,
) -> Result<Response, Failure> {
    // Without entries.
    let loaded = app.load(visitor, run, u64::MAX).await?;
    let said: S = incoming::read_as(app, request).await?;
    // A message that the run took is answered as it was, also when it is sent again later.
    if loaded.status.is_over() && S::when_over(run).is_some() {
        return Err(Failure::not_running());
    }
    let item = said.item(visitor, run).await?;
    tell(visitor, run, vec![item]).await
}

/// Says something to the newest run of a chat. If that is over, another may be about to begin, so that a cancel is refused.
pub(crate) async fn to_chat<S: Said>(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    let newest = Chat::new(&app, &visitor, &id)?.newest().await?;
    let run = newest.ok_or_else(Failure::not_found)?.info.run_id;
    take_in::<S>(&app, &visitor, &run, request).await
}

#[derive(Deserialize)]
struct Decisions {
    decisions: Vec<Decided>,
}

#[derive(Deserialize)]
struct Decided {
    call: String,
    decision: DecisionKind,
    #[serde(default)]
    reason: String,
    /// The filled form, for the question of a call.
    #[serde(default)]
    arguments: Option<Box<RawValue>>,
    /// The number of requests about the call before the one that is decided, as the call that waits has it.
    #[serde(default)]
    asked: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum DecisionKind {
    Approve,
    Deny,
}

/// Decides about calls that wait.
pub(crate) async fn decide(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    let run = visible(&app, &visitor, id).await?;
    let asked: Decisions = incoming::read_as(&app, request).await?;
    let loaded = app.load(&visitor, &run, u64::MAX).await?;
    // The caller has made its call, and would approve it itself.
    let is_by_hand = loaded.info.labels.contains_key(BY_HAND) && !app.self_approval;
    let waiting = loaded.pending;
    let (mut items, mut calls) = (Vec::new(), HashSet::new());
    for decided in asked.decisions {
        if !calls.insert(decided.call.clone()) {
            return Err(Failure::bad_request("two decisions are for one call"));
        }
        let decision = match decided.decision {
            DecisionKind::Approve => match &decided.arguments {
                Some(arguments) => Decision::approve_with(arguments.get()),
                None => Decision::Approve,
            },
            DecisionKind::Deny => Decision::deny(decided.reason),
        };
        let call = decisions::find(&waiting, &decided.call);
        // An earlier question of the call is decided, whatever it waits for now.
        let is_it = |call: &&PendingCall| {
            call.awaits_decision() && (call.question.is_none() || call.asked == decided.asked)
        };
        let call = call.filter(is_it);
        let Some(call) = call else {
            let is_same = |said: &Resolution| {
                let before = said.decision().filter(|_| said.asked() == decided.asked);
                before.map(|before| *before == decision)
            };
            items.push(said_before(&visitor, &run, &decided.call, is_same).await?);
            continue;
        };
        if call.question.is_none() && decided.arguments.is_some() {
            let message =
                "`arguments` are for the question of a call, and this one waits for an approval";
            return Err(Failure::bad_request(message));
        }
        if let Err(error) = call.check(&decision) {
            let failure = Failure::unfit(&error.message);
            return Err(failure.with("call", &decided.call));
        }
        // Whoever sends an approval once more has not seen what the tool is now.
        let approves = !matches!(decision, Decision::Deny { .. });
        if approves && call.asked != decided.asked {
            let message = "the tool has changed since, and a new approval is needed: send the current value of `asked`";
            let failure = Failure::conflict("asked_again", message);
            return Err(failure.with("asked", &call.asked));
        }
        if approves && is_by_hand && call.path.is_empty() && call.question.is_none() {
            let message = "a call by hand is approved by the application (`Server::self_approval`)";
            return Err(Failure::forbidden(message));
        }
        items.push(decisions::item(call.decide(decision)));
    }
    if items.is_empty() {
        return Err(Failure::bad_request("`decisions` is empty"));
    }
    tell(&visitor, &run, items).await
}

#[derive(Deserialize)]
struct Answer {
    call: String,
    output: Option<Box<RawValue>>,
    error: Option<String>,
}

/// Answers a call of a tool that runs elsewhere.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(id)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    let run = visible(&app, &visitor, id).await?;
    let asked: Answer = incoming::read_as(&app, request).await?;
    let outcome = match (asked.output, asked.error) {
        (Some(output), None) => Ok(output_of(&output)),
        (None, Some(error)) => Err(ToolError::new(ErrorCategory::Unknown, error)),
        _ => {
            let message = "send either `output` or `error`";
            return Err(Failure::bad_request(message));
        }
    };
    let waiting = waiting(&app, &visitor, &run).await?;
    let call = decisions::find(&waiting, &asked.call);
    let call = call.filter(|call| call.waits_for == WaitsFor::Answer);
    let item = if let Some(call) = call {
        decisions::item(call.resolve_with(outcome))
    } else {
        let outcome = outcome.map_err(Box::new);
        let is_same = |said: &Resolution| {
            let before = said.answer();
            before.map(|before| before.outcome == outcome)
        };
        said_before(&visitor, &run, &asked.call, is_same).await?
    };
    tell(&visitor, &run, vec![item]).await
}

/// A text as it is, and every other value as its JSON, to the digit.
fn output_of(value: &RawValue) -> ToolOutput {
    match serde_json::from_str::<String>(value.get()) {
        Ok(text) => ToolOutput::text(text),
        Err(_) => ToolOutput::default().with_part(OutputPart::Json(value.get().to_owned())),
    }
}

/// The item that resolved a call which does not wait any more, if it says the same: a request that is sent twice is answered
/// twice. `is_same` is `None` for what resolves something else. Of several the first has resolved the call.
async fn said_before(
    visitor: &Visitor,
    run: &RunId,
    place: &str,
    is_same: impl Fn(&Resolution) -> Option<bool>,
) -> Result<InboxItem, Failure> {
    let top = visitor.store.load(run, u64::MAX).await?.info.top();
    let inbox = visitor.store.inbox(top.as_ref().unwrap_or(run), 0).await?;
    for received in inbox {
        if let InboxContent::Resolution(said) = received.item.content()
            && let Some(is_same) = is_same(said)
            && is_at(visitor, run, place, said).await?
        {
            return if is_same {
                Ok(received.item)
            } else {
                Err(Failure::decided_before(place))
            };
        }
    }
    Err(Failure::not_waiting())
}

/// Returns true if the call is at this place below a run, such as `0.1 > 0.0`.
async fn is_at(
    visitor: &Visitor,
    run: &RunId,
    place: &str,
    said: &Resolution,
) -> Result<bool, Failure> {
    let (mut at, mut call) = (said.run_id().clone(), said.id());
    let mut steps: Vec<_> = place.split(" > ").collect();
    while steps.pop().is_some_and(|step| step == call.to_string()) {
        if at == *run {
            return Ok(steps.is_empty());
        }
        match visitor.store.load(&at, u64::MAX).await?.info.parent() {
            Some(above) => (at, call) = above,
            None => break,
        }
    }
    Ok(false)
}

/// The calls of a run that wait for people or for the application, also while the run is driven. Entries of its log are
/// not needed.
async fn waiting(app: &App, visitor: &Visitor, run: &RunId) -> Result<Vec<PendingCall>, Failure> {
    Ok(app.load(visitor, run, u64::MAX).await?.pending)
}

/// A run that the visitor may see.
async fn visible(app: &App, visitor: &Visitor, id: String) -> Result<RunId, Failure> {
    let run = RunId::new(id);
    // Its entries are not needed.
    app.load(visitor, &run, u64::MAX).await?;
    Ok(run)
}

async fn tell(visitor: &Visitor, run: &RunId, items: Vec<InboxItem>) -> Result<Response, Failure> {
    say(visitor, run, items).await?;
    json::accepted(&json!({ "runId": run }))
}
