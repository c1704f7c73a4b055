//! What a model writes that looks like a call: what runs, what is answered, and what is text.

use toolwright::{
    ChatModel, Message, ModelResponse, Runner, ToolCall, ToolDefinition,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{AnswerSchema, FinishReason, ModelRequest, ToolChoice, collect},
    run::RunOutcome,
    schema::Schema,
    testing::ScriptedModel,
    tool::ToolHints,
};

use super::{CALL, NONE, codes, text, tools};

fn call(name: &str) -> String {
    format!("<tool_call>{{\"name\": \"{name}\", \"arguments\": {{\"n\": 1}}}}</tool_call>")
}

fn known(form: CallForm, script: &[&str], mode: ToolEmulation) -> Emulated<ScriptedModel> {
    let facts = InMemory::new(ModelFacts::default().with_calls(form));
    let script: Vec<_> = script.iter().map(|reply| text(reply)).collect();
    Emulated::new(ScriptedModel::new(script), mode).with_memory(facts)
}

fn in_text() -> CallForm {
    CallForm::Text {
        format: "hermes".to_owned(),
    }
}

async fn run(form: CallForm, script: &[&str], mode: ToolEmulation, streams: bool) -> RunOutcome {
    let runner = Runner::builder(known(form, script, mode)).tools(tools());
    let runner = runner.streaming(streams).build().expect("is consistent");
    runner.run("How is it?").await.expect("answers")
}

/// The names of the calls of a run with whether each failed.
fn answered(outcome: &RunOutcome) -> Vec<(String, bool)> {
    let rounds = outcome.tool_rounds();
    rounds
        .flat_map(|round| {
            let names = round.calls().map(|call| call.name.clone());
            let failed = round.results.iter().map(toolwright::ToolResult::is_error);
            names.zip(failed).collect::<Vec<_>>()
        })
        .collect()
}

/// None vanishes, also not the second of two.
#[tokio::test]
async fn a_refused_call_is_answered_beside_others() {
    let both = format!("{}\n{}", call("look"), call("nobody"));
    for form in [CallForm::Unknown, in_text()] {
        for streams in [true, false] {
            let script = [both.as_str(), "Sunny."];
            let outcome = run(form.clone(), &script, ToolEmulation::Fallback, streams);
            let outcome = outcome.await;
            let expected = [("look".to_owned(), false), ("nobody".to_owned(), true)];
            assert_eq!(answered(&outcome)[..2], expected, "{form:?}");
            assert!(codes(&outcome).contains(&"calls_refused"), "{form:?}");
        }
    }
}

/// A model of which it is known that it writes calls reads why one is refused; another one is asked once more.
#[tokio::test]
async fn a_refused_call_alone_is_answered_or_corrected() {
    let refused = call("nobody");
    let script = [refused.as_str(), "Sunny."];
    let outcome = run(in_text(), &script, ToolEmulation::Fallback, true).await;
    assert_eq!(answered(&outcome), [("nobody".to_owned(), true)]);
    assert!(codes(&outcome).contains(&"calls_refused"));

    let script = [refused.as_str(), CALL, NONE, "Sunny."];
    let outcome = run(CallForm::Unknown, &script, ToolEmulation::Fallback, true).await;
    assert_eq!(answered(&outcome), [("look".to_owned(), false)]);
    assert!(codes(&outcome).contains(&"calls_refused"));
}

/// Arguments that cannot be read are never those of a call that runs.
#[tokio::test]
async fn a_call_that_cannot_be_read_is_answered_and_does_not_run() {
    for attempt in [
        "<tool_call>{\"name\": \"look\", \"arguments\": [1]}</tool_call>",
        "<tool_call>{\"name\": \"write\", \"arguments\": nonsense}</tool_call>",
    ] {
        let outcome = run(
            in_text(),
            &[attempt, "Sunny."],
            ToolEmulation::Fallback,
            true,
        )
        .await;
        let expected = [("unreadable_call".to_owned(), true)];
        assert_eq!(answered(&outcome), expected, "{attempt}");
    }
}

