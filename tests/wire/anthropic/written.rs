//! How a recorded request is written by us.

use serde_json::{Value, json};

use crate::allowed::{Allowed, each_text};

pub(super) const ALLOWED: &[Allowed] = &[
    Allowed::written(
        "a response that is not streamed goes without saying",
        |body| {
            remove_if(body, "stream", |value| *value == false);
        },
    ),
    Allowed::written("the choice `auto` goes without saying", |body| {
        remove_if(body, "tool_choice", |value| {
            *value == json!({"type": "auto"})
        });
    }),
    Allowed::written(
        "where caching begins is for each client to choose",
        |body| {
            body.get_mut("system")
                .into_iter()
                .for_each(|it| each(it, unmark));
            each_block(body, unmark);
        },
    ),
    Allowed::written("texts are lists of blocks, which can be marked", |body| {
        if let Some(system) = body.get_mut("system") {
            as_list(system);
        }
        for message in messages(body) {
            as_list(&mut message["content"]);
        }
    }),
    Allowed::written("that a result is no error goes without saying", |body| {
        each_block(body, |block| {
            if block["type"] == "tool_result" {
                remove_if(block, "is_error", |value| *value == false);
            }
        });
    }),
    Allowed::written("results are lists of blocks, as other content is", |body| {
        each_result(body, as_list);
    }),
    Allowed::written("errors of ours begin with their category", |body| {
        each_block(body, |block| {
            if block["is_error"] == true {
                let text = block["content"][0]["text"].as_str().expect("is text");
                let text = format!("Tool execution failed (unknown): {text}");
                block["content"] = json!([{"type": "text", "text": text}]);
            }
        });
    }),
];

pub(super) const IN_REPLAY: &[Allowed] = &[
    Allowed::written("a forced choice holds for the first round", |body| {
        let last = messages(body).last().expect("there is a message");
        let mut blocks = last["content"].as_array().into_iter().flatten();
        if blocks.any(|block| block["type"] == "tool_result") {
            remove_if(body, "tool_choice", |value| {
                value["type"] == "any" || value["type"] == "tool"
            });
        }
    }),
    Allowed::left_out("this client drops thoughts that have no words", |body| {
        for message in messages(body) {
            let blocks = message["content"].as_array_mut().expect("is a list");
            blocks.retain(|block| block["type"] != "thinking");
        }
    })
    .only_in(&["anthropic-ellmer-tool"]),
    Allowed::left_out("this client drops who called the server's tools", |body| {
        each_block(body, |block| remove_if(block, "caller", |_| true));
    })
    .only_in(&["anthropic-pai-pause-turn-web-search-streaming-vcr"]),
    Allowed::left_out("the recorder made some characters plain", |body| {
        each_text(body, |text| {
            *text = text.replace(['\u{2013}', '\u{2014}'], "-");
            *text = text.replace(['\u{2018}', '\u{2019}'], "'");
            *text = text.replace(['\u{201c}', '\u{201d}'], "\"");
        });
    })
    .only_in(&["anthropic-pai-pause-turn-web-search-streaming-vcr"]),
];

/// A block of a reply, as it goes back.
pub(super) fn block(mut block: Value) -> Value {
    unmark(&mut block);
    plain_text(&mut block);
    plain_call(&mut block);
    block
}

fn unmark(block: &mut Value) {
    remove_if(block, "cache_control", |_| true);
}

fn plain_text(block: &mut Value) {
    if block["type"] == "text" {
        let none = [Value::Null, json!([])];
        remove_if(block, "citations", |value| none.contains(value));
    }
}

fn plain_call(block: &mut Value) {
    if block["type"] == "tool_use" {
        remove_if(block, "caller", |value| value["type"] == "direct");
    }
}

fn as_list(text: &mut Value) {
    if let Value::String(text_alone) = text {
        *text = json!([{"type": "text", "text": text_alone}]);
    }
}

fn remove_if(value: &mut Value, name: &str, is_it: impl Fn(&Value) -> bool) {
    if let Some(fields) = value.as_object_mut()
        && fields.get(name).is_some_and(is_it)
    {
        fields.remove(name);
    }
}

fn messages(body: &mut Value) -> &mut Vec<Value> {
    body["messages"].as_array_mut().expect("is a list")
}

fn each(list: &mut Value, change: fn(&mut Value)) {
    list.as_array_mut().into_iter().flatten().for_each(change);
}

fn each_block(body: &mut Value, change: fn(&mut Value)) {
    for message in messages(body) {
        each(&mut message["content"], change);
    }
}

fn each_result(body: &mut Value, change: fn(&mut Value)) {
    for message in messages(body) {
        let blocks = message["content"].as_array_mut().into_iter().flatten();
        for block in blocks.filter(|block| block["type"] == "tool_result") {
            block.get_mut("content").into_iter().for_each(change);
        }
    }
}
