//! The prompt lock, as a user's test has it.

use std::path::Path;

use toolwright::{
    Toolset,
    profile::Profile,
    testing::{PromptLock, PromptTool, Update, assert_prompt_lock},
    tool,
    tool::Strict,
    toolset,
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
    assert_prompt_lock!(tools, "tests/declaring/prompt_lock/canonical.lock");
    assert_prompt_lock!(
        &tools,
        "tests/declaring/prompt_lock/names.lock",
        "names",
        |tool| PromptTool {
            parameters: None,
            ..PromptTool::from(tool)
        },
    );
}

#[test]
fn a_profile_is_locked_with_what_it_loses() {
    let tools = toolset![get_weather, now];
    let path = "tests/declaring/prompt_lock/openai_strict.lock";
    assert_prompt_lock!(tools, path, Profile::openai_strict());

    // Another profile is another text.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let other = Profile::gemini().prompt_lock(tools.definitions());
    let other = other.expect("it takes them").check(&path, Update::Compare);
    let message = other.expect_err("the form is another").to_string();
    let shown = "-   \"additionalProperties\": false\n";
    assert!(message.contains(shown), "{message}");
}

#[test]
fn a_tool_that_falls_back_says_so_in_its_section() {
    let tools = toolset![get_weather, now];
    let mut profile = Profile::openai_strict();
    profile.budget.properties = Some(1);
    let lock = profile
        .prompt_lock(tools.definitions())
        .expect("openai takes it");
    let (first, second) = lock.as_str().split_once("== now").expect("it has two");
    let line = "\n! `get_weather` cannot be sent to openai_strict: arguments: a request has room for 1 members, and this tool alone needs more; it is sent as openai instead\n";
    assert!(first.contains(line), "{first}");
    assert!(!second.contains('!'), "{second}");

    profile.fallback = None;
    let refused = profile.prompt_lock(tools.definitions());
    refused.expect_err("there is no fallback");
}

#[test]
#[should_panic(expected = "cannot be sent to openai_strict")]
fn a_profile_that_refuses_a_tool_fails_the_test() {
    let mut profile = Profile::openai_strict();
    profile.budget.properties = Some(1);
    profile.fallback = None;
    assert_prompt_lock!(toolset![get_weather], "no.lock", &profile);
}

#[test]
fn a_change_is_shown() {
    let tools = toolset![get_weather, now];
    let told = tools.definitions().map(|tool| PromptTool {
        parameters: None,
        description: tool.description.replace("the time", "the hour").into(),
        ..PromptTool::from(tool)
    });
    let path = "tests/declaring/prompt_lock/names.lock";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let different = PromptLock::for_provider("names", told).check(&path, Update::Compare);
    let message = different.expect_err("a word is another").to_string();
    let shown = "@@ now\n- > Tell the time.\n+ > Tell the hour.\n";
    assert!(message.contains(shown), "{message}");
}

#[test]
fn strict_is_part_of_what_is_locked() {
    let lenient = toolset![get_weather];
    let strict = toolset![get_weather].strict(Strict::OpenAi);
    let text = PromptLock::new(strict.definitions()).to_string();
    assert!(text.ends_with("! strict: openai\n"), "{text}");
    assert_ne!(PromptLock::new(lenient.definitions()).to_string(), text);
    let fingerprint = |tools: &Toolset| {
        tools
            .definitions()
            .next()
            .expect("there is one")
            .fingerprint()
    };
    assert_ne!(fingerprint(&lenient), fingerprint(&strict));
}

#[test]
fn the_folder_is_made_and_a_last_line_end_does_not_count() {
    let folder = std::env::temp_dir().join(format!("toolwright-lock-{}", std::process::id()));
    let path = folder.join("locks/a.lock");
    let lock = PromptLock::new(toolset![now].definitions());
    lock.check(&path, Update::Write).expect("it is written");
    let text = std::fs::read_to_string(&path).expect("it is there");
    std::fs::write(&path, text.trim_end()).expect("it is written");
    lock.check(&path, Update::Compare)
        .expect("it says the same");
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
#[should_panic(expected = "give each its own")]
fn two_locks_have_two_files() {
    assert_prompt_lock!(
        toolset![get_weather, now],
        "tests/declaring/prompt_lock/canonical.lock"
    );
    assert_prompt_lock!(toolset![now], "tests/declaring/prompt_lock/canonical.lock");
}
