//! How a recorded request is written by us.

use serde_json::{Map, Value, json};
use toolwright::profile::Profile;

use super::asked::definition;
use crate::allowed::Allowed;

pub(super) const ALLOWED: &[Allowed] = &[
    Allowed::written(
        "a stream goes without saying to the server, and not to us",
        |body| {
            fields(body).entry("stream").or_insert(true.into());
        },
    ),
    Allowed::written("what says nothing is not sent", |body| {
        let nothing = [
            ("tools", json!([])),
            ("options", json!({})),
            ("format", json!("")),
            ("keep_alive", Value::Null),
        ];
        for (name, nothing) in nothing {
            fields(body).retain(|field, value| field != name || *value != nothing);
        }
    }),
    Allowed::written("a temperature is a number with a fraction", |body| {
        if let Some(temperature) = body["options"]["temperature"].as_f64() {
            body["options"]["temperature"] = temperature.into();
        }
    }),
    Allowed::written("what the server drops of a schema is not sent", |body| {
        for tool in list(body, "tools") {
            let rendered = Profile::ollama().render(&definition(tool));
            let rendered = rendered.expect("is taken");
            tool["function"]["description"] = rendered.description.into();
            tool["function"]["parameters"] = rendered.parameters.expect("are some").to_value();
        }
    }),
    Allowed::written("the one type of calls is not documented", |body| {
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                fields(call).remove("type");
            }
        }
    }),
    Allowed::written("older clients do not say whose result it is", |body| {
        let mut names = Vec::new();
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                names.push(call["function"]["name"].clone());
            }
            if message["role"] == "tool" {
                message["tool_name"] = names.remove(0);
            }
        }
    }),
];

pub(super) const IN_REPLAY: &[Allowed] = &[Allowed::left_out(
    "the recorded client takes what a model has written before `</think>` out of the text, and \
     sends it back as thinking; we send back what came",
    |body| {
        for message in list(body, "messages") {
            let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
            let words = text("thinking") + &text("content");
            message["content"] = words.replace("</think>", "").trim().into();
            fields(message).remove("thinking");
        }
    },
)];

fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("is an object")
}

fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = value.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}
