//! What a user reads of a failure: a code and a text, in each of the three streams and after a reload.

use serde_json::Value;
use toolwright::{
    ChatModel, ErrorCategory, ModelError, ModelResponse, Runner, ToolCall, ToolError,
    dispatch::CallOptions,
    message::text_of,
    model::{AnswerRefusal, Guarded, ModelErrorKind},
    redact::Secrets,
    run::{FailureCode, Limits, UserFailure},
    runner::{RunEvent, RunnerBuilder, UserInput},
    streams::{AgUiStream, Frame, PlainStream, UiMessageStream},
    testing::ScriptedModel,
    tool, toolset,
};

use super::scripts;

const SECRET: &str = "sk-4711";

async fn events(runner: RunnerBuilder, question: &str) -> Vec<RunEvent> {
    let mut run = runner.build().expect("is consistent").start(question);
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(event);
    }
    events
}

fn sent<T: serde::Serialize>(
    events: &[RunEvent],
    mut push: impl FnMut(Option<&RunEvent>) -> Vec<Frame<T>>,
) -> Vec<Value> {
    let mut frames: Vec<_> = events.iter().flat_map(|event| push(Some(event))).collect();
    frames.extend(push(None));
    let json = frames.iter().map(Frame::to_json);
    json.filter_map(|json| serde_json::from_str(&json).ok())
        .collect()
}

fn failing(kind: ModelErrorKind) -> ScriptedModel {
    let error =
        ModelError::new(kind, format!("the key {SECRET} of 10.0.0.1")).with_retryable(false);
    ScriptedModel::new([error])
}

fn of<M: ChatModel>(model: M) -> RunnerBuilder {
    Runner::builder(model)
}

/// What all streams say of the failure, which has to be one.
fn shown(name: &str, events: &[RunEvent], texts: bool) -> (String, String) {
    let french = |failure: &UserFailure| format!("({}) désolé", failure.code);
    let (mut ui, mut ag, mut plain) = (
        UiMessageStream::new("m"),
        AgUiStream::new("t", "r"),
        PlainStream::new(),
    );
    if texts {
        ui = ui.with_failure_texts(french);
        ag = ag.with_failure_texts(french);
        plain = plain.with_failure_texts(french);
    }
    let ui = sent(events, |event| {
        event.map_or_else(Vec::new, |event| ui.push(event))
    });
    let ag = sent(events, |event| {
        event.map_or_else(Vec::new, |event| ag.push(event))
    });
    let plain = sent(events, |event| {
        event.map_or_else(Vec::new, |event| plain.push(event))
    });
    for frames in [&ui, &ag, &plain] {
        assert!(
            !format!("{frames:?}").contains(SECRET),
            "{name}: {frames:#?}"
        );
    }
    let text = |value: &Value| value.as_str().expect("is a string").to_owned();
    let of = |value: &Value| (text(&value["code"]), text(&value["message"]));

    let found = ui.iter().find(|it| it["type"] == "data-failure");
    let failure = of(&found.unwrap_or_else(|| panic!("{name}: {ui:#?}"))["data"]);
    if let Some(error) = ui.iter().find(|it| it["type"] == "error") {
        assert_eq!(error["errorText"], *failure.1, "{name}");
    }
    let in_ag = ag.iter().find_map(|it| match it["type"].as_str() {
        Some("RUN_ERROR") => Some(of(it)),
        Some("CUSTOM") if it["name"] == "failure" => Some(of(&it["value"])),
        _ => None,
    });
    assert_eq!(in_ag.as_ref(), Some(&failure), "{name}: {ag:#?}");
    let end = plain.last().expect("has an end");
    let in_plain = match end["type"].as_str() {
        Some("error") => of(end),
        _ => of(&end["failure"]),
    };
    assert_eq!(in_plain, failure, "{name}");
    let message = UiMessageStream::new("m").into_message(events, false);
    let message = serde_json::to_value(message.expect("is in order")).expect("is JSON");
    let parts = message["parts"].as_array().expect("has parts");
    assert!(
        parts.iter().any(|part| part["type"] == "data-failure"),
        "{name}"
    );
    failure
}

