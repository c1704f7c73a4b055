//! Messages of this API that are read into a conversation.

use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use toolwright_core::{
    ToolError,
    message::{Document, FileSource, Image, Opaque, Part},
    tool::{OutputPart, ToolOutput},
};

use super::{
    super::{PROVIDER, reply::Reply},
    media,
};
use crate::codec::{
    data_url::{bytes, file_part},
    imported::{self, LIST, PLAIN_ERROR},
    listed::{Listed, listed, others, text_of},
    media::{Media, PDF, to_output},
    transcript::{Answer, FindingKind, Transcript, error_of_text},
};

/// Reads the messages of a request.
pub(in crate::provider) fn read(list: &[&RawValue], transcript: &mut Transcript) {
    let mut before = String::new();
    for message in listed(list, "messages", transcript) {
        message.check_fields(&["role", "content"], transcript);
        let role = message.text("role");
        if role == before {
            transcript.find(
                FindingKind::MergedRoles,
                &message.path,
                format!("the message has the role `{role}`, as the one before it; both are merged"),
            );
        }
        role.clone_into(&mut before);
        match role {
            "assistant" => read_response(&message, transcript),
            "user" => read_user(&message, transcript),
            other => transcript.find(
                FindingKind::LeftOut,
                &message.path,
                format!("unknown role `{other}`; the message is left out"),
            ),
        }
    }
}

/// Reads the system text, a string or blocks of text.
pub(in crate::provider) fn read_system(form: Value, transcript: &mut Transcript) {
    let Some(text) = system_text(&form) else {
        return transcript.find(
            FindingKind::LeftOut,
            "system",
            "the system text is neither a string nor blocks of text, and is left out",
        );
    };
    let plain = serde_json::json!([{"type": "text", "text": text}]);
    let is_plain = form.is_string() || form == plain;
    transcript.system(text, (!is_plain).then_some(form));
}

/// What the system field of a request says.
pub(in super::super) fn system_text(form: &Value) -> Option<String> {
    match form {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Option<Vec<_>> = blocks.iter().map(|block| block["text"].as_str()).collect();
            texts.map(|texts| texts.join("\n\n"))
        }
        _ => None,
    }
}

