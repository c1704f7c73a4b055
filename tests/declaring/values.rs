//! The data types are values: they can be cloned, compared and sent between threads, and they
//! serialise and come back equal.

use std::{fmt::Debug, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use toolwright::{
    Conversation, ErrorCategory, Message, ModelError, ModelResponse, ToolCall, ToolDefinition,
    ToolError, ToolOutput, ToolResult,
    message::{AssistantMessage, Compaction, Image, Opaque, Part, ToolRound, UserMessage},
    model::{
        FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelSettings, ToolChoice, Usage,
        Warning,
    },
    run::{
        CallId, ContextWindow, Failure, Finish, Interruption, Limit, Limits, OnLimit, Record,
        RunConfig, RunId, RunOutcome,
    },
    schema::Schema,
    tool::{Effects, ToolPolicy},
};

fn check<T>(value: &T)
where
    T: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned + 'static,
{
    let copy = std::thread::spawn({
        let value = value.clone();
        move || value
    });
    assert_eq!(&copy.join().expect("does not panic"), value);
    let json = serde_json::to_string(value).expect("serialises");
    let back: T = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(&back, value, "{json}");
}

macro_rules! values {
    ($($name:ident: $($value:expr),+ $(,)?;)*) => {$(
        #[test]
        fn $name() {
            $(check(&$value);)+
        }
    )*};
}

fn call() -> ToolCall {
    ToolCall::new("call_1", "get_weather", "{\"city\": \"Ålesund\"}")
}

fn error() -> ToolError {
    ToolError::not_found("no such city")
        .with_detail("nearest", "Oslo")
        .with_log("lookup failed")
        .with_retry_after(Duration::from_millis(1500))
}

fn image() -> Image {
    Image::Base64 {
        media_type: "image/png".into(),
        data: "aGk=".into(),
    }
}

fn definition() -> ToolDefinition {
    // The properties are out of order on purpose: the order is part of what a model reads.
    let schema = r#"{"type":"object","properties":{"b":{"type":"string"},"a":{}}}"#;
    ToolDefinition::new(
        "look",
        "Looks around.",
        Schema::from_text(schema).expect("is JSON"),
    )
}

fn parts() -> Vec<Part> {
    vec![
        Part::Reasoning("hm".into()),
        Part::Text("Let me see.".into()),
        Part::Call(call()),
        Part::Opaque(Opaque {
            provider: "openai_chat".into(),
            data: json!({"signature": "x"}),
        }),
        Part::Image(image()),
    ]
}

fn results() -> Vec<ToolResult> {
    vec![ToolResult::success("call_1", vec![1, 2])]
}

fn assistant() -> AssistantMessage {
    let tool_rounds = vec![ToolRound {
        reply: parts().into(),
        results: results().into(),
    }];
    AssistantMessage {
        tool_rounds: tool_rounds.into(),
        parts: [Part::Text("Sunny.".into())].into(),
    }
}

fn conversation() -> Conversation {
    let mut conversation = Conversation::new().with_system("Be brief.");
    conversation.push_user("Weather?");
    conversation.push_response(response());
    conversation
        .push_results(results())
        .expect("one call, one result");
    conversation
}

fn usage() -> Usage {
    let mut usage = Usage::new(10, 2);
    usage.reasoning_tokens = Some(1);
    usage.raw = json!({"prompt_tokens": 10});
    usage
}

fn response() -> ModelResponse {
    let mut response = ModelResponse::new(parts()).with_usage(usage());
    response.model = Some("gpt".into());
    response.raw_finish_reason = Some("tool_calls".into());
    response
        .warnings
        .push(Warning::new("unknown_part", "A part was not understood."));
    response.metadata.insert("id".into(), json!("chatcmpl-1"));
    response
}

fn model_error() -> ModelError {
    ModelError::new(ModelErrorKind::RateLimit, "slow down")
        .with_status(429)
        .with_code("rate_limit_exceeded")
        .with_retry_after(Duration::from_secs(7))
        .with_body("{}")
        .with_partial(response())
}

fn request() -> ModelRequest {
    let settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(100)
        .with_parallel_tool_calls(false)
        .with_extra("top_k", 5);
    conversation()
        .request()
        .with_tools([definition()])
        .with_tool_choice(ToolChoice::Tool("look".into()))
        .with_settings(settings)
}

fn config() -> RunConfig {
    let mut config = RunConfig::default();
    config.limits = Limits::chat().with_on_limit(OnLimit::Stop);
    config.tool_choice = ToolChoice::Required.into();
    config
}

const ID: CallId = CallId { round: 1, index: 2 };

values! {
    tool_call: call(), ToolCall::new("", "", "not JSON \u{0}");
    tool_error: error(), ToolError::invalid_arguments("no");
    error_category: ErrorCategory::ALL.to_vec();
    tool_result: ToolResult::success("a", "text"), ToolResult::success("", ()),
        ToolResult::error("b", error()), ToolResult::success("c", json!({"n": 1}));
    tool_definition: definition();
    tool_policy: ToolPolicy::default(),
        ToolPolicy::default().with_sequential().with_timeout(Duration::from_secs(5));
    effects: Effects::ReadOnly, Effects::Idempotent, Effects::Write;
    tool_choice: ToolChoice::Auto, ToolChoice::None, ToolChoice::Required,
        ToolChoice::Tool("look".into());
    schema: definition().input_schema;
    image_value: Part::Image(image()), Part::Image(Image::from_url("https://example.org/a.png"));
    opaque: Opaque { provider: "p".into(), data: json!([1]) };
    part: parts();
    user_message: UserMessage::from("hi");
    assistant_message: assistant();
    message: Message::user("hi"), Message::Assistant(assistant());
    tool_round: ToolRound { reply: parts().into(), results: results().into() };
    conversation_value: conversation(), Conversation::new();
    usage_value: usage(), Usage::default();
    warning: Warning::new("code", "A sentence.");
    finish_reason: FinishReason::Stop, FinishReason::MalformedCall, FinishReason::Other;
    model_event: response().into_events(),
        ModelEvent::Finished { reason: FinishReason::Length, raw: Some("length".into()) };
    model_response: response(), ModelResponse::default();
    model_error_value: model_error(), ModelError::new(ModelErrorKind::Transport, "gone");
    model_request: request(), ModelRequest::default();
    model_settings: request().settings, ModelSettings::default();
    limits: Limits::chat(), Limits::agent(), Limits::chat().with_max_time(Duration::from_secs(60));
    run_config: config();
    context_window: ContextWindow::new(128_000), ContextWindow::new(1).with_summary().with_overhead(7);
    call_id: ID;
    run_id: RunId::new("run-1");
    finish: Finish::Answered, Finish::Limit { limit: Limit::Rounds { max: 5 }, summarized: true },
        Finish::Failed(Failure::Model(model_error())),
        Finish::Failed(Failure::Limit(Limit::Rounds { max: 5 })), Finish::Empty,
        Finish::Failed(Failure::ToolChoiceUnmet),
        Finish::Failed(Failure::Limit(Limit::Time { max: Duration::from_secs(60) }));
    record: Record::Started {
            run_id: RunId::new("run-1"),
            config: config(),
            conversation: conversation(),
            input: UserMessage::from("hi"),
        },
        Record::Replied { unfit: None, response: response(), policies: vec![ToolPolicy::default()] },
        Record::ModelFailed { error: model_error() },
        Record::ModelDelayed { error: model_error() },
        Record::ModelResumed,
        Record::MessagesRead,
        Record::CompactionStarted { compaction: Compaction::default() },
        Record::ContextCompacted {
            compaction: Compaction::default(),
            model: Some("m".into()),
            usage: Some(usage()),
            error: Some(model_error()),
        },
        Record::CallStarted { call: ID, name: "look".into() },
        Record::CallStarted { call: ID, name: String::new() },
        Record::ResponseBrokenOff { partial: response(), by: Interruption::Cancel },
        Record::CallFinished { call: ID, result: ToolResult::error_message("a", "no"), spent: None },
        Record::CallFinished { call: ID, result: ToolResult::success("a", 1), spent: Some(Box::default()) },
        Record::SharedLimitReached { limit: Limit::Tokens { max: 1 } },
        Record::CancelRequested,
        Record::TimeLimitReached,
        Record::Finished { finish: Finish::Cancelled };
    run_outcome: outcome();
}

fn outcome() -> RunOutcome {
    let config = RunConfig::default();
    let (mut run, _) =
        toolwright::run::Run::start(RunId::new("run-1"), config, conversation(), "And now?");
    run.handle(toolwright::run::Signal::Replied {
        unfit: None,
        response: ModelResponse::from_text("Now too."),
        policies: Vec::new(),
    });
    run.outcome().expect("the run is over")
}

#[test]
fn tool_output() {
    // `ToolOutput` is a value; it is stored within its result, since what is `Serialize` by itself is
    // sent to a model as JSON.
    let output = ToolOutput::text("hi");
    assert_eq!(output.clone(), output);
}
