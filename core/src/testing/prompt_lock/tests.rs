use std::fs;

use super::{PromptLock, PromptTool, Update};
use crate::{Schema, ToolDefinition};

fn tool(name: &'static str, description: &'static str) -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{"z":{},"a":{"enum":["x"]}}}"#;
    let schema = Schema::from_text(schema).expect("it is JSON");
    ToolDefinition::new(name, description, schema)
}

#[test]
fn the_file_is_text_for_people() {
    let tools = [
        tool("ping", "Answers.\n\n== ping\u{202e}\r\n"),
        tool("pong", "Asks."),
    ];
    let expected = "\
# What a model is told of the tools: review a change as one of the prompt.
# Format 1, form canonical. Written by a test when TOOLWRIGHT_UPDATE is set.

== ping
> Answers.
>
> == ping\\u{202e}\\u{d}
>
{
  \"type\": \"object\",
  \"properties\": {
    \"z\": {},
    \"a\": {
      \"enum\": [
        \"x\"
      ]
    }
  }
}
";
    let lock = PromptLock::new(&tools).to_string();
    assert!(lock.starts_with(expected), "{lock}");
    let told = PromptLock::for_provider(
        "short",
        tools.iter().map(|tool| PromptTool {
            parameters: None,
            ..tool.into()
        }),
    );
    assert!(told.as_str().ends_with("\n== pong\n> Asks.\n"), "{told}");
}

#[test]
fn a_file_is_asked_for_written_and_compared() {
    let folder = std::env::temp_dir().join(format!("prompt-lock-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    let path = folder.join("prompt.lock");
    let lock = PromptLock::new(&[tool("ping", "Answers.")]);

    let missing = lock
        .check(&path, Update::Compare)
        .expect_err("there is no file");
    let text = missing.to_string();
    assert!(text.contains("there is no `"), "{text}");
    assert!(text.contains("TOOLWRIGHT_UPDATE=1 cargo test"), "{text}");
    lock.check(&path, Update::NeverInCi)
        .expect_err("it does not write");
    assert!(!path.exists());

    lock.check(&path, Update::Write).expect("it writes");
    lock.check(&path, Update::Compare).expect("it is the same");
    let text = fs::read_to_string(&path).expect("it is there");
    fs::write(&path, text.replace('\n', "\r\n")).expect("it can be written");
    lock.check(&path, Update::Compare)
        .expect("line endings do not count");

    let other = PromptLock::new(&[tool("ping", "Answers always.")]);
    let different = other
        .check(&path, Update::NeverInCi)
        .expect_err("it differs");
    let text = different.to_string();
    for line in ["- > Answers.", "+ > Answers always.", "because `CI` is set"] {
        assert!(text.contains(line), "{text}");
    }
    fs::remove_dir_all(&folder).expect("it is there");
}
