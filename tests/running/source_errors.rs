//! The text of a source error reaches the log and never the model, on whichever way the error comes.

use std::{collections::BTreeMap, error::Error, fmt};

use futures_util::stream::{self, Stream};
use serde::{Serialize, Serializer, ser};
use serde_json::json;
use toolwright::{
    Dispatch, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolResult, Toolset,
    dispatch::{DispatchOptions, dispatch_fn},
    dynamic::DynamicTool,
    message::ToolRound,
    middleware::{after, around, before},
    provider::{Codec, OpenAiChatCodec},
    testing::ScriptedModel,
    tool,
    tool::{FromContext, Updates},
    tools, toolset,
};

const SECRET: &str = "password=hunter2";

#[derive(Debug)]
struct Inner;

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SECRET)
    }
}

impl Error for Inner {}

/// Its own text is harmless; its cause's is not.
#[derive(Debug)]
struct Outer(Inner);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("asking the shop")
    }
}

impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fail with an error of std.
#[tool]
async fn with_io() -> Result<(), std::io::Error> {
    Err(std::io::Error::other(Inner))
}

/// Fail on another thread.
#[tool]
fn with_io_blocking() -> Result<(), std::io::Error> {
    Err(std::io::Error::new(
        std::io::ErrorKind::NotFound,
        Outer(Inner),
    ))
}

/// Fail with an error of the application.
#[tool]
async fn with_own() -> Result<(), Outer> {
    Err(Outer(Inner))
}

/// Fail with an error in a box.
#[tool]
async fn with_box() -> Result<(), Box<dyn Error + Send + Sync>> {
    Err(Box::new(Inner))
}

/// Fail with an error that anyhow wraps.
#[tool]
async fn with_anyhow() -> anyhow::Result<()> {
    Err(anyhow::Error::new(Inner).context("asking the shop"))
}

/// Fail with an error that eyre wraps.
#[tool]
async fn with_eyre() -> eyre::Result<()> {
    Err(eyre::Report::new(Inner))
}

/// Fail by a question mark.
#[tool]
async fn with_question_mark() -> Result<(), ToolError> {
    Err(std::io::Error::other(Inner))?
}

/// Fail to be written as JSON.
#[tool]
async fn with_output() -> Unwritable {
    Unwritable
}

struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(ser::Error::custom(SECRET))
    }
}

/// Fail to be written as JSON, since its keys are no texts.
#[tool]
async fn with_keys() -> BTreeMap<Vec<u8>, &'static str> {
    BTreeMap::from([(vec![1], SECRET)])
}

/// Fail in the middle of a stream.
#[tool]
async fn with_stream() -> Updates<impl Stream<Item = Result<u8, ToolError>>> {
    Updates(stream::iter([Ok(1), Err(ToolError::internal(Inner))]))
}

/// Panic with the text.
#[tool]
async fn with_panic() {
    panic!("{SECRET}");
}

/// Panic on another thread.
#[tool]
fn with_panic_blocking() {
    std::panic::panic_any(SECRET.to_owned());
}

struct Missing;

impl FromContext<'_> for Missing {
    fn from_context(_: &ToolContext) -> Result<Self, ToolError> {
        Err(ToolError::internal(Inner))
    }
}

/// Lack something of the context.
#[tool]
async fn with_context(#[context] missing: Missing) {
    let Missing = missing;
}

struct Shop;

#[tools]
impl Shop {
    /// Fail in a method.
    #[tool]
    async fn with_method(&self) -> Result<(), Outer> {
        Err(Outer(Inner))
    }
}

/// Succeed, with middleware around it that does not.
#[tool]
async fn with_before() {}

/// Succeed, with middleware around it that does not.
#[tool]
async fn with_around() {}

/// Succeed, with middleware around it that does not.
#[tool]
async fn with_after() {}

fn all() -> Toolset {
    let dynamic = DynamicTool::builder("with_dynamic", "Fail in a closure.")
        .build(async |_: ToolCall, _| Err::<(), _>(ToolError::internal(Inner)))
        .expect("it is a tool");
    let declared = toolset![
        with_io,
        with_io_blocking,
        with_own,
        with_box,
        with_anyhow,
        with_eyre,
        with_question_mark,
        with_output,
        with_keys,
        with_stream,
        with_panic,
        with_panic_blocking,
        with_context,
        with_before,
        with_around,
        with_after,
    ];
    declared
        .merge(Shop.into_tools())
        .and_then(|tools| tools.with(dynamic))
        .and_then(|tools| tools.layer_for("with_before", before(async |_, _| Err(Inner.thrown()))))
        .and_then(|tools| {
            tools.layer_for("with_around", around(async |_, _, _| Err(Inner.thrown())))
        })
        .and_then(|tools| tools.layer_for("with_after", after(async |_, _, _| panic!("{SECRET}"))))
        .expect("the names are there and differ")
}

impl Inner {
    fn thrown(self) -> ToolError {
        ToolError::internal(self)
    }
}

fn calls(tools: &Toolset) -> Vec<ToolCall> {
    let calls = tools.names().map(|name| ToolCall::new(name, name, "{}"));
    calls.collect()
}

fn check(result: &ToolResult) {
    let error = result.outcome.as_ref().expect_err(&result.call_id);
    let name = &result.call_id;
    assert!(!error.to_model_text().contains(SECRET), "{name}: {error:?}");
    assert!(!error.to_string().contains(SECRET), "{name}: {error:?}");
    // What serde says of a map's keys names no value.
    let is_told = name != "with_keys";
    let log = error.log.as_deref().unwrap_or_default();
    assert_eq!(log.contains(SECRET), is_told, "{name}: {error:?}");
}

#[tokio::test]
async fn nothing_of_a_source_reaches_the_model() {
    let tools = all();
    let calls = calls(&tools);
    tools.dispatch(&calls).await.iter().for_each(check);

    let options = DispatchOptions::new();
    let closure = dispatch_fn(&calls[..2], &options, async |call, _| {
        match call.name.as_str() {
            "with_io" => Err::<(), _>(ToolError::internal(Inner)),
            _ => panic!("{SECRET}"),
        }
    });
    closure.await.iter().for_each(check);
}

#[tokio::test]
async fn nothing_of_a_source_is_sent_in_a_run() {
    let tools = all();
    let calls = calls(&tools);
    let replies = [
        ModelResponse::from_calls(calls.clone()),
        ModelResponse::from_text("done"),
    ];
    let model = ScriptedModel::new(replies);
    let runner = Runner::builder(model.clone()).tools(tools).build().unwrap();
    let outcome = runner.run("Fail.").await.unwrap();
    let answered = outcome.tool_rounds().flat_map(ToolRound::answered_calls);
    assert_eq!(
        answered.map(|(_, result)| check(result)).count(),
        calls.len()
    );
    let rounds = outcome.tool_rounds();
    let results: Vec<_> = rounds.flat_map(|round| round.results.clone()).collect();
    let sent = OpenAiChatCodec::new().results(&calls, &results);
    assert!(!json!(sent).to_string().contains(SECRET));
}
