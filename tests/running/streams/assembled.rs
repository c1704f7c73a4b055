//! What a page shows of a message that is put together of its chunks.

use serde_json::{Map, Value, json};
use toolwright::{
    Message, ToolOutput,
    message::{Part, ProviderActivity, ToolRound},
    streams::{
        Frame,
        ui_message::{UiMessage, UiMessageChunk},
    },
    tool::{JsonText, OutputPart},
};

/// A message that is put together as the client does it, and how its stream ended.
pub(super) struct Assembled {
    pub(super) message: UiMessage,
    pub(super) finish: Option<String>,
    pub(super) is_done: bool,
}

impl Default for Assembled {
    fn default() -> Self {
        Self {
            message: UiMessage::assistant(""),
            finish: None,
            is_done: false,
        }
    }
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
            self.message
                .take(frame)
                .expect("a client takes each chunk in its turn");
            match &frame.data {
                None => self.is_done = true,
                Some(UiMessageChunk::Finish { finish_reason }) => {
                    self.finish = Some(format!("{finish_reason:?}"));
                }
                Some(UiMessageChunk::Abort { .. }) => self.finish = Some("Abort".to_owned()),
                Some(_) => {}
            }
        }
    }

    /// The parts, as a client has them.
    pub(super) fn parts(&self) -> Vec<Value> {
        let json = |part| JsonText::of(part).expect("parts are JSON").to_value();
        self.message.parts().iter().map(json).collect()
    }

    /// What a page shows: without void steps, empty ones, data, and what is known only while it comes.
    pub(super) fn shown(&self) -> Vec<Value> {
        let mut shown: Vec<Value> = Vec::new();
        for part in &self.parts() {
            let kind = part["type"].as_str().expect("has a type");
            if kind == "data-user-message" || kind == "steering-message" {
                let parts = part.pointer("/data/parts").unwrap_or(&part["parts"]);
                shown.push(json!({"type": "said", "parts": parts}));
            } else if kind == "data-void" {
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
            if part["type"] == "reasoning" {
                part.remove("id");
            }
            // `ai` 7 keeps arguments that are no JSON where the others are.
            let is_failed =
                |part: &Map<String, Value>| part.get("state") == Some(&"output-error".into());
            if is_failed(part)
                && part.get("input").is_some_and(|input| {
                    input
                        .as_str()
                        .is_some_and(|text| JsonText::new(text).is_err())
                })
                && let Some(input) = part.remove("input")
            {
                part.insert("rawInput".to_owned(), input);
            }
            if part["type"] == "text" || part["type"] == "reasoning" {
                assert_eq!(part["state"], "done", "{part:?}");
                part.remove("state");
            }
        }
        shown
    }
}

/// What a page has to show of messages of a conversation.
pub(super) fn of_conversation(run_id: &str, messages: &[Message]) -> Vec<Value> {
    let mut parts = Vec::new();
    let (mut rounds, mut steps) = (0, 0);
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
                    let step = steps;
                    steps += 1;
                    of_reply(
                        (run_id, step),
                        &round.reply,
                        Some((run_id, rounds, round)),
                        &mut parts,
                    );
                    rounds += 1;
                }
                if !message.parts.is_empty() {
                    of_reply((run_id, steps), &message.parts, None, &mut parts);
                    steps += 1;
                }
            }
        }
    }
    parts
}

/// What a page shows of an activity; of a tool that was told before, its part changes.
fn of_activity(place: String, run_id: &str, activity: &ProviderActivity) -> Value {
    let tool = match activity {
        ProviderActivity::Tool(tool) => tool,
        ProviderActivity::Citation(citation) if citation.source.url.is_empty() => {
            return json!({"type": "source-document", "sourceId": format!("source-{place}"),
                "mediaType": "text/plain", "title": citation.source.title});
        }
        ProviderActivity::Citation(citation) => {
            return json!({"type": "source-url", "sourceId": format!("source-{place}"),
                "url": citation.source.url, "title": citation.source.title});
        }
        other => panic!("no test has {other:?}"),
    };
    let id = if tool.id.is_empty() {
        place
    } else {
        tool.id.clone()
    };
    let (kind, input) = (&tool.kind, &tool.input);
    let field = if kind == "code_execution" {
        "code"
    } else {
        "query"
    };
    let mut part = json!({"type": format!("tool-{kind}"), "toolCallId": format!("{run_id}:provider:{id}"),
        "state": "input-available", "input": {field: input}, "providerExecuted": true});
    if tool.failed {
        part["state"] = "output-error".into();
        part["errorText"] = "The tool of the provider failed.".into();
    } else if tool.is_over {
        part["state"] = "output-available".into();
        part["output"] = json!({"sources": tool.sources});
    }
    part
}

fn of_reply(
    (run_id, step): (&str, u32),
    reply: &[Part],
    round: Option<(&str, u32, &ToolRound)>,
    parts: &mut Vec<Value>,
) {
    parts.push(json!({"type": "step-start"}));
    let mut index = 0;
    for (place, part) in reply.iter().enumerate() {
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
                match JsonText::new(arguments) {
                    // A client would throw an error at these, and gets them as a string.
                    Ok(input)
                        if ["__proto__", "constructor"]
                            .iter()
                            .any(|key| arguments.contains(key)) =>
                    {
                        part["input"] = input.to_compact().into();
                    }
                    Ok(input) => part["input"] = input.to_value(),
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
            Part::Image(image) => parts.push(json!({
                "type": "file", "url": image.address(), "mediaType": "image/png",
            })),
            Part::Activity(activity) => {
                let part = of_activity(format!("{step}-{place}"), run_id, activity);
                let id = part.get("toolCallId").cloned();
                let known = parts
                    .iter_mut()
                    .find(|known| id.is_some() && known.get("toolCallId") == id.as_ref());
                match known {
                    Some(known) => *known = part,
                    None => parts.push(part),
                }
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
