//! What a decision decides.

use std::fmt;

use serde_json::{Deserializer, Value};
use toolwright_core::{
    ToolCall,
    model::{ModelRequest, ToolChoice},
};

use crate::{RefusalReason, TextCalls};

/// What a response to a decision request means.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// These tools are called. There is at least one.
    Calls(Vec<ToolCall>),
    /// No tool is called.
    None,
    /// It is not usable as it is.
    Unusable {
        problem: Problem,
        /// The calls in it that could be used.
        usable: Vec<ToolCall>,
    },
}

/// What is wrong with a decision, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// There is no JSON object of the requested form.
    Unreadable,
    /// It was cut off, filtered or refused.
    NotWhole,
    /// A call in it is refused.
    Refused(String),
    /// No tool is called, although one has to be.
    NoCall,
    /// Another tool is called than the one that has to be.
    OtherTool(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => {
                f.write_str(r#"it is not a JSON object of the form {"tools": […]}"#)
            }
            Self::NotWhole => f.write_str("it ended before it was whole"),
            Self::Refused(why) => f.write_str(why),
            Self::NoCall => f.write_str("it calls no tool, and one has to be called"),
            Self::OtherTool(name) => {
                write!(f, "it has to call the tool {name}, and no other")
            }
        }
    }
}

/// Reads a decision. The calls of `read` are those of tools that the request offers.
pub(crate) fn verdict(request: &ModelRequest, text: &str, read: TextCalls) -> Verdict {
    let TextCalls { calls, refused, .. } = read;
    let (usable, others): (Vec<_>, Vec<_>) = calls
        .into_iter()
        .partition(|call| is_chosen(&request.tool_choice, &call.name));
    let refusal = refused.first().map(|refused| match &refused.reason {
        RefusalReason::UnknownTool => {
            let name = refused.name.as_deref().unwrap_or_default();
            Problem::Refused(format!("there is no tool of the name {name:?}"))
        }
        RefusalReason::Malformed(fault) => {
            Problem::Refused(format!("a call is malformed: {fault}"))
        }
        RefusalReason::CutOff => Problem::Refused("a call is cut off".into()),
        RefusalReason::TooLong => Problem::Refused("a call is too long".into()),
    });
    let problem = match (&request.tool_choice, refusal) {
        (_, Some(refusal)) => refusal,
        (ToolChoice::Tool(name), None) if !others.is_empty() => Problem::OtherTool(name.clone()),
        (_, None) if !usable.is_empty() => return Verdict::Calls(usable),
        (ToolChoice::Tool(name), None) => Problem::OtherTool(name.clone()),
        (ToolChoice::Required, None) => Problem::NoCall,
        (_, None) if says_none(text) => return Verdict::None,
        (_, None) => Problem::Unreadable,
    };
    Verdict::Unusable { problem, usable }
}

/// Returns true if a choice lets the tool of a name be called.
pub(crate) fn is_chosen(choice: &ToolChoice, name: &str) -> bool {
    match choice {
        ToolChoice::Auto | ToolChoice::Required => true,
        ToolChoice::Tool(chosen) => name == chosen,
        ToolChoice::None => false,
    }
}

/// Returns true for a text that holds an object or a list without any call, and no other.
fn says_none(text: &str) -> bool {
    let text = match text.rfind("</think>") {
        Some(end) => &text[end + "</think>".len()..],
        None => text,
    };
    let Some(start) = text.find(['{', '[']) else {
        return false;
    };
    // What stands behind it has been looked at for calls.
    let first = Deserializer::from_str(&text[start..]).into_iter().next();
    match first {
        Some(Ok(Value::Array(items))) => items.is_empty(),
        Some(Ok(Value::Object(entries))) => ["tools", "tool_calls", "calls"].iter().any(|key| {
            let calls = entries.get(*key);
            calls
                .is_some_and(|calls| calls.is_null() || calls.as_array().is_some_and(Vec::is_empty))
        }),
        _ => false,
    }
}
