//! Runs of five rounds: what each request shows of the rounds before it, and what is left of the run.

use serde_json::{Value, json};
use toolwright::{
    ErrorCategory, ModelResponse, Runner, ToolCall, ToolError, ToolOutput, Toolset,
    emulation::{CallForm, Emulated, ToolEmulation},
    model::ModelRequest,
    run::{Finish, RunOutcome},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::Handwritten;

use super::{NONE, codes, text};

/// The calls of each round: one, two, one that fails, and others.
const ROUNDS: [&[u32]; 5] = [&[0], &[1, 10], &[2], &[3], &[4]];
/// The one that fails.
const FAILS: u32 = 2;

fn tools() -> Toolset {
    let look = Handwritten::new("look", async |call: ToolCall, _| {
        let arguments: Value = serde_json::from_str(&call.arguments).expect("is JSON");
        if arguments["n"] == FAILS {
            let error = ToolError::new(ErrorCategory::ResourceNotFound, "nothing is there");
            return Err(error);
        }
        Ok(ToolOutput::text(seen(&arguments["n"])))
    });
    Toolset::new().with(look).expect("it is one")
}

fn seen(n: impl std::fmt::Display) -> String {
    format!("<seen {n}>")
}

/// What the model is shown of a round.
fn results(round: &[u32]) -> Vec<String> {
    let result = |n: &u32| match *n {
        FAILS => "nothing is there".to_owned(),
        n => seen(n),
    };
    round.iter().map(result).collect()
}

fn arguments(n: u32) -> String {
    format!(r#"{{"n": {n}}}"#)
}

/// The calls of a round, as a decision.
fn decided(round: &[u32]) -> ScriptedResponse {
    let call = |n: &u32| format!(r#"{{"name": "look", "arguments": {}}}"#, arguments(*n));
    let calls: Vec<_> = round.iter().map(call).collect();
    text(&format!(r#"{{"tools": [{}]}}"#, calls.join(", ")))
}

/// The calls of a round, in the text of a reply.
fn written(round: &[u32]) -> ScriptedResponse {
    let call = |n: &u32| {
        let arguments = arguments(*n);
        format!("<tool_call>\n{{\"name\": \"look\", \"arguments\": {arguments}}}\n</tool_call>")
    };
    text(&round.iter().map(call).collect::<Vec<_>>().join("\n"))
}

/// The calls of a round, as the provider returns them.
fn native(round: &[u32]) -> ScriptedResponse {
    let call = |n: &u32| ToolCall::new(format!("call_{n}"), "look", arguments(*n));
    ModelResponse::from_calls(round.iter().map(call)).into()
}

async fn run(
    mode: ToolEmulation,
    script: impl IntoIterator<Item = ScriptedResponse>,
    streams: bool,
) -> (RunOutcome, Vec<ModelRequest>, CallForm) {
    let (outcome, requests, facts) = super::run_with(tools(), mode, script, streams).await;
    assert_eq!(outcome.finish, Finish::Answered);
    assert_eq!(outcome.rounds, 5);
    (outcome, requests, facts.calls)
}

/// Each request shows every round that was before it, in order, and the newest results last.
fn check_seen(requests: &[ModelRequest], rounds_before: impl Fn(usize) -> usize) {
    for (number, request) in requests.iter().enumerate() {
        let messages = serde_json::to_string(&request.messages).expect("serialises");
        let before = rounds_before(number);
        let mut rest = messages.as_str();
        for result in ROUNDS[..before].iter().flat_map(|round| results(round)) {
            let at = rest.find(&result);
            let at = at.unwrap_or_else(|| panic!("{result} of request {number}: {messages}"));
            rest = &rest[at + result.len()..];
        }
        for result in ROUNDS[before..].iter().flat_map(|round| results(round)) {
            assert!(!messages.contains(&result), "{result} of request {number}");
        }
    }
}

/// The conversation without the ids of its calls.
fn transcript(outcome: &RunOutcome) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(entries) => {
                for key in ["id", "call_id"] {
                    if let Some(id) = entries.get_mut(key).filter(|id| id.is_string()) {
                        *id = json!("an id");
                    }
                }
                entries.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut all = serde_json::to_value(&outcome.conversation).expect("serialises");
    strip(&mut all);
    all
}

#[tokio::test]
async fn each_result_is_in_the_next_request_of_five_rounds_and_the_transcript_is_a_native_one() {
    let answer = || text("Sunny.");
    for streams in [true, false] {
        let script = ROUNDS.map(native).into_iter().chain([answer()]);
        let (own, requests, _) = run(ToolEmulation::Off, script, streams).await;
        assert_eq!((own.requests, codes(&own)), (6, vec![]));
        check_seen(&requests, |number| number);

        // A decision before each round, and one before the answer.
        let script = ROUNDS.map(decided).into_iter();
        let script = script.chain([text(NONE), answer()]);
        let (forced, requests, _) = run(ToolEmulation::Force, script, streams).await;
        assert_eq!(forced.requests, 7);
        check_seen(&requests, |number| number.min(5));
        assert!(requests.iter().all(|request| request.tools.is_empty()));

        // Asked natively once: the decision behind it teaches that it does not call.
        let script = std::iter::once(text("I wonder.")).chain(ROUNDS.map(decided));
        let script = script.chain([text(NONE), answer()]);
        let (fallen_back, requests, form) = run(ToolEmulation::Fallback, script, streams).await;
        assert_eq!((fallen_back.requests, form), (8, CallForm::None));
        check_seen(&requests, |number| number.saturating_sub(1).min(5));

        // It writes its calls in the native reply: there is nothing to decide.
        let script = ROUNDS.map(written).into_iter().chain([answer()]);
        let (in_text, requests, form) = run(ToolEmulation::Fallback, script, streams).await;
        let format = "hermes".to_owned();
        assert_eq!((in_text.requests, form), (6, CallForm::Text { format }));
        check_seen(&requests, |number| number);

        // It calls natively: nothing is emulated.
        let script = ROUNDS.map(native).into_iter().chain([answer()]);
        let (untouched, requests, form) = run(ToolEmulation::Fallback, script, streams).await;
        assert_eq!((untouched.requests, form), (6, CallForm::Native));
        assert_eq!(codes(&untouched), Vec::<&str>::new());
        check_seen(&requests, |number| number);

        for emulated in [forced, fallen_back, in_text] {
            assert_eq!(transcript(&emulated), transcript(&own));
            assert_eq!(emulated.text, own.text);
            assert!(
                codes(&emulated)
                    .iter()
                    .all(|code| *code == "tool_calls_emulated")
            );
            let calls = emulated.tool_rounds();
            let ids: Vec<_> = calls
                .flat_map(|round| round.calls().map(|call| call.id.clone()))
                .collect();
            let mut different = ids.clone();
            different.sort();
            different.dedup();
            assert_eq!((different.len(), ids.len()), (6, 6), "{ids:?}");
        }
    }
}

/// Rounds beyond the limit are shown as calls, so that they are not called again; the newest is always whole.
#[tokio::test]
async fn rounds_beyond_the_limit_are_shown_without_their_results() {
    let script = ROUNDS.map(decided).into_iter();
    let inner = ScriptedModel::new(script.chain([text(NONE), text("Sunny.")]));
    let model = Emulated::new(inner.clone(), ToolEmulation::Force).with_older_bytes(0);
    let runner = Runner::builder(model).tools(tools()).build();
    let outcome = runner.expect("is consistent").run("How is it?").await;
    assert_eq!(outcome.expect("answers").rounds, 5);
    for (number, request) in inner.requests().iter().enumerate() {
        let messages = serde_json::to_string(&request.messages).expect("serialises");
        for (place, round) in ROUNDS.iter().enumerate() {
            let is_shown = place < number;
            let is_newest = place + 1 == number.min(5);
            for (n, result) in round.iter().zip(results(round)) {
                let call = serde_json::to_string(&format!("look {}", arguments(*n)));
                let call = call.expect("serialises");
                let call = call.trim_matches('"');
                assert_eq!(messages.contains(call), is_shown, "{call} of {number}");
                let is_there = messages.contains(&result);
                assert_eq!(is_there, is_newest, "{result} of request {number}");
            }
        }
    }
}
