//! The server of the chat page beside it. A model answers by rule, so that it needs no key and no network.
//!
//! ```sh
//! cargo run -p toolwright-server --example react_chat -- --port 8080
//! ```
//!
//! Then `npm install` and `npm run dev` in `examples/react-chat`. The token is `of-ada`. It ends with Ctrl-C, or when its
//! input does.

use std::{env, error::Error, io::IsTerminal, time::Duration};

use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::{io::AsyncReadExt, net::TcpListener, time::sleep};
use toolwright::{
    ChatModel, Message, ModelError, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolError,
    approval::Decision,
    message::{Part, text_of},
    model::{ModelErrorKind, ModelEvent, ModelRequest, ModelStream},
    schema::Schema,
    server::{Caller, Refusal, Server, Visit},
    store::MemoryStore,
    tool,
    tool::{Progress, Question},
    toolset,
};

/// Measure how clean the air of a city is.
#[tool(read_only)]
async fn measure_air(city: String, #[context] progress: Progress) -> String {
    for (step, what) in [(1, "drawing a sample"), (2, "counting")] {
        progress.step(step, 2, what);
        sleep(Duration::from_millis(600)).await;
    }
    format!("The air of {city} is clean.")
}

/// Delete a file for ever.
#[tool(approval)]
fn delete_file(path: String) -> String {
    format!("{path} is deleted")
}

/// Order a shirt. It asks the user for the size.
#[tool]
async fn order_shirt(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    let form = r#"{"type": "object", "required": ["size"], "properties": {
        "size": {"type": "integer", "title": "Size", "minimum": 36, "maximum": 52},
        "colour": {"type": "string", "title": "Colour", "default": "red", "oneOf": [
            {"const": "red", "title": "Red as a brick"}, {"const": "blue", "title": "Blue as the sea"}
        ]},
        "gift": {"type": "boolean", "title": "As a gift", "default": true}
    }}"#;
    let question = Question::form("Which shirt?", Schema::from_text(form)?);
    Ok(match cx.ask("shirt", question).await? {
        Decision::ApproveWith { arguments } => format!("ordered {arguments}"),
        _ => "no shirt".to_owned(),
    })
}

/// Ask the browser for the time zone of the user.
#[derive(serde::Deserialize, Tool)]
#[tool(external)]
struct TimeZone {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let runner = Runner::builder(ModelByRule)
        .tools(toolset![measure_air, delete_file, order_shirt, TimeZone])
        .store("react-chat", MemoryStore::new())
        // Calls that wait for the page hold no process.
        .suspends()
        .build()?;
    let server = Server::new(runner)?
        .for_version_7()
        .owner(async |visit: Visit| {
            let token = visit.headers.get("authorization");
            match token.and_then(|token| token.to_str().ok()) {
                // Look the token up here.
                Some("Bearer of-ada") => Ok(Caller::owner("ada")),
                _ => Err(Refusal::unauthorized("Sign in with the token of-ada.")),
            }
        });
    let port = env::args().skip_while(|it| it != "--port").nth(1);
    let address = format!("127.0.0.1:{}", port.as_deref().unwrap_or("0"));
    let listener = TcpListener::bind(address).await?;
    println!("The chat is at http://{}/api/", listener.local_addr()?);
    // The files of the built page would be beside it.
    let (chat, running) = server.into_router(ended());
    let app = axum::Router::new().nest("/api", chat);
    axum::serve(listener, app)
        .with_graceful_shutdown(running)
        .await?;
    println!("Shown: a page of React on `useChat`, and its server with a login.");
    Ok(())
}

/// Waits for Ctrl-C, or where nobody types for the end of the input.
async fn ended() {
    if std::io::stdin().is_terminal() {
        tokio::signal::ctrl_c().await.ok();
        return;
    }
    let (mut input, mut nothing) = (tokio::io::stdin(), Vec::new());
    input.read_to_end(&mut nothing).await.ok();
}

/// Stands for a model of a provider.
struct ModelByRule;

impl ChatModel for ModelByRule {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = match reply(request) {
            Ok(reply) => in_words(reply).into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        Box::pin(stream::iter(events).then(async |event| {
            sleep(Duration::from_millis(40)).await;
            event
        }))
    }
}

fn reply(request: &ModelRequest) -> Result<ModelResponse, ModelError> {
    let question = match request.messages.last() {
        Some(Message::User(message)) => message,
        Some(Message::Assistant(message)) => {
            let results = message.tool_rounds.last().map(|round| &round.results);
            let texts = results.into_iter().flatten();
            let texts: Vec<_> = texts.map(|it| it.to_model_text()).collect();
            return Ok(ModelResponse::from_text(format!(
                "That gave: {}",
                texts.join(", ")
            )));
        }
        None => return Ok(ModelResponse::from_text("Hello.")),
    };
    let text = text_of(&question.parts);
    if let Some(kind) = question.parts.iter().find_map(Part::media_type) {
        return Ok(ModelResponse::from_text(format!("I see an {kind}.")));
    }
    let calls = if text.contains("air") {
        vec![("measure_air", json!({ "city": "Oslo" }))]
    } else if text.contains("delete") {
        let paths = ["a.txt", "b\u{202e}.txt"];
        let calls = paths.map(|path| ("delete_file", json!({ "path": path })));
        calls.into()
    } else if text.contains("shirt") {
        vec![("order_shirt", json!({}))]
    } else if text.contains("time") {
        vec![("time_zone", json!({}))]
    } else if text.contains("story") {
        let days = (1..=60).map(|day| format!("On day {day} it rained. "));
        return Ok(ModelResponse::from_text(days.collect::<String>()));
    } else if text.contains("fail") {
        let kind = ModelErrorKind::RateLimit;
        return Err(ModelError::new(kind, "the provider has refused"));
    } else {
        let help = "Ask me to measure the air, delete files, order a shirt, tell the time or a story, or to fail.";
        return Ok(ModelResponse::from_text(help));
    };
    let calls = calls.into_iter().enumerate();
    let calls =
        calls.map(|(index, (name, json))| ToolCall::new(index.to_string(), name, json.to_string()));
    Ok(ModelResponse::from_calls(calls))
}

/// The events of a response, with its text in words.
fn in_words(reply: ModelResponse) -> Vec<ModelEvent> {
    let mut events = Vec::new();
    for event in reply.into_events() {
        match event {
            ModelEvent::Text(text) => {
                let words = text.split_inclusive(' ').map(str::to_owned);
                events.extend(words.map(ModelEvent::Text));
            }
            other => events.push(other),
        }
    }
    events
}
