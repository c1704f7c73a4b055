//! What a run says that it has spent is what its models have said that their requests took: for each kind of request,
//! however the run ends, wherever that is, streamed or not, with a store or without.

mod meter;

use std::time::Duration;

use toolwright::{
    ChatModel, Conversation, ModelResponse, Runner, ToolCall, Toolset,
    emulation::{Emulated, ToolEmulation},
    model::{Fallback, Guarded, ModelErrorKind, Retry},
    run::{ContextWindow, Finish, Limits, PendingCall, RunOutcome},
    runner::{Agent, Resumable, ResumeRequest, RunHandle, RunnerBuilder},
    store::{InboxContent, InboxItem, MemoryStore, Scope, Store},
    tool,
};

use crate::cancelling::cancel_in;
use meter::{Cut, Meter, Step};

/// Look something up.
#[tool(read_only)]
fn look(n: u8) -> String {
    n.to_string()
}

/// Pay for something.
#[tool(approval)]
fn pay(n: u8) -> String {
    n.to_string()
}

fn tools() -> Toolset {
    toolwright::toolset![look, pay]
}

#[expect(clippy::unnecessary_wraps, reason = "it is a step of a script")]
fn says(text: &str) -> Step {
    Ok(ModelResponse::from_text(text))
}

#[expect(clippy::unnecessary_wraps, reason = "it is a step of a script")]
fn calls(name: &str, arguments: &str) -> Step {
    let call = ToolCall::new("a", name, arguments);
    Ok(ModelResponse::from_calls([call]))
}

