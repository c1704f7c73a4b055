//! Contents of this API that are read into a conversation.

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};
use toolwright_core::{
    message::{FileSource, Image, Opaque, Part},
    model::ModelResponse,
    tool::{OutputPart, ToolOutput},
};

use super::{
    super::{
        PROVIDER,
        reply::{Reply, parts::camel_case},
    },
    image,
};
use crate::codec::{
    data_url::{bytes, file_part},
    imported::{self, KEY, LIST, PLAIN_ERROR},
    listed::{Listed, listed, others, text_of},
    media::{Media, PDF, to_output},
    transcript::{Answer, FindingKind, Transcript, error_of_text, response_of, without_media_note},
};

/// Reads the contents of a request.
pub(in crate::provider) fn read(list: &[&RawValue], transcript: &mut Transcript) {
    let mut after_model = false;
    for content in listed(list, "contents", transcript) {
        content.check_fields(&["role", "parts"], transcript);
        let role = content.text("role");
        if role == "model" && after_model {
            let message = "the content has the role of the one before it; both are merged";
            transcript.find(FindingKind::MergedRoles, &content.path, message);
        }
        after_model = role == "model";
        match role {
            "model" => read_response(&content, transcript),
            // A request of one question may leave the role out.
            "user" | "function" | "" => read_user(&content, transcript),
            other => transcript.find(
                FindingKind::LeftOut,
                &content.path,
                format!("unknown role `{other}`; the content is left out"),
            ),
        }
    }
}

/// Reads the system text.
pub(in crate::provider) fn read_system(form: Value, transcript: &mut Transcript) {
    let Some(text) = system_text(&form) else {
        return transcript.find(
            FindingKind::LeftOut,
            "systemInstruction",
            "the system text is not a content of text parts, and is left out",
        );
    };
    if text.trim().is_empty() {
        return;
    }
    let is_plain = form == json!({"parts": [{"text": text}]});
    transcript.system(text, (!is_plain).then_some(form));
}

/// What the system field of a request says.
pub(in super::super) fn system_text(form: &Value) -> Option<String> {
    let parts = match &form["parts"] {
        Value::Array(parts) => parts.as_slice(),
        Value::Null => return form.as_str().map(str::to_owned),
        // Google's servers take one part in the place of a list of one.
        part => std::slice::from_ref(part),
    };
    let texts: Option<Vec<_>> = parts.iter().map(|part| part["text"].as_str()).collect();
    texts.map(|texts| texts.join("\n\n"))
}

fn read_response(content: &Listed<'_>, transcript: &mut Transcript) {
    #[derive(Deserialize)]
    struct Content<'j> {
        #[serde(borrow, default)]
        parts: Vec<&'j RawValue>,
    }
    let read = serde_json::from_str(content.raw);
    let list = read.map_or_else(|_| Vec::new(), |content: Content<'_>| content.parts);
    let mut parts = Vec::new();
    // One by one: texts that follow each other would be read as pieces of one.
    for (index, part) in list.iter().enumerate() {
        let body = format!(
            r#"{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"STOP"}}]}}"#
        );
        match response_of::<Reply>(&body) {
            Ok(reply) if reply.warnings.is_empty() => parts.extend(reply.parts),
            _ => transcript.find(
                FindingKind::LeftOut,
                &format!("{}.parts[{index}]", content.path),
                "the part cannot be read, and is left out",
            ),
        }
    }
    transcript.response(&content.path, ModelResponse::new(parts));
}

fn read_user(content: &Listed<'_>, transcript: &mut Transcript) {
    let mut parts = Vec::new();
    let mut has_results = false;
    let list = content.value.get("parts").and_then(Value::as_array);
    for (index, part) in list.into_iter().flatten().enumerate() {
        let path = format!("{}.parts[{index}]", content.path);
        let Some(part) = part.as_object() else {
            transcript.find(
                FindingKind::LeftOut,
                &path,
                "this is not an object, and is left out",
            );
            continue;
        };
        let part = in_camel_case(part);
        if let Some(response) = part.get("functionResponse").and_then(Value::as_object) {
            has_results = true;
            if !parts.is_empty() {
                let message = "the result stands after other parts, and is put before them";
                transcript.find(FindingKind::MovedResult, &path, message);
            }
            let answer = answer_of(&in_camel_case(response), &path, transcript);
            transcript.result(&path, answer);
        } else {
            add_part(&mut parts, part, transcript);
        }
    }
    if has_results && !parts.is_empty() {
        let message = "the parts beside results are written as a content of their own";
        transcript.find(FindingKind::Rewritten, &content.path, message);
    }
    if !has_results || !parts.is_empty() {
        transcript.user(&content.path, parts);
    }
}

/// The fields of an object, whose names Google's servers take in two forms. What says nothing is left out.
fn in_camel_case(fields: &Map<String, Value>) -> Map<String, Value> {
    let named = fields
        .iter()
        .filter(|(name, value)| !(value.is_null() || *name == "thought" && **value == false))
        .map(|(name, value)| {
            let name = camel_case(name.as_str().into()).into_owned();
            let value = match (&*name, value) {
                ("inlineData" | "fileData", Value::Object(fields)) => in_camel_case(fields).into(),
                (_, value) => value.clone(),
            };
            (name, value)
        });
    named.collect()
}

