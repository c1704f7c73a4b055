//! What a client of the UI message stream has, by the rules of `processUIMessageStream` of `ai`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::{
    Message, ToolOutput,
    message::{Part, ToolRound},
    streams::{Frame, ui_message::UiMessageChunk},
    tool::OutputPart,
};

/// A message that is put together, as the client does it: what it would refuse is a panic.
#[derive(Default)]
pub(super) struct Assembled {
    pub(super) id: Option<String>,
    pub(super) parts: Vec<Value>,
    open: BTreeMap<String, usize>,
    inputs: BTreeMap<String, String>,
    pub(super) finish: Option<String>,
    pub(super) is_done: bool,
}

impl Assembled {
    pub(super) fn of(frames: &[Frame<UiMessageChunk>]) -> Self {
        let mut message = Self::default();
        message.take(frames);
        message
    }

    pub(super) fn take(&mut self, frames: &[Frame<UiMessageChunk>]) {
        self.is_done = false;
        for frame in frames {
            assert!(!self.is_done, "nothing follows the end: {frame:?}");
            let json = frame.to_json();
            assert_eq!(frame.to_sse(), format!("data: {json}\n\n"));
            assert!(!json.contains(['\n', '\r']), "{json}");
            if json == "[DONE]" {
                self.is_done = true;
            } else {
                self.chunk(&serde_json::from_str(&json).expect("is JSON"));
            }
        }
    }

    fn chunk(&mut self, chunk: &Value) {
        let kind = chunk["type"].as_str().expect("has a type");
        let id = chunk["id"].as_str().unwrap_or_default().to_owned();
        match kind {
            "start" => self.id = chunk["messageId"].as_str().map(str::to_owned),
            "start-step" => self.parts.push(json!({"type": "step-start"})),
            "finish-step" => self.open.clear(),
            "reset-step" => {
                let start = self.step();
                self.parts.truncate(start);
                self.open.clear();
                self.inputs.clear();
            }
            "text-start" | "reasoning-start" => {
                let kind = kind.trim_end_matches("-start");
                self.open.insert(format!("{kind}{id}"), self.parts.len());
                self.parts
                    .push(json!({"type": kind, "text": "", "state": "streaming"}));
            }
            "text-delta" | "reasoning-delta" => {
                let kind = kind.trim_end_matches("-delta");
                let part = &mut self.parts[self.open[&format!("{kind}{id}")]];
                let text = part["text"].as_str().expect("is text").to_owned();
                part["text"] = Value::from(text + chunk["delta"].as_str().expect("is text"));
            }
            "text-end" | "reasoning-end" => {
                let kind = kind.trim_end_matches("-end");
                let place = self.open.remove(&format!("{kind}{id}")).expect("is open");
                self.parts[place]["state"] = "done".into();
            }
            "file" => self.parts.push(chunk.clone()),
            "tool-input-start" => {
                self.inputs.insert(call_of(chunk), String::new());
                self.tool(chunk, "input-streaming");
            }
            "tool-input-delta" => {
                let input = self.inputs.get_mut(&call_of(chunk)).expect("it began");
                *input += chunk["inputTextDelta"].as_str().expect("is text");
            }
            "tool-input-available" => {
                let part = self.tool(chunk, "input-available");
                part["input"] = chunk["input"].clone();
            }
            "tool-input-error" => {
                let part = self.tool(chunk, "output-error");
                part["rawInput"] = chunk["input"].clone();
                part["errorText"] = chunk["errorText"].clone();
            }
            "tool-approval-request" => {
                let part = self.invocation(chunk);
                part["state"] = "approval-requested".into();
                part["approval"] = json!({"id": chunk["approvalId"]});
            }
            "tool-approval-response" => {
                let is_it = |part: &&mut Value| part["approval"]["id"] == chunk["approvalId"];
                let part = self.parts.iter_mut().find(is_it).expect("it was asked for");
                part["state"] = "approval-responded".into();
            }
            "tool-output-available" => {
                let part = self.invocation(chunk);
                part["state"] = "output-available".into();
                part["output"] = chunk["output"].clone();
                part["preliminary"] = chunk["preliminary"].clone();
            }
            "tool-output-error" => {
                let part = self.invocation(chunk);
                part["state"] = "output-error".into();
                part["errorText"] = chunk["errorText"].clone();
                // What was said of its progress goes.
                let part = part.as_object_mut().expect("is an object");
                part.remove("output");
                part.remove("preliminary");
            }
            "tool-output-denied" => self.invocation(chunk)["state"] = "output-denied".into(),
            "steering-message" => self
                .parts
                .push(json!({"type": "said", "parts": chunk["parts"]})),
            "data-user-message" => {
                (self.parts).push(json!({"type": "said", "parts": chunk["data"]["parts"]}));
            }
            "finish" => self.finish = chunk["finishReason"].as_str().map(str::to_owned),
            "abort" | "error" => self.finish = Some(kind.to_owned()),
            data if data.starts_with("data-") => {
                if chunk["transient"] != true {
                    self.parts.push(chunk.clone());
                }
            }
            other => panic!("the client knows no chunk `{other}`"),
        }
    }

    /// The place after the last `step-start`.
    fn step(&self) -> usize {
        let is_start = |part: &Value| part["type"] == "step-start";
        self.parts.iter().rposition(is_start).map_or(0, |at| at + 1)
    }

