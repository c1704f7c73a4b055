//! From the text of an answer to a typed value.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use super::{decode_by, leniency::repair::repair_json};
use crate::{
    ToolError,
    schema::{AnswerRoot, Describe, Kind, Start, ToolInput, WrappedAnswer},
};

/// Decodes the text of an answer, by the schema of its type. A code fence or text before and after the JSON is skipped.
/// JSON that is almost right is [repaired](repair_json) where it has one reading. A value that is to stand in an object
/// is taken without it as well.
///
/// # Errors
///
/// `InvalidArguments`, with the path, what was expected and what came.
pub fn decode_answer<T: ToolInput + DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    let root = AnswerRoot::of::<T>();
    let error = match decode_rooted(text, root) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let text = text.trim();
    if let Some(inner) = object_in(text) {
        return decode_rooted(&inner, root);
    }
    if let AnswerRoot::Wrapped(_) = root
        && let Some(value) = bare::<T>(text)
        && let Ok(value) = decode_rooted(&format!(r#"{{"answer":{value}}}"#), root)
    {
        return Ok(value);
    }
    Err(error)
}

/// Checks the text of an answer against its schema. A value that belongs in a wrapper object must be in one.
///
/// # Errors
///
/// As `check`.
pub fn check_answer(
    text: &str,
    check: impl Fn(&str) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    check(text).or_else(|error| match object_in(text.trim()) {
        Some(inner) => check(&inner),
        None => Err(error),
    })
}

fn decode_rooted<T: ToolInput + DeserializeOwned>(
    text: &str,
    root: AnswerRoot,
) -> Result<T, ToolError> {
    match root {
        AnswerRoot::Plain(link) => decode_by(text, link),
        AnswerRoot::Wrapped(link) => decode_by::<WrappedAnswer<T>>(text, link).map(|it| it.answer),
    }
}

/// The part of a text from its first opening to its last closing brace, which is repaired if it is almost right.
fn object_in(text: &str) -> Option<Cow<'_, str>> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let inner = text.get(start..=end)?;
    let repaired = repair_json(inner).ok().filter(|json| !json.is_cut_off);
    Some(repaired.map_or(inner.into(), |json| json.text))
}

/// The JSON of a value that stands without the object around it. A word stands for one of several.
fn bare<T: ToolInput>(text: &str) -> Option<String> {
    if serde_json::from_str::<&RawValue>(text).is_ok() {
        return Some(text.to_owned());
    }
    let is_choice = matches!(<T::Body<Start> as Describe>::node().kind, Kind::Choice(_));
    is_choice.then(|| Value::from(text).to_string())
}

/// The message about an answer that came as text, which has no arguments.
pub fn about_text(message: &str) -> String {
    let mistakes = message.split("; ").map(|mistake| {
        match mistake.strip_prefix("the arguments are not valid JSON: ") {
            Some(why) => format!("it is not valid JSON: {}", of_answer(why)),
            None => of_answer(mistake),
        }
    });
    mistakes.collect::<Vec<_>>().join("; ")
}

/// A mistake, whose path begins in the answer.
fn of_answer(mistake: &str) -> String {
    match mistake.strip_prefix("arguments") {
        Some(rest) => match rest.strip_prefix('.') {
            Some(path) => path.to_owned(),
            None => format!("the answer{rest}"),
        },
        None => mistake.to_owned(),
    }
}
