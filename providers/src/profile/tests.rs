//! The rules of every profile, as schemas and what becomes of them, in `tests/rules.txt`: below a line
//! that says the rule stand a schema, what is sent, and what is lost or why it is refused. Schemas are
//! those of the only, required member `a`, or `whole`. To write the file anew: `UPDATE_RULES=1`.

mod back;
mod empty;
mod hostile;
mod sets;
mod silence;
mod unions;

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use serde_json::value::RawValue;
use toolwright_core::{Schema, ToolDefinition};

use super::Profile;

fn named(name: &str) -> Profile {
    match name {
        "openai" => Profile::openai(),
        "openai_strict" => Profile::openai_strict(),
        "anthropic" => Profile::anthropic(),
        "anthropic_strict" => Profile::anthropic_strict(),
        "gemini" => Profile::gemini(),
        "gemini_json_schema" => Profile::gemini_json_schema(),
        "xai" => Profile::xai(),
        "ollama" => Profile::ollama(),
        "grammar" => Profile::grammar(),
        "portable" => Profile::portable(),
        name => panic!("no profile `{name}`"),
    }
}

fn tool(schema: impl Into<String>) -> ToolDefinition {
    let schema = Schema::from_text(schema).expect("it is JSON");
    ToolDefinition::new("take", "Take a value.", schema)
}

fn member(json: &str, name: &str) -> String {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).expect("an object");
    members[name].get().to_owned()
}

#[test]
fn every_rule_does_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/profile/tests/rules.txt");
    let file = fs::read_to_string(&path).expect("the rules are there");
    let mut written = String::new();
    let mut profile = Profile::openai();
    for rule in file
        .split("\n\n")
        .map(str::trim)
        .filter(|rule| !rule.is_empty())
    {
        if let Some(name) = rule.strip_prefix("= ") {
            profile = named(name);
            let _ = write!(written, "= {name}\n\n");
            continue;
        }
        let mut lines = rule.lines();
        let (what, schema) = (
            lines.next().expect("a rule"),
            lines.next().expect("a schema"),
        );
        let _ = writeln!(written, "{what}\n{schema}");
        let is_whole = what.starts_with("# whole");
        let sent = if is_whole {
            profile.render(&tool(schema))
        } else {
            let whole = r#"{"type":"object","properties":{"a":SCHEMA},"required":["a"]}"#;
            profile.render(&tool(whole.replace("SCHEMA", schema)))
        };
        match sent {
            Ok(rendered) => {
                let sent = rendered
                    .parameters
                    .as_ref()
                    .map_or("nothing", Schema::as_str);
                let sent = if is_whole {
                    sent.to_owned()
                } else {
                    member(&member(sent, "properties"), "a")
                };
                let _ = writeln!(written, "{sent}");
                for loss in &rendered.losses {
                    let _ = writeln!(written, "- {loss}");
                }
            }
            Err(refusal) => {
                let _ = writeln!(written, "! {refusal}");
            }
        }
        written.push('\n');
    }
    if std::env::var_os("UPDATE_RULES").is_some() {
        fs::write(&path, &written).expect("the file can be written");
        return;
    }
    assert_eq!(file, written, "`UPDATE_RULES=1` writes the rules anew");
}