fn read_response(message: &Listed<'_>, transcript: &mut Transcript) {
    #[derive(Deserialize)]
    struct Message<'j> {
        #[serde(borrow)]
        content: Option<&'j RawValue>,
    }
    let raw = serde_json::from_str(message.raw).ok();
    let content = raw.and_then(|message: Message<'_>| message.content);
    let content = content.map_or("[]", RawValue::get);
    let body = if content.starts_with('"') {
        format!(r#"{{"content":[{{"type":"text","text":{content}}}],"stop_reason":"end_turn"}}"#)
    } else {
        format!(r#"{{"content":{content},"stop_reason":"end_turn"}}"#)
    };
    transcript.reply::<Reply>(&message.path, &body);
}

fn read_user(message: &Listed<'_>, transcript: &mut Transcript) {
    let blocks = match message.value.get("content") {
        Some(Value::String(text)) => {
            return transcript.user(&message.path, vec![Part::Text(text.clone())]);
        }
        Some(Value::Array(blocks)) => blocks.as_slice(),
        _ => &[],
    };
    let mut parts = Vec::new();
    let mut has_results = false;
    for (index, block) in blocks.iter().enumerate() {
        let path = format!("{}.content[{index}]", message.path);
        let Some(block) = block.as_object() else {
            transcript.find(
                FindingKind::LeftOut,
                &path,
                "this is not an object, and is left out",
            );
            continue;
        };
        if text_of(block, "type") == "tool_result" {
            has_results = true;
            if !parts.is_empty() {
                transcript.find(
                    FindingKind::MovedResult,
                    &path,
                    "the result stands after other content, and is put before it",
                );
            }
            let answer = answer_of(block, &path, transcript);
            transcript.result(&path, answer);
        } else {
            add_block(&mut parts, block, transcript);
        }
    }
    if !has_results || !parts.is_empty() {
        transcript.user(&message.path, parts);
    }
}

/// Adds a block of the user, and what no part says of it.
fn add_block(parts: &mut Vec<Part>, block: &Map<String, Value>, transcript: &Transcript) {
    let (part, known): (_, &[&str]) = match text_of(block, "type") {
        "text" => (
            Some(Part::Text(text_of(block, "text").to_owned())),
            &["type", "text"],
        ),
        "image" => (image_of(block).map(Part::Image), &["type", "source"]),
        "document" => (document_of(block), &["type", "source", "title"]),
        _ => (None, &[]),
    };
    let Some(part) = part else {
        return parts.push(Part::Opaque(Opaque {
            provider: transcript.provider.clone(),
            data: Value::Object(block.clone()),
        }));
    };
    parts.push(part);
    let fields = others(block, known);
    if !fields.is_empty() {
        parts.push(imported::fields_mark(PROVIDER, fields));
    }
}

/// The image of a block; `None` for one that only the server has.
fn image_of(block: &Map<String, Value>) -> Option<Image> {
    let source = block.get("source")?.as_object()?;
    let field = |name: &str| source.get(name).and_then(Value::as_str);
    match text_of(source, "type") {
        "url" => Some(Image::from_url(field("url")?)),
        "base64" => Some(Image::Base64 {
            media_type: field("media_type")?.to_owned(),
            data: field("data")?.into(),
        }),
        _ => None,
    }
}

/// The document of a block, if its source is written as it came.
fn document_of(block: &Map<String, Value>) -> Option<Part> {
    let source = block.get("source")?.as_object()?;
    let kind = text_of(source, "type");
    let data = source.get("data").and_then(Value::as_str);
    let title = block.get("title").and_then(Value::as_str);
    let read = match kind {
        "url" => {
            let url = text_of(source, "url").to_owned();
            file_part(PDF, FileSource::Url { url }, title)
        }
        "text" => {
            let text = Document::from_bytes("text/plain", data?);
            file_part("text/plain", text.source, title)
        }
        "base64" => file_part(text_of(source, "media_type"), bytes(data?), title),
        _ => return None,
    };
    let written = serde_json::to_value(media(Media::of_part(&read)?)).ok()?;
    (written["source"].as_object() == Some(source)).then_some(read)
}

fn answer_of(block: &Map<String, Value>, path: &str, transcript: &mut Transcript) -> Answer {
    let mut form = Map::new();
    imported::with_fields(
        &mut form,
        others(block, &["type", "tool_use_id", "content", "is_error"]),
    );
    let parts = match block.get("content") {
        Some(Value::String(text)) => vec![OutputPart::Text(text.clone())],
        Some(Value::Array(blocks)) => output_of(blocks, path, transcript),
        _ => Vec::new(),
    };
    let output = ToolOutput { parts };
    let is_list = output.parts.len() > 1 && !output.has_media();
    let outcome = if block.get("is_error") == Some(&Value::Bool(true)) {
        if output.has_media() {
            let message = "the images and documents of an error are left out";
            transcript.find(FindingKind::LeftOut, path, message);
        }
        let (error, is_plain) = error_of_text(&output.to_text());
        if is_plain {
            form.insert(PLAIN_ERROR.to_owned(), true.into());
        }
        Err::<ToolOutput, ToolError>(error)
    } else {
        if is_list {
            form.insert(LIST.to_owned(), true.into());
        }
        if output.to_text().trim().is_empty() && !output.has_media() {
            let message = "an empty result is written as `(no output)`";
            transcript.find(FindingKind::Rewritten, path, message);
        }
        Ok(output)
    };
    Answer {
        id: text_of(block, "tool_use_id").to_owned(),
        name: String::new(),
        outcome,
        form,
    }
}

fn output_of(blocks: &[Value], path: &str, transcript: &mut Transcript) -> Vec<OutputPart> {
    let mut parts = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let fields = block.as_object();
        let part = fields.and_then(|block| match text_of(block, "type") {
            "text" => Some(OutputPart::Text(text_of(block, "text").to_owned())),
            "image" => image_of(block).map(OutputPart::Image),
            "document" => document_of(block).and_then(to_output),
            _ => None,
        });
        match part {
            Some(part) => {
                parts.push(part);
                let rest =
                    fields.map(|fields| others(fields, &["type", "text", "source", "title"]));
                if rest.is_some_and(|rest| !rest.is_empty()) {
                    let path = format!("{path}.content[{index}]");
                    let message = "fields of this block of a result are left out";
                    transcript.find(FindingKind::LeftOut, &path, message);
                }
            }
            None => transcript.find(
                FindingKind::LeftOut,
                &format!("{path}.content[{index}]"),
                "a result of this crate cannot hold this block, which is left out",
            ),
        }
    }
    parts
}
