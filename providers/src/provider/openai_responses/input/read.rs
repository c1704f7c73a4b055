//! Items of this API that are read into a conversation.

use serde_json::{Map, Value, json, value::RawValue};
use toolwright_core::{
    message::{FileSource, Image, Opaque, Part},
    model::ModelResponse,
    tool::{OutputPart, ToolOutput},
};

use super::super::{
    PROVIDER,
    item::{CUSTOM_CALL, FUNCTION_CALL, MESSAGE, REASONING, beside, kind_of},
    reply::Reply,
};
use super::media_part;
use crate::codec::{
    data_url::{bytes, file_part, image_at, parts_of},
    imported::{self, LIST},
    listed::{Listed, listed, others, text_of},
    media::{Media, PDF, to_output},
    transcript::{Answer, FindingKind, Transcript, outcome_of_text, response_of},
};

/// Reads the items of a request, with its `instructions`.
pub(in crate::provider) fn read(
    list: &[&RawValue],
    instructions: Option<&str>,
    transcript: &mut Transcript,
) {
    let all = listed(list, "input", transcript);
    let is_system = |item: &Listed<'_>| matches!(item.text("role"), "system" | "developer");
    let head = all.iter().take_while(|item| is_system(item)).count();
    let (head, rest) = all.split_at(head);
    read_system(head, instructions, transcript);
    let mut reply = Reading::default();
    for item in rest {
        let kind = item.text("type");
        match item.text("role") {
            _ if matches!(kind, "function_call_output" | "custom_tool_call_output") => {
                reply.end(transcript);
                read_result(item, transcript);
            }
            role @ ("user" | "system" | "developer") => {
                reply.end(transcript);
                if role != "user" {
                    transcript.find(
                        FindingKind::Rewritten,
                        &item.path,
                        "a system message within the conversation is kept as one of the user, \
                         and keeps its role in this protocol",
                    );
                }
                read_user(item, transcript);
            }
            _ => reply.take(item, transcript),
        }
    }
    reply.end(transcript);
}

/// Reads an input that is one text.
pub(in crate::provider) fn read_text(text: String, transcript: &mut Transcript) {
    transcript.user("input", vec![Part::Text(text)]);
}

