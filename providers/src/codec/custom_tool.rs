//! Custom tools of OpenAI, whose input is one text.

use serde_json::{Value, json};
use toolwright_core::{
    model::ModelEvent,
    tool::{Grammar, TextInput},
};

/// The `format` of a custom tool in the Responses API (openai-python, `types/shared_params/custom_tool_input_format.py`).
pub(crate) fn format(input: &TextInput) -> Value {
    match grammar(input) {
        Some((syntax, definition)) => {
            json!({"type": "grammar", "syntax": syntax, "definition": definition})
        }
        None => json!({"type": "text"}),
    }
}

/// The `format` of a custom tool in Chat Completions (openai-python, `types/chat/chat_completion_custom_tool_param.py`).
pub(crate) fn chat_format(input: &TextInput) -> Value {
    match grammar(input) {
        Some((syntax, definition)) => {
            json!({"type": "grammar", "grammar": {"syntax": syntax, "definition": definition}})
        }
        None => json!({"type": "text"}),
    }
}

fn grammar(input: &TextInput) -> Option<(&'static str, &str)> {
    match input.grammar.as_ref()? {
        Grammar::Lark(definition) => Some(("lark", definition)),
        Grammar::Regex(definition) => Some(("regex", definition)),
        _ => None,
    }
}

/// The call of a custom tool that an opaque part is about.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CustomCall<'a> {
    /// By the provider's id.
    Id(&'a str),
    /// By its number.
    Number(usize),
}

impl<'a> CustomCall<'a> {
    /// Reads an event; `None` for one of something else.
    pub(crate) fn of(event: &'a ModelEvent) -> Option<Self> {
        let ModelEvent::Opaque(opaque) = event else {
            return None;
        };
        let data = &opaque.data;
        if data["type"] == "custom_tool_call" {
            return data["call_id"].as_str().map(Self::Id);
        }
        if data["custom"] == true {
            return data["call"].as_u64()?.try_into().ok().map(Self::Number);
        }
        None
    }
}
