//! From argument text to typed values, with errors that say where.
//!
//! The good path goes straight from the text to the types. Only when it fails is the text decoded a
//! second time, by a slower deserialiser that knows where it is ([`located`]). The second pass may
//! succeed where the first did not: a model that writes `1.0` for an integer means 1.

mod expectation;
mod fault;
mod located;
mod nearest;
mod object;
mod parameter;
mod slot;
mod step;

use serde::de::{DeserializeOwned, Deserializer as _};
use serde_json::value::RawValue;

use crate::{
    ToolCall, ToolError,
    schema::{Link, Node},
};
use fault::Fault;
use located::Located;
use object::Object;

pub use parameter::{Argument, DefaultValue, NoSlot, Parameter, Probe, SlotFor, parameter};
use slot::Slots;

impl ToolCall {
    /// Decodes the arguments into a type. Empty text and `null` are read as `{}`.
    ///
    /// ```
    /// use toolwright_runtime::ToolCall;
    ///
    /// #[derive(Debug, serde::Deserialize)]
    /// struct Range {
    ///     start: i64,
    /// }
    ///
    /// let call = ToolCall::new("call_1", "list_events", r#"{"start": "tomorrow"}"#);
    /// let error = call.decode::<Range>().unwrap_err();
    /// assert_eq!(error.message, "arguments.start: expected an integer, got \"tomorrow\"");
    /// assert_eq!(error.details["tool"], "list_events");
    /// ```
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, with the path, what was expected and what came, and the names of the
    /// tool and the call among the details.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        decode(&self.arguments).map_err(|error| of_call(error, self))
    }

    /// Decodes the arguments into a type whose schema tree is known, so that an error can say more.
    pub(crate) fn decode_as<T: DeserializeOwned>(&self, input: Link) -> Result<T, ToolError> {
        decode_with(&self.arguments, Some(input)).map_err(|error| of_call(error, self))
    }
}

/// Decodes argument text. Empty text and `null` are read as `{}`.
///
/// # Errors
///
/// `InvalidArguments`, with the path, what was expected and what came.
fn decode<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    decode_with(text, None)
}

fn decode_with<T: DeserializeOwned>(text: &str, input: Option<Link>) -> Result<T, ToolError> {
    let text = object_text(text);
    serde_json::from_str(text).or_else(|_| {
        let input = input.map(|input| input());
        explain(text, input, |located| T::deserialize(located))
    })
}

/// Decodes the arguments of a function: the values of `slots`, which are called `names`.
///
/// # Errors
///
/// `InvalidArguments`, as [`ToolCall::decode`] does.
pub fn decode_parameters<'c, S: Slots<'c>>(
    call: &'c ToolCall,
    input: Link,
    names: &'static [&'static str],
    mut slots: S,
) -> Result<S::Values, ToolError> {
    let text = object_text(&call.arguments);
    let mut json = serde_json::Deserializer::from_str(text);
    let decoded = json
        .deserialize_map(Object::new(names, &mut slots))
        .and_then(|()| json.end());
    if decoded.is_err() {
        explain(text, Some(input()), |located| {
            located.deserialize_map(Object::new(names, &mut slots))
        })
        .map_err(|error| of_call(error, call))?;
    }
    Ok(slots.into_values())
}

/// Adds which call an error is about.
fn of_call(error: ToolError, call: &ToolCall) -> ToolError {
    error
        .with_detail("tool", &call.name)
        .with_detail("call", &call.id)
}

/// What models send for no arguments is an object without any.
fn object_text(text: &str) -> &str {
    match text.trim_ascii() {
        "" | "null" => "{}",
        _ => text,
    }
}

/// Decodes once more, to find the place of a mistake.
#[cold]
fn explain<'de, T>(
    text: &'de str,
    input: Option<&Node>,
    decode: impl FnOnce(Located<'de>) -> Result<T, Fault>,
) -> Result<T, ToolError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
        ToolError::invalid_arguments(format!("the arguments are not valid JSON: {error}"))
    })?;
    decode(Located::new(raw.get())).map_err(|fault| {
        let fault = fault.with_text(raw.get());
        ToolError::invalid_arguments(fault.message(input))
    })
}

#[cfg(test)]
mod tests;