/// Reads the system text, which has a field of its own, or stands in the first items.
fn read_system(items: &[Listed<'_>], instructions: Option<&str>, transcript: &mut Transcript) {
    let mut form = json!({});
    if let Some(instructions) = instructions {
        form["instructions"] = instructions.into();
    }
    if !items.is_empty() {
        form["input"] = items.iter().map(|item| item.value.clone()).collect();
    }
    if let Some(text) = system_text(&form) {
        let is_plain = items.is_empty();
        transcript.system(text, (!is_plain).then_some(form));
    }
}

/// What the system text of a request says, in its field and in the first items; `None` if there is none.
pub(in super::super) fn system_text(form: &Value) -> Option<String> {
    let items = form["input"].as_array();
    let texts = items.into_iter().flatten().map(|item| {
        let content = &item["content"];
        let parts = content.as_array().into_iter().flatten();
        let parts = parts.filter_map(|part| part["text"].as_str());
        content
            .as_str()
            .into_iter()
            .chain(parts)
            .collect::<String>()
    });
    let instructions = form["instructions"].as_str().map(str::to_owned);
    let texts: Vec<_> = instructions.into_iter().chain(texts).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// A response whose items are read.
#[derive(Default)]
struct Reading {
    path: String,
    parts: Vec<Part>,
}

impl Reading {
    fn take(&mut self, item: &Listed<'_>, transcript: &mut Transcript) {
        if self.parts.is_empty() {
            self.path.clone_from(&item.path);
        }
        // A message of the model may come without its type.
        let typed;
        let raw = if item.text("type").is_empty() {
            let mut value = item.value.clone();
            value.insert("type".to_owned(), MESSAGE.into());
            typed = Value::Object(value).to_string();
            &typed
        } else {
            item.raw
        };
        let body = format!(r#"{{"status":"completed","output":[{raw}]}}"#);
        match response_of::<Reply>(&body) {
            Ok(reply) => {
                if reply.refusal.is_some() {
                    let message = "the refusal is read as text";
                    transcript.find(FindingKind::Rewritten, &item.path, message);
                }
                let refusal = reply.refusal.map(Part::Text);
                let from = self.parts.len();
                self.parts.extend(reply.parts);
                self.parts.extend(refusal);
                add_ids(&mut self.parts, from, item);
            }
            Err(error) => transcript.find(
                FindingKind::LeftOut,
                &item.path,
                format!("the item cannot be read and is left out: {error}"),
            ),
        }
    }

    fn end(&mut self, transcript: &mut Transcript) {
        let Self { path, parts } = std::mem::take(self);
        let is_reasoning = |part: &Part| matches!(part, Part::Opaque(opaque) if kind_of(&opaque.data) == REASONING);
        if parts.last().is_some_and(is_reasoning) {
            let message = "reasoning at the end of a turn is kept, but not written";
            transcript.find(FindingKind::Rewritten, &path, message);
        }
        if !parts.is_empty() {
            transcript.response(&path, ModelResponse::new(parts));
        }
    }
}

/// Adds the id and the status of an item, which a response that is not stored does not need.
fn add_ids(parts: &mut Vec<Part>, from: usize, item: &Listed<'_>) {
    let is_own = |name: &str| matches!(name, "id" | "status");
    let fields: Map<String, Value> = item
        .value
        .iter()
        .filter(|(name, value)| is_own(name) && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let kind = match item.text("type") {
        "" => MESSAGE,
        kind => kind,
    };
    let has_part = matches!(kind, MESSAGE | FUNCTION_CALL | CUSTOM_CALL);
    if fields.is_empty() || !has_part || parts.len() == from {
        return;
    }
    let known = parts[from..].iter_mut().find_map(|part| match part {
        Part::Opaque(opaque) if kind_of(&opaque.data) == kind => opaque.data.as_object_mut(),
        _ => None,
    });
    if let Some(known) = known {
        return known.extend(fields);
    }
    let mut fields = fields;
    if kind != MESSAGE {
        fields.insert("call_id".to_owned(), item.text("call_id").into());
    }
    parts.push(Part::Opaque(beside(kind, fields)));
}

fn read_user(item: &Listed<'_>, transcript: &mut Transcript) {
    let mut parts = Vec::new();
    let mut fields = others(&item.value, &["type", "role", "content"]);
    if item.text("role") != "user" {
        fields.insert("role".to_owned(), item.text("role").into());
    }
    if !fields.is_empty() {
        parts.push(imported::message_mark(PROVIDER, fields));
    }
    match item.value.get("content") {
        Some(Value::String(text)) => parts.push(Part::Text(text.clone())),
        Some(Value::Array(content)) => {
            for part in content {
                add_part(&mut parts, part, transcript);
            }
        }
        _ => {}
    }
    transcript.user(&item.path, parts);
}

fn add_part(parts: &mut Vec<Part>, part: &Value, transcript: &Transcript) {
    if let Some(file) = file_in(part) {
        return parts.push(file);
    }
    match (text_in(part), image_in(part)) {
        (Some(text), _) => parts.push(Part::Text(text)),
        (None, Some(image)) => {
            parts.push(Part::Image(image));
            if let Some(detail) = part.get("detail").filter(|detail| *detail != "auto") {
                let fields = Map::from_iter([("detail".to_owned(), detail.clone())]);
                parts.push(imported::fields_mark(PROVIDER, fields));
            }
        }
        (None, None) => parts.push(Part::Opaque(Opaque {
            provider: transcript.provider.clone(),
            data: part.clone(),
        })),
    }
}

fn text_in(part: &Value) -> Option<String> {
    let is_text = matches!(kind_of(part), "input_text" | "text" | "output_text");
    let fields = part.as_object().filter(|_| is_text)?;
    let is_alone = others(fields, &["type", "text"]).is_empty();
    is_alone.then(|| text_of(fields, "text").to_owned())
}

fn image_in(part: &Value) -> Option<Image> {
    let url = part["image_url"].as_str()?;
    (kind_of(part) == "input_image").then(|| image_at(url))
}

/// The document of a part, if it is written as it came.
fn file_in(part: &Value) -> Option<Part> {
    let read = if let Some(url) = part["file_url"].as_str() {
        file_part(
            PDF,
            FileSource::Url {
                url: url.to_owned(),
            },
            None,
        )
    } else {
        let (media_type, data) = parts_of(part["file_data"].as_str()?)?;
        file_part(media_type, bytes(data), part["filename"].as_str())
    };
    let written = serde_json::to_value(media_part(Media::of_part(&read)?)).ok()?;
    (written == *part).then_some(read)
}

fn read_result(item: &Listed<'_>, transcript: &mut Transcript) {
    let mut form = Map::new();
    let known = ["type", "call_id", "output", "caller"];
    imported::with_fields(&mut form, others(&item.value, &known));
    let outcome = match item.value.get("output") {
        Some(Value::Array(parts)) => {
            let mut output = ToolOutput::default();
            for (index, part) in parts.iter().enumerate() {
                if let Some(file) = file_in(part).and_then(to_output) {
                    output.parts.push(file);
                    continue;
                }
                match (text_in(part), image_in(part)) {
                    (Some(text), _) => output.parts.push(OutputPart::Text(text)),
                    (None, Some(image)) => output.parts.push(OutputPart::Image(image)),
                    (None, None) => transcript.find(
                        FindingKind::LeftOut,
                        &format!("{}.output[{index}]", item.path),
                        "a result of this crate cannot hold this part, which is left out",
                    ),
                }
            }
            form.insert(LIST.to_owned(), true.into());
            Ok(output)
        }
        Some(Value::String(text)) => {
            if text.trim().is_empty() {
                let message = "an empty result is written as `(no output)`";
                transcript.find(FindingKind::Rewritten, &item.path, message);
            }
            outcome_of_text(text.clone())
        }
        Some(other) => outcome_of_text(other.to_string()),
        None => Ok(ToolOutput::default()),
    };
    let answer = Answer {
        id: item.text("call_id").to_owned(),
        name: String::new(),
        outcome,
        form,
    };
    transcript.result(&item.path, answer);
}
