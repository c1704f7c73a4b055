//! How a recorded request is written by us.

use serde_json::{Map, Value, json};

use super::camel_case::in_camel_case;
use crate::allowed::Allowed;

pub(super) const ALLOWED: &[Allowed] = &[
    Allowed::written(
        "Google's servers take names of both forms, and `null`",
        |body| {
            *body = in_camel_case(body);
        },
    ),
    Allowed::written("what is empty goes without saying", |body| {
        fields(body).retain(|_, value| *value != json!({}) && *value != json!([]));
    }),
    Allowed::written(
        "the system text is one text in a list, without a role",
        |body| {
            if let Some(system) = body.get_mut("systemInstruction") {
                let text = match &system["parts"] {
                    Value::Array(parts) => parts[0]["text"].clone(),
                    part => part["text"].clone(),
                };
                *system = json!({"parts": [{"text": text}]});
            }
        },
    ),
    Allowed::written("an empty system text says nothing", |body| {
        fields(body).retain(|_, value| *value != json!({"parts": [{"text": ""}]}));
    }),
    Allowed::written("modes are upper case", |body| {
        if let Some(config) = body.get_mut("toolConfig") {
            let mode = &mut config["functionCallingConfig"]["mode"];
            *mode = mode.as_str().expect("has one").to_uppercase().into();
        }
    }),
    Allowed::written("the mode `AUTO` goes without saying", |body| {
        fields(body).retain(|name, value| {
            name != "toolConfig" || value["functionCallingConfig"]["mode"] != "AUTO"
        });
    }),
    Allowed::written("a temperature is a number with a fraction", |body| {
        if let Some(config) = body.get_mut("generationConfig")
            && let Some(temperature) = config.get_mut("temperature")
        {
            *temperature = json!(temperature.as_f64());
        }
    }),
    Allowed::written("an empty text that is not signed says nothing", |body| {
        for content in all(&mut body["contents"]) {
            let parts = all(&mut content["parts"]);
            parts.retain(|part| part["text"] != "" || part.get("thoughtSignature").is_some());
        }
    }),
    Allowed::written("that a part is no thought goes without saying", |body| {
        each_part(body, |part| {
            fields(part).retain(|name, value| name != "thought" || *value == true);
        });
    }),
    Allowed::written(
        "the address of a file of Google's has no extension, and the media type is not asked for",
        |body| {
            each_part(body, |part| {
                let response = part.get_mut("functionResponse");
                let files = response.and_then(|response| response.get_mut("parts"));
                for file in files.into_iter().flat_map(all) {
                    let file = fields(&mut file["fileData"]);
                    file.retain(|name, value| name != "mimeType" || *value == "image/png");
                }
            });
        },
    ),
    Allowed::written(
        "every client chooses the names in a result; ours are those of the documentation, and \
         errors of ours begin with their category",
        |body| {
            each_part(body, |part| {
                if let Some(response) = part.get_mut("functionResponse") {
                    name_result(&mut response["response"]);
                }
            });
        },
    ),
    Allowed::left_out(
        "what a client declares in a `parameters` of its own form is sent by us in the other \
         field; `tests/profiles` checks what is in it",
        |body| {
            for tool in body.get_mut("tools").into_iter().flat_map(all) {
                let declared = tool.get_mut("functionDeclarations");
                for declaration in declared.into_iter().flat_map(all) {
                    fields(declaration).retain(|name, _| !name.starts_with("parameters"));
                }
            }
        },
    ),
];

pub(super) const IN_REPLAY: &[Allowed] = &[
    Allowed::left_out(
        "clients in Python write signatures in the other alphabet of base64",
        |body| {
            each_part(body, |part| {
                if let Some(Value::String(signature)) = part.get_mut("thoughtSignature") {
                    *signature = signature.replace('-', "+").replace('_', "/");
                }
            });
        },
    ),
    Allowed::written(
        "this client makes ids of its own for calls without one",
        |body| {
            each_id(body, |id| id.starts_with("pyd_ai_"));
        },
    ),
    Allowed::left_out("this client drops ids of calls", |body| {
        each_id(body, |_| true);
    })
    .only_in(&[
        "google-vertex-rubyllm-thought-signatures-vertexai-gemini-3-1-pro-preview-inclu-2b92a1",
    ]),
    Allowed::left_out(
        "this client repeats a signature at every call of a response",
        |body| {
            for content in all(&mut body["contents"]) {
                for part in all(&mut content["parts"]).iter_mut().skip(1) {
                    fields(part).remove("thoughtSignature");
                }
            }
        },
    )
    .only_in(&[
        "google-vertex-rubyllm-vertexai-gemini-2-5-flash-can-handle-multiple-tool-calls-95dc7d",
    ]),
];

/// Removes ids of calls and of their results.
fn each_id(body: &mut Value, is_it: fn(&str) -> bool) {
    for content in all(&mut body["contents"]) {
        for part in all(&mut content["parts"]) {
            for kind in ["functionCall", "functionResponse"] {
                if let Some(call) = part.get_mut(kind)
                    && call["id"].as_str().is_some_and(is_it)
                {
                    fields(call).remove("id");
                }
            }
        }
    }
}

fn name_result(response: &mut Value) {
    let said = fields(response).clone();
    *response = match said.get("error") {
        Some(error) => {
            let error = error.as_str().expect("is text");
            json!({"error": format!("Tool execution failed (unknown): {error}")})
        }
        None if said.is_empty() => json!({"output": "(1 image)"}),
        None if said.len() == 1 => json!({"output": said.values().next()}),
        None => json!({"output": said}),
    };
}

fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("is an object")
}

fn all(list: &mut Value) -> &mut Vec<Value> {
    list.as_array_mut().expect("is a list")
}

fn each_part(body: &mut Value, change: fn(&mut Value)) {
    for content in all(&mut body["contents"]) {
        all(&mut content["parts"]).iter_mut().for_each(change);
    }
}
