//! Messages of this API that are read into a conversation.

use serde_json::{Map, Value, json, value::RawValue};
use toolwright_core::{
    message::{Opaque, Part},
    tool::{OutputPart, ToolOutput},
};

use super::{
    super::{PROVIDER, reasoning::CONTENT_PART, reply::Reply},
    media,
};
use crate::codec::{
    data_url::{bytes, file_part, image_at, parts_of},
    imported::{self, LIST},
    listed::{Listed, listed, others, text_of},
    media::Media,
    quirks::Quirks,
    transcript::{Answer, FindingKind, Transcript, outcome_of_text},
};

/// Reads the messages of a request.
pub(in crate::provider) fn read(list: &[&RawValue], transcript: &mut Transcript) {
    let all = listed(list, "messages", transcript);
    let is_system = |message: &Listed<'_>| matches!(message.text("role"), "system" | "developer");
    let head = all.iter().take_while(|message| is_system(message)).count();
    let (head, rest) = all.split_at(head);
    read_system(head, transcript);
    for message in rest {
        match message.text("role") {
            "user" => read_user(message, transcript),
            "assistant" => read_response(message, transcript),
            "tool" | "function" => read_result(message, transcript),
            "system" | "developer" => {
                transcript.find(
                    FindingKind::Rewritten,
                    &message.path,
                    "a system message within the conversation is kept as one of the user, \
                     and keeps its role in this protocol",
                );
                read_user(message, transcript);
            }
            other => transcript.find(
                FindingKind::LeftOut,
                &message.path,
                format!("unknown role `{other}`; the message is left out"),
            ),
        }
    }
}

