//! A model for a machine without a network: it knows trains and nothing else, and types slowly.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde_json::json;
use toolwright::{
    ChatModel, Message, ModelResponse, ToolCall,
    message::{Part, ToolRound, text_of},
    model::{ModelEvent, ModelRequest, ModelStream},
};

/// Answers by rule.
pub(crate) struct TravelModel;

impl ChatModel for TravelModel {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = stream::iter(in_words(reply(request)));
        Box::pin(events.then(async |event| {
            tokio::time::sleep(Duration::from_millis(30)).await;
            Ok(event)
        }))
    }
}

fn reply(request: &ModelRequest) -> ModelResponse {
    if let Some(round) = last_round(request) {
        let results: Vec<_> = round
            .results
            .iter()
            .map(|result| result.to_model_text())
            .collect();
        return ModelResponse::from_text(format!("That gave {}.", results.join(", ")));
    }
    let question = last_question(request);
    let named = question.split_whitespace().rev();
    let (before, name, arguments) = if question.contains("ook") {
        let time = named
            .clone()
            .find(|word| word.contains(':'))
            .unwrap_or("08:25");
        let train = format!("{} to Bergen", time.trim_matches(','));
        ("I book it.", "book_seat", json!({ "train": train }))
    } else if question.contains("train") {
        let city = named.clone().next().unwrap_or_default();
        let city = city.trim_matches(|c: char| !c.is_alphabetic());
        ("Let me look.", "find_trains", json!({ "city": city }))
    } else {
        return ModelResponse::from_text("I find trains to a city, and book seats on them.");
    };
    let call = ToolCall::new(format!("call_{name}"), name, arguments.to_string());
    ModelResponse::new(vec![Part::Text(before.into()), Part::Call(call)])
}

/// The results that the model has not answered yet.
fn last_round(request: &ModelRequest) -> Option<&ToolRound> {
    match request.messages.last()? {
        Message::Assistant(message) if message.parts.is_empty() => message.tool_rounds.last(),
        _ => None,
    }
}

fn last_question(request: &ModelRequest) -> String {
    match request.messages.last() {
        Some(Message::User(message)) => text_of(&message.parts),
        _ => String::new(),
    }
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