/// What the choice forbids is answered too.
#[tokio::test]
async fn a_call_that_the_choice_forbids_is_not_left_out_beside_one_that_it_allows() {
    let both = format!("{}{}", call("look"), call("write"));
    let request = ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(ToolChoice::Tool("look".into()));
    let model = known(CallForm::Unknown, &[&both], ToolEmulation::Fallback);
    let response = model.complete(&request).await.expect("calls");
    let names: Vec<_> = response.tool_calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["look", "write"]);
    let warned: Vec<_> = response.warnings.iter().map(|one| &*one.code).collect();
    assert_eq!(warned, ["tool_calls_emulated", "calls_refused"]);
}

/// A model that is known to call natively shows a call, and so does an answer after a decision of none.
#[tokio::test]
async fn the_text_of_a_native_model_and_of_an_answer_is_no_call() {
    let shown = format!("Send this:\n\n{}\n\n```json\n{CALL}\n```", call("write"));
    for streams in [true, false] {
        let outcome = run(
            CallForm::Native,
            &[&shown],
            ToolEmulation::Fallback,
            streams,
        )
        .await;
        assert_eq!((outcome.text.as_str(), outcome.rounds), (shown.as_str(), 0));
        assert_eq!(codes(&outcome), Vec::<&str>::new());
        let script = [NONE, shown.as_str()];
        let outcome = run(CallForm::Unknown, &script, ToolEmulation::Force, streams).await;
        assert_eq!((outcome.text.as_str(), outcome.rounds), (shown.as_str(), 0));
        assert!(codes(&outcome).contains(&"calls_left_out"));
    }
}

/// A call in a response that was cut off, or that the provider calls itself, is text.
#[tokio::test]
async fn a_call_that_may_not_run_is_given_back() {
    let written = format!("One moment.\n{}", call("look"));
    let request =
        ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned());
    for form in [CallForm::Unknown, in_text()] {
        let cut = ModelResponse::from_text(&*written).with_finish_reason(FinishReason::Length);
        let facts = InMemory::new(ModelFacts::default().with_calls(form));
        let model = Emulated::new(ScriptedModel::new([cut]), ToolEmulation::Fallback);
        let model = model.with_memory(facts);
        let response = collect(model.stream(&request)).await.expect("is cut off");
        assert_eq!(response.text, written);
        assert_eq!(response.tool_calls, []);
    }
    let mut both = ModelResponse::from_calls([ToolCall::new("a", "look", "{}")]);
    let said = toolwright::message::Part::Text(written.clone());
    both.parts = [said]
        .into_iter()
        .chain(both.parts.iter().cloned())
        .collect::<Vec<_>>()
        .into();
    let model = Emulated::new(ScriptedModel::new([both]), ToolEmulation::Fallback);
    let response = model.complete(&request).await.expect("calls");
    assert_eq!((response.text, response.tool_calls.len()), (written, 1));
}

/// A typed answer that looks like a call of a tool on offer is the answer, in every mode.
#[tokio::test]
async fn an_answer_that_looks_like_a_call_is_the_answer() {
    let schema = r#"{"type": "object", "required": ["name", "parameters"]}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let answer = r#"{"name": "look", "parameters": {}}"#;
    let look = ToolDefinition {
        hints: ToolHints::NONE.with_read_only(true),
        ..ToolDefinition::new(
            "look",
            "Look.",
            Schema::from_text(r#"{"type": "object"}"#).expect("is JSON"),
        )
    };
    for (form, script, mode) in [
        (CallForm::Unknown, vec![NONE, answer], ToolEmulation::Force),
        (
            CallForm::Unknown,
            vec![answer, NONE],
            ToolEmulation::Fallback,
        ),
        (CallForm::Native, vec![answer], ToolEmulation::Fallback),
        (in_text(), vec![answer], ToolEmulation::Fallback),
    ] {
        let mut request =
            ModelRequest::new([Message::user("How is it?")]).with_tools([look.clone()]);
        request.answer_schema = Some(AnswerSchema::new("answer", schema.clone()));
        let model = known(form.clone(), &script, mode);
        let response = model.complete(&request).await.expect("answers");
        assert_eq!(
            (response.text.as_str(), response.tool_calls.len()),
            (answer, 0),
            "{form:?}"
        );
    }
}
