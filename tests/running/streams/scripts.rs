//! Runs of scripts, with their events.

use toolwright::{
    Conversation, Message, ModelError, ModelResponse, Runner, ToolCall, ToolContext, ToolError,
    ToolOutput, Toolset,
    approval::Decision,
    message::{Citation, Image, Part, ProviderActivity, Source, ToolActivity},
    model::{FinishReason, ModelErrorKind, ModelEvent, Usage},
    run::{Limits, OnLimit, PendingCall, Record, Resolution, RunOutcome},
    runner::{Agent, RunEvent, RunHandle, RunnerBuilder},
    schema::Schema,
    testing::{ScriptedModel, ScriptedResponse},
    tool,
    tool::{Progress, Question},
    toolset,
};

/// A run of a script.
pub(super) struct Told {
    pub(super) name: &'static str,
    /// The events of each request of a client, as they came.
    pub(super) parts: Vec<Vec<RunEvent>>,
    /// What the conversation has of the run after its question.
    pub(super) said: Vec<Message>,
    /// A client may have reasoning that the conversation has not: the reply broke off.
    pub(super) is_broken_off: bool,
}

impl Told {
    /// The records of the run, as a store has them.
    pub(super) fn records(&self) -> Vec<RunEvent> {
        let events = self.parts.iter().flatten();
        let records = events.filter(|event| matches!(event, RunEvent::Recorded { .. }));
        records.cloned().collect()
    }

    /// The place of the record after those of so many requests.
    pub(super) fn next_place(&self, parts: usize) -> u64 {
        let records = self.parts[..parts].iter().flatten().filter_map(place);
        records.max().map_or(0, |last| last + 1)
    }

    pub(super) fn run_id(&self) -> String {
        match &self.parts[0][0] {
            RunEvent::Recorded {
                record: Record::Started { run_id, .. },
                ..
            } => run_id.as_str().to_owned(),
            other => panic!("a run begins with its first record, not {other:?}"),
        }
    }
}

/// Look at the weather.
#[tool]
async fn look(#[context] progress: Progress, city: String) -> Result<String, ToolError> {
    progress.step(1, 2, "asking");
    match city.as_str() {
        "Atlantis" => Err(ToolError::not_found("no such city")),
        _ => Ok(format!("rain in {city}")),
    }
}

/// Draw a map.
#[tool]
async fn draw() -> ToolOutput {
    ToolOutput::text("the map").with_image(Image::from_bytes("image/png", b"\x89PNG"))
}

/// Count letters.
#[tool]
async fn count(word: String) -> tool::Json<Vec<usize>> {
    tool::Json(vec![word.len()])
}

/// Pay a bill of some euros.
#[tool(approval)]
async fn pay(euros: u32) -> Result<String, ToolError> {
    match euros {
        13 => Err(ToolError::not_found("no such account")),
        _ => Ok(format!("paid {euros}")),
    }
}

/// Order a shirt.
#[tool]
async fn order_shirt(colour: String, #[context] cx: &ToolContext) -> Result<String, ToolError> {
    // In several lines, as a person writes it.
    let form = "{\"type\": \"object\",\n\"properties\": {\"size\": {\"enum\": [\"S\", \"M\"]}},\r\n\"required\": [\"size\"]}";
    let question = Question::form("Which <b>size</b>?", Schema::from_text(form)?);
    let Decision::ApproveWith { arguments } = cx.ask("size", question).await? else {
        return Ok("no shirt is ordered".to_owned());
    };
    cx.ask("pay", Question::url("Pay it.", "https://example.com/pay"))
        .await?;
    Ok(format!("a {colour} shirt is ordered: {arguments}"))
}

/// Ask the user which colour the house gets.
#[derive(serde::Deserialize, toolwright::Tool)]
#[tool(external)]
struct ChooseColour {
    /// The colours to choose from.
    colours: Vec<String>,
}

pub(super) fn tools() -> Toolset {
    toolset![look, draw, count, pay, order_shirt, ChooseColour]
}

