//! Recorded conversations of several rounds, replayed end to end: a server on loopback answers with
//! the recorded bytes, the real transport and codec drive the real loop, and the tools, written by
//! hand from the recorded definitions, return the recorded results.

mod plan;

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
};

use libtest_mimic::Trial;
use serde_json::Value;
use toolwright::{
    Call, Conversation, OpenAiChat, Runner, Schema, Tool, ToolCall, ToolContext, ToolDefinition,
    ToolError, ToolOutput, Toolset,
};

use crate::loopback::Server;
use plan::{Exchange, Plan, spoken};

/// A trial for each recorded conversation whose exchanges all succeeded.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let mut conversations: BTreeMap<String, Vec<Exchange>> = BTreeMap::new();
    for exchange in Exchange::read_all(folder) {
        conversations
            .entry(exchange.conversation.clone())
            .or_default()
            .push(exchange);
    }
    conversations
        .into_iter()
        .filter(|(_, exchanges)| exchanges.len() > 1 && exchanges.iter().all(Exchange::succeeded))
        .map(|(name, mut exchanges)| {
            exchanges.sort_by_key(|exchange| exchange.turn);
            Trial::test(format!("replay::{name}"), move || {
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
    let plan = Plan::new(exchanges);
    let server = Server::start(plan.replies.clone()).await;
    let results = Arc::new(Mutex::new(plan.results.clone()));
    let model = OpenAiChat::new("recorded", "no key").with_base_url(server.base_url());
    let runner = Runner::builder(model)
        .tools(tools(&exchanges[0], &results))
        .streaming(exchanges[0].kind == "sse")
        .build()
        .expect("the recorded tools have names of their own");

    let mut conversation = Conversation::new();
    if let Some(system) = &plan.system {
        conversation = conversation.with_system(system);
    }
    let mut text = String::new();
    for question in &plan.questions {
        let outcome = runner
            .run_in(&mut conversation, question)
            .await
            .expect("it succeeded once");
        text = outcome.text;
    }
    assert_eq!(text, plan.last_text);
    assert!(
        results.lock().expect("no tool panics").is_empty(),
        "every result was asked for"
    );

    let requests: Vec<Value> = server
        .requests()
        .iter()
        .map(|request| serde_json::from_slice(&request.body).expect("a request is JSON"))
        .collect();
    assert_eq!(requests.len(), plan.replies.len(), "one request a reply");
    for request in &requests {
        assert_answered_in_order(&request["messages"]);
    }
    // What the recorded client sent and what we send say the same.
    for (exchange, request) in exchanges
        .iter()
        .zip(&requests[plan.replies_before_recording..])
    {
        assert_eq!(
            spoken(&request["messages"]),
            spoken(&exchange.request["messages"])
        );
        assert_eq!(
            request["tools"].as_array().map(Vec::len),
            exchange.tools().map(Vec::len)
        );
    }
}

/// Every reply with calls is followed by one result for each, in their order, and ids are unique.
fn assert_answered_in_order(messages: &Value) {
    let messages = messages.as_array().expect("a request has messages");
    let mut waiting: Vec<&str> = Vec::new();
    let mut seen = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            assert!(!waiting.is_empty(), "a result without a call: {message}");
            assert_eq!(
                message["tool_call_id"],
                waiting.remove(0),
                "in the order of the calls"
            );
            continue;
        }
        assert!(waiting.is_empty(), "calls without results: {waiting:?}");
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let id = call["id"].as_str().expect("a call has an id");
            assert!(
                !id.is_empty() && !seen.contains(&id),
                "an id of its own: {id:?}"
            );
            seen.push(id);
            waiting.push(id);
        }
    }
    assert!(waiting.is_empty(), "calls without results: {waiting:?}");
}

/// Results that are still to be returned, with the call each belongs to.
type Results = Arc<Mutex<Vec<(String, String, String)>>>;

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
        let place = results
            .iter()
            .position(|(name, arguments, _)| *name == call.name && *arguments == call.arguments);
        Call::ready(match place {
            Some(place) => Ok(ToolOutput::text(results.remove(place).2)),
            None => Err(ToolError::not_found("this call was not recorded")),
        })
    }
}

fn tools(first: &Exchange, results: &Results) -> Toolset {
    let definitions = first.tools().into_iter().flatten().map(|tool| {
        let function = &tool["function"];
        let text = |key: &str| function[key].as_str().unwrap_or_default().to_owned();
        let schema = Schema::from_value(&function["parameters"]);
        ToolDefinition::new(text("name"), text("description"), schema)
    });
    definitions.fold(Toolset::new(), |tools, definition| {
        let tool = Recorded {
            definition,
            results: Arc::clone(results),
        };
        tools
            .with(tool)
            .expect("the recorded tools have names of their own")
    })
}
