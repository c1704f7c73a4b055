//! Rules for the calls of a response that a tool choice allows.

use std::collections::BTreeMap;

use super::faults::{Fault, has};
use crate::{
    ErrorCategory, ToolError,
    model::{ModelResponse, ToolChoice},
    tool::ToolCall,
};

/// Returns true if a response may hold the call, under the choice of its request.
pub(super) fn allows(choice: &ToolChoice, call: &ToolCall) -> bool {
    match choice {
        ToolChoice::Auto | ToolChoice::Required => true,
        ToolChoice::None => false,
        ToolChoice::Tool(name) => call.name == *name,
    }
}

/// Returns true if a response has to hold a call.
pub(super) fn forces(choice: &ToolChoice) -> bool {
    matches!(choice, ToolChoice::Required | ToolChoice::Tool(_))
}

/// The errors that answer the calls that the choice forbids, by their places.
pub(super) fn refusals(choice: &ToolChoice, calls: &[ToolCall]) -> BTreeMap<usize, ToolError> {
    let forbidden =
        |(_, call): &(usize, &ToolCall)| !allows(choice, call) && !has(Fault::RunsForbidden);
    let calls = calls.iter().enumerate().filter(forbidden);
    calls.map(|(index, _)| (index, refusal(choice))).collect()
}

/// Returns a warning about a response with calls that the choice forbids.
pub(super) fn warning(choice: &ToolChoice, response: &ModelResponse) -> Option<String> {
    let forbidden = |call: &&ToolCall| !allows(choice, call);
    let mut forbidden = response.tool_calls.iter().filter(forbidden);
    let first = forbidden.next()?;
    // The name is the model's, and may be of any length.
    let name: String = first.name.chars().take(64).collect();
    let others = match forbidden.count() {
        0 => String::new(),
        1 => " and 1 more".to_owned(),
        others => format!(" and {others} more"),
    };
    Some(format!(
        "the model called `{name}`{others}, which {}, so that nothing of it ran",
        rule(choice)
    ))
}

fn refusal(choice: &ToolChoice) -> ToolError {
    let message = format!("not allowed, and not executed: {}", what_holds(choice));
    ToolError::new(ErrorCategory::PermissionDenied, message)
}

fn what_holds(choice: &ToolChoice) -> String {
    match choice {
        ToolChoice::Tool(name) => format!("only `{name}` may be called now"),
        _ => "no tool may be called now".to_owned(),
    }
}

fn rule(choice: &ToolChoice) -> String {
    match choice {
        ToolChoice::Tool(name) => format!("the choice of `{name}` forbids"),
        _ => "the choice of no tool forbids".to_owned(),
    }
}
