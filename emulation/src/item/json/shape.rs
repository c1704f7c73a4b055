//! The keys of calls in JSON, and what text that begins with them is meant to be.

use toolwright_json::char_boundary::floor;

use crate::declared::Declared;

/// Keys of a list of calls.
pub(super) const LISTS: [&str; 7] = [
    "tools",
    "tool_calls",
    "tool_uses",
    "function_calls",
    "toolCalls",
    "calls",
    "actions",
];
/// Keys of an object that is a call.
pub(super) const WRAPPERS: [&str; 5] = [
    "tool_call",
    "function_call",
    "toolCall",
    "functionCall",
    "tool_use",
];
/// Keys of the name of a tool.
pub(super) const NAMES: [&str; 9] = [
    "name",
    "tool",
    "tool_name",
    "function",
    "function_name",
    "action",
    "toolName",
    "api_name",
    "recipient_name",
];
/// Keys of the arguments.
pub(super) const ARGUMENTS: [&str; 9] = [
    "arguments",
    "parameters",
    "args",
    "input",
    "action_input",
    "tool_input",
    "params",
    "kwargs",
    "toolInput",
];
/// Keys of a name that speak for a call also where no arguments are.
pub(super) const CLEAR_NAMES: [&str; 3] = ["tool", "tool_name", "toolName"];
/// The key of arguments that definitions of tools have too.
pub(super) const DEFINED: &str = "parameters";
/// Keys of an id.
pub(super) const IDS: [&str; 3] = ["id", "call_id", "tool_call_id"];
/// Names with which a prompt lets a model say that it calls no tool: of Command R, and of
/// `examples/tool_chat_template_granite_20b_fc.jinja` in vllm-project/vllm.
pub(super) const DIRECT_ANSWERS: [&str; 3] = ["directly-answer", "directly_answer", "no_function"];

/// The number of bytes at the start of a broken value that tell whether it was meant as a call.
const LOOKED_AT: usize = 1024;

/// Returns true if text that is no JSON, or not yet, begins as a call does.
pub(crate) fn is_like_a_call(text: &str, tools: &Declared) -> bool {
    let end = floor(text, LOOKED_AT);
    let start = &text[..end];
    let is_quote = |char: char| {
        matches!(
            char,
            '"' | '\'' | '`' | '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}'
        )
    };
    let trimmed =
        start.trim_start_matches(|char: char| char.is_whitespace() || "{[".contains(char));
    let key = trimmed.trim_start_matches(is_quote);
    let key = key
        .split(|char: char| is_quote(char) || char == ':' || char.is_whitespace())
        .next();
    let Some(key) = key else { return false };
    if LISTS[..5].contains(&key) || WRAPPERS.contains(&key) || matches!(key, "tool" | "tool_name") {
        return true;
    }
    let has_arguments = || ARGUMENTS[..2].iter().any(|key| start.contains(key));
    (NAMES.contains(&key) || ARGUMENTS.contains(&key))
        && (has_arguments() || tools.is_quoted_in(start))
}
