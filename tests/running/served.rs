//! What holds of every provider's model against a server: a run of two requests, streamed and whole, an
//! error that says how long to wait, and a stream whose connection stays.

use std::time::Duration;

use serde_json::Value;
use toolwright::{
    ChatModel, Message, ModelError, Runner,
    model::{FinishReason, ModelErrorKind, ModelRequest, ModelSettings, ToolChoice, collect},
    run::{Finish, RunOutcome},
    tool, toolset,
};

use crate::loopback::{Answer, Request, Server};

/// The text of the reply that ends a run.
pub(crate) const ANSWER: &str = "Take a raincoat.";

/// Get the weather in a city as it is now.
#[tool(read_only)]
pub(crate) fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

/// What the model is asked with.
pub(crate) struct Asked {
    pub(crate) settings: ModelSettings,
    pub(crate) tool_choice: ToolChoice,
    pub(crate) streaming: bool,
}

impl Asked {
    pub(crate) fn new(settings: ModelSettings, streaming: bool) -> Self {
        Self {
            settings,
            tool_choice: ToolChoice::Auto,
            streaming,
        }
    }
}

/// A reply in both forms.
pub(crate) struct Reply {
    pub(crate) whole: String,
    pub(crate) streamed: Answer,
}

/// A run in which the model calls `get_weather` in the first reply, and says [`ANSWER`] in the second.
pub(crate) async fn run<M: ChatModel>(
    model: fn(&Server) -> M,
    replies: [Reply; 2],
    asked: Asked,
) -> (RunOutcome, Vec<Request>) {
    let answers = replies.map(|reply| {
        if asked.streaming {
            reply.streamed
        } else {
            Answer::json(&reply.whole)
        }
    });
    let server = Server::start(answers.into()).await;
    let runner = Runner::builder(model(&server))
        .system("Be brief.")
        .tools(toolset![get_weather])
        .tool_choice(asked.tool_choice)
        .settings(asked.settings)
        .streaming(asked.streaming)
        .build()
        .expect("is consistent");
    let outcome = runner.run("What should I wear in Oslo?").await;
    let outcome = outcome.expect("the server answers");
    assert_eq!(outcome.finish, Finish::Answered);
    assert_eq!(outcome.text, ANSWER);
    (outcome, server.requests())
}

/// The tokens in and out.
pub(crate) fn tokens(outcome: &RunOutcome) -> (u64, u64) {
    (outcome.usage.input_tokens, outcome.usage.output_tokens)
}

/// The names of the warnings.
pub(crate) fn warnings(outcome: &RunOutcome) -> Vec<&str> {
    let warnings = outcome.warnings.iter();
    warnings.map(|warning| &*warning.code).collect()
}

/// The body of a request.
pub(crate) fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).expect("is JSON")
}

/// A request of one question.
pub(crate) fn question() -> ModelRequest {
    ModelRequest::new([Message::user("Hi")])
}

/// A refusal that asks to wait for seven seconds, and quotes the key, is that error, streamed and whole.
pub(crate) async fn check_wait<M: ChatModel>(
    model: fn(&Server) -> M,
    key: &str,
    answer: Answer,
) -> [ModelError; 2] {
    let server = Server::start(vec![answer.clone(), answer]).await;
    let model = model(&server);
    let whole = model.complete(&question()).await.expect_err("is refused");
    let streamed = collect(model.stream(&question())).await;
    let errors = [whole, streamed.expect_err("is refused")];
    for error in &errors {
        assert_eq!(error.kind, ModelErrorKind::RateLimit);
        assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
        assert!(error.retryable);
        assert!(!format!("{error:?}").contains(key), "{error:?}");
    }
    errors
}

/// The answer of a server that wants to be asked more slowly: 429, seven seconds.
pub(crate) fn too_fast(body: &str) -> Answer {
    let headers = [("content-type", "application/json"), ("retry-after", "7")];
    Answer::with_headers("429 Too Many Requests", &headers, body)
}

/// A stream of [`ANSWER`] is whole when its protocol says so, and not only when the connection closes.
pub(crate) async fn check_end<M: ChatModel>(model: fn(&Server) -> M, stream: &str) {
    let server = Server::start(vec![Answer::silent_events(stream)]).await;
    let reply = collect(model(&server).stream(&question())).await;
    let reply = reply.expect("is whole");
    assert_eq!(
        (&*reply.text, reply.finish_reason),
        (ANSWER, FinishReason::Stop)
    );
}
