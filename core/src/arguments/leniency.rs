//! Leniency: normalization of arguments that are almost correct.

pub(crate) mod changes;
pub(crate) mod coerce;
pub(crate) mod repair;

use std::borrow::Cow;

use super::repair_json;
use crate::{
    Schema,
    tool::{ArgumentChange, Effects, ToolCall, ToolDefinition},
};
use coerce::{coerce, takes};

/// The rule for normalizing arguments that are almost correct, before a tool reads them. It is off unless set. It is
/// meant for models that write their calls as text.
///
/// It never chooses between two readings, and every change is reported in
/// [`ToolResult::changes`](crate::ToolResult::changes). The call itself stays as the model wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Leniency {
    /// Arguments are read as they are.
    #[default]
    Off,
    /// Text that is nearly JSON is repaired (see [`repair_json`]). Then values that do not fit the
    /// tool's schema, and stand for one that does, become that: `"42"` for an integer, `"true"` for a
    /// boolean, a text that spells an object or a list, one value for a list of it (a text only if it is
    /// one word, or one that the schema lists), a number or a boolean for a text. What fits stays, byte
    /// for byte.
    On,
}

/// Returns true if JSON text is a value that a schema takes as it is, as far as [`Leniency`] knows its keywords: types,
/// values, sizes, members and items, and references within the schema. Keywords that it does not know take anything.
///
/// ```
/// use toolwright::{arguments::schema_takes, schema::Schema};
///
/// let schema = Schema::from_text(r#"{"type": "object", "required": ["city"]}"#)?;
/// assert!(schema_takes(&schema, r#"{"city": "Oslo"}"#));
/// assert!(!schema_takes(&schema, r#"{"town": "Oslo"}"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn schema_takes(schema: &Schema, text: &str) -> bool {
    takes(&schema.to_value(), text.trim_ascii())
}

/// A call that is ready to run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Prepared<'c> {
    /// The call; the model's own where nothing was changed.
    pub call: Cow<'c, ToolCall>,
    /// The changes to its arguments, in order: repairs of the text, then changes of values.
    pub changes: Vec<ArgumentChange>,
}

impl Leniency {
    /// Sets the arguments of a call right, by the schema of its tool. A dispatch and a runner do it
    /// for each call; this is for those who run calls their own way.
    ///
    /// Arguments that have no one reading stay as they are, so that the tool says what is wrong with
    /// them; so do those that were cut off, of every tool that does more than read.
    ///
    /// ```
    /// use toolwright::{
    ///     ToolCall, ToolDefinition, arguments::Leniency, schema::Schema, tool::Effects,
    /// };
    ///
    /// let schema = r#"{"type":"object","properties":{"days":{"type":"integer"}}}"#;
    /// let forecast = ToolDefinition::new("forecast", "The weather.", Schema::from_text(schema)?);
    /// let call = ToolCall::new("call_1", "forecast", "{'days': '3'}");
    /// let prepared = Leniency::On.prepare(&call, &forecast, Effects::ReadOnly);
    /// assert_eq!(prepared.call.arguments, r#"{"days":3}"#);
    /// assert_eq!(prepared.changes.last().unwrap().to_string(),
    ///     "arguments.days: a string became a number");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn prepare<'c>(
        self,
        call: &'c ToolCall,
        definition: &ToolDefinition,
        effects: Effects,
    ) -> Prepared<'c> {
        let prepared = match self {
            Self::Off => None,
            Self::On => prepare(&call.arguments, definition, effects),
        };
        match prepared {
            None => Prepared {
                call: Cow::Borrowed(call),
                changes: Vec::new(),
            },
            Some((arguments, changes)) => Prepared {
                call: Cow::Owned(ToolCall {
                    arguments,
                    ..call.clone()
                }),
                changes,
            },
        }
    }
}

/// The arguments to read instead, and what was changed; `None` if nothing was.
fn prepare(
    text: &str,
    definition: &ToolDefinition,
    effects: Effects,
) -> Option<(String, Vec<ArgumentChange>)> {
    if matches!(text.trim_ascii(), "" | "null") {
        return None;
    }
    let repaired = repair_json(text).ok()?;
    if repaired.is_cut_off && effects != Effects::ReadOnly {
        return None;
    }
    let mut changes = repaired.changes;
    let schema = definition.input_schema.value();
    let coerced = schema.and_then(|schema| coerce(schema, &repaired.text, &repaired.respelled));
    match coerced {
        Some((new, more)) => {
            changes.extend(more);
            Some((new, changes))
        }
        None if changes.is_empty() => None,
        None => Some((repaired.text.into_owned(), changes)),
    }
    // What is no object even so is refused, and had better be refused as it was written.
    .filter(|(new, _)| new.trim_ascii_start().starts_with('{'))
}
