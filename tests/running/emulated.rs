//! A model with emulated tools: what is asked, what is counted, and what comes out.

mod choosing;
mod failing;
mod hostile;
mod rounds;
mod schema;
mod streaming;
mod written;

use std::sync::{Arc, Mutex};

use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, ToolCall, ToolOutput, Toolset,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{FinishReason, ModelErrorKind, ModelRequest, ToolChoice, Usage},
    run::{Finish, RunOutcome},
    testing::{ScriptedModel, ScriptedResponse},
};

use crate::handwritten::Handwritten;

const CALL: &str = r#"{"tools": [{"name": "look", "arguments": {"n": 1}}]}"#;
const NONE: &str = r#"{"tools": []}"#;

fn tools() -> Toolset {
    let tool = |name| Handwritten::new(name, async |_, _| Ok(ToolOutput::text("it is sunny")));
    let tools = Toolset::new()
        .with(tool("look"))
        .and_then(|tools| tools.with(tool("write")));
    tools.expect("the names differ")
}

fn text(text: &str) -> ScriptedResponse {
    let response = ModelResponse::from_text(text).with_usage(Usage::new(10, 1));
    response.into()
}

fn native() -> ScriptedResponse {
    let call = ToolCall::new("a", "look", r#"{"n": 1}"#);
    let response = ModelResponse::from_calls([call]).with_usage(Usage::new(10, 1));
    response.into()
}

fn no_tools() -> ScriptedResponse {
    ModelError::new(ModelErrorKind::ToolsUnsupported, "no tools here").into()
}

/// A run, and the requests that the model inside got.
async fn run(
    mode: ToolEmulation,
    script: impl IntoIterator<Item = ScriptedResponse>,
    streams: bool,
) -> (RunOutcome, Vec<ModelRequest>, ModelFacts) {
    run_with(tools(), mode, script, streams).await
}

/// A run with these tools.
async fn run_with(
    tools: Toolset,
    mode: ToolEmulation,
    script: impl IntoIterator<Item = ScriptedResponse>,
    streams: bool,
) -> (RunOutcome, Vec<ModelRequest>, ModelFacts) {
    let inner = ScriptedModel::new(script);
    let model = Emulated::new(inner.clone(), mode);
    let runner = Runner::builder(model.clone())
        .tools(tools)
        .system("Be brief.")
        .streaming(streams);
    let runner = runner.build().expect("is consistent");
    let outcome = runner.run("How is it?").await.expect("answers");
    (outcome, inner.requests(), model.facts())
}

fn codes(outcome: &RunOutcome) -> Vec<&str> {
    let warnings = outcome.warnings.iter();
    warnings.map(|warning| warning.code.as_str()).collect()
}

/// The requests of a run of one call and an answer, in every mode and state of knowledge.
#[tokio::test]
async fn each_mode_sends_as_many_requests_as_it_says() {
    let answer = || text("Sunny.");
    let rows = [
        (ToolEmulation::Off, vec![native(), answer()], 2),
        (ToolEmulation::Fallback, vec![native(), answer()], 2),
        // The native reply has no call: a decision; the second time it is known.
        (
            ToolEmulation::Fallback,
            vec![text("I wonder."), text(CALL), text(NONE), answer()],
            4,
        ),
        // A call in the text needs no decision, and teaches as well.
        (
            ToolEmulation::Fallback,
            vec![
                text("<tool_call>{\"name\": \"look\", \"arguments\": {\"n\": 1}}</tool_call>"),
                answer(),
            ],
            2,
        ),
        // The server refuses tools: once.
        (
            ToolEmulation::Fallback,
            vec![no_tools(), text(CALL), text(NONE), answer()],
            4,
        ),
        (
            ToolEmulation::Force,
            vec![text(CALL), text(NONE), answer()],
            3,
        ),
    ];
    for streams in [true, false] {
        for (mode, script, requests) in rows.clone() {
            let answered = script.len();
            let (outcome, sent, _) = run(mode, script, streams).await;
            let counted = (outcome.model_calls, outcome.requests, sent.len());
            assert_eq!(counted, (2, requests, answered), "{mode:?}");
            assert_eq!((outcome.rounds, outcome.text.as_str()), (1, "Sunny."));
            assert_eq!(outcome.finish, Finish::Answered);
        }
    }
}

#[tokio::test]
async fn usage_is_that_of_all_requests() {
    for streams in [true, false] {
        let script = [text(CALL), text(NONE), text("Sunny.")];
        let (outcome, ..) = run(ToolEmulation::Force, script, streams).await;
        assert_eq!(outcome.usage, Usage::new(30, 3));
        let script = [text("Hm."), text(NONE)];
        let (outcome, ..) = run(ToolEmulation::Fallback, script, streams).await;
        assert_eq!((outcome.usage, outcome.requests), (Usage::new(20, 2), 2));
        assert_eq!(outcome.text, "Hm.");
    }
}

#[tokio::test]
async fn what_is_known_of_a_model_saves_requests() {
    let inner = ScriptedModel::new([text(CALL), text(NONE), text("Sunny.")]);
    let facts = ModelFacts::default().with_calls(CallForm::None);
    let model = Emulated::new(inner.clone(), ToolEmulation::Fallback);
    let model = model.with_memory(InMemory::new(facts));
    let runner = Runner::builder(model).tools(tools()).build();
    let outcome = runner.expect("is consistent").run("How is it?").await;
    assert_eq!(outcome.expect("answers").requests, 3);
    for (script, form) in [
        (vec![native(), text("Sunny.")], CallForm::Native),
        (
            vec![text("[TOOL_CALLS]look[ARGS]{}"), text("Sunny.")],
            CallForm::Text {
                format: "mistral".into(),
            },
        ),
    ] {
        let (_, _, facts) = run(ToolEmulation::Fallback, script, true).await;
        assert_eq!(facts.calls, form);
    }
}

/// The model is shown what has been done, so that the loop ends.
#[tokio::test]
async fn a_decision_sees_the_results_of_earlier_rounds_and_offers_no_native_tool() {
    let decide = |n: u32| {
        text(&format!(
            r#"{{"tools": [{{"name": "look", "arguments": {{"n": {n}}}}}]}}"#
        ))
    };
    let rounds: Vec<_> = (0..5).map(decide).collect();
    let script = rounds.into_iter().chain([text(NONE), text("Sunny.")]);
    let (outcome, requests, _) = run(ToolEmulation::Force, script, true).await;
    assert_eq!((outcome.rounds, outcome.requests), (5, 7));
    for (number, request) in requests.iter().enumerate() {
        assert!(request.tools.is_empty());
        let written = serde_json::to_string(&request.messages).expect("serialises");
        let results = written.matches("returned: it is sunny").count();
        assert_eq!(results, number.min(5), "of request {number}");
        assert!(!written.contains("\"tool_rounds\""));
    }
    let (decision, answer) = (&requests[0], &requests[6]);
    assert!(decision.answer_schema.is_some() && answer.answer_schema.is_none());
    // The application's text is no part of the prompt of the decision.
    let prompt = decision.system.as_deref().expect("is there");
    assert!(prompt.contains("\"look\"") && !prompt.contains("Be brief."));
    assert_eq!(answer.system.as_deref(), Some("Be brief."));
}

#[tokio::test]
async fn the_transcript_is_that_of_a_native_model() {
    let (emulated, ..) = run(
        ToolEmulation::Force,
        [text(CALL), text(NONE), text("Sunny.")],
        true,
    )
    .await;
    let (own, ..) = run(ToolEmulation::Off, [native(), text("Sunny.")], true).await;
    let ids: Vec<_> = emulated
        .tool_rounds()
        .flat_map(|round| round.calls().map(|call| call.id.clone()))
        .collect();
    assert!(ids.iter().all(|id| id.starts_with("emu_")));
    assert_eq!(codes(&emulated), ["tool_calls_emulated"]);
    let rounds = |outcome: &RunOutcome| -> Vec<_> {
        let rounds = outcome.tool_rounds();
        rounds
            .map(|round| {
                let calls = round.calls();
                let calls: Vec<_> = calls
                    .map(|call| (call.name.clone(), call.arguments.clone()))
                    .collect();
                let results = round.results.iter();
                let results: Vec<_> = results
                    .map(|one| one.to_model_text().into_owned())
                    .collect();
                (round.text(), calls, results)
            })
            .collect()
    };
    assert_eq!(rounds(&emulated), rounds(&own));
    assert_eq!(emulated.text, own.text);
}

#[tokio::test]
async fn the_same_request_gets_the_same_ids_and_another_one_others() {
    let ask = async |question: &str| {
        let model = Emulated::new(ScriptedModel::new([text(CALL)]), ToolEmulation::Force);
        let request =
            ModelRequest::new([Message::user(question)]).with_tools(tools().definitions().cloned());
        let response = model.complete(&request).await.expect("decides");
        response.tool_calls[0].id.clone()
    };
    assert_eq!(ask("a").await, ask("a").await);
    assert_ne!(ask("a").await, ask("b").await);
}

async fn ask(
    choice: ToolChoice,
    script: impl IntoIterator<Item = ScriptedResponse>,
) -> (Result<ModelResponse, ModelError>, Vec<ModelRequest>) {
    let inner = ScriptedModel::new(script);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let request = ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(choice);
    let response = model.complete(&request).await;
    (response, inner.requests())
}

#[tokio::test]
async fn the_choice_is_enforced_on_the_decision() {
    let other = r#"{"tools": [{"name": "write", "arguments": {}}]}"#;
    let named = || ToolChoice::Tool("look".into());
    // None: one request, and no decision.
    let (response, requests) = ask(ToolChoice::None, [text("Sunny.")]).await;
    assert_eq!(response.expect("answers").text, "Sunny.");
    assert_eq!(requests.len(), 1);
    for (choice, first) in [
        (ToolChoice::Required, NONE),
        (ToolChoice::Required, "I would rather not."),
        (ToolChoice::Required, ""),
        (named(), other),
        (named(), NONE),
        (ToolChoice::Auto, "prose"),
        (
            ToolChoice::Auto,
            r#"{"tools": [{"name": "nobody", "arguments": {}}]}"#,
        ),
    ] {
        let (response, requests) = ask(choice.clone(), [text(first), text(CALL)]).await;
        let response = response.expect("is corrected");
        assert_eq!(
            (response.requests, requests.len()),
            (2, 2),
            "{choice:?} {first}"
        );
        assert_eq!(response.tool_calls[0].name, "look");
        assert_eq!(response.finish_reason, FinishReason::ToolCalls);
        assert_eq!(response.text, "");

        let script = [text(first), text(first), text("Sunny.")];
        let (response, requests) = ask(choice.clone(), script).await;
        match (choice, response) {
            (ToolChoice::Auto, response) => {
                let response = response.expect("answers");
                assert_eq!((response.text.as_str(), response.requests), ("Sunny.", 3));
            }
            (choice, response) => {
                let error = response.expect_err("needs a call");
                assert_eq!(
                    error.code.as_deref(),
                    Some("tool_choice_unmet"),
                    "{choice:?}"
                );
                assert!(!error.retryable);
                let partial = error.partial.expect("is counted");
                assert_eq!((partial.requests, requests.len()), (2, 2));
                assert_eq!(partial.usage, Some(Usage::new(20, 2)));
            }
        }
    }
}

#[tokio::test]
async fn a_server_that_refuses_the_schema_of_the_answer_is_asked_without_from_then_on() {
    let refused = || ModelError::new(ModelErrorKind::InvalidRequest, "response_format?");
    let inner = ScriptedModel::new([refused().into(), text(CALL), text(CALL)]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let request =
        ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned());
    let first = model.complete(&request).await.expect("decides");
    let second = model.complete(&request).await.expect("decides");
    assert_eq!((first.requests, second.requests), (2, 1));
    let constrained: Vec<_> = inner
        .requests()
        .iter()
        .map(|request| request.answer_schema.is_some())
        .collect();
    assert_eq!(constrained, [true, false, false]);
    assert!(model.facts().refuses_answer_schema);
}

/// Nothing of a decision is shown, and all of an answer, in which no call may be.
#[tokio::test]
async fn a_reader_sees_the_answer_alone() {
    let answer = "<think>Is it?</think>Sunny. <tool_call>{\"name\": \"write\"}</tool_call>";
    let inner = ScriptedModel::new([text(NONE), text(answer)]);
    let model = Emulated::new(inner, ToolEmulation::Force);
    let runner = Runner::builder(model).tools(tools()).build();
    let runner = runner.expect("is consistent");
    let (seen, thought) = (
        Arc::new(Mutex::new(String::new())),
        Mutex::new(String::new()),
    );
    let mut handle = runner.start("How is it?");
    while let Some(event) = handle.next().await {
        use toolwright::{model::ModelEvent, runner::RunEvent};
        match event {
            RunEvent::Delta(ModelEvent::Text(text)) => {
                seen.lock().expect("is whole").push_str(&text);
            }
            RunEvent::Delta(ModelEvent::Reasoning(text)) => {
                thought.lock().expect("is whole").push_str(&text);
            }
            _ => {}
        }
    }
    let outcome = handle.outcome().await.expect("answers");
    let text = answer.split_once("</think>").expect("is there").1;
    assert_eq!(seen.lock().expect("is whole").trim(), text);
    assert_eq!(thought.lock().expect("is whole").as_str(), "Is it?");
    assert_eq!(codes(&outcome), ["calls_left_out"]);
    assert_eq!(outcome.rounds, 0);
}

#[tokio::test]
async fn arguments_that_are_almost_correct_are_set_right_and_told() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#;
    let schema = toolwright::schema::Schema::from_text(schema).expect("is JSON");
    let tool = toolwright::ToolDefinition::new("look", "Look.", schema);
    let decision = r#"{"tools": [{"name": "look", "arguments": {"n": "7"}}]}"#;
    let model = Emulated::new(ScriptedModel::new([text(decision)]), ToolEmulation::Force);
    let request = ModelRequest::new([Message::user("How is it?")]).with_tools([tool]);
    let response = model.complete(&request).await.expect("decides");
    assert_eq!(response.tool_calls[0].arguments, r#"{"n": 7}"#);
    let told: Vec<_> = response
        .warnings
        .iter()
        .map(|one| one.code.as_str())
        .collect();
    assert_eq!(told, ["tool_calls_emulated", "arguments_changed"]);
}

/// A request that fails is an error of the run's, and what was used before is counted.
#[tokio::test]
async fn an_error_after_a_decision_keeps_what_it_cost() {
    let late = ModelError::new(ModelErrorKind::Authentication, "the key is gone");
    let inner = ScriptedModel::new([text(NONE), late.into()]);
    let model = Emulated::new(inner, ToolEmulation::Force);
    let runner = Runner::builder(model).tools(tools()).build();
    let runner = runner.expect("is consistent");
    let error = runner.run("How is it?").await.expect_err("fails");
    assert_eq!(error.outcome.usage, Usage::new(10, 1));
    assert_eq!(error.outcome.requests, 2);
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_text_and_what_the_decision_cost() {
    let late = ModelError::new(ModelErrorKind::Authentication, "the key is gone");
    let broken = late.with_partial(ModelResponse::from_text("Sun"));
    let inner = ScriptedModel::new([text(NONE), broken.into()]);
    let model = Emulated::new(inner, ToolEmulation::Force);
    let runner = Runner::builder(model).tools(tools()).build();
    let runner = runner.expect("is consistent");
    let error = runner.run("How is it?").await.expect_err("fails");
    assert_eq!(
        (error.outcome.text.as_str(), error.outcome.requests),
        ("Sun", 2)
    );
    assert_eq!(error.outcome.usage, Usage::new(10, 1));
}

#[tokio::test]
async fn nothing_of_a_decision_that_was_cut_off_is_run() {
    let cut_off = || {
        let response = ModelResponse::from_text(CALL).with_finish_reason(FinishReason::Length);
        ScriptedResponse::from(response)
    };
    let (response, _) = ask(ToolChoice::Auto, [cut_off(), text(CALL)]).await;
    let response = response.expect("is corrected");
    assert_eq!((response.tool_calls.len(), response.requests), (1, 2));
    let (response, _) = ask(ToolChoice::Auto, [cut_off(), cut_off(), text("Sunny.")]).await;
    let response = response.expect("answers");
    assert_eq!(
        (response.tool_calls.len(), response.text.as_str()),
        (0, "Sunny.")
    );
    let (response, _) = ask(ToolChoice::Required, [cut_off(), cut_off()]).await;
    assert!(response.is_err());
}

#[tokio::test]
async fn a_call_in_a_native_reply_is_one_that_the_choice_allows() {
    let other = "<tool_call>{\"name\": \"write\", \"arguments\": {}}</tool_call>";
    let inner = ScriptedModel::new([text(other), text(CALL)]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Fallback);
    let request = ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(ToolChoice::Tool("look".into()));
    let response = model.complete(&request).await.expect("decides");
    let names: Vec<_> = response
        .tool_calls
        .iter()
        .map(|call| call.name.as_str())
        .collect();
    assert_eq!((names, response.requests), (vec!["look"], 2));
}

#[tokio::test]
async fn a_refusal_beside_a_call_in_the_text_runs_nothing() {
    let mut refused = ModelResponse::from_text("<tool_call>{\"name\": \"write\"}</tool_call>");
    refused.refusal = Some("No.".into());
    let model = Emulated::new(ScriptedModel::new([refused]), ToolEmulation::Fallback);
    let request =
        ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned());
    let response = model.complete(&request).await.expect("refuses");
    assert!(response.tool_calls.is_empty());
    assert_eq!(response.finish_reason, FinishReason::Refusal);
}

/// A model that never waits, and writes a call that never ends.
struct Endless;

impl ChatModel for Endless {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> toolwright::model::ModelStream<'a> {
        use toolwright::model::ModelEvent::Text;
        let open = Text("<tool_call>{\"name\": \"look\", \"arguments\": {\"x\": \"".into());
        let more = std::iter::repeat_with(|| Text("a".repeat(1 << 16)));
        Box::pin(futures_util::stream::iter(
            std::iter::once(open).chain(more).map(Ok),
        ))
    }
}

#[tokio::test]
async fn a_call_that_never_ends_is_an_error_and_lets_a_cancel_through() {
    let request =
        ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned());
    let model = Emulated::new(Endless, ToolEmulation::Fallback);
    let error = toolwright::model::collect(model.stream(&request)).await;
    assert_eq!(
        error.expect_err("is too long").kind,
        ModelErrorKind::MalformedResponse
    );
    let runner = Runner::builder(model).tools(tools()).build();
    let runner = runner.expect("is consistent");
    let handle = runner.start("How is it?");
    let control = handle.control();
    let (outcome, ()) = tokio::join!(handle.outcome(), async { control.cancel() });
    assert_eq!(outcome.expect("ends").finish, Finish::Cancelled);
}

#[tokio::test]
async fn thoughts_whose_start_is_not_marked_are_no_part_of_an_answer_that_was_held_back() {
    let answer = "I must look at the sky.</think>Sunny.";
    for streams in [true, false] {
        let script = [text(answer), text(NONE)];
        let (outcome, ..) = run(ToolEmulation::Fallback, script, streams).await;
        assert_eq!(outcome.text.trim(), "Sunny.");
    }
}
