//! The prompt lock, as a user's test has it.

use std::path::Path;

use toolwright::{
    testing::{PromptLock, ToldTool, Update, assert_prompt_lock},
    tool, toolset,
};

/// Get the current weather for a city.
///
/// Call it for every city that is asked about.
#[tool]
fn get_weather(
    /// City and country, for example "Oslo, Norway".
    city: String,
    days: Option<u8>,
) -> String {
    format!("{city} {days:?}")
}

/// Tell the time.
#[tool]
fn now() {}

#[test]
fn the_model_is_told_what_was_reviewed() {
    let tools = toolset![get_weather, now];
    assert_prompt_lock!(tools, "tests/integration/prompt_lock/canonical.lock");
    assert_prompt_lock!(
        &tools,
        "tests/integration/prompt_lock/names.lock",
        "names",
        |tool| ToldTool {
            parameters: None,
            ..ToldTool::from(tool)
        },
    );
}

#[test]
fn a_change_is_shown() {
    let tools = toolset![get_weather, now];
    let told = tools.definitions().map(|tool| ToldTool {
        parameters: None,
        description: tool.description.replace("the time", "the hour").into(),
        ..ToldTool::from(tool)
    });
    let path = "tests/integration/prompt_lock/names.lock";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let different = PromptLock::told("names", told).check(&path, Update::Compare);
    let message = different.expect_err("a word is another").to_string();
    let shown = "@@ now\n- > Tell the time.\n+ > Tell the hour.\n";
    assert!(message.contains(shown), "{message}");
}
