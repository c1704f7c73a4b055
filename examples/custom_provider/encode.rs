//! From a request to the line that asks.

use serde::Serialize;
use serde_json::{Value, json};
use toolwright::{
    Message, ToolDefinition,
    message::{Part, Turn, text_of},
    model::{ModelRequest, ToolChoice, Warning},
    provider::{Codec, EncodeInput},
    schema::Schema,
    wire::{call_ids, sendable_arguments, sendable_name},
};

use crate::lantern::Lantern;

/// The line that asks. It is a struct and no `serde_json::Value`, which sorts what it holds: in what order
/// the properties of a tool come is part of what a model reads.
#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    rules: Option<&'a str>,
    functions: Vec<Function<'a>>,
    call: &'static str,
    limit: Option<u32>,
    turns: Vec<Value>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    about: &'a str,
    takes: &'a Schema,
}

/// The line that asks, with its end.
pub(crate) fn encode(input: &EncodeInput<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let request = input.request;
    let (call, only) = match &request.tool_choice {
        ToolChoice::Auto => ("may", None),
        ToolChoice::None => ("never", None),
        ToolChoice::Required => ("must", None),
        ToolChoice::Tool(name) => ("must", Some(name)),
    };
    let offered = |tool: &&ToolDefinition| only.is_none_or(|name| tool.name == *name);
    let question = Question {
        model: input.model,
        rules: request.system.as_deref(),
        functions: request.tools.iter().filter(offered).map(function).collect(),
        call,
        limit: request.settings.max_output_tokens,
        turns: turns(input, &request.messages),
    };
    let mut line = serde_json::to_vec(&question)?;
    line.push(b'\n');
    Ok(line)
}

/// What of a request the protocol has no place for, and what is done instead. What is only left out is
/// told as well.
pub(crate) fn warnings(request: &ModelRequest) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let ToolChoice::Tool(_) = request.tool_choice {
        warnings.push(Warning::new(
            "tool_choice_emulated",
            "Lantern accepts no name in a tool choice; the tool is sent alone and a call is required",
        ));
    }
    if request.settings.seed.is_some() {
        warnings.push(Warning::new("seed_ignored", "Lantern takes no seed"));
    }
    warnings
}

fn function(tool: &ToolDefinition) -> Function<'_> {
    Function {
        name: &tool.name,
        about: &tool.description,
        takes: &tool.input_schema,
    }
}

/// The conversation. A call and its result share an id, which is unique in the whole of it: servers
/// give the same ones again, or none.
fn turns(input: &EncodeInput<'_>, messages: &[Message]) -> Vec<Value> {
    let mut ids = call_ids(messages).into_iter();
    let mut sent = Vec::new();
    for turn in messages.iter().flat_map(Message::turns) {
        match turn {
            Turn::User(parts) => sent.push(json!({"from": "person", "text": text_of(parts)})),
            // Its calls are added with their results: calls that nobody answered, as those of a
            // response that was cut off, do not go back.
            Turn::Assistant(parts) => {
                let mut reply = json!({"from": "model", "text": text_of(parts)});
                if let Some(seal) = seal(input, parts) {
                    reply["seal"] = seal.clone();
                }
                sent.push(reply);
            }
            Turn::Results(round) => {
                let (mut calls, mut answers) = (Vec::new(), Vec::new());
                for ((call, result), id) in round.answered_calls().zip(&mut ids) {
                    let (name, with) = (
                        sendable_name(&call.name),
                        sendable_arguments(&call.arguments),
                    );
                    calls.push(json!({"id": id, "function": name, "with": with}));
                    let (said, failed) = (result.to_model_text(), result.is_error());
                    answers.push(json!({"id": id, "said": said, "failed": failed}));
                }
                if let Some(reply) = sent.last_mut() {
                    reply["calls"] = calls.into();
                }
                sent.push(json!({"from": "functions", "answers": answers}));
            }
        }
    }
    sent
}

/// What only this server can read, and wants back. That of other providers and servers stays here.
fn seal<'p>(input: &EncodeInput<'_>, parts: &'p [Part]) -> Option<&'p Value> {
    parts.iter().find_map(|part| match part {
        Part::Opaque(opaque) if input.owns(Lantern::PROVIDER, opaque) => Some(&opaque.data),
        _ => None,
    })
}
