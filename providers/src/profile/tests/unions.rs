//! The variants of unions: which are wrapped, and the way there and back.

use super::back::{check, check_again, undo};
use toolwright_core::{schema::Schema, tool::ToolDefinition};

use crate::profile::Profile;

#[test]
fn variants_that_only_their_insides_tell_apart_are_wrapped() {
    let openai = &Profile::openai_strict();
    // Of lists, the empty one has both forms.
    check_again(
        openai,
        r#"{"anyOf":[{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}},
            {"type":"array","items":{"type":"string"}}]}"#,
        &[
            ("[]", r#"{"list":[]}"#),
            (r#"[{"x":"1"},{}]"#, r#"{"list":[{"x":"1"},{"x":null}]}"#),
            (r#"["1"]"#, r#"["1"]"#),
            // A mistake is no reason to leave it wrapped.
            (r#"[{"x":1}]"#, r#"[{"x":1}]"#),
        ],
    );
    check(
        r#"{"anyOf":[{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}},
            {"type":"array","items":{"type":"string"}}]}"#,
        &[
            ("[]", "[]"),
            (r#"{"list":[{"x":1}]}"#, r#"[{"x":1}]"#),
            (r#"{"list":["1"]}"#, r#"["1"]"#),
        ],
    );
    check_again(
        openai,
        r#"{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},
            {"type":"object","additionalProperties":{"type":"string"}}]}"#,
        &[
            ("{}", "[]"),
            (r#"{"k":1}"#, r#"[{"key":"k","value":1}]"#),
            (r#"{"k":"1"}"#, r#"{"object":[{"key":"k","value":"1"}]}"#),
        ],
    );
}

#[test]
fn variants_that_their_types_tags_or_members_tell_apart_are_not_wrapped() {
    let openai = &Profile::openai_strict();
    check_again(
        openai,
        r#"{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"integer"}},"required":["kind"]},
            {"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"integer"}},"required":["kind"]},
            {"type":"object","properties":{"C":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["C"]},
            {"type":"object","additionalProperties":{"type":"boolean"}},
            {"type":"string"}]}"#,
        &[
            (r#"{"kind":"a"}"#, r#"{"kind":"a","x":null}"#),
            (r#"{"kind":"b","x":1}"#, r#"{"kind":"b","x":1}"#),
            (r#"{"C":{"k":1}}"#, r#"{"C":[{"key":"k","value":1}]}"#),
            (r#"{"k":true}"#, r#"[{"key":"k","value":true}]"#),
            ("\"x\"", "\"x\""),
        ],
    );
    // A union in a union, and a tag that may be null in both.
    check_again(
        openai,
        r#"{"anyOf":[{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"integer"}},"required":["kind"]},
                {"type":"object","properties":{"kind":{"const":"b"},"m":{"type":"object"}},"required":["kind","m"]}]},
            {"type":"object","properties":{"kind":{"const":"c"},"y":{"type":"integer"}},"required":["kind"]}]}"#,
        &[
            (r#"{"kind":"a"}"#, r#"{"kind":"a","x":null}"#),
            (
                r#"{"kind":"b","m":{"k":1}}"#,
                r#"{"kind":"b","m":[{"key":"k","value":"1"}]}"#,
            ),
            (r#"{"kind":"c"}"#, r#"{"kind":"c","y":null}"#),
        ],
    );
    check_again(
        openai,
        r#"{"anyOf":[{"type":"object","properties":{"kind":{"enum":["a",null]},"m":{"type":"array"}},"required":["kind","m"]},
            {"type":"object","properties":{"kind":{"enum":["b",null]},"m":{"type":"object"}},"required":["kind","m"]}]}"#,
        &[
            (r#"{"kind":null,"m":[]}"#, r#"{"kind":null,"m":[]}"#),
            (
                r#"{"kind":null,"m":{}}"#,
                r#"{"object":{"kind":null,"m":[]}}"#,
            ),
        ],
    );
}

#[test]
fn a_definition_that_changes_nothing_wraps_no_variant() {
    for profile in [Profile::openai_strict(), Profile::anthropic_strict()] {
        let undo = undo(
            &profile,
            r##"{"anyOf":[
                {"type":"object","properties":{"w":{"type":"array","items":{"$ref":"#/properties/a/$defs/W"}}},"required":["w"]},
                {"type":"object","properties":{"w":{"type":"array","items":{"type":"string"}}},"required":["w"]}],
                "$defs":{"W":{"enum":["Yes","No"]}}}"##,
        );
        assert!(undo.is_empty(), "{}: {undo:?}", profile.name);
    }
}

#[test]
fn a_listed_array_is_found_among_many_variants() {
    let tagged = |n: usize| {
        format!(
            r#"{{"type":"object","properties":{{"kind":{{"const":"k{n}"}}}},"required":["kind"]}}"#
        )
    };
    let mut variants: Vec<_> = (0..20).map(tagged).collect();
    variants.push(r#"{"type":"array","enum":[[1],[2]]}"#.to_owned());
    let variants = variants.join(",");
    check_again(
        &Profile::openai_strict(),
        &format!(r#"{{"anyOf":[{variants}]}}"#),
        &[("[2]", "\"[2]\""), (r#"{"kind":"k7"}"#, r#"{"kind":"k7"}"#)],
    );
}

#[test]
fn a_variant_that_stands_twice_is_sent_once_and_counts_twice() {
    let object = r#"{"type":"object","properties":{"x":{"type":"string"}}}"#;
    for [variant, again] in [
        [r#"{"type":"integer"}"#; 2],
        [object; 2],
        [r#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#; 2],
        // The order of keys says nothing.
        [
            object,
            r#"{"properties":{"x":{"type":"string"}},"type":"object"}"#,
        ],
        [
            r#"{"type":"array","items":{"type":"integer","description":"A number."}}"#,
            r#"{"items":{"description":"A number.","type":"integer"},"type":"array"}"#,
        ],
    ] {
        for (key, is_lost) in [("anyOf", false), ("oneOf", true)] {
            let schema = format!(
                r#"{{"type":"object","properties":{{"a":{{"{key}":[{variant},{again}]}}}}}}"#
            );
            let schema = Schema::from_text(schema).expect("is JSON");
            let tool = ToolDefinition::new("look", "Looks around.", schema);
            let sent = Profile::anthropic_strict()
                .render(&tool)
                .expect("is rendered");
            let text = sent
                .parameters
                .as_ref()
                .map(|sent| sent.as_str().to_owned());
            let text = text.unwrap_or_default();
            assert_eq!(
                text.matches(r#""type":"integer""#).count() + text.matches(r#""x""#).count(),
                1
            );
            assert_eq!(!sent.losses.is_empty(), is_lost, "{key} of {variant}");
        }
    }
}
