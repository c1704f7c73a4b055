//! A choice that needs a call, where the model does not make it.

use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, ToolCall,
    emulation::{CallForm, Emulated, InMemory, ModelFacts, ToolEmulation},
    model::{FinishReason, Guarded, ModelErrorKind, ModelRequest, ToolChoice, collect},
    run::Failure,
    testing::{ScriptedModel, ScriptedResponse},
};

use super::{CALL, NONE, native, text, tools};

/// The response of a model under `Fallback` of which this is known, streamed and not, and what is known then.
async fn ask(
    known: CallForm,
    choice: ToolChoice,
    script: impl IntoIterator<Item = ScriptedResponse> + Clone,
) -> (Result<ModelResponse, ModelError>, CallForm) {
    let request = ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools().definitions().cloned())
        .with_tool_choice(choice);
    let model = || {
        let facts = ModelFacts::default().with_calls(known.clone());
        let inner = ScriptedModel::new(script.clone());
        Emulated::new(inner, ToolEmulation::Fallback).with_memory(InMemory::new(facts))
    };
    let one = model();
    let whole = one.complete(&request).await;
    let streamed = collect(model().stream(&request)).await;
    assert_eq!(streamed, whole);
    (whole, one.facts().calls)
}

fn forms() -> [CallForm; 3] {
    let format = "hermes".to_owned();
    [
        CallForm::Unknown,
        CallForm::Native,
        CallForm::Text { format },
    ]
}

fn names(response: &ModelResponse) -> Vec<&str> {
    let calls = response.tool_calls.iter();
    calls.map(|call| call.name.as_str()).collect()
}

#[tokio::test]
async fn a_reply_without_the_call_that_is_needed_is_decided_about_whatever_is_known() {
    for form in forms() {
        for choice in [ToolChoice::Required, ToolChoice::Tool("look".into())] {
            let script = [text("Sunny."), text(CALL)];
            let (response, known) = ask(form.clone(), choice.clone(), script).await;
            let response = response.expect("decides");
            assert_eq!((names(&response), response.requests), (vec!["look"], 2));
            assert_eq!(response.text, "");
            assert_eq!(response.finish_reason, FinishReason::ToolCalls);
            // What a model is known to do it may do again.
            let unknown = form == CallForm::Unknown;
            assert_eq!(
                known,
                if unknown {
                    CallForm::None
                } else {
                    form.clone()
                }
            );

            let script = [text("Sunny."), text(NONE), text(NONE)];
            let (response, _) = ask(form.clone(), choice, script).await;
            let error = response.expect_err("a call is needed");
            assert_eq!(error.code.as_deref(), Some("tool_choice_unmet"));
            assert_eq!(error.partial.expect("is counted").requests, 3);
        }
    }
}

#[tokio::test]
async fn a_reply_with_the_call_takes_one_request_as_ever() {
    for form in forms() {
        for choice in [ToolChoice::Required, ToolChoice::Tool("look".into())] {
            let written = text("<tool_call>{\"name\": \"look\", \"arguments\": {}}</tool_call>");
            // The text of a model that calls natively is no call.
            let is_native = form == CallForm::Native;
            for reply in [Some(native()), Some(written).filter(|_| !is_native)] {
                let Some(reply) = reply else { continue };
                let (response, _) = ask(form.clone(), choice.clone(), [reply]).await;
                let response = response.expect("calls");
                assert_eq!((names(&response), response.requests), (vec!["look"], 1));
            }
        }
    }
}

#[tokio::test]
async fn a_native_call_of_another_tool_than_the_chosen_one_is_left_out() {
    let other = ToolCall::new("a", "write", "{}");
    for form in forms() {
        let script = [
            ModelResponse::from_calls([other.clone()]).into(),
            text(CALL),
        ];
        let choice = ToolChoice::Tool("look".into());
        let (response, known) = ask(form, choice, script).await;
        let response = response.expect("decides");
        assert_eq!((names(&response), response.requests), (vec!["look"], 2));
        assert_eq!(known, CallForm::Native);
        let codes: Vec<_> = response.warnings.iter().map(|one| &*one.code).collect();
        assert_eq!(codes, ["calls_left_out", "tool_calls_emulated"]);
    }
}

/// A reply that was cut off or refused has no call for that reason, and says so.
#[tokio::test]
async fn a_reply_that_is_not_whole_is_not_decided_about() {
    for reason in [
        FinishReason::Length,
        FinishReason::Refusal,
        FinishReason::Paused,
    ] {
        let reply = ModelResponse::from_text("Sun").with_finish_reason(reason);
        let (response, _) = ask(CallForm::Native, ToolChoice::Required, [reply.into()]).await;
        let response = response.expect("is there");
        assert_eq!((response.text.as_str(), response.requests), ("Sun", 1));
        assert_eq!(response.finish_reason, reason);
    }
}

/// Native tools and emulated ones, by what the run ends with.
#[tokio::test]
async fn a_required_call_that_is_missing_fails_the_run_alike_in_each_mode() {
    for (mode, form) in [
        (ToolEmulation::Off, CallForm::Unknown),
        (ToolEmulation::Fallback, CallForm::Unknown),
        (ToolEmulation::Fallback, CallForm::Native),
        (ToolEmulation::Force, CallForm::Unknown),
    ] {
        for streams in [true, false] {
            let inner = ScriptedModel::new([text("No."), text(NONE), text(NONE)]);
            let facts = InMemory::new(ModelFacts::default().with_calls(form.clone()));
            let runner = Runner::builder(Emulated::new(inner, mode).with_memory(facts))
                .tools(tools())
                .tool_choice(ToolChoice::Required)
                .streaming(streams)
                .build()
                .expect("is consistent");
            let error = runner.run("How is it?").await.expect_err("no call");
            assert_eq!(error.failure, Failure::ToolChoiceUnmet, "{mode:?} {form:?}");
        }
    }
}

/// Reading puts together what the model wrote apart: a guard has to be around it.
#[tokio::test]
async fn a_guard_around_emulated_tools_checks_the_calls_themselves() {
    let check = async |text: String| {
        if text.contains("secret") {
            return Err("it tells a secret");
        }
        Ok(())
    };
    let script = || ScriptedModel::new([text("[look(n='sec' 'ret')]"), text(NONE), text("Sunny.")]);
    let request =
        ModelRequest::new([Message::user("How is it?")]).with_tools(tools().definitions().cloned());

    let around = Emulated::new(script(), ToolEmulation::Force);
    let around = Guarded::new(around).check_answer(check).corrections(0);
    let error = around.complete(&request).await.expect_err("is refused");
    assert_eq!(error.kind, ModelErrorKind::ContentFilter);

    let inside = Guarded::new(script()).check_answer(check).corrections(0);
    let inside = Emulated::new(inside, ToolEmulation::Force);
    let response = inside.complete(&request).await.expect("is not seen");
    assert_eq!(response.tool_calls[0].arguments, r#"{"n":"secret"}"#);
}