#[tokio::test(start_paused = true)]
async fn each_failure_has_a_code_and_a_text() {
    let refused = |text: Option<&str>| {
        let text = text.map(str::to_owned);
        let answers = [
            ModelResponse::from_text(SECRET),
            ModelResponse::from_text(SECRET),
        ];
        of(
            Guarded::new(ScriptedModel::new(answers)).check_answer(move |_: String| {
                let refusal = AnswerRefusal::new("it has a key");
                let refusal = match &text {
                    Some(text) => refusal.with_user_text(text),
                    None => refusal,
                };
                async { Err(refusal) }
            }),
        )
    };
    let checked = of(ScriptedModel::new([ModelResponse::from_text("Hello.")])).check_input(
        async |input: UserInput| {
            if text_of(&input.message.parts).contains(SECRET) {
                return Err("Leave keys out.");
            }
            Ok(input.message)
        },
    );
    let calls = || ModelResponse::from_calls([ToolCall::new("", "count", "{}")]);
    let limited = of(ScriptedModel::new([calls(), calls()]))
        .tools(toolset![count])
        .limits(Limits::default().with_max_rounds(1));
    let fixed = |code: FailureCode| (code, code.default_text());
    for (name, runner, question, (code, text)) in [
        (
            "key",
            of(failing(ModelErrorKind::Authentication)),
            "Hi",
            fixed(FailureCode::Internal),
        ),
        (
            "rate",
            of(failing(ModelErrorKind::RateLimit)),
            "Hi",
            fixed(FailureCode::RateLimited),
        ),
        (
            "down",
            of(failing(ModelErrorKind::Overloaded)),
            "Hi",
            fixed(FailureCode::Unavailable),
        ),
        (
            "long",
            of(failing(ModelErrorKind::ContextTooLong)),
            "Hi",
            fixed(FailureCode::ContextTooLong),
        ),
        (
            "filter",
            of(failing(ModelErrorKind::ContentFilter)),
            "Hi",
            fixed(FailureCode::ContentFilter),
        ),
        (
            "guard",
            refused(None),
            "Hi",
            fixed(FailureCode::ContentFilter),
        ),
        (
            "guard that says why",
            refused(Some("Ask about Norway.")),
            "Hi",
            (FailureCode::ContentFilter, "Ask about Norway."),
        ),
        (
            "input",
            checked,
            "The key is sk-4711.",
            (FailureCode::RefusedInput, "Leave keys out."),
        ),
        ("limit", limited, "Hi", fixed(FailureCode::Limit)),
    ] {
        let events = events(runner, question).await;
        let expected = (code.as_str().to_owned(), text.to_owned());
        assert_eq!(shown(name, &events, false), expected, "{name}");
        let french = format!("({code}) désolé");
        assert_eq!(shown(name, &events, true).1, french, "{name}");
    }
}

/// Count what is there.
#[tool(read_only)]
fn count() -> u32 {
    3
}

/// Look for something that is not there.
#[tool(read_only)]
fn look() -> Result<String, ToolError> {
    let error = ToolError::new(
        ErrorCategory::NetworkError,
        "host 10.0.0.1 is down: call `list`",
    );
    Err(error.with_user_text("The archive with sk-4711 is closed."))
}

/// The text for the user takes the place of what the model reads, and is redacted as that is.
#[tokio::test(start_paused = true)]
async fn a_tool_says_to_the_user_what_went_wrong() {
    let calls = ModelResponse::from_calls([ToolCall::new("", "look", "{}")]);
    let model = ScriptedModel::new([calls, ModelResponse::from_text("It is closed.")]);
    let hidden = CallOptions::new().with_redaction(Secrets::new([SECRET]));
    let runner = of(model.clone()).tools(toolset![look]).calls(hidden);
    let events = events(runner, "Look.").await;
    let (mut ui, mut ag, mut plain) = (
        UiMessageStream::new("m"),
        AgUiStream::new("t", "r"),
        PlainStream::new(),
    );
    let all = [
        sent(&events, |it| it.map_or_else(Vec::new, |it| ui.push(it))),
        sent(&events, |it| it.map_or_else(Vec::new, |it| ag.push(it))),
        sent(&events, |it| it.map_or_else(Vec::new, |it| plain.push(it))),
    ];
    for frames in all {
        let text = format!("{frames:?}");
        assert!(
            text.contains("The archive with [redacted] is closed."),
            "{text}"
        );
        assert!(!text.contains("10.0.0.1"), "{text}");
    }
    let read = format!("{:?}", model.requests()[1].messages);
    assert!(read.contains("call `list`"), "{read}");
}

/// A hook that panics leaves the text as it was.
#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_changes_nothing() {
    let told = scripts::all().await;
    let failed = told.iter().find(|told| told.name == "failed");
    let failed = failed.expect("is one");
    let mut stream =
        PlainStream::new().with_failure_texts(|_: &UserFailure| panic!("a mistake in a text"));
    let frames = sent(&failed.parts[0], |it| {
        it.map_or_else(Vec::new, |it| stream.push(it))
    });
    let end = frames.last().expect("has an end");
    assert_eq!(end["message"], FailureCode::Unavailable.default_text());
}
