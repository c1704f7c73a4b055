//! Errors of a type itself, with the best place that is known.

use serde::de::Error as _;
use toolwright_json::{
    pairs::{items, pairs},
    part,
    path::Step,
};

use super::{expectation, fault::Fault};
use crate::arguments::repair_json;

/// The fault behind an error of the decoder, in text that fits the schema.
pub(crate) fn fault(text: &str, error: &serde_json::Error) -> Fault {
    if !error.is_data() {
        return malformed(text, error);
    }
    let (message, offset) = place(text, error);
    // The arguments object itself refuses nothing: what it misses is found by the schema.
    let root = text.trim_ascii();
    let start = text.len() - text.trim_ascii_start().len();
    let offset = offset.saturating_sub(start);
    match child_before(root, offset) {
        Some((step, child, start)) => inside(child, offset - start, &message).inside(step),
        None => Fault::custom(message),
    }
}

/// The fault behind an error of the decoder of a part.
#[cfg(feature = "schemars")]
pub(crate) fn part(text: &str, error: &serde_json::Error) -> Fault {
    if !error.is_data() {
        return malformed(text, error);
    }
    let (message, offset) = place(text, error);
    inside(text, offset, &message)
}

/// The fault of JSON that this decoder does not read: a number that no float holds, half a character.
pub(crate) fn malformed(text: &str, error: &serde_json::Error) -> Fault {
    match repair_json(text) {
        Err(flaw) => Fault::broken(flaw),
        Ok(_) => Fault::custom(place(text, error).0),
    }
}

/// The fault of a text that is not of its form. What serde says of every type says no more.
pub(crate) fn of_form(expected: &'static str, text: &str, error: &serde_json::Error) -> Fault {
    let (why, _) = place(text, error);
    if expectation::of_message(&why).is_some() {
        Fault::expected(expected)
    } else {
        Fault::expected(format!("{expected}: {why}"))
    }
}

/// The fault that a message of the decoder is about, in words a model knows.
fn told(message: &str) -> Fault {
    if let Some(variants) = expectation::variants_of_message(message) {
        return Fault::one_of(variants);
    }
    if let Some(expected) = expectation::of_message(message) {
        return Fault::expected(expected);
    }
    let key = message.strip_prefix("missing field `");
    match key.and_then(|key| key.strip_suffix('`')) {
        Some(key) => Fault::missing_key(key),
        None => Fault::custom(message),
    }
}

/// The fault in the value that was being read at an offset. The decoder says where it stopped, which
/// is behind the value it could not take, and behind the list or object if that was its last.
fn inside(text: &str, offset: usize, message: &str) -> Fault {
    let fault = match child_before(text, offset) {
        Some((step, child, start)) if offset < text.len() => {
            inside(child, offset - start, message).inside(step)
        }
        _ => told(message),
    };
    fault.with_text(text)
}

/// Returns the message of an error, and its place in the text.
fn place(text: &str, error: &serde_json::Error) -> (String, usize) {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&position).unwrap_or(&message);
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    (message.to_owned(), before + error.column())
}

/// The last part that starts before an offset, and where it starts.
fn child_before(text: &str, offset: usize) -> Option<(Step, &str, usize)> {
    let children: Vec<(Step, &str)> = match text.as_bytes().first() {
        Some(b'{') => {
            let pairs = pairs(text).ok()?.into_iter();
            pairs
                .map(|(key, value)| (Step::Key(key.into_owned()), value))
                .collect()
        }
        Some(b'[') => {
            let items = items(text).ok()?.into_iter().enumerate();
            items
                .map(|(index, item)| (Step::Index(index), item))
                .collect()
        }
        _ => return None,
    };
    children
        .into_iter()
        .filter_map(|(step, child)| Some((step, child, part::place(child, text)?.start)))
        .take_while(|(_, _, start)| *start < offset)
        .last()
}
