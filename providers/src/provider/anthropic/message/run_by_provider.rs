//! What the provider ran itself, without what it refuses to get back.

use std::{borrow::Cow, collections::HashSet};

use serde_json::Value;
use toolwright_core::message::{Message, Part, Turn};

use super::super::opaque::kind_of;
use crate::codec::body_input::BodyInput;

/// The uses of tools that have their results somewhere in the conversation.
///
/// A response that was cut off, or was paused for the last time, may end with a use without its result. The API takes
/// such a use at the end of a request, where it goes on with it, and refuses it before a message of the user.
pub(super) struct Answered<'a> {
    ids: HashSet<&'a str>,
    /// The place of the last message of the user.
    last_user: usize,
}

impl<'a> Answered<'a> {
    pub(super) fn of(asked: BodyInput<'a>) -> Self {
        let mut answered = Self {
            ids: HashSet::new(),
            last_user: 0,
        };
        let turns = asked.request.messages.iter().flat_map(Message::turns);
        let exchanges = turns.filter(|turn| !matches!(turn, Turn::Results(_)));
        for (number, turn) in exchanges.enumerate() {
            match turn {
                Turn::User(_) => answered.last_user = number,
                Turn::Assistant(parts) => {
                    let own = parts.iter().filter_map(|part| own(part, asked));
                    let results = own.filter(|block| kind_of(block).ends_with("_tool_result"));
                    answered
                        .ids
                        .extend(results.filter_map(|block| block["tool_use_id"].as_str()));
                }
                Turn::Results(_) => {}
            }
        }
        answered
    }

    /// Returns true if a user message follows the exchange of this number.
    pub(super) fn is_over(&self, number: usize) -> bool {
        number < self.last_user
    }

    /// Returns false for the use of a tool that has no result.
    pub(super) fn is_sent(&self, part: &Part, asked: BodyInput<'_>) -> bool {
        let Some(block) = own(part, asked) else {
            return true;
        };
        let is_use = matches!(kind_of(block), "server_tool_use" | "mcp_tool_use");
        !is_use || block["id"].as_str().is_some_and(|id| self.ids.contains(id))
    }
}

/// The block of this server that a part is.
fn own<'a>(part: &'a Part, asked: BodyInput<'_>) -> Option<&'a Value> {
    match part {
        Part::Opaque(opaque) if opaque.provider == asked.provider => Some(&opaque.data),
        _ => None,
    }
}

/// The result of a search for tools, without those that the request does not have any more: the API refuses a reference
/// to a tool that it does not find among them.
pub(super) fn without_lost_tools<'a>(block: &'a Value, asked: BodyInput<'_>) -> Cow<'a, Value> {
    let request = asked.request;
    let is_there = |reference: &Value| {
        let name = reference["tool_name"].as_str().unwrap_or_default();
        request.tools.iter().any(|tool| tool.name == name)
    };
    let found = block["content"]["tool_references"].as_array();
    let is_whole = found.is_none_or(|found| found.iter().all(is_there));
    // A list of the user's own may have any tool, and messages may be written without tools.
    let is_known = !request.tools.is_empty() && !request.settings.extra.contains_key("tools");
    if is_whole || !is_known {
        return Cow::Borrowed(block);
    }
    let mut block = block.clone();
    if let Some(Value::Array(found)) = block["content"].get_mut("tool_references") {
        found.retain(is_there);
    }
    Cow::Owned(block)
}
