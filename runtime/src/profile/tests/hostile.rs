//! Schemas from strangers: refused at a stated limit, or read, in a short time.

use std::time::{Duration, Instant};

use super::tool;
use crate::profile::{Profile, Reason};

fn all() -> Vec<Profile> {
    vec![
        Profile::openai(),
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ]
}

/// Renders in every profile; gives the reason of each that refuses.
fn render(schema: &str) -> Vec<Option<Reason>> {
    let tool = tool(schema);
    let render = |profile: Profile| {
        let start = Instant::now();
        let result = profile.render(&tool);
        let time = start.elapsed();
        assert!(time < Duration::from_secs(5), "{}: {time:?}", profile.name);
        if let Ok(rendered) = &result {
            rendered.undo.apply(r#"{"a":{"a":[{"a":1}]}}"#);
        }
        result.err().map(|refusal| refusal.reason)
    };
    all().into_iter().map(render).collect()
}

#[test]
fn a_million_lists() {
    let lists = format!(
        r#"{{"type":"object","default":{}{}}}"#,
        "[".repeat(1_000_000),
        "]".repeat(1_000_000)
    );
    assert!(
        render(&lists)
            .iter()
            .all(|reason| matches!(reason, Some(Reason::TooDeep { .. })))
    );
}

#[test]
fn forty_schemas_inside_each_other() {
    let deep = format!(
        r#"{{"type":"object","properties":{{"a":{}{{}}{}}}}}"#,
        r#"{"items":"#.repeat(60),
        "}".repeat(60)
    );
    let reasons = render(&deep);
    assert_eq!(reasons[0], None, "OpenAI is sent it as it is");
    assert!(
        reasons[1..]
            .iter()
            .all(|reason| matches!(reason, Some(Reason::TooDeep { .. })))
    );
}

#[test]
fn ten_thousand_members() {
    let members: Vec<_> = (0..10_000)
        .map(|n| format!(r#""m{n}":{{"type":"string"}}"#))
        .collect();
    let wide = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        members.join(",")
    );
    assert!(render(&wide).iter().all(Option::is_none));
}

#[test]
fn references_that_double() {
    let definitions: Vec<_> = (0..30)
        .map(|n| format!(r##""d{n}":{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d{m}"}},"b":{{"$ref":"#/$defs/d{m}"}}}}}}"##, m = n + 1))
        .collect();
    let bomb = format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d30":{{"type":"string"}}}}}}"##,
        definitions.join(",")
    );
    for reason in render(&bomb).into_iter().skip(1).flatten() {
        assert!(
            matches!(
                reason,
                Reason::TooLarge { .. } | Reason::TooDeep { .. } | Reason::Levels { .. }
            ),
            "{reason}"
        );
    }
}

#[test]
fn references_that_lead_nowhere() {
    for schema in [
        r##"{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}"##,
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}"##,
        r##"{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/x"}]}},"$defs":{"x":{"allOf":[{"$ref":"#/$defs/x"}]}}}"##,
        r##"{"$ref":"#"}"##,
        r##"{"type":"object","allOf":[{"$ref":"#"}]}"##,
    ] {
        // Any answer will do, so long as there is one.
        render(schema);
    }
}

#[test]
fn half_a_character() {
    for schema in [
        r#"{"type":"object","properties":{"\ud800":{}}}"#,
        r#"{"type":"object","description":"\udc00"}"#,
    ] {
        let reasons = render(schema);
        assert!(
            reasons
                .iter()
                .all(|reason| *reason == Some(Reason::HalfCharacter))
        );
    }
}

#[test]
fn a_name_that_is_required_very_often() {
    let many = vec![r#""m9999""#; 100_000].join(",");
    let twice = vec![r#""x""#; 100_000].join(",");
    let members: Vec<_> = (0..10_000).map(|n| format!(r#""m{n}":{{}}"#)).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{many},{twice}]}}"#,
        members.join(",")
    );
    assert!(render(&schema).iter().all(Option::is_none));
    let sent = Profile::openai_strict()
        .render(&tool(schema))
        .expect("it can be sent");
    let sent = sent.parameters.expect("it has parameters");
    assert_eq!(sent.as_str().matches(r#""x":"#).count(), 1);
}

#[test]
fn schemas_that_are_none() {
    for schema in [
        "true",
        "false",
        "null",
        "[]",
        "1",
        r#""a""#,
        r#"{"type":1,"properties":[],"required":{}}"#,
        r#"{"type":"object","properties":{"a":{"anyOf":[],"enum":[],"type":[]}}}"#,
    ] {
        render(schema);
    }
}

#[test]
fn unions_inside_unions_end() {
    let mut schema =
        r#"{"type":"object","properties":{"a":{"type":"object","additionalProperties":{}}}}"#
            .to_owned();
    for _ in 0..12 {
        schema = format!(
            r#"{{"type":"object","properties":{{"a":{{"anyOf":[{schema},{schema}]}}}},"required":["a"]}}"#
        );
        if schema.len() > 400_000 {
            break;
        }
    }
    let Ok(sent) = Profile::openai_strict().render(&tool(schema)) else {
        return;
    };
    let arguments = format!("{}1{}", r#"{"a":"#.repeat(40), "}".repeat(40));
    let start = Instant::now();
    sent.undo.apply(&arguments);
    assert!(start.elapsed() < Duration::from_secs(2));
}
