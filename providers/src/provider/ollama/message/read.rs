//! Messages of this API that are read into a conversation.

use serde_json::{Map, Value, json, value::RawValue};
use toolwright_core::{
    message::{Image, Part},
    tool::{OutputPart, ToolOutput},
};

use super::super::{PROVIDER, reply::Reply};
use crate::codec::{
    data_url::image_type,
    imported,
    listed::{Listed, listed},
    transcript::{Answer, FindingKind, Transcript, outcome_of_text, without_media_note},
};

/// Reads the messages of a request.
pub(in crate::provider) fn read(list: &[&RawValue], transcript: &mut Transcript) {
    let all = listed(list, "messages", transcript);
    let is_system = |message: &Listed<'_>| message.text("role") == "system";
    let head = all.iter().take_while(|message| is_system(message)).count();
    let (head, rest) = all.split_at(head);
    read_system(head, transcript);
    for message in rest {
        match message.text("role") {
            "assistant" => {
                let body = format!(
                    r#"{{"message":{},"done":true,"done_reason":"stop"}}"#,
                    message.raw
                );
                transcript.reply::<Reply>(&message.path, &body);
            }
            "tool" => read_result(message, transcript),
            role @ ("user" | "system") => {
                if role == "system" {
                    transcript.find(
                        FindingKind::Rewritten,
                        &message.path,
                        "a system message within the conversation is kept as one of the user, \
                         and keeps its role in this protocol",
                    );
                }
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
    let form: Value = messages
        .iter()
        .map(|message| {
            message.check_fields(&["role", "content"], transcript);
            json!({"role": "system", "content": message.text("content")})
        })
        .collect();
    if let Some(text) = system_text(&form) {
        transcript.system(text, (messages.len() > 1).then_some(form));
    }
}

/// What the system messages of a request say; `None` if there are none.
pub(super) fn system_text(form: &Value) -> Option<String> {
    let messages = form.as_array().filter(|messages| !messages.is_empty())?;
    let texts = messages.iter().map(|message| message["content"].as_str());
    let texts: Vec<_> = texts.map(Option::unwrap_or_default).collect();
    Some(texts.join("\n\n"))
}

fn read_user(message: &Listed<'_>, transcript: &mut Transcript) {
    message.check_fields(&["role", "content", "images"], transcript);
    let mut parts = Vec::new();
    if message.text("role") != "user" {
        let fields = Map::from_iter([("role".to_owned(), message.text("role").into())]);
        parts.push(imported::message_mark(PROVIDER, fields));
    }
    let text = message.text("content");
    if !text.is_empty() {
        parts.push(Part::Text(text.to_owned()));
    }
    parts.extend(images_of(message).map(Part::Image));
    transcript.user(&message.path, parts);
}

fn read_result(message: &Listed<'_>, transcript: &mut Transcript) {
    let known = [
        "role",
        "content",
        "images",
        "tool_name",
        "name",
        "tool_call_id",
    ];
    message.check_fields(&known, transcript);
    let text = message.text("content");
    if text.trim().is_empty() {
        let message_text = "an empty result is written as `(no output)`";
        transcript.find(FindingKind::Rewritten, &message.path, message_text);
    }
    let name = match message.text("tool_name") {
        "" => message.text("name"),
        name => name,
    };
    let images: Vec<_> = images_of(message).map(OutputPart::Image).collect();
    let whole = text;
    let text = without_media_note(text, &images);
    if !images.is_empty() && text == whole {
        let message_text = "the images of a result are counted at the end of its text";
        transcript.find(FindingKind::Rewritten, &message.path, message_text);
    }
    let outcome = match text {
        "" if !images.is_empty() => Ok(ToolOutput::default()),
        text => outcome_of_text(text.to_owned()),
    };
    let outcome = outcome.map(|output| images.into_iter().fold(output, ToolOutput::with_part));
    let answer = Answer {
        id: message.text("tool_call_id").to_owned(),
        name: name.to_owned(),
        outcome,
        form: Map::new(),
    };
    transcript.result(&message.path, answer);
}

/// The images of a message, whose bytes say what they are.
fn images_of(message: &Listed<'_>) -> impl Iterator<Item = Image> {
    let images = message.value.get("images").and_then(Value::as_array);
    let images = images.into_iter().flatten().filter_map(Value::as_str);
    images.map(|data| Image::Base64 {
        media_type: image_type(data).to_owned(),
        data: data.into(),
    })
}
