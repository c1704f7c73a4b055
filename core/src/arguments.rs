//! From argument text to typed values, with errors that say where.
//!
//! The good path goes straight from the text to the types. Only when it fails is the text looked at
//! again. For a function the schema says where it does not fit ([`validate`]), so that no decoder is
//! compiled twice; a type alone is decoded by a slower deserialiser that knows where it is
//! ([`decode::located`]). The second look may succeed where the first did not: a model that writes `1.0` for
//! an integer means 1.

mod advice;
pub(crate) mod answer;
pub(crate) mod decode;
pub(crate) mod explain;
#[cfg(feature = "schemars")]
mod foreign;
pub(crate) mod leniency;
pub(crate) mod shown;
pub(crate) mod validate;

use std::{cell::OnceCell, collections::BTreeMap};

use serde::de::{DeserializeOwned, Deserializer as _};
use serde_json::value::RawValue;
use toolwright_json::{
    duplicate_keys::duplicate_key, nesting::is_deeper, path::cut, reader::Reader,
};

use crate::{
    Schema, ToolCall, ToolError,
    mutex::Mutex,
    schema::{Link, Node},
};
use decode::{located::Located, object::Object, slot::Slots};
pub(crate) use explain::suggest::{near, nearest_first};
use explain::{example, fault::Fault, message::told, mistakes::Mistakes, refused};
use leniency::repair;
use validate::{constraints, shape};

pub use advice::{array_parameter, inner_parameter};
pub use decode::parameter::{
    Argument, BorrowingArgument, ByValue, DefaultValue, NoSlot, Parameter, Probe, SlotFor,
    borrowing_parameter, constrained_parameter, parameter,
};
pub use decode::slot::lend;
#[cfg(feature = "schemars")]
pub use foreign::{ForeignProbe, foreign_parameter};
pub use leniency::repair::{Repaired, Unrepairable, repair_json};
pub use leniency::{Leniency, Prepared, schema_takes};

impl ToolCall {
    /// Decodes the arguments into a type. Empty text and `null` are read as `{}`.
    ///
    /// ```
    /// use toolwright::ToolCall;
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

    /// Checks the arguments against the schema of a tool, as far as that can be done without the tool: if
    /// the schema was made from types. Else only the tool can say.
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, as [`decode`](Self::decode) does.
    pub(crate) fn fits(&self, schema: &Schema) -> Result<(), ToolError> {
        let Some(tree) = schema.tree() else {
            return Ok(());
        };
        fits(&self.arguments, tree).map_err(|error| of_call(error, self))
    }

    /// Decodes the arguments into a type whose schema tree is known, so that an error can say more.
    #[doc(hidden)]
    pub fn decode_as<T: DeserializeOwned>(&self, input: Link) -> Result<T, ToolError> {
        decode_by(&self.arguments, input).map_err(|error| of_call(error, self))
    }
}

/// Decodes argument text. Empty text and `null` are read as `{}`.
///
/// # Errors
///
/// `InvalidArguments`, with the path, what was expected and what came.
fn decode<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    let text = object_text(text);
    serde_json::from_str(text).or_else(|_| {
        let text = well_formed(text)?;
        T::deserialize(Located::new(text)).map_err(|fault| refusal(fault, text))
    })
}

/// Decodes argument text into a type whose schema is known: it says where the text does not fit.
fn decode_by<T: DeserializeOwned>(text: &str, input: Link) -> Result<T, ToolError> {
    let text = object_text(text);
    // serde reads the fields of a struct from a list too.
    let first = if text.trim_ascii_start().starts_with('{') {
        serde_json::from_str(text)
    } else {
        Err(serde::de::Error::custom("not an object"))
    };
    let error = match first {
        Ok(value) => {
            check_kept(text, input())?;
            return Ok(value);
        }
        Err(error) => error,
    };
    let (text, new) = shaped(text, input)?;
    let Some(new) = new else {
        return Err(refusal(refused::fault(text, &error), text));
    };
    let value =
        serde_json::from_str(&new).map_err(|error| refusal(refused::fault(&new, &error), &new))?;
    check_kept(&new, input())?;
    Ok(value)
}

/// Checks that argument text fits a schema.
fn fits(text: &str, input: Link) -> Result<(), ToolError> {
    let (text, new) = shaped(object_text(text), input)?;
    check_kept(new.as_deref().unwrap_or(text), input())
}

/// Checks text that has been decoded: its keys, where the types do not know them, and what is constrained.
fn check_kept(text: &str, input: &Node) -> Result<(), ToolError> {
    if input.allows_unknown_keys
        && let Some(way) = duplicate_key(text)
    {
        return Err(refusal(Fault::twice_at(way), text));
    }
    if !input.is_constrained {
        return Ok(());
    }
    let mistakes = constraints::mistakes(input, text);
    if mistakes.faults.is_empty() {
        return Ok(());
    }
    Err(mistakes.error())
}

/// Storage for argument text that had to be rewritten.
#[derive(Debug, Default)]
pub struct Rewritten(OnceCell<String>);

