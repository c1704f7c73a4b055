//! Requests that fail or break off within a response: what is kept of the others.

use toolwright::{
    ChatModel, Message, ModelError, ModelResponse,
    emulation::{Emulated, ToolEmulation},
    model::{FinishReason, ModelErrorKind, ModelRequest, ToolChoice, Usage, collect},
    testing::{ScriptedModel, ScriptedReply},
};

use super::{text, tools};

fn request(choice: ToolChoice) -> ModelRequest {
    ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(choice)
}

/// The response, streamed and not, which has to be the same.
async fn ask(
    mode: ToolEmulation,
    choice: ToolChoice,
    script: impl IntoIterator<Item = ScriptedReply> + Clone,
) -> Result<ModelResponse, ModelError> {
    let request = request(choice);
    let model = Emulated::new(ScriptedModel::new(script.clone()), mode);
    let whole = model.complete(&request).await;
    let model = Emulated::new(ScriptedModel::new(script), mode);
    let streamed = collect(model.stream(&request)).await;
    assert_eq!(streamed, whole);
    whole
}

fn busy() -> ModelError {
    ModelError::new(ModelErrorKind::Overloaded, "come back later")
}

fn codes(response: &ModelResponse) -> Vec<&str> {
    let warnings = response.warnings.iter();
    warnings.map(|warning| &*warning.code).collect()
}

#[tokio::test]
async fn a_native_reply_is_the_answer_if_nobody_can_decide_about_it() {
    let cost = ModelResponse::from_text("{\"tools\": [").with_usage(Usage::new(5, 2));
    let script = [text("Sunny."), busy().with_partial(cost).into()];
    let response = ask(ToolEmulation::Fallback, ToolChoice::Auto, script).await;
    let response = response.expect("it has been given");
    assert_eq!((response.text.as_str(), response.requests), ("Sunny.", 2));
    assert_eq!(response.usage, Some(Usage::new(15, 3)));
    assert_eq!(response.finish_reason, FinishReason::Stop);
    assert_eq!(codes(&response), ["tool_calls_emulated", "decision_failed"]);
}

#[tokio::test]
async fn a_native_reply_that_the_choice_forbids_stands_in_the_error_of_the_decision() {
    for choice in [ToolChoice::Required, ToolChoice::Tool("look".into())] {
        let script = [text("Sunny."), busy().into()];
        let error = ask(ToolEmulation::Fallback, choice.clone(), script).await;
        let error = error.expect_err("a call is needed");
        assert_eq!(error.kind, ModelErrorKind::Overloaded);
        assert!(error.retryable);
        let partial = error.partial.expect("is kept");
        assert_eq!((partial.text.as_str(), partial.requests), ("Sunny.", 2));
        assert_eq!(partial.usage, Some(Usage::new(10, 1)));

        let script = [text("Sunny."), text("no"), text("no")];
        let error = ask(ToolEmulation::Fallback, choice, script).await;
        let error = error.expect_err("a call is needed");
        assert_eq!(error.code.as_deref(), Some("tool_choice_unmet"));
        let partial = error.partial.expect("is kept");
        assert_eq!((partial.text.as_str(), partial.requests), ("Sunny.", 3));
    }
}

#[tokio::test]
async fn nothing_of_a_decision_that_breaks_off_is_shown() {
    let half = ModelResponse::from_text("{\"tools\": [").with_usage(Usage::new(5, 2));
    let script = [busy().with_partial(half).into()];
    let error = ask(ToolEmulation::Force, ToolChoice::Auto, script).await;
    let partial = error.expect_err("fails").partial.expect("is counted");
    assert_eq!((partial.text.as_str(), partial.requests), ("", 1));
    assert_eq!(partial.usage, Some(Usage::new(5, 2)));
}
