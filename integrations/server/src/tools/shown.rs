//! What comes of a call, as a page shows it.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use serde::Serialize;
use serde_json::value::RawValue;
use toolwright_core::{
    ArgumentChange, CallUpdate, ErrorCategory, ProgressReport, ToolResult, tool::OutputPart,
};

/// What a call says of itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<&'a ProgressReport>,
    /// The output so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<ShownPart<'a>>,
}

impl<'a> Progress<'a> {
    pub(super) fn of(update: &'a CallUpdate) -> Self {
        let (progress, parts) = match update {
            CallUpdate::Progress(report) => (Some(report), Vec::new()),
            CallUpdate::Partial(output) => (None, parts_of(&output.parts)),
            _ => (None, Vec::new()),
        };
        Self { progress, parts }
    }
}

/// A result, as the model and the log read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown<'a> {
    ok: bool,
    /// The value or the text of an output that is one.
    output: Option<Only<'a>>,
    parts: Vec<ShownPart<'a>>,
    for_model: Cow<'a, str>,
    for_log: Option<&'a str>,
    category: Option<ErrorCategory>,
    details: Option<&'a BTreeMap<String, String>>,
    /// What was changed in the arguments.
    changes: &'a [ArgumentChange],
    elapsed_ms: u128,
}

impl<'a> Shown<'a> {
    pub(super) fn of(result: &'a ToolResult, elapsed: Duration, tells_all: bool) -> Self {
        let error = result.outcome.as_ref().err();
        let parts = match &result.outcome {
            Ok(output) => parts_of(&output.parts),
            Err(_) => Vec::new(),
        };
        Self {
            ok: error.is_none(),
            output: match parts.as_slice() {
                [ShownPart::Text { text }] => Some(Only::Text(text)),
                [ShownPart::Json { value }] => Some(Only::Json(value)),
                _ => None,
            },
            parts,
            for_model: result.to_model_text(),
            for_log: error.and_then(|error| error.log.as_deref().filter(|_| tells_all)),
            category: error.map(|error| error.category),
            details: error.map(|error| &error.details),
            changes: &result.changes,
            elapsed_ms: elapsed.as_millis(),
        }
    }
}

/// The only part of an output.
#[derive(Serialize)]
#[serde(untagged)]
enum Only<'a> {
    Text(&'a str),
    Json(&'a RawValue),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum ShownPart<'a> {
    Text {
        text: &'a str,
    },
    /// To the digit, as the tool wrote it.
    Json {
        value: &'a RawValue,
    },
    Image {
        url: Cow<'a, str>,
    },
    /// A document or sound.
    File {
        url: Cow<'a, str>,
    },
}

fn parts_of(parts: &[OutputPart]) -> Vec<ShownPart<'_>> {
    parts.iter().filter_map(part_of).collect()
}

fn part_of(part: &OutputPart) -> Option<ShownPart<'_>> {
    Some(match part {
        OutputPart::Text(text) => ShownPart::Text { text },
        OutputPart::Json(text) => match serde_json::from_str(text) {
            Ok(value) => ShownPart::Json { value },
            Err(_) => ShownPart::Text { text },
        },
        OutputPart::Image(image) => ShownPart::Image {
            url: image.address(),
        },
        OutputPart::Document(document) => ShownPart::File {
            url: document.address(),
        },
        OutputPart::Audio(audio) => ShownPart::File {
            url: audio.address(),
        },
        _ => return None,
    })
}
