//! Calls that a text attempts.

use toolwright_core::{ToolCall, repair_json};

use crate::{
    declared::{Declared, Tool, bare},
    text_calls::RefusalReason,
};

/// A call, or the reason why it is none.
pub(crate) type Attempt = Result<ToolCall, Refusal>;

/// The reason why an attempt is refused, with the name that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) name: Option<String>,
    pub(crate) reason: RefusalReason,
    /// The arguments, if they could be read.
    pub(crate) arguments: Option<String>,
}

/// What a part of a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reading {
    /// No attempt to call a tool: text.
    Text,
    /// The statement that no tool is called.
    NoTool,
    /// One attempt or more.
    Attempts(Vec<Attempt>),
    /// Attempts in data that has more in it than calls, or the name of a tool as a key.
    Loose(Vec<Attempt>),
}

impl Refusal {
    /// A refusal of what has no name.
    pub(crate) fn of(reason: RefusalReason) -> Self {
        Self {
            name: None,
            reason,
            arguments: None,
        }
    }

    fn unknown(name: &str, arguments: Option<String>) -> Self {
        Self {
            name: Some(bare(name).to_owned()),
            reason: RefusalReason::UnknownTool,
            arguments,
        }
    }

    pub(crate) fn malformed(name: Option<&str>, fault: impl Into<String>) -> Self {
        Self {
            name: name.map(|name| name.trim().to_owned()),
            ..Self::of(RefusalReason::Malformed(fault.into()))
        }
    }
}

impl Reading {
    pub(crate) fn of(attempt: Attempt) -> Self {
        Self::Attempts(vec![attempt])
    }

    pub(crate) fn malformed(name: Option<&str>, fault: impl Into<String>) -> Self {
        Self::of(Err(Refusal::malformed(name, fault)))
    }
}

/// A call of the tool that a written name stands for.
pub(crate) fn call(
    tools: &Declared,
    name: &str,
    id: &str,
    arguments: impl FnOnce(Option<&Tool>) -> Result<String, String>,
) -> Attempt {
    let tool = tools.find(name);
    match (tool, arguments(tool)) {
        (Some(tool), Ok(arguments)) => Ok(ToolCall::new(id, tool.name(), arguments)),
        (Some(_), Err(fault)) => Err(Refusal::malformed(Some(name), fault)),
        (None, arguments) => Err(Refusal::unknown(name, arguments.ok())),
    }
}

/// Arguments that were written as JSON: as they are, or repaired.
pub(crate) fn arguments(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok("{}".to_owned());
    }
    let repaired = repair_json(text).map_err(|fault| fault.to_string())?;
    if repaired.is_cut_off {
        return Err("the text ends before the closing bracket".to_owned());
    }
    object(&repaired.text)
}

/// Arguments that are a value of a JSON text.
pub(crate) fn object(json: &str) -> Result<String, String> {
    match json {
        "null" => Ok("{}".to_owned()),
        object if object.starts_with('{') => Ok(object.to_owned()),
        _ => Err("the arguments are not an object".to_owned()),
    }
}