pub(super) fn reply(parts: impl IntoIterator<Item = Part>) -> ModelResponse {
    ModelResponse::new(parts.into_iter().collect()).with_usage(Usage::new(10, 2))
}

pub(super) fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

pub(super) fn thought(text: &str) -> Part {
    Part::Reasoning(text.to_owned())
}

pub(super) fn call(name: &str, arguments: &str) -> Part {
    Part::Call(ToolCall::new("same", name, arguments))
}

fn runner(script: Vec<ScriptedResponse>) -> RunnerBuilder {
    Runner::builder(ScriptedModel::new(script))
        .tools(tools())
        .suspends()
}

async fn read(run: &mut RunHandle) -> Vec<RunEvent> {
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(event);
    }
    events
}

pub(super) async fn outcome(run: RunHandle) -> RunOutcome {
    match run.outcome().await {
        Ok(outcome) => outcome,
        Err(error) => *error.outcome,
    }
}

pub(super) fn said(conversation: &Conversation) -> Vec<Message> {
    conversation.messages().iter().skip(1).cloned().collect()
}

async fn whole(name: &'static str, mut run: RunHandle) -> Told {
    let events = read(&mut run).await;
    let outcome = outcome(run).await;
    Told {
        name,
        parts: vec![events],
        said: said(&outcome.conversation),
        is_broken_off: outcome.broken_off,
    }
}

async fn scripted(name: &'static str, script: Vec<ScriptedResponse>) -> Told {
    let run = runner(script).build().expect("is consistent").start("Hi.");
    whole(name, run).await
}

/// A run that waits, and goes on in another stream each time that its calls are resolved.
async fn resumed(
    name: &'static str,
    script: Vec<ScriptedResponse>,
    resolve: impl Fn(&PendingCall) -> Resolution,
) -> Told {
    let runner = runner(script).build().expect("is consistent");
    let mut run = runner.start("Do it.");
    let mut parts = Vec::new();
    loop {
        parts.push(read(&mut run).await);
        let outcome = outcome(run).await;
        let Some(stored) = outcome.suspended else {
            return Told {
                name,
                parts,
                said: said(&outcome.conversation),
                is_broken_off: false,
            };
        };
        let resolutions: Vec<_> = outcome.pending.iter().map(&resolve).collect();
        let resumed = runner.resume(stored).decide(resolutions).start().await;
        run = resumed.expect("goes on");
    }
}

