//! A message of a list, as it stands there.

use serde_json::{Map, Value, value::RawValue};
use toolwright_json::bounded::parse_bounded;

use super::transcript::{FindingKind, Transcript};

/// An object in a list that is read: its JSON, its value, and its place.
#[derive(Debug)]
pub(crate) struct Listed<'j> {
    pub(crate) raw: &'j str,
    pub(crate) value: Map<String, Value>,
    pub(crate) path: String,
}

/// The objects of a list. What is none of it is left out, and written down.
pub(crate) fn listed<'j>(
    list: &[&'j RawValue],
    path: &str,
    transcript: &mut Transcript,
) -> Vec<Listed<'j>> {
    let mut all = Vec::with_capacity(list.len());
    for (index, raw) in list.iter().enumerate() {
        let path = format!("{path}[{index}]");
        match parse_bounded(raw.get()) {
            Some(value) => all.push(Listed {
                raw: raw.get(),
                value,
                path,
            }),
            None => transcript.find(
                FindingKind::LeftOut,
                &path,
                "this is not an object, and is left out",
            ),
        }
    }
    all
}

impl Listed<'_> {
    /// A field that is a text; empty for any other.
    pub(crate) fn text(&self, name: &str) -> &str {
        text_of(&self.value, name)
    }

    /// Writes down the fields of the message that are not kept.
    pub(crate) fn check_fields(&self, known: &[&str], transcript: &mut Transcript) {
        let names: Vec<_> = unknown(&self.value, known).map(String::as_str).collect();
        if !names.is_empty() {
            let message = format!("these fields are left out: {}", names.join(", "));
            transcript.find(FindingKind::LeftOut, &self.path, message);
        }
    }
}

/// A field that is a text; empty for any other.
pub(crate) fn text_of<'v>(fields: &'v Map<String, Value>, name: &str) -> &'v str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The names of fields that say something and are not among those known.
fn unknown<'v>(fields: &'v Map<String, Value>, known: &[&str]) -> impl Iterator<Item = &'v String> {
    let says = |value: &Value| match value {
        Value::Null => false,
        Value::Array(list) => !list.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    fields
        .iter()
        .filter(move |(name, value)| !known.contains(&name.as_str()) && says(value))
        .map(|(name, _)| name)
}

/// The fields that say something and are not among those known.
pub(crate) fn others(fields: &Map<String, Value>, known: &[&str]) -> Map<String, Value> {
    unknown(fields, known)
        .map(|name| (name.clone(), fields[name].clone()))
        .collect()
}
