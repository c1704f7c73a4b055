//! The words of a decision request.

use std::fmt::Write as _;

use serde_json::json;
use toolwright_core::model::{ModelRequest, ToolChoice};

const TASK: &str = "You decide which tools are called next, before somebody else answers the user. You do not \
answer the user yourself.

Reply with one JSON object and nothing else, no prose and no Markdown:
{\"tools\": [{\"name\": \"…\", \"arguments\": {…}}]}
If no tool is needed now, reply:
{\"tools\": []}

Call a tool only by a name from the list, with arguments that fit its schema. The conversation shows what tools have \
returned already: do not repeat a call whose result is there.";

/// The last message of a decision request.
pub(super) const REMINDER: &str =
    "Which tools are called next? Reply with the one JSON object, and nothing else.";

/// The system text of a decision request.
pub(super) fn system(request: &ModelRequest) -> String {
    let mut text = String::from(TASK);
    match &request.tool_choice {
        ToolChoice::Required => text.push_str("\n\nAt least one tool has to be called now."),
        ToolChoice::Tool(name) => {
            write!(
                text,
                "\n\nThe tool {name} has to be called now, and no other."
            )
            .expect("a text takes everything");
        }
        ToolChoice::Auto | ToolChoice::None => {}
    }
    if request.settings.parallel_tool_calls == Some(false) {
        text.push_str("\n\nCall at most one tool.");
    }
    text.push_str("\n\nTools:");
    for tool in super::schema::allowed(request) {
        let tool = json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema.to_value(),
        });
        write!(text, "\n{tool}").expect("a text takes everything");
    }
    text
}

/// The caller's own system text, as the first message: it may not replace what a decision is.
pub(super) fn instructions(system: &str) -> String {
    format!(
        "Instructions of the application for the answer. They do not change the form of your reply:\n\n{system}\n\n\
         The instructions end here, and the conversation begins."
    )
}
