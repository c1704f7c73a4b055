//! Recorded conversations with Ollama, replayed end to end: a server on loopback answers with the
//! recorded bytes, the real transport and codec drive the real loop, and the tools return the recorded
//! results. What we send is compared with what was sent.

use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use toolwright::{
    Call, Ollama, Runner, Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, Toolset,
};

use super::sent::{as_we_write, assert_same, definitions, settings};
use crate::{
    loopback::{Answer, Server},
    record::Record,
};

/// One recorded exchange, with its place in a conversation.
pub(super) struct Exchange {
    pub(super) name: String,
    conversation: String,
    turn: u64,
    record: Record,
}

impl Exchange {
    pub(super) fn read_all(folder: &Path) -> Vec<Self> {
        let entries = folder.read_dir().into_iter().flatten();
        let mut exchanges: Vec<_> = entries
            .map(|entry| entry.expect("the folder is readable").path())
            .map(|path| {
                let text = fs::read_to_string(&path).expect("the recording is readable");
                let place: Value = serde_json::from_str(&text).expect("is JSON");
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                Self {
                    name: name.into_owned(),
                    conversation: place["conversation"].to_string(),
                    turn: place["turn"].as_u64().expect("has one"),
                    record: serde_json::from_value(place).expect("has its fields"),
                }
            })
            .collect();
        exchanges.sort_by(|a, b| a.name.cmp(&b.name));
        exchanges
    }

    /// The request; null where only the answer was recorded.
    pub(super) fn body(&self) -> &Value {
        &self.record.request["body"]
    }

    fn messages(&self) -> &[Value] {
        self.body()["messages"].as_array().expect("is one")
    }

    fn answer(&self) -> Answer {
        answer(&self.record.kind, &self.record.response.body)
    }
}

/// A body as it was sent.
fn answer(kind: &str, body: &str) -> Answer {
    let content_type = match kind {
        "json" => "application/json; charset=utf-8",
        _ => "application/x-ndjson",
    };
    Answer::http("200 OK", content_type, body)
}

/// A trial for each conversation of several turns.
pub(super) fn trials(folder: &Path) -> Vec<Trial> {
    let mut conversations: BTreeMap<String, Vec<Exchange>> = BTreeMap::new();
    for exchange in Exchange::read_all(folder) {
        let conversation = conversations
            .entry(exchange.conversation.clone())
            .or_default();
        conversation.push(exchange);
    }
    conversations
        .into_values()
        .filter(|exchanges| exchanges.len() > 1)
        .map(|mut exchanges| {
            exchanges.sort_by_key(|exchange| exchange.turn);
            let name = format!("replay::ollama::{}", exchanges[0].name);
            Trial::test(name, move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                runtime.block_on(replay(&exchanges));
                Ok(())
            })
        })
        .collect()
}

async fn replay(exchanges: &[Exchange]) {
    let first = &exchanges[0];
    let last = &exchanges[exchanges.len() - 1];
    let kind = &first.record.kind;
    let mut answers: Vec<_> = exchanges.iter().map(Exchange::answer).collect();
    let mut results: VecDeque<_> = (last.messages().iter())
        .filter(|message| message["role"] == "tool")
        .map(|message| {
            (
                text_of(message, "tool_name"),
                ToolOutput::text(text_of(message, "content")),
            )
        })
        .collect();
    let mut text = last.record.expected.text.clone();
    if !last.record.expected.tool_calls.is_empty() {
        // The recording ends with calls.
        let calls = last.record.expected.tool_calls.iter();
        results.extend(calls.map(|call| (call.name.clone(), ToolOutput::text("ok"))));
        "The recording ends here.".clone_into(&mut text);
        let message = json!({"role": "assistant", "content": text});
        let reply = json!({"message": message, "done": true, "done_reason": "stop"});
        answers.push(answer(kind, &format!("{reply}\n")));
    }
    let replies = answers.len();
    let server = Server::start(answers).await;
    let said = |role: &str| {
        let mut messages = first.messages().iter();
        let message = messages.find(|message| message["role"] == role);
        text_of(message.expect("there is one"), "content")
    };
    let results = Arc::new(Mutex::new(results));
    let base_url = server.base_url();
    let model =
        Ollama::new(text_of(first.body(), "model")).with_base_url(base_url.trim_end_matches("/v1"));
    let runner = Runner::builder(model)
        .system(said("system"))
        .tools(tools(first, &results))
        .settings(settings(first.body()))
        .streaming(kind == "ndjson")
        .concurrency(1)
        .build()
        .expect("the recorded tools have names of their own");
    let outcome = runner.run(said("user")).await;
    assert_eq!(outcome.expect("it succeeded once").text, text);
    assert!(results.lock().expect("no tool panics").is_empty());

    let requests = server.requests();
    assert_eq!(requests.len(), replies, "one request a reply");
    for (exchange, request) in exchanges.iter().zip(&requests) {
        assert!(
            request.head.starts_with("post /api/chat http/1.1"),
            "{}",
            request.head
        );
        let mut body: Value = serde_json::from_slice(&request.body).expect("is JSON");
        let mut expected = as_we_write(exchange.body());
        join_words(&mut body);
        join_words(&mut expected);
        assert_same(&body, &expected);
    }
}

/// Writes the thinking of each reply before its text. The recorded client takes what a model has
/// written before `</think>` out of the text, and sends it back as thinking; we send back what came.
fn join_words(body: &mut Value) {
    for message in body["messages"].as_array_mut().expect("is one") {
        let words = text_of(message, "thinking") + &text_of(message, "content");
        message["content"] = words.replace("</think>", "").trim().into();
        let fields = message.as_object_mut().expect("is one");
        fields.remove("thinking");
    }
}

fn text_of(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// Results that are still to be returned, in the order of the calls, with the tool of each.
type Results = Arc<Mutex<VecDeque<(String, ToolOutput)>>>;

/// A tool that returns what it returned when the conversation was recorded.
struct Recorded {
    definition: ToolDefinition,
    results: Results,
}

impl Tool for Recorded {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        let mut results = self.results.lock().expect("no tool panics");
        let (name, output) = results.pop_front().expect("it was recorded");
        assert_eq!(name, call.name);
        Call::ready(Ok(output))
    }
}

fn tools(first: &Exchange, results: &Results) -> Toolset {
    definitions(first.body()).fold(Toolset::new(), |tools, definition| {
        let tool = Recorded {
            definition,
            results: Arc::clone(results),
        };
        tools
            .with(tool)
            .expect("the recorded tools have names of their own")
    })
}
