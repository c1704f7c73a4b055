//! Schemas from strangers: refused at a stated limit, or read, in a short time.

use std::{
    fs,
    time::{Duration, Instant},
};

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
            rendered.mapping.to_tool(r#"{"a":{"a":[{"a":1}]}}"#);
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
    for reason in render(&wide).into_iter().flatten() {
        assert!(matches!(reason, Reason::TooMuch { .. }), "{reason}");
    }
}

/// Renders in every profile that does not send it as it is, each in a short time.
fn is_fast(what: &str, schema: &str) {
    for profile in &all()[1..] {
        let tool = tool(schema);
        let start = Instant::now();
        let before = spent(start);
        let _ = profile.render(&tool);
        let time = spent(start).saturating_sub(before);
        let limit = Duration::from_secs(5);
        assert!(time < limit, "{what}, {}: {time:?}", profile.name);
    }
}

/// The time that this thread has had, where the system tells it: a busy machine does not change it. Else
/// the time.
fn spent(start: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn repeated(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

#[test]
fn what_is_large_takes_no_square_of_time() {
    let whole = |a: &str, rest: &str| {
        format!(r#"{{"type":"object","properties":{{"a":{a}}},"required":["a"]{rest}}}"#)
    };
    let numbers = repeated(100_000, |n| n.to_string());
    is_fast("values", &whole(&format!(r#"{{"enum":[{numbers}]}}"#), ""));
    let both = format!(r#"{{"allOf":[{{"enum":[{numbers}]}},{{"enum":[0,{numbers}]}}]}}"#);
    is_fast("values of both", &whole(&both, ""));
    let objects = repeated(10_000, |n| {
        format!(r#"{{"type":"object","properties":{{"m{n}":{{"type":"string"}}}}}}"#)
    });
    is_fast("allOf", &whole(&format!(r#"{{"allOf":[{objects}]}}"#), ""));
    is_fast("anyOf", &whole(&format!(r#"{{"anyOf":[{objects}]}}"#), ""));
    let members = repeated(1_000, |n| format!(r#""m{n}":{{"type":"string"}}"#));
    let constraints = repeated(1_000, |n| {
        format!(r#"{{"properties":{{"m{n}":{{"const":"x"}}}},"required":["m{n}"]}}"#)
    });
    let base = format!(r#"{{"type":"object","properties":{{{members}}},"anyOf":[{constraints}]}}"#);
    is_fast("a base and variants", &whole(&base, ""));
    let definitions = repeated(5_000, |n| {
        format!(
            r##""é{n}/":{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/é{m}~1"}}}}}}"##,
            m = n + 1
        )
    });
    let references = repeated(5_000, |n| {
        format!(r##""m{n}":{{"$ref":"#/$defs/é{n}~1"}}"##)
    });
    let referring = format!(r#"{{"type":"object","properties":{{{references}}}}}"#);
    is_fast(
        "definitions",
        &whole(&referring, &format!(r#","$defs":{{{definitions}}}"#)),
    );
    let places = repeated(10_000, |n| format!(r#"{{"type":"integer","title":"{n}"}}"#));
    is_fast(
        "places",
        &whole(
            &format!(r#"{{"type":"array","prefixItems":[{places}]}}"#),
            "",
        ),
    );
    let names = vec![r#""string","number""#; 20_000].join(",");
    is_fast(
        "types",
        &whole(&format!(r#"{{"type":[{names}],"enum":[{numbers}]}}"#), ""),
    );
}

#[test]
fn what_is_written_out_many_times_has_a_limit() {
    let title = "t".repeat(50_000);
    let references = repeated(5_000, |n| {
        format!(r##""m{n}":{{"$ref":"#/$defs/E","description":"x"}}"##)
    });
    let texts = format!(
        r#"{{"type":"object","properties":{{{references}}},"$defs":{{"E":{{"type":"string","title":"{title}"}}}}}}"#
    );
    let numbers = repeated(10_000, |n| n.to_string());
    let values = format!(
        r#"{{"type":"object","properties":{{{references}}},"$defs":{{"E":{{"enum":[{numbers}]}}}}}}"#
    );
    for schema in [texts, values] {
        is_fast("references", &schema);
        let tool = tool(schema);
        for profile in &all()[1..] {
            let reason = profile.render(&tool).expect_err("it is too long").reason;
            assert_eq!(
                reason,
                Reason::TooLong { limit: 4 << 20 },
                "{}",
                profile.name
            );
        }
    }
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
    for reason in render(&schema).into_iter().flatten() {
        assert!(matches!(reason, Reason::TooMuch { .. }), "{reason}");
    }
    let mut large = Profile::openai_strict();
    large.budget.properties = None;
    let sent = large.render(&tool(schema)).expect("it can be sent");
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
    sent.mapping.to_tool(&arguments);
    assert!(start.elapsed() < Duration::from_secs(2));
}