/// Reads the messages at the beginning that are the system text.
fn read_system(messages: &[Listed<'_>], transcript: &mut Transcript) {
    let values = messages.iter().map(|message| message.value.clone());
    let form: Value = values.collect();
    if let Some(text) = system_text(&form) {
        let is_plain = form == json!([{"role": "system", "content": text}]);
        transcript.system(text, (!is_plain).then_some(form));
    }
}

/// What the system messages of a request say; `None` if there are none.
pub(super) fn system_text(form: &Value) -> Option<String> {
    let messages = form.as_array().filter(|messages| !messages.is_empty())?;
    let texts = messages.iter().map(|message| match &message["content"] {
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        content => content.as_str().unwrap_or_default().to_owned(),
    });
    Some(texts.collect::<Vec<String>>().join("\n\n"))
}

fn read_response(message: &Listed<'_>, transcript: &mut Transcript) {
    let raw = message.raw;
    let body = format!(r#"{{"choices":[{{"index":0,"message":{raw},"finish_reason":"stop"}}]}}"#);
    transcript.reply::<Reply>(&message.path, &body);
}

fn read_user(message: &Listed<'_>, transcript: &mut Transcript) {
    let mut parts = Vec::new();
    let mut fields = others(&message.value, &["role", "content"]);
    if message.text("role") != "user" {
        fields.insert("role".to_owned(), message.text("role").into());
    }
    if !fields.is_empty() {
        parts.push(imported::message_mark(PROVIDER, fields));
    }
    match message.value.get("content") {
        Some(Value::String(text)) => parts.push(Part::Text(text.clone())),
        Some(Value::Array(content)) => {
            for (index, part) in content.iter().enumerate() {
                match part.as_object() {
                    Some(part) => add_part(&mut parts, part, transcript),
                    None => transcript.find(
                        FindingKind::LeftOut,
                        &format!("{}.content[{index}]", message.path),
                        "this is not an object, and is left out",
                    ),
                }
            }
        }
        _ => {}
    }
    transcript.user(&message.path, parts);
}

/// Adds a part of the user, and what no part of ours says of it.
fn add_part(parts: &mut Vec<Part>, part: &Map<String, Value>, transcript: &Transcript) {
    let url = part
        .get("image_url")
        .and_then(|image| image["url"].as_str());
    let fields = match (text_of(part, "type"), url) {
        ("text", _) => {
            parts.push(Part::Text(text_of(part, "text").to_owned()));
            others(part, &["type", "text"])
        }
        ("image_url", Some(url)) if others(part, &["type", "image_url"]).is_empty() => {
            parts.push(Part::Image(image_at(url)));
            let image = part["image_url"].as_object();
            image.map_or_else(Map::new, |image| others(image, &["url"]))
        }
        _ => {
            if let Some(file) = file_of(part) {
                return parts.push(file);
            }
            let data = json!({CONTENT_PART: part});
            let provider = transcript.provider.clone();
            return parts.push(Part::Opaque(Opaque { provider, data }));
        }
    };
    if !fields.is_empty() {
        parts.push(imported::fields_mark(PROVIDER, fields));
    }
}

/// The document or sound of a part, if it is written as it came.
fn file_of(part: &Map<String, Value>) -> Option<Part> {
    let file = &part.get("file").or(part.get("input_audio"))?;
    let read = if let Some(format) = file["format"].as_str() {
        let media_type = match format {
            "mp3" => "audio/mpeg".to_owned(),
            format => format!("audio/{format}"),
        };
        file_part(&media_type, bytes(file["data"].as_str()?), None)
    } else {
        let (media_type, data) = parts_of(file["file_data"].as_str()?)?;
        file_part(media_type, bytes(data), file["filename"].as_str())
    };
    let written = serde_json::to_value(media::of(Media::of_part(&read)?, &Quirks::NONE)).ok()?;
    (written.as_object() == Some(part)).then_some(read)
}

fn read_result(message: &Listed<'_>, transcript: &mut Transcript) {
    message.check_fields(&["role", "content", "tool_call_id", "name"], transcript);
    let mut form = Map::new();
    let outcome = match message.value.get("content") {
        Some(Value::Array(parts)) => Ok(output_of(parts, &mut form, &message.path, transcript)),
        Some(Value::String(text)) => outcome_of_text(text.clone()),
        Some(Value::Null) | None => Ok(ToolOutput::default()),
        Some(other) => outcome_of_text(other.to_string()),
    };
    let says_nothing =
        |output: &ToolOutput| output.to_text().trim().is_empty() && !form.contains_key(LIST);
    if outcome.as_ref().is_ok_and(says_nothing) {
        let message_text = "an empty result is written as `(no output)`";
        transcript.find(FindingKind::Rewritten, &message.path, message_text);
    }
    let answer = Answer {
        id: message.text("tool_call_id").to_owned(),
        name: message.text("name").to_owned(),
        outcome,
        form,
    };
    transcript.result(&message.path, answer);
}

/// The output in a content of several parts.
fn output_of(
    parts: &[Value],
    form: &mut Map<String, Value>,
    path: &str,
    transcript: &mut Transcript,
) -> ToolOutput {
    let mut output = ToolOutput::default();
    for (index, part) in parts.iter().enumerate() {
        let fields = part
            .as_object()
            .filter(|part| text_of(part, "type") == "text");
        let image = part["image_url"]["url"].as_str();
        match (fields, image) {
            (Some(fields), _) => {
                imported::with_fields(form, others(fields, &["type", "text"]));
                let text = text_of(fields, "text").to_owned();
                output.parts.push(OutputPart::Text(text));
            }
            (None, Some(url)) => output.parts.push(OutputPart::Image(image_at(url))),
            (None, None) => transcript.find(
                FindingKind::LeftOut,
                &format!("{path}.content[{index}]"),
                "a result of this crate cannot hold this part, which is left out",
            ),
        }
    }
    if output.images().next().is_some() {
        let message = "the images of a result are written in a message of the user";
        transcript.find(FindingKind::Rewritten, path, message);
    } else if output.parts.len() > 1 || !form.is_empty() {
        form.insert(LIST.to_owned(), true.into());
    }
    output
}