    /// The part of a call in this step, which begins if it is not there.
    fn tool(&mut self, chunk: &Value, state: &str) -> &mut Value {
        let start = self.step();
        let is_it = |part: &Value| part["toolCallId"] == chunk["toolCallId"];
        let found = self.parts[start..].iter().position(is_it);
        let place = found.map_or(self.parts.len(), |at| start + at);
        if found.is_none() {
            self.parts.push(json!({"toolCallId": chunk["toolCallId"]}));
        }
        let part = &mut self.parts[place];
        if chunk["toolName"].is_string() {
            let name = chunk["toolName"].as_str().expect("is text");
            part["type"] = format!("tool-{name}").into();
        }
        part["state"] = state.into();
        part
    }

    fn invocation(&mut self, chunk: &Value) -> &mut Value {
        let is_it = |part: &&mut Value| part["toolCallId"] == chunk["toolCallId"];
        self.parts
            .iter_mut()
            .rev()
            .find(is_it)
            .expect("the call is there")
    }

    /// What a page shows: without void steps, empty ones, data, and what is known only while it comes.
    pub(super) fn shown(&self) -> Vec<Value> {
        let mut shown: Vec<Value> = Vec::new();
        for part in &self.parts {
            let kind = part["type"].as_str().expect("has a type");
            if kind == "data-void" {
                let is_start = |part: &Value| part["type"] == "step-start";
                let start = shown.iter().rposition(is_start).expect("a step is void");
                shown.truncate(start);
            } else if !kind.starts_with("data-") {
                shown.push(part.clone());
            }
        }
        let kinds: Vec<_> = shown.iter().map(|part| part["type"].clone()).collect();
        let mut place = 0;
        shown.retain(|_| {
            place += 1;
            kinds[place - 1] != "step-start"
                || kinds
                    .get(place)
                    .is_some_and(|next| next != "step-start" && next != "said")
        });
        for part in &mut shown {
            let part = part.as_object_mut().expect("is an object");
            part.remove("approval");
            if part.get("preliminary").is_some_and(Value::is_null) {
                part.remove("preliminary");
            }
            if part["type"] == "text" || part["type"] == "reasoning" {
                assert_eq!(part["state"], "done", "{part:?}");
                part.remove("state");
            }
        }
        shown
    }
}

fn call_of(chunk: &Value) -> String {
    chunk["toolCallId"].as_str().expect("has a call").to_owned()
}

/// What a page has to show of messages of a conversation.
pub(super) fn of_conversation(run_id: &str, messages: &[Message]) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut rounds = 0;
    for message in messages {
        match message {
            Message::User(message) => {
                let said = message.parts.iter().map(|part| match part {
                    Part::Text(text) => json!({"type": "text", "text": text}),
                    other => panic!("no test says {other:?}"),
                });
                parts.push(json!({"type": "said", "parts": said.collect::<Vec<_>>()}));
            }
            Message::Assistant(message) => {
                for round in &message.tool_rounds {
                    of_reply(&round.reply, Some((run_id, rounds, round)), &mut parts);
                    rounds += 1;
                }
                if !message.parts.is_empty() {
                    of_reply(&message.parts, None, &mut parts);
                }
            }
        }
    }
    parts
}

fn of_reply(reply: &[Part], round: Option<(&str, u32, &ToolRound)>, parts: &mut Vec<Value>) {
    parts.push(json!({"type": "step-start"}));
    let mut index = 0;
    for part in reply {
        match part {
            Part::Text(text) => parts.push(json!({"type": "text", "text": text})),
            Part::Reasoning(text) => parts.push(json!({"type": "reasoning", "text": text})),
            Part::Call(call) => {
                let (run_id, number, round) = round.expect("calls are in rounds");
                let result = &round.results[index];
                let mut part = json!({
                    "type": format!("tool-{}", call.name),
                    "toolCallId": format!("{run_id}:{number}.{index}"),
                });
                let arguments = if call.arguments.is_empty() {
                    "{}"
                } else {
                    &call.arguments
                };
                match serde_json::from_str::<Value>(arguments) {
                    Ok(input) => part["input"] = input,
                    Err(_) => part["rawInput"] = call.arguments.clone().into(),
                }
                match &result.outcome {
                    Ok(output) => {
                        part["state"] = "output-available".into();
                        part["output"] = of_output(output);
                    }
                    Err(error) if error.message.starts_with("the call was not approved") => {
                        part["state"] = "output-denied".into();
                    }
                    Err(error) => {
                        part["state"] = "output-error".into();
                        part["errorText"] = error.to_model_text().into();
                    }
                }
                parts.push(part);
                index += 1;
            }
            other => panic!("no test has {other:?}"),
        }
    }
}

fn of_output(output: &ToolOutput) -> Value {
    let part = |part: &OutputPart| match part {
        OutputPart::Text(text) => json!({"type": "text", "text": text}),
        OutputPart::Image(image) => {
            json!({"type": "image", "url": image.address(), "mediaType": "image/png"})
        }
        other => panic!("no test has {other:?}"),
    };
    match output.parts.as_slice() {
        [OutputPart::Json(text)] => serde_json::from_str(text).expect("is JSON"),
        [OutputPart::Text(text)] => text.clone().into(),
        parts => parts.iter().map(part).collect(),
    }
}