/// A run that waits for approvals, and goes on in a second stream with these decisions.
async fn decided(name: &'static str, approves: [bool; 2]) -> Told {
    let script = vec![
        reply([
            text("Two bills."),
            call("pay", r#"{"euros": 1}"#),
            call("look", r#"{"city": "Oslo"}"#),
            call("pay", r#"{"euros": 2}"#),
        ])
        .into(),
        reply([text("Done.")]).into(),
    ];
    let resolve = |call: &PendingCall| {
        if approves[usize::from(call.id.index > 0)] {
            call.approve()
        } else {
            call.deny("too much")
        }
    };
    resumed(name, script, resolve).await
}

/// A run that waits for the application, and goes on in a second stream with its answer.
async fn answered(name: &'static str) -> Told {
    let script = vec![
        reply([call("choose_colour", r#"{"colours": ["red"]}"#)]).into(),
        reply([text("Red it is.")]).into(),
    ];
    resumed(name, script, |call| call.answer(ToolOutput::text("red"))).await
}

/// The answer of a person to a question of a call, as JSON.
pub(super) fn answer_to(question: &Question) -> &'static str {
    match question.schema() {
        Some(_) => r#"{"size":"M"}"#,
        None => "{}",
    }
}

/// A run whose call asks by a form and then by an address.
async fn asked(name: &'static str) -> Told {
    let script = vec![
        reply([
            text("A shirt."),
            call("order_shirt", r#"{"colour": "red"}"#),
        ])
        .into(),
        reply([text("It is ordered.")]).into(),
    ];
    let resolve = |call: &PendingCall| {
        let question = call.question.as_ref().expect("it asks");
        call.approve_with(answer_to(question))
    };
    resumed(name, script, resolve).await
}

/// A reply that stalls after these parts, and the run that is cancelled then.
async fn cancelled(name: &'static str, partial: Vec<Part>, pieces: usize) -> Told {
    let script = vec![ScriptedResponse::Stall(reply(partial))];
    let mut run = runner(script).build().expect("is consistent").start("Hi.");
    let mut events = Vec::new();
    let mut heard = 0;
    while let Some(event) = run.next().await {
        heard += usize::from(matches!(event, RunEvent::Delta(_)));
        events.push(event);
        if heard == pieces {
            run.cancel();
        }
    }
    let outcome = outcome(run).await;
    Told {
        name,
        parts: vec![events],
        said: said(&outcome.conversation),
        is_broken_off: outcome.broken_off,
    }
}

/// A search that the provider ran, code that failed there, and the sources of the text.
pub(super) fn activities() -> Vec<Part> {
    let source = || Source::new("https://rust-lang.org").with_title("Rust");
    let mut search = ToolActivity::new("web_search");
    (search.id, search.input) = ("ws_1".to_owned(), "Rust".to_owned());
    let mut found = search.clone();
    (found.sources, found.is_over) = (vec![source(), Source::new("https://docs.rs")], true);
    let mut code = ToolActivity::new("code_execution");
    "1 / 0".clone_into(&mut code.input);
    (code.is_over, code.failed) = (true, true);
    let mut page = Citation::new(source());
    page.range = Some(0..4);
    let file = Citation::new(Source::default().with_title("notes.txt"));
    let tools = [search, found, code].map(ProviderActivity::Tool);
    let sources = [page, file].map(ProviderActivity::Citation);
    let part = |activity| Part::Activity(Box::new(activity));
    let mut parts: Vec<_> = tools.into_iter().map(part).collect();
    parts.push(text("Rust 1.95."));
    parts.extend(sources.into_iter().map(part));
    parts
}

/// A reply whose sources are no links. Its stored form is not what a client has.
pub(super) async fn cited_unsafely() -> Told {
    scripted("cited_unsafely", vec![reply(unsafe_citations()).into()]).await
}

/// Sources whose addresses are no links, and one whose address is one.
pub(super) fn unsafe_citations() -> Vec<Part> {
    let mut search = ToolActivity::new("web_search");
    search.sources = vec![Source::new("data:text/html,<b>").with_title("Bold")];
    search.is_over = true;
    let sources = [
        Source::new("javascript:alert(1)"),
        Source::new("data:text/html,<b>").with_title("Bold"),
        Source::new("https://rust-lang.org"),
    ];
    let cited = sources.map(|source| ProviderActivity::Citation(Citation::new(source)));
    let part = |activity| Part::Activity(Box::new(activity));
    let mut parts = vec![part(ProviderActivity::Tool(search)), text("Look there.")];
    parts.extend(cited.map(part));
    parts
}

/// A run whose driver was gone after this much of a reply, as somebody hears it who reads along.
async fn driven_anew(name: &'static str, before: Vec<ModelEvent>) -> Told {
    let told = scripted(name, vec![reply([text("Hello "), text("you.")]).into()]).await;
    let [first, rest @ ..] = &told.parts[0][..] else {
        panic!("it has events")
    };
    let mut events = vec![first.clone()];
    events.extend(before.into_iter().map(RunEvent::Delta));
    events.push(RunEvent::ResponseReset { after: 0 });
    events.push(RunEvent::Recorded {
        sequence: 1,
        record: Record::Resumed { suspended: false },
    });
    events.extend(rest.iter().map(|event| match event {
        RunEvent::Recorded { sequence, record } => RunEvent::Recorded {
            sequence: sequence + 1,
            record: record.clone(),
        },
        other => other.clone(),
    }));
    Told {
        parts: vec![events],
        ..told
    }
}

/// A run whose reader has heard of another reply than the one that is recorded, and of no reset: a snapshot or the record
/// itself is the first that says so.
async fn heard_otherwise(name: &'static str, snapshot: bool) -> Told {
    let told = scripted(name, vec![reply([text("Hello "), text("you.")]).into()]).await;
    let [first, rest @ ..] = &told.parts[0][..] else {
        panic!("it has events")
    };
    let heard = RunEvent::Delta(ModelEvent::Text("Good day".into()));
    let mut events = vec![first.clone(), heard];
    if snapshot {
        let pieces = vec![ModelEvent::Text("Hel".into())];
        events.push(RunEvent::ResponseSnapshot { after: 0, pieces });
    }
    events.extend(rest.iter().filter(|event| place(event).is_some()).cloned());
    Told {
        parts: vec![events],
        ..told
    }
}

/// A run that somebody begins to read in the middle of a reply, and once more after some pieces.
async fn with_snapshots(name: &'static str) -> Told {
    let parts = [
        thought("Hm."),
        text("Look:"),
        call("count", r#"{"word": "tea"}"#),
    ];
    let told = scripted(name, vec![reply(parts).into(), reply([text("3")]).into()]).await;
    let mut pieces = Vec::new();
    let mut events = Vec::new();
    for event in &told.parts[0] {
        match event {
            RunEvent::Delta(piece) => {
                pieces.push(piece.clone());
                // The first is heard as a snapshot, and each after it as well as alone.
                let snapshot = RunEvent::ResponseSnapshot {
                    after: events.iter().rev().find_map(place).expect("there is one"),
                    pieces: pieces.clone(),
                };
                if pieces.len() % 2 == 0 {
                    events.push(snapshot);
                }
            }
            other => {
                pieces.clear();
                events.push(other.clone());
            }
        }
    }
    Told {
        parts: vec![events],
        ..told
    }
}

/// A run that is handed over to another agent, and back.
async fn handed_over(name: &'static str) -> Told {
    let look = call("look", r#"{"city": "Oslo"}"#);
    let billing = Runner::builder(ScriptedModel::new([reply([
        look,
        call("transfer_to_main", "{}"),
    ])]));
    let billing = billing.tools(tools()).suspends().build();
    let billing = billing.expect("is consistent");
    let script = vec![
        reply([
            text("A moment."),
            call("transfer_to_billing", r#"{"reason": "money"}"#),
        ])
        .into(),
        reply([text("It rains.")]).into(),
    ];
    let run = runner(script)
        .agent(Agent::new("billing", "Knows all about money.", billing))
        .build()
        .expect("is consistent")
        .start("Hi.");
    whole(name, run).await
}

fn place(event: &RunEvent) -> Option<u64> {
    match event {
        RunEvent::Recorded { sequence, .. } => Some(*sequence),
        _ => None,
    }
}

pub(super) fn failure(partial: Option<ModelResponse>) -> ModelError {
    let error = ModelError::new(ModelErrorKind::Overloaded, "secret: busy");
    match partial {
        Some(partial) => error.with_partial(partial),
        None => error,
    }
}

/// All of them. Time must be paused.
pub(super) async fn all() -> Vec<Told> {
    let mut all = vec![
        scripted(
            "text",
            vec![reply([thought("They greet."), text("Hello.")]).into()],
        )
        .await,
        scripted(
            "two_rounds",
            vec![
                reply([
                    text("I look."),
                    call("look", r#"{"city": "Oslo"}"#),
                    call("look", r#"{"city": "Atlantis"}"#),
                    call("nobody", "{}"),
                    call("draw", ""),
                ])
                .into(),
                reply([
                    thought("More."),
                    call("count", "{\n  \"word\": \"tea\"\r\n}"),
                    call("count", r#"{"word": "#),
                    call("look", r#"{"town": 1}"#),
                ])
                .into(),
                reply([text("Rain."), text(" And a map.")]).into(),
            ],
        )
        .await,
        scripted("searched", vec![reply(activities()).into()]).await,
        scripted(
            "searched_again",
            vec![
                failure(Some(reply(activities().into_iter().take(2)))).into(),
                reply(activities()).into(),
            ],
        )
        .await,
        decided("approved", [true, true]).await,
        decided("one_denied", [true, false]).await,
        cancelled(
            "cancelled_in_text",
            vec![thought("Well."), text("It is a long story")],
            4,
        )
        .await,
        cancelled(
            "cancelled_in_a_call",
            vec![text("I look."), call("look", r#"{"city": "Oslo"}"#)],
            4,
        )
        .await,
        cancelled("cancelled_in_reasoning", vec![thought("Well, well.")], 2).await,
        scripted(
            "failed_after_text",
            vec![
                failure(Some(reply([text("It was")])))
                    .with_retryable(false)
                    .into(),
            ],
        )
        .await,
        scripted("failed", vec![failure(None).with_retryable(false).into()]).await,
        scripted(
            "asked_again_after_reasoning",
            vec![
                failure(Some(reply([thought("One way."), call("look", r#"{"ci"#)]))).into(),
                reply([thought("Another."), text("Hello.")]).into(),
            ],
        )
        .await,
        scripted(
            "corrected",
            vec![
                reply([thought("Nothing to say.")]).into(),
                reply([text("Hello.")]).into(),
            ],
        )
        .await,
    ];
    all.extend(without_answer().await);
    all.extend(told_anew().await);
    all.push(answered("answered").await);
    all.push(asked("asked").await);
    all.extend([limited().await, pushed().await]);
    all.push(handed_over("handed_over").await);
    all.push(said_beside_a_void_reply().await);
    all
}

/// Those that end without an answer of the model.
async fn without_answer() -> [Told; 2] {
    [
        scripted(
            "refused",
            vec![{
                let mut refused = reply([]).with_finish_reason(FinishReason::Refusal);
                refused.refusal = Some("I will not.".to_owned());
                refused.into()
            }],
        )
        .await,
        scripted(
            "truncated",
            vec![
                reply([text("It is"), call("look", r#"{"city": "#)])
                    .with_finish_reason(FinishReason::Length)
                    .into(),
            ],
        )
        .await,
    ]
}

/// Those that a reader is told another time, or in another way.
async fn told_anew() -> [Told; 5] {
    [
        with_snapshots("read_in_the_middle").await,
        driven_anew("driven_anew", vec![ModelEvent::Text("Good day".into())]).await,
        driven_anew("driven_anew_at_once", Vec::new()).await,
        heard_otherwise("heard_otherwise", false).await,
        heard_otherwise("heard_in_a_snapshot", true).await,
    ]
}

fn of_one_call() -> RunnerBuilder {
    runner(vec![
        reply([call("look", r#"{"city": "Oslo"}"#)]).into(),
        reply([text("It rains.")]).into(),
    ])
}

async fn limited() -> Told {
    let mut limits = Limits::default();
    (limits.max_rounds, limits.on_limit) = (1, OnLimit::Summarize);
    let runner = of_one_call().limits(limits).build();
    whole("limit", runner.expect("is consistent").start("Hi.")).await
}

async fn pushed() -> Told {
    let run = of_one_call().build().expect("is consistent").start("Hi.");
    run.push("And in Rome?").expect("it is under way");
    whole("pushed", run).await
}

/// A message that is pushed while a reply comes that the run does not keep.
async fn said_beside_a_void_reply() -> Told {
    let script = vec![
        reply([thought("Nothing to say.")]).into(),
        reply([text("Hello.")]).into(),
    ];
    let run = runner(script).build().expect("is consistent").start("Hi.");
    run.push("And in Rome?").expect("it is under way");
    whole("said_beside_a_void_reply", run).await
}
