//! A model that takes its time, and the tools that it calls.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use toolwright::{
    ChatModel, Message, ModelResponse, ToolCall, ToolError, Toolset,
    message::Part,
    model::{ModelRequest, ModelStream},
    tool,
    tool::Progress,
    toolset,
};

/// The wait before each piece of a reply.
const PACE: Duration = Duration::from_millis(2);

/// A model of two rounds of calls and an answer. It says in each text which process it is of, so that text of a process that
/// is gone is another one than that of the process that asked again.
pub(crate) struct Slow(pub(crate) String);

impl ChatModel for Slow {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let rounds = match request.messages.last() {
            Some(Message::Assistant(message)) => message.tool_rounds.len(),
            _ => 0,
        };
        let said = format!(
            "Process {} says in round {rounds}: {}",
            self.0,
            long(rounds)
        );
        let mut parts = vec![
            Part::Reasoning(format!("Process {} thinks. {}", self.0, long(rounds))),
            Part::Text(said),
        ];
        let call = |tool: &str, arguments: &str| Part::Call(ToolCall::new("", tool, arguments));
        match rounds {
            0 => parts.extend([
                call("add", r#"{"a":1,"b":2}"#),
                call("steps", r#"{"count":4}"#),
                call("add", r#"{"a":3,"b":4}"#),
            ]),
            1 => parts.extend([call("fails", "{}"), call("add", r#"{"a":5,"b":6}"#)]),
            _ => {}
        }
        let events = ModelResponse::new(parts).into_events().into_iter();
        let events = events.flat_map(in_pieces);
        Box::pin(stream::iter(events).then(async |event| {
            tokio::time::sleep(PACE).await;
            Ok(event)
        }))
    }
}

/// A text that takes a while.
fn long(round: usize) -> String {
    let words = (0..12).map(|word| format!("word {round}.{word} \u{e9}, "));
    words.collect::<Vec<_>>().concat()
}

/// A text comes word by word.
fn in_pieces(event: toolwright::model::ModelEvent) -> Vec<toolwright::model::ModelEvent> {
    use toolwright::model::ModelEvent::{Reasoning, Text};
    let split =
        |text: &str| -> Vec<String> { text.split_inclusive(' ').map(str::to_owned).collect() };
    match event {
        Text(text) => split(&text).into_iter().map(Text).collect(),
        Reasoning(text) => split(&text).into_iter().map(Reasoning).collect(),
        other => vec![other],
    }
}

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    tokio::time::sleep(PACE).await;
    a + b
}

/// Make some steps, one after the other.
#[tool(idempotent)]
async fn steps(#[context] progress: Progress, count: u32) -> String {
    for step in 1..=count {
        progress.step(u64::from(step), u64::from(count), "another step");
        tokio::time::sleep(PACE).await;
    }
    format!("{count} steps are made")
}

/// Fail, whatever is asked.
#[tool(read_only)]
async fn fails() -> Result<String, ToolError> {
    Err(ToolError::not_found("there is nothing of this name"))
}

pub(crate) fn tools() -> Toolset {
    toolset![add, steps, fails]
}
