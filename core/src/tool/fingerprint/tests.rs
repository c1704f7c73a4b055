use super::{Fingerprint, FingerprintError};
use crate::{Schema, ToolDefinition};

fn tool(name: &'static str, description: &'static str, schema: &str) -> ToolDefinition {
    let schema = Schema::from_text(schema).expect("it is JSON");
    ToolDefinition::new(name, description, schema)
}

/// These never change: people keep them.
#[test]
fn known_answers() {
    let weather = r#"{"type":"object","properties":{"city":{"type":"string","description":"Städte, \"quoted\""}},"required":["city"]}"#;
    for (tool, expected) in [
        (
            tool("ping", "Answers with pong.", r#"{"type":"object"}"#),
            "v1:d0dcb5af67fa291e18ea261fd1603ff36324acc0557c2403c76af061ca2f8626",
        ),
        (
            tool("get_weather", "Get the weather.\n\n☀", weather),
            "v1:22e22f6e3b71002f20731e535871c247d748f0f88cb18fdc6c71de4687debd78",
        ),
        (
            tool("", "", "{}"),
            "v1:fbbee0fa436a049d4995b1d66c5711af5040a9dab048d832eb7ce9a2f6d8daf7",
        ),
    ] {
        assert_eq!(tool.fingerprint().to_string(), expected);
    }
}

#[test]
fn the_layout_of_the_schema_does_not_count() {
    let dense = tool("a", "b", r#"{"type":"object","title":"é/"}"#);
    let spaced = tool(
        "a",
        "b",
        "{ \"type\" :\t\"object\",\r\n \"title\": \"\\u00E9\\/\" }",
    );
    assert_eq!(dense.fingerprint(), spaced.fingerprint());
}

#[test]
fn everything_that_a_model_reads_counts() {
    let first = tool("a", "b", r#"{"x":1,"y":2}"#);
    for other in [
        tool("A", "b", r#"{"x":1,"y":2}"#),
        tool("a", "b ", r#"{"x":1,"y":2}"#),
        tool("a", "b", r#"{"y":2,"x":1}"#),
        tool("a", "b", r#"{"x":1,"y":2.0}"#),
        // What moves from one part to the next.
        tool("ab", "", r#"{"x":1,"y":2}"#),
        tool("", "ab", r#"{"x":1,"y":2}"#),
    ] {
        assert_ne!(first.fingerprint(), other.fingerprint());
    }
}

#[test]
fn what_a_model_is_not_told_does_not_count() {
    let ping = tool("a", "b", "{}");
    let schema = ping.input_schema.clone();
    let more = ping.clone().with_title("A").with_output_schema(schema);
    assert_eq!(ping.fingerprint(), more.fingerprint());
}

#[test]
fn a_text_is_read_back() {
    let fingerprint = tool("a", "b", "{}").fingerprint();
    let text = fingerprint.to_string();
    assert_eq!(text.parse(), Ok(fingerprint));
    let json = serde_json::to_string(&fingerprint).expect("it is text");
    assert_eq!(json, format!("\"{text}\""));
    assert_eq!(
        serde_json::from_str::<Fingerprint>(&json).ok(),
        Some(fingerprint)
    );
    let digits = &text["v1:".len()..];
    let texts = [
        String::new(),
        digits.to_owned(),
        format!("v2:{digits}"),
        format!("v1:{}", &digits[1..]),
        format!("v1:{digits}0"),
        format!("v1:{}g", &digits[1..]),
        format!("v1:{}", "A".repeat(64)),
        format!("v1:{}", "é".repeat(32)),
    ];
    for text in texts {
        assert_eq!(text.parse::<Fingerprint>(), Err(FingerprintError), "{text}");
    }
}