/// A call with good arguments.
fn call(name: &str) -> Step {
    calls(name, r#"{"n": 1}"#)
}

/// A decision for a call.
fn decides(name: &str) -> Step {
    says(&format!(
        r#"{{"tools": [{{"name": "{name}", "arguments": {{"n": 1}}}}]}}"#
    ))
}

fn none() -> Step {
    says(r#"{"tools": []}"#)
}

fn busy() -> Step {
    Err(ModelErrorKind::Overloaded)
}

/// What a run may do, in requests of a script.
struct Kind {
    name: &'static str,
    script: Vec<Step>,
    runner: fn(Meter) -> RunnerBuilder,
    /// True if the answer has a type.
    is_typed: bool,
    /// True if the question is the last of a long conversation.
    is_long: bool,
    /// True if nothing of it waits without a store.
    is_stored: bool,
}

fn kind(name: &'static str, script: Vec<Step>, runner: fn(Meter) -> RunnerBuilder) -> Kind {
    Kind {
        name,
        script,
        runner,
        is_typed: false,
        is_long: false,
        is_stored: false,
    }
}

fn with(model: impl ChatModel) -> RunnerBuilder {
    Runner::builder(model).tools(tools())
}

fn guarded(model: impl ChatModel) -> impl ChatModel {
    Guarded::new(model).check_answer(async |text: String| {
        if text.contains("bad") {
            Err("it is bad")
        } else {
            Ok(())
        }
    })
}

fn forced(model: impl ChatModel) -> impl ChatModel {
    Emulated::new(model, ToolEmulation::Force)
}

fn where_needed(model: impl ChatModel) -> impl ChatModel {
    Emulated::new(model, ToolEmulation::Fallback)
}

/// A script with something before each of its requests.
fn after_each(before: &Step, script: Vec<Step>) -> Vec<Step> {
    let each = script.into_iter();
    each.flat_map(|step| [before.clone(), step]).collect()
}

fn plain() -> Vec<Step> {
    vec![call("look"), call("pay"), says("done")]
}

fn decisions() -> Vec<Step> {
    vec![decides("look"), decides("pay"), none(), says("done")]
}

/// A runner whose tool is an agent with the tools.
fn with_agent(model: &Meter, below: impl ChatModel) -> RunnerBuilder {
    let below = with(below).suspends().build().expect("is sound");
    let agent = below.as_tool("ask", "Looks things up.").expect("is a tool");
    let tools = tools().with(agent).expect("the names differ");
    Runner::builder(model.clone()).tools(tools)
}

fn asks() -> Step {
    calls("ask", r#"{"task": "Go on."}"#)
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn kinds() -> Vec<Kind> {
    let unreadable = says("{{{");
    let corrected = |script| after_each(&unreadable, script);
    let long = |name, script, runner| Kind {
        is_long: true,
        ..kind(name, script, runner)
    };
    let stored = |name, script, runner| Kind {
        is_stored: true,
        ..kind(name, script, runner)
    };
    let typed = |name, script, runner| Kind {
        is_typed: true,
        ..kind(name, script, runner)
    };
    let summed_up = vec![says("a summary"), call("look"), call("pay"), says("done")];
    vec![
        kind("plain rounds", plain(), with),
        kind("a retry", after_each(&busy(), plain()), with),
        kind(
            "a model that retries",
            after_each(&busy(), plain()),
            |model| with(Retry::new(model)),
        ),
        kind(
            "bad arguments",
            after_each(&calls("look", "{}"), plain()),
            with,
        ),
        kind("an empty response", after_each(&says(""), plain()), with),
        long("a summary", summed_up.clone(), |model| {
            let runner = with(model.clone()).context_window(ContextWindow::new(32_000));
            runner.compact_with(model)
        }),
        long(
            "a summary by a model that retries",
            [vec![busy()], summed_up].concat(),
            |model| {
                let runner = with(model.clone()).context_window(ContextWindow::new(32_000));
                runner.compact_with(Retry::new(model))
            },
        ),
        kind("decisions", decisions(), |model| with(forced(model))),
        kind(
            "decisions that are corrected",
            [corrected(decisions()[..3].to_vec()), vec![says("done")]].concat(),
            |model| with(forced(model)),
        ),
        kind(
            "decisions where needed",
            [vec![says("hm")], decisions()].concat(),
            |model| with(where_needed(model)),
        ),
        kind(
            "decisions where tools are refused",
            [vec![Err(ModelErrorKind::ToolsUnsupported)], decisions()].concat(),
            |model| with(where_needed(model)),
        ),
        kind(
            "native calls where decisions may be needed",
            plain(),
            |model| with(where_needed(model)),
        ),
        kind(
            "decisions of a model that retries",
            after_each(&busy(), decisions()),
            |model| with(forced(Retry::new(model))),
        ),
        typed(
            "an answer that is corrected",
            vec![
                call("look"),
                call("pay"),
                calls("final_answer", r#"{"answer": "five"}"#),
                calls("final_answer", r#"{"answer": 5}"#),
            ],
            with,
        ),
        typed(
            "an answer that is corrected, with decisions",
            [
                corrected(decisions()[..3].to_vec()),
                vec![says("five"), none(), says("5")],
            ]
            .concat(),
            |model| with(forced(model)),
        ),
        kind("a guardrail", after_each(&says("bad"), plain()), |model| {
            with(guarded(model))
        }),
        kind(
            "a guardrail around decisions of a model that retries",
            [
                vec![busy(), unreadable.clone()],
                decisions()[..3].to_vec(),
                vec![busy(), says("bad"), none(), busy(), says("done")],
            ]
            .concat(),
            |model| with(guarded(forced(Retry::new(model)))),
        ),
        kind(
            "decisions of a guarded model",
            after_each(&says("bad"), decisions()),
            |model| with(forced(guarded(model))),
        ),
        kind(
            "a fallback",
            after_each(&Err(ModelErrorKind::Authentication), plain()),
            |model| {
                let both = Fallback::new([model.clone(), model]);
                with(both.rests_after(0, Duration::ZERO))
            },
        ),
        kind(
            "a fallback to decisions",
            [
                vec![Err(ModelErrorKind::Authentication), decides("look")],
                vec![
                    Err(ModelErrorKind::Authentication),
                    unreadable.clone(),
                    decides("pay"),
                ],
                vec![Err(ModelErrorKind::Authentication), none(), says("done")],
            ]
            .concat(),
            |model| {
                let both = Fallback::new([model.clone()]).or(forced(model));
                with(both.rests_after(0, Duration::ZERO))
            },
        ),
        kind(
            "a sub-agent",
            vec![
                asks(),
                busy(),
                call("look"),
                says("found"),
                call("pay"),
                says("done"),
            ],
            |model| with_agent(&model, model.clone()),
        ),
        stored(
            "a sub-agent that waits",
            vec![
                asks(),
                call("look"),
                call("pay"),
                says("found"),
                says("done"),
            ],
            |model| with_agent(&model, model.clone()),
        ),
        stored(
            "a sub-agent with decisions",
            [
                vec![asks()],
                corrected(decisions()[..3].to_vec()),
                vec![says("found"), says("done")],
            ]
            .concat(),
            |model| with_agent(&model, forced(model.clone())),
        ),
        kind(
            "a hand-over",
            [
                vec![call("look"), calls("transfer_to_other", "{}"), busy()],
                plain(),
            ]
            .concat(),
            |model| {
                let other = with(model.clone()).suspends().build().expect("is sound");
                with(model).agent(Agent::new("other", "Knows more.", other))
            },
        ),
    ]
}

/// How a run is ended.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ending {
    Answered,
    /// The request of this number stalls, and the run is cancelled.
    Cancelled(usize, Cut),
    /// The request of this number fails.
    Failed(usize),
    /// The tokens of the requests up to this one are the limit.
    Limited(usize),
    /// The time is up while the request of this number stalls.
    Late(usize, Cut),
}

/// A long conversation.
fn earlier(is_long: bool) -> Conversation {
    let mut conversation = Conversation::new();
    for turn in 0..if is_long { 80 } else { 0 } {
        conversation.push_user(format!("Question {turn}"));
        conversation.push_response(ModelResponse::from_text("An answer. ".repeat(200)));
    }
    conversation
}

async fn go_on<R: Resumable>(request: ResumeRequest<R>, is_typed: bool) -> RunHandle {
    let resumed = if is_typed {
        (request.answer_as::<u8>().start().await).map(RunHandle::into_untyped)
    } else {
        request.start().await
    };
    resumed.expect("goes on")
}

/// What is wrong in a cell of the table: what was reported, and what the run says.
async fn cell(
    kind: &Kind,
    streams: bool,
    stores: bool,
    ending: Ending,
) -> (usize, Finish, Vec<String>) {
    let cut = match ending {
        Ending::Cancelled(at, cut) | Ending::Late(at, cut) => Some((at, cut)),
        Ending::Failed(at) => Some((at, Cut::Fails)),
        Ending::Answered | Ending::Limited(_) => None,
    };
    let model = Meter::new(kind.script.clone(), cut);
    let mut limits = Limits::default();
    match ending {
        Ending::Limited(at) => limits = limits.with_max_tokens((4 << at) - 2).with_answer_tokens(0),
        Ending::Late(..) => limits = limits.with_max_time(Duration::from_secs(600)),
        _ => {}
    }
    let store = MemoryStore::new();
    let runner = (kind.runner)(model.clone())
        .limits(limits)
        .streaming(streams)
        .suspends();
    let runner = if stores {
        runner.store("tests", store.clone())
    } else {
        runner
    };
    let runner = runner.build().expect("is sound");
    let mut wrong = Vec::new();
    let mut look_at = |outcome: &RunOutcome| {
        let (said, reported) = (outcome.usage.total_tokens(), model.reported());
        if said != reported.iter().sum::<u64>() {
            wrong.push(format!(
                "{:?}: it says {said:#b} of {reported:?}",
                outcome.finish
            ));
        }
    };
    let request = runner.request("question").within(earlier(kind.is_long));
    let mut handle = if kind.is_typed {
        request.answer_as::<u8>().start().into_untyped()
    } else {
        request.start()
    };
    let outcome = loop {
        if matches!(ending, Ending::Cancelled(..)) {
            cancel_in(Duration::from_secs(300), handle.cancellation());
        }
        let outcome = handle
            .outcome()
            .await
            .unwrap_or_else(|error| *error.outcome);
        look_at(&outcome);
        if outcome.finish != Finish::Suspended {
            break outcome;
        }
        let approved = outcome.pending.iter().map(PendingCall::approve);
        handle = if stores {
            for decision in approved {
                let item = InboxItem::new(InboxContent::Resolution(decision));
                let put = store.put(Scope::All, &outcome.run_id, &item);
                put.await.expect("is there");
            }
            go_on(runner.resume(&outcome.run_id), kind.is_typed).await
        } else {
            let suspended = outcome.suspended.clone().expect("is suspended");
            go_on(runner.resume(suspended).decide(approved), kind.is_typed).await
        };
    };
    (model.reported().len(), outcome.finish, wrong)
}

#[tokio::test(start_paused = true)]
async fn what_a_run_says_is_what_its_models_have_said() {
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for kind in kinds() {
        for streams in [true, false] {
            // One needs no store for it, apart from what waits below.
            let stores = streams || kind.is_stored;
            let requests = kind.script.len();
            let at_each = (0..requests).flat_map(|at| {
                [
                    Ending::Cancelled(at, Cut::Stalls),
                    Ending::Cancelled(at, Cut::StallsInText),
                    Ending::Failed(at),
                    Ending::Limited(at),
                    Ending::Late(at, Cut::Stalls),
                ]
            });
            for ending in [Ending::Answered].into_iter().chain(at_each) {
                let (sent, finish, found) = cell(&kind, streams, stores, ending).await;
                let name = format!(
                    "{}, {ending:?}, streams: {streams}, stores: {stores}",
                    kind.name
                );
                let is_meant = match ending {
                    // The script is what the kind does.
                    Ending::Answered => finish == Finish::Answered && sent == requests,
                    Ending::Cancelled(..) => finish == Finish::Cancelled,
                    _ => true,
                };
                if !is_meant {
                    wrong.push(format!("{name}: it ends after {sent} requests: {finish}"));
                }
                cells += 1;
                wrong.extend(found.into_iter().map(|found| format!("{name}: {found}")));
            }
        }
    }
    assert!(cells > 1_000, "{cells}");
    assert!(
        wrong.is_empty(),
        "{} of {cells}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