fn add_part(parts: &mut Vec<Part>, part: Map<String, Value>, transcript: &Transcript) {
    let media = image_of(&part).map(Part::Image).or_else(|| file_of(&part));
    let (known, said) = match (part.get("text"), media) {
        (Some(Value::String(text)), _) if !text.is_empty() || part.len() == 1 => {
            (["text", ""], Part::Text(text.clone()))
        }
        (_, Some(media)) => (["inlineData", "fileData"], media),
        _ => {
            let (provider, data) = (transcript.provider.clone(), Value::Object(part));
            return parts.push(Part::Opaque(Opaque { provider, data }));
        }
    };
    parts.push(said);
    let fields = others(&part, &known);
    if !fields.is_empty() {
        parts.push(imported::fields_mark(PROVIDER, fields));
    }
}

/// The image of a part, if it is written as it came.
fn image_of(part: &Map<String, Value>) -> Option<Image> {
    let kind = |fields: &Map<String, Value>| text_of(fields, "mimeType").starts_with("image/");
    let image = if let Some(Value::Object(data)) = part.get("inlineData") {
        kind(data).then(|| Image::Base64 {
            media_type: text_of(data, "mimeType").to_owned(),
            data: text_of(data, "data").into(),
        })
    } else if let Some(Value::Object(file)) = part.get("fileData") {
        Some(Image::from_url(text_of(file, "fileUri")))
    } else {
        None
    }?;
    let written = serde_json::to_value(image::of(&image)).ok()?;
    let written = written.as_object()?.iter().next()?;
    (part.get(written.0) == Some(written.1)).then_some(image)
}

/// The document or sound of a part, if it is written as it came.
fn file_of(part: &Map<String, Value>) -> Option<Part> {
    let fields = part
        .get("inlineData")
        .or(part.get("fileData"))?
        .as_object()?;
    let media_type = text_of(fields, "mimeType");
    let is_known =
        media_type == PDF || media_type.starts_with("text/") || media_type.starts_with("audio/");
    let source = match fields.get("data").and_then(Value::as_str) {
        Some(data) => bytes(data),
        None => FileSource::Url {
            url: text_of(fields, "fileUri").to_owned(),
        },
    };
    let read = is_known.then(|| file_part(media_type, source, None))?;
    let written = serde_json::to_value(image::of_media(Media::of_part(&read)?)).ok()?;
    let written = written.as_object()?.iter().next()?;
    (part.get(written.0) == Some(written.1)).then_some(read)
}

fn answer_of(response: &Map<String, Value>, path: &str, transcript: &mut Transcript) -> Answer {
    let mut form = Map::new();
    let known = ["id", "name", "response", "parts"];
    imported::with_fields(&mut form, others(response, &known));
    let empty = Map::new();
    let said = response.get("response").and_then(Value::as_object);
    let said = said.unwrap_or(&empty);
    let only = said.iter().next().filter(|_| said.len() == 1);
    let images = media_of(response, path, transcript);
    let outcome = match only {
        Some((name, Value::String(text))) if name == "error" => {
            let (error, is_plain) = error_of_text(text);
            if is_plain {
                form.insert(PLAIN_ERROR.to_owned(), true.into());
            }
            Err(error)
        }
        Some((name, value)) => {
            if name != "output" {
                form.insert(KEY.to_owned(), name.as_str().into());
            }
            Ok(match value {
                Value::String(text) => match without_media_note(text, &images) {
                    "" => Vec::new(),
                    text => vec![OutputPart::Text(text.to_owned())],
                },
                value => vec![OutputPart::Json(value.to_string())],
            })
        }
        None => {
            form.insert(KEY.to_owned(), "".into());
            let said = Value::Object(said.clone());
            Ok(vec![OutputPart::Json(said.to_string())])
        }
    };
    if !images.is_empty() {
        form.insert(LIST.to_owned(), true.into());
    }
    let outcome = outcome.map(|mut parts| {
        parts.extend(images);
        ToolOutput { parts }
    });
    Answer {
        id: text_of(response, "id").to_owned(),
        name: text_of(response, "name").to_owned(),
        outcome,
        form,
    }
}

/// The images and other files inside of a result.
fn media_of(
    response: &Map<String, Value>,
    path: &str,
    transcript: &mut Transcript,
) -> Vec<OutputPart> {
    let parts = response.get("parts").and_then(Value::as_array);
    let mut images = Vec::new();
    for (index, part) in parts.into_iter().flatten().enumerate() {
        let part = part.as_object().map(in_camel_case).unwrap_or_default();
        let path = format!("{path}.functionResponse.parts[{index}]");
        let file = part.get("fileData").and_then(Value::as_object);
        let file = file.filter(|file| text_of(file, "mimeType").starts_with("image/"));
        if let Some(file) = file_of(&part).and_then(to_output) {
            images.push(file);
            continue;
        }
        match (image_of(&part), file) {
            (Some(image), _) => images.push(OutputPart::Image(image)),
            (None, Some(file)) => {
                let message = "the media type of a file is not kept";
                transcript.find(FindingKind::Rewritten, &path, message);
                images.push(OutputPart::Image(Image::from_url(text_of(file, "fileUri"))));
            }
            (None, None) => transcript.find(
                FindingKind::LeftOut,
                &path,
                "a result of this crate cannot hold this part, which is left out",
            ),
        }
    }
    images
}