/// Decodes the arguments of a function into its slots, which are called `names`. What they keep may
/// borrow from the call, or from `rewritten`.
///
/// # Errors
///
/// `InvalidArguments`, as [`ToolCall::decode`] does.
pub fn decode_parameters<'c, S: Slots<'c>>(
    call: &'c ToolCall,
    rewritten: &'c Rewritten,
    input: Link,
    names: &'static [&'static str],
    slots: &mut S,
) -> Result<(), ToolError> {
    let mut text = object_text(&call.arguments);
    loop {
        let mut json = serde_json::Deserializer::from_str(text);
        let decoded = json
            .deserialize_map(Object::new(names, slots))
            .and_then(|()| json.end());
        match decoded {
            Ok(()) => return check_kept(text, input()).map_err(|error| of_call(error, call)),
            Err(error) => {
                text = rewrite(text, &error, input, rewritten)
                    .map_err(|error| of_call(error, call))?;
            }
        }
    }
}

/// The text as the types read it, if it fits the schema. Otherwise, and when it was rewritten
/// before, it returns what is wrong.
#[cold]
fn rewrite<'c>(
    text: &str,
    error: &serde_json::Error,
    input: Link,
    rewritten: &'c Rewritten,
) -> Result<&'c str, ToolError> {
    match shaped(text, input)? {
        (_, Some(new)) if rewritten.0.get().is_none() => Ok(rewritten.0.get_or_init(|| new)),
        (well_formed, _) => Err(refusal(refused::fault(text, error), well_formed)),
    }
}

/// JSON text without white space around it that fits a schema, and the text that the types read instead, if that is
/// another one.
fn shaped(text: &str, input: Link) -> Result<(&str, Option<String>), ToolError> {
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    let checked = (!is_deeper(trimmed, MAX_NESTING)).then(|| shape::read(input(), trimmed));
    let (text, new) = if let Some(Ok(new)) = checked {
        (trimmed, new)
    } else {
        // It is not JSON, or nested too deeply: the error says so.
        let text = well_formed(text)?;
        (text, shape::rewrite(input(), text))
    };
    let new = new.map_err(|mistakes| refusals(mistakes, text, input))?;
    Ok((text, new))
}

/// Returns the error for the model.
pub(crate) fn refusal(fault: Fault, text: &str) -> ToolError {
    Mistakes::from(fault).with_text(text).error()
}

/// Returns the error for the model about several mistakes. If an argument is missing, or all are, it also shows an
/// example of a call.
fn refusals(mistakes: Mistakes, text: &str, input: Link) -> ToolError {
    let example = mistakes.faults.iter().any(Fault::lacks_argument);
    let example = example.then(|| example_of(input)).flatten();
    with_example(mistakes.with_text(text).error(), example)
}

/// Adds arguments that fit, if some are known.
pub(crate) fn with_example(error: ToolError, example: Option<String>) -> ToolError {
    match example {
        Some(example) => error.with_detail("example", example),
        None => error,
    }
}

/// A short call that fits a schema, if one is known. It is made once for each schema, of which a program has as many
/// as it declares.
fn example_of(input: Link) -> Option<String> {
    static MADE: Mutex<BTreeMap<usize, Option<String>>> = Mutex::new(BTreeMap::new());
    let made = || MADE.lock();
    let known = made().get(&(input as usize)).cloned();
    known.unwrap_or_else(|| {
        let node = input();
        let example = example::of_schema(&node.to_schema().to_value());
        let example = example.filter(|example| validate::faults(node, example).is_empty());
        made().insert(input as usize, example.clone());
        example
    })
}

/// Adds which call an error is about.
pub fn of_call(error: ToolError, call: &ToolCall) -> ToolError {
    let mut error = error.quoting(&call.arguments);
    let mut add = |name: &str, value| error.details.insert(name.to_owned(), value);
    add("tool", call.name.clone());
    if !call.id.is_empty() {
        add("call", cut(&call.id));
    }
    error
}

/// Returns the text of the arguments object. Models also send an empty text or `null` for no arguments: these become
/// an object without members.
pub(crate) fn object_text(text: &str) -> &str {
    match text.trim_ascii() {
        "" | "null" => "{}",
        _ => text,
    }
}

/// JSON text without white space around it, if it is JSON and no deeper than it is looked into.
pub(crate) fn well_formed(text: &str) -> Result<&str, ToolError> {
    let refuse = |why: String| Err(told([why]));
    match one_value(text) {
        Ok(_) if is_deeper(text, MAX_NESTING) => refuse(format!("arguments: {}", too_deep())),
        Ok(json) => Ok(json),
        Err(error) => {
            let mistake = repair::mistake(text).unwrap_or_else(|| error.to_string());
            refuse(format!("the arguments are not valid JSON: {mistake}"))
        }
    }
}

/// The only JSON value of a text, without white space around it.
fn one_value(text: &str) -> serde_json::Result<&str> {
    let mut reader = Reader::new(text);
    let value = reader
        .value()
        .and_then(|value| reader.end().map(|()| value));
    match value {
        Ok(value) => Ok(value.get()),
        // The words of the error are serde's.
        Err(_) => serde_json::from_str::<&RawValue>(text).map(RawValue::get),
    }
}

/// The greatest depth of lists and objects inside each other: the limit of `serde_json`.
const MAX_NESTING: usize = 127;

/// Returns the message about text that is deeper.
fn too_deep() -> String {
    format!("arrays and objects are nested more than {MAX_NESTING} deep")
}

#[cfg(test)]
mod tests;
