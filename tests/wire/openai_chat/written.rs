//! How a recorded request is written by us.

use serde_json::{Map, Value, json};

use super::{asked, vendor};
use crate::allowed::{Allowed, each_text};

pub(super) const ALLOWED: &[Allowed] = &[
    Allowed::written(
        "a response that is not streamed goes without saying",
        |body| {
            fields(body).retain(|name, value| name != "stream" || *value != false);
        },
    ),
    Allowed::written("the choice `auto` goes without saying", |body| {
        fields(body).retain(|name, value| name != "tool_choice" || *value != "auto");
    }),
    Allowed::written_for(
        "a stream is asked for its usage, where it may be",
        |body, record| {
            if body["stream"] == true && record.vendor != "mistral" {
                body["stream_options"] = json!({"include_usage": true});
            }
        },
    ),
    Allowed::left_out(
        "most servers take both names of the limit of tokens",
        |body| {
            if let Some(tokens) = fields(body).remove("max_completion_tokens") {
                body["max_tokens"] = tokens;
            }
        },
    ),
    Allowed::written_for(
        "what a server drops of a schema is not sent",
        |body, record| {
            let Some(profile) = vendor::of(record).profile() else {
                return;
            };
            for tool in list(body, "tools").filter(|tool| tool["function"].is_object()) {
                let rendered = profile.render(&asked::definition(tool)).expect("is taken");
                tool["function"]["description"] = rendered.description.into();
                tool["function"]["parameters"] = rendered.parameters.expect("are some").to_value();
            }
        },
    ),
    Allowed::written("the type of a tool is always said", |body| {
        for tool in list(body, "tools").filter(|tool| tool["function"].is_object()) {
            tool["type"] = "function".into();
        }
    }),
    Allowed::written(
        "how closely an image is looked at is left to the server",
        |body| {
            for message in list(body, "messages") {
                for part in list(message, "content") {
                    if let Some(image) = part.get_mut("image_url") {
                        fields(image).remove("detail");
                    }
                }
            }
        },
    ),
    Allowed::written("a message in which nothing is said is left out", |body| {
        let messages = body["messages"].as_array_mut().expect("is one");
        messages.retain(|message| !asked::is_empty(message));
    }),
    Allowed::written(
        "words of reasoning go back in the field that came first",
        |body| {
            for message in list(body, "messages") {
                if message["reasoning"] == message["reasoning_content"] {
                    fields(message).remove("reasoning");
                }
            }
        },
    ),
    Allowed::written("a list of one text is that text", |body| {
        for message in list(body, "messages") {
            if let Some([part]) = message["content"].as_array().map(Vec::as_slice)
                && part["type"] == "text"
            {
                message["content"] = part["text"].clone();
            }
        }
    }),
    Allowed::written(
        "a response of calls alone has a content of `null`",
        |body| {
            for message in list(body, "messages") {
                if message["role"] == "assistant" && asked::text_of(&message["content"]).is_empty()
                {
                    message["content"] = Value::Null;
                }
            }
        },
    ),
    Allowed::written("the place of a call in the history says nothing", |body| {
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                fields(call).remove("index");
            }
        }
    }),
];

pub(super) const IN_REPLAY: &[Allowed] = &[
    Allowed::written("a forced choice holds for the first round", |body| {
        let last = list(body, "messages").last().expect("there is a message");
        if last["role"] == "tool" {
            fields(body).retain(|name, value| name != "tool_choice" || *value == "none");
        }
    }),
    Allowed::left_out("clients read arguments and write them again", |body| {
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                let arguments = &mut call["function"]["arguments"];
                let text = arguments.as_str().expect("is text");
                *arguments = serde_json::from_str(text).expect("was read before");
            }
        }
    }),
    Allowed::left_out(
        "these clients write words of reasoning in a field of their choice",
        |body| {
            for message in list(body, "messages") {
                for name in ["reasoning_content", "reasoning", "reasoning_details"] {
                    fields(message).remove(name);
                }
            }
        },
    )
    .only_in(&[
        "doubleword-rig-conformance-streaming-structured-after-tool",
        "ollama-cloud-rubyllm-gpt-oss-120b-can-use-parallel-tool-calls",
        "ollama-rubyllm-qwen3-can-use-parallel-tool-calls",
    ]),
    Allowed::left_out("this client writes words of reasoning as text", |body| {
        for message in list(body, "messages") {
            let is_thought = asked::text_of(&message["content"]).starts_with("<think>");
            if is_thought || message.get("reasoning").is_some() {
                message["content"] = Value::Null;
                fields(message).remove("reasoning");
            }
        }
    })
    .only_in(&[
        "groq-pai-tool-use-failed-error-2",
        "groq-pai-tool-use-failed-error-streaming-2",
    ]),
    Allowed::left_out(
        "this client drops the format of encrypted reasoning",
        |body| {
            for message in list(body, "messages") {
                for detail in list(message, "reasoning_details") {
                    fields(detail).remove("format");
                }
            }
        },
    )
    .only_in(&["openrouter-rig-reasoning-tool-roundtrip-streaming"]),
    Allowed::left_out("this client drops Gemini's signatures", |body| {
        for message in list(body, "messages") {
            fields(message).remove("extra_content");
            fields(message).remove("thought_signature");
        }
    })
    .only_in(&["google-pai-compatible-api-with-tool-calls-without-id"]),
    Allowed::written(
        "this client makes ids of its own for calls without one",
        |body| {
            each_text(body, |text| {
                if text.starts_with("pyd_ai_") {
                    "call00000".clone_into(text);
                }
            });
        },
    )
    .only_in(&["google-pai-compatible-api-with-tool-calls-without-id"]),
];

fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("is an object")
}

fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = value.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}
