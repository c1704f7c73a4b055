//! The way back.

use std::borrow::Cow;

use super::tool;
use crate::profile::{ArgumentMapping, Maps, Profile, TooManyParts};

pub(super) fn undo(profile: &Profile, schema: &str) -> ArgumentMapping {
    let schema =
        r#"{"type":"object","properties":{"a":SCHEMA},"required":["a"]}"#.replace("SCHEMA", schema);
    profile
        .render(&tool(schema))
        .expect("it can be sent")
        .mapping
}

pub(super) fn check(schema: &str, all: &[(&str, &str)]) {
    let undo = undo(&Profile::openai_strict(), schema);
    for (sent, own) in all {
        let (sent, own) = (format!(r#"{{"a":{sent}}}"#), format!(r#"{{"a":{own}}}"#));
        assert_eq!(undo.to_tool(&sent), own, "{schema}");
        // Sent again it means the same, whatever came.
        let again = undo.to_provider(&own);
        assert_eq!(undo.to_tool(&again), own, "{schema}: {again}");
    }
}

/// Arguments of the tool, and what the provider is sent of them.
pub(super) fn check_again(profile: &Profile, schema: &str, all: &[(&str, &str)]) {
    let undo = undo(profile, schema);
    for (own, sent) in all {
        let (own, sent) = (format!(r#"{{"a":{own}}}"#), format!(r#"{{"a":{sent}}}"#));
        assert_eq!(undo.to_provider(&own), sent, "{schema}");
        assert_eq!(undo.to_tool(&sent), own, "{schema}");
    }
}

#[test]
fn arguments_of_the_tool_are_sent_again() {
    let openai = &Profile::openai_strict();
    check_again(
        openai,
        r#"{"type":"object","additionalProperties":{}}"#,
        &[
            ("{}", "[]"),
            (
                r#"{"x":1.50,"\"":null}"#,
                r#"[{"key":"x","value":"1.50"},{"key":"\"","value":"null"}]"#,
            ),
        ],
    );
    check_again(
        openai,
        r#"{"type":"object","properties":{"b":{"type":"integer"},"c":{},"d":{"type":"string"}},
            "required":["d"],"additionalProperties":{"type":"integer"}}"#,
        &[
            (
                r#"{"d":"","x":1}"#,
                r#"{"d":"","b":null,"c":null,"other_members":[{"key":"x","value":1}]}"#,
            ),
            (
                r#"{"d":"","c":null}"#,
                r#"{"d":"","c":"null","b":null,"other_members":[]}"#,
            ),
        ],
    );
    check_again(
        openai,
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"object"}],"minItems":2,"items":false}"#,
        &[("[7,{}]", r#"{"0":7,"1":[]}"#), ("[7]", "[7]"), ("3", "3")],
    );
    check_again(
        openai,
        r#"{"anyOf":[{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false},
            {"type":"object","additionalProperties":{"type":"string"}}]}"#,
        &[
            ("{}", r#"{"x":null}"#),
            (r#"{"x":"1"}"#, r#"[{"key":"x","value":"1"}]"#),
            ("[1]", "[1]"),
        ],
    );
    check_again(
        &Profile::gemini(),
        r#"{"enum":[1,2.50,true,"a","",[1,{"b":2}]]}"#,
        &[
            ("1", "\"1\""),
            ("2.50", "\"2.50\""),
            ("true", "\"true\""),
            ("\"a\"", "\"a\""),
            ("\"\"", "\"(empty)\""),
            (r#"[1,{"b":2}]"#, r#""[1,{\"b\":2}]""#),
        ],
    );
    let number = undo(&Profile::gemini(), r#"{"enum":[1,[1]]}"#);
    for (own, sent) in [("1.0", "1"), ("[ 1 ]", "[1]"), ("[1.0]", "[1]")] {
        let own = format!(r#"{{"a":{own}}}"#);
        assert_eq!(number.to_provider(&own), format!(r#"{{"a":"{sent}"}}"#));
    }
    for text in ["", "null", "{", "[1]", "{\"a\":1}}"] {
        assert_eq!(number.to_provider(text), text);
    }
    // A number that only a float cannot tell from a listed one is another.
    let large = undo(&Profile::gemini(), r#"{"enum":[9007199254740992]}"#);
    let own = r#"{"a":9007199254740993}"#;
    assert_eq!(large.to_provider(own), own);
}

#[test]
fn what_is_done_to_undeclared_members_is_not_done_to_declared_ones() {
    let profile = Profile {
        maps: Maps::AsIs,
        ..Profile::gemini()
    };
    check_again(
        &profile,
        r#"{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":{"enum":[1,2]}}"#,
        &[(r#"{"b":"1","c":2}"#, r#"{"b":"1","c":"2"}"#)],
    );
}

#[test]
fn pairs_become_a_map_and_numbers_keep_their_digits() {
    check(
        r#"{"type":"object","additionalProperties":{}}"#,
        &[
            ("[]", "{}"),
            (r#"[{"key":"x","value":"1.50"}]"#, r#"{"x":1.50}"#),
            (
                r#"[{"value":"12345678901234567890123","key":"\""}]"#,
                r#"{"\"":12345678901234567890123}"#,
            ),
            (r#"[{"key":"x","value":"not JSON"}]"#, r#"{"x":"not JSON"}"#),
            (
                r#"[{"key":"x","value":"{\"b\":[null]}"}]"#,
                r#"{"x":{"b":[null]}}"#,
            ),
        ],
    );
}

#[test]
fn what_has_another_form_stays_and_the_rest_is_undone() {
    check(
        r#"{"type":"array","items":{"type":"object","additionalProperties":{"type":"integer"}}}"#,
        &[
            (
                r#"[[{"key":"x","value":1}],{"x":1}]"#,
                r#"[{"x":1},{"x":1}]"#,
            ),
            (r#"[[{"key":"x"}],7]"#, r#"[[{"key":"x"}],7]"#),
            (r#"[[{"key":1,"value":1}]]"#, r#"[[{"key":1,"value":1}]]"#),
            ("3", "3"),
        ],
    );
    let undo = undo(&Profile::openai_strict(), r#"{"type":"object"}"#);
    for text in [
        "",
        "null",
        "{",
        "[1]",
        "nonsense",
        "{\"a\":[{}]} ",
        "{\"a\":1}}",
    ] {
        assert_eq!(undo.to_tool(text).trim(), text.trim());
    }
}

#[test]
fn tuples_and_enums() {
    check(
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"object"}],"minItems":2,"items":false}"#,
        &[
            (r#"{"1":[],"0":7}"#, "[7,{}]"),
            (r#"{"0":7}"#, r#"{"0":7}"#),
        ],
    );
    let gemini = undo(&Profile::gemini(), r#"{"enum":[1,2.50,true,"a",""]}"#);
    for (sent, own) in [
        ("1", "1"),
        ("2.50", "2.50"),
        ("true", "true"),
        ("a", "\"a\""),
        ("(empty)", "\"\""),
        ("b", "\"b\""),
    ] {
        assert_eq!(
            gemini.to_tool(&format!(r#"{{"a":"{sent}"}}"#)),
            format!(r#"{{"a":{own}}}"#)
        );
    }
}

#[test]
fn the_variant_of_a_union_is_the_one_whose_result_fits() {
    check(
        r#"{"anyOf":[
            {"type":"object","properties":{"kind":{"const":"map"},"of":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["kind","of"]},
            {"type":"object","properties":{"kind":{"const":"any"},"of":{}},"required":["kind","of"]},
            {"type":"object","properties":{"x":{"type":"integer"}}},
            {"type":"null"}
        ]}"#,
        &[
            (
                r#"{"kind":"map","of":[{"key":"b","value":1}]}"#,
                r#"{"kind":"map","of":{"b":1}}"#,
            ),
            (r#"{"kind":"any","of":"[1]"}"#, r#"{"kind":"any","of":[1]}"#),
            (r#"{"x":null}"#, "{}"),
            ("null", "null"),
            ("7", "7"),
        ],
    );
}

#[test]
fn recursion_is_followed() {
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"required":["a"],
        "$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"},"of":{}}}}}"##;
    let undo = Profile::openai_strict()
        .render(&tool(schema))
        .expect("it can be sent")
        .mapping;
    let sent = r#"{"a":{"next":{"next":null,"of":"1"},"of":null}}"#;
    assert_eq!(undo.to_tool(sent), r#"{"a":{"next":{"of":1}}}"#);
    // A list that contains itself has nothing to be undone.
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"required":["a"],
        "$defs":{"N":{"type":"array","items":{"$ref":"#/$defs/N"}}}}"##;
    assert!(
        Profile::openai_strict()
            .render(&tool(schema))
            .expect("it can be sent")
            .mapping
            .is_empty()
    );
}

#[test]
fn a_variant_behind_an_encoded_reference_is_told_from_others() {
    check_whole(
        &Profile::openai_strict(),
        r##"{"type":"object","properties":{"v":{"anyOf":[{"$ref":"#/$defs/a%20b"},{"$ref":"#/$defs/c"}]}},
            "required":["v"],"$defs":{
            "a b":{"type":"object","properties":{"kind":{"const":"a"},
                "of":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["kind","of"]},
            "c":{"type":"object","properties":{"kind":{"const":"c"},"of":{}},"required":["kind","of"]}}}"##,
        &[
            (
                r#"{"v":{"kind":"a","of":[{"key":"b","value":1}]}}"#,
                r#"{"v":{"kind":"a","of":{"b":1}}}"#,
            ),
            (
                r#"{"v":{"kind":"c","of":"{\"b\":1}"}}"#,
                r#"{"v":{"kind":"c","of":{"b":1}}}"#,
            ),
        ],
    );
}

#[test]
fn where_nothing_is_undone_the_text_is_not_even_read() {
    for profile in [Profile::openai(), Profile::mistral(), Profile::grammar()] {
        let undo = undo(
            &profile,
            r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        );
        assert!(
            undo.is_empty() && matches!(undo.to_tool(" { no JSON"), Cow::Borrowed(" { no JSON"))
        );
    }
    let undo = undo(&Profile::openai_strict(), r#"{"type":["integer","null"]}"#);
    assert!(undo.is_empty(), "a required null is itself");
}

/// Calls of a strict tool as they come, and what the tool is given.
fn check_whole(profile: &Profile, schema: &str, all: &[(&str, &str)]) {
    let undo = profile
        .render(&tool(schema))
        .expect("it can be sent")
        .mapping;
    for (sent, own) in all {
        assert_eq!(undo.to_tool(sent), *own, "{schema}");
        let again = undo.to_provider(own);
        assert_eq!(undo.to_tool(&again), *own, "{schema}: {again}");
    }
}

#[test]
fn a_variant_is_chosen_by_what_was_sent() {
    // What does not change anything where it does not fit is no reason to take a variant.
    check(
        r#"{"anyOf":[{"type":"array","items":{}},{"type":"object","additionalProperties":{}}]}"#,
        &[
            (
                r#"{"object":[{"key":"year","value":"2024"}]}"#,
                r#"{"year":2024}"#,
            ),
            (r#"["1",["2"]]"#, r#"[1,["2"]]"#),
            ("[]", "[]"),
            (r#"{"object":[]}"#, "{}"),
        ],
    );
    check(
        r#"{"anyOf":[{"properties":{"data":{}},"required":["data"]},
            {"properties":{"data":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["data"]}]}"#,
        &[
            (r#"{"data":"[1]"}"#, r#"{"data":[1]}"#),
            (r#"{"data":[{"key":"a","value":1}]}"#, r#"{"data":{"a":1}}"#),
            (r#"{"data":[]}"#, r#"{"data":{}}"#),
        ],
    );
    check(
        r#"{"anyOf":[{"type":"object","properties":{"x":{"type":"integer"}}},
            {"type":"object","properties":{"x":{"type":["integer","null"]},"y":{"type":"string"}},"required":["x","y"]}]}"#,
        &[
            (r#"{"x":null,"y":"q"}"#, r#"{"x":null,"y":"q"}"#),
            (r#"{"x":null}"#, "{}"),
        ],
    );
}

#[test]
fn variants_that_would_be_sent_alike_are_wrapped() {
    check(
        r#"{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"array","items":{"type":"integer"}}]}"#,
        &[
            ("[]", "[]"),
            (r#"{"object":[]}"#, "{}"),
            (r#"{"object":[{"key":"a","value":1}]}"#, r#"{"a":1}"#),
            // Nothing that was asked for.
            (r#"[{"key":"a","value":1}]"#, r#"[{"key":"a","value":1}]"#),
        ],
    );
    check(
        r#"{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"array",
            "items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key","value"]}}]}"#,
        &[
            (r#"[{"key":"a","value":1}]"#, r#"[{"key":"a","value":1}]"#),
            (r#"{"object":[{"key":"a","value":1}]}"#, r#"{"a":1}"#),
        ],
    );
    check(
        r#"{"anyOf":[{"type":"string"},{}]}"#,
        &[("\"5\"", "\"5\""), (r#"{"json":"5"}"#, "5")],
    );
    check(
        r#"{"type":["string","number","boolean","object","array","null"]}"#,
        &[
            ("[]", "[]"),
            (r#"{"object":[]}"#, "{}"),
            ("null", "null"),
            ("true", "true"),
        ],
    );
    check_again(
        &Profile::gemini(),
        r#"{"anyOf":[{"enum":[1,2]},{"type":"string"}]}"#,
        &[("1", r#"{"value":"1"}"#), ("\"1\"", "\"1\"")],
    );
    // Three alike, and one that has the name of what they are wrapped in.
    check(
        r#"{"anyOf":[{"type":"object","properties":{"object":{"type":"string"}},"required":["object"]},
            {"type":"array","items":{"type":"integer"}},
            {"type":"object","additionalProperties":{"type":"string"}},
            {"type":"object","additionalProperties":{"type":"boolean"}}]}"#,
        &[
            (r#"{"object":"x"}"#, r#"{"object":"x"}"#),
            (r#"{"object":[{"key":"a","value":"b"}]}"#, r#"{"a":"b"}"#),
            (
                r#"{"object_2":[{"key":"a","value":true}]}"#,
                r#"{"a":true}"#,
            ),
            ("[1]", "[1]"),
        ],
    );
}

#[test]
fn a_wrapped_variant_is_a_level_deeper() {
    let mut profile = Profile::openai_strict();
    let schema = r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"array"},{"type":"object"}]}},"required":["a"]}"#;
    profile.max_levels = Some(3);
    assert!(profile.render(&tool(schema)).is_ok());
    profile.max_levels = Some(2);
    let refusal = profile.render(&tool(schema)).expect_err("it is too deep");
    assert_eq!(refusal.path, "arguments.a");
}

#[test]
fn what_cannot_be_told_apart_is_a_loss() {
    let schema = r#"{"type":"object","properties":{"a":{"anyOf":[
        {"type":"object","additionalProperties":{}},
        {"type":"array","prefixItems":[{"type":"integer"}],"minItems":1,"maxItems":1}]}},"required":["a"]}"#;
    let sent = Profile::grammar()
        .render(&tool(schema))
        .expect("it can be sent");
    let losses: Vec<_> = sent.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        ["take: arguments.a: a value may be read as another variant of the union than intended"]
    );
}

#[test]
fn the_mistake_in_a_variant_does_not_hide_which_it_is() {
    check(
        r#"{"anyOf":[
            {"type":"object","properties":{"op":{"const":"a"},"of":{"type":"object","additionalProperties":{"type":"integer"}},"n":{"type":"integer"}},"required":["op","of","n"]},
            {"type":"object","properties":{"op":{"const":"b"},"of":{"type":"array","items":{}},"n":{"type":"integer"}},"required":["op","of","n"]}]}"#,
        &[
            (
                r#"{"op":"a","of":[{"key":"x","value":1}],"n":"?"}"#,
                r#"{"op":"a","of":{"x":1},"n":"?"}"#,
            ),
            (
                r#"{"op":"c","of":[{"key":"x","value":1}],"n":1}"#,
                r#"{"op":"c","of":[{"key":"x","value":1}],"n":1}"#,
            ),
        ],
    );
}

#[test]
fn keys_that_repeat_are_there_twice() {
    check(
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        &[(
            r#"[{"key":"a","value":1},{"key":"a","value":2}]"#,
            r#"{"a":1,"a":2}"#,
        )],
    );
    check_whole(
        &Profile::openai_strict(),
        r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":{"type":"string"}}"#,
        &[
            (
                r#"{"path":"/tmp","other_members":[{"key":"path","value":"/etc"}]}"#,
                r#"{"path":"/tmp","path":"/etc"}"#,
            ),
            (
                r#"{"path":"/tmp","other_members":[{"key":"a","value":"1"},{"key":"a","value":"2"}]}"#,
                r#"{"path":"/tmp","a":"1","a":"2"}"#,
            ),
            (
                r#"{"path":"/tmp","a":"1","other_members":[{"key":"a","value":"2"}]}"#,
                r#"{"path":"/tmp","a":"1","a":"2"}"#,
            ),
            (
                r#"{"path":"/tmp","other_members":[{"key":"other_members","value":"x"}]}"#,
                r#"{"path":"/tmp","other_members":"x"}"#,
            ),
        ],
    );
    let map = undo(&Profile::openai_strict(), r#"{"type":"object"}"#);
    let own = r#"{"a":{"x":1,"x":2}}"#;
    assert_eq!(map.to_provider(own), own);
}

#[test]
fn a_member_named_as_the_wrapper_stays() {
    let schema = r#"{"type":"object","anyOf":[
        {"properties":{"value":{"type":"integer"}},"required":["value"]},
        {"properties":{"value":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}},"required":["value"]},
        {"properties":{"x":{"type":"integer"}},"required":["x"]}]}"#;
    for profile in [Profile::openai(), Profile::openai_strict()] {
        check_whole(
            &profile,
            schema,
            &[
                (r#"{"value":{"value":3}}"#, r#"{"value":3}"#),
                (r#"{"value":{"x":3}}"#, r#"{"x":3}"#),
                (r#"{"value":{"value":{"a":1}}}"#, r#"{"value":{"a":1}}"#),
            ],
        );
        let undo = profile
            .render(&tool(schema))
            .expect("it can be sent")
            .mapping;
        for own in [r#"{"value":3}"#, r#"{"value":{"a":1}}"#, r#"{"value":[]}"#] {
            assert_eq!(undo.to_tool(own), own);
        }
        // What is wrong inside is said of what is inside.
        assert_eq!(undo.to_tool(r#"{"value":{"x":"3"}}"#), r#"{"x":"3"}"#);
    }
}

/// Unions of `many` variants inside each other.
fn nested(levels: usize, many: usize) -> String {
    let mut defs = vec![format!(
        r#""D{levels}":{{"type":"object","additionalProperties":{{"type":"integer"}}}}"#
    )];
    for level in 0..levels {
        let variant = |number: usize| {
            format!(
                r##"{{"type":"object","properties":{{"args":{{"type":"array","items":{{"$ref":"#/$defs/D{}"}}}},"op":{{"const":"{number}"}}}},"required":["op","args"]}}"##,
                level + 1
            )
        };
        let variants: Vec<_> = (0..many).map(variant).collect();
        defs.push(format!(
            r#""D{level}":{{"anyOf":[{}]}}"#,
            variants.join(",")
        ));
    }
    format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/D0"}}}},"required":["a"],"$defs":{{{}}}}}"##,
        defs.join(",")
    )
}

#[test]
fn unions_inside_each_other_take_time_in_proportion() {
    let schema = nested(8, 6);
    let profile = Profile {
        max_levels: None,
        ..Profile::openai_strict()
    };
    let undo = profile
        .render(&tool(schema))
        .expect("it can be sent")
        .mapping;
    let of = |leaf: &str, many: usize| {
        let mut text = leaf.to_owned();
        for level in (0..8).rev() {
            // The last variant that is tried.
            let many = if level == 7 { many } else { 1 };
            let all = vec![text.as_str(); many].join(",");
            text = format!(r#"{{"op":"5","args":[{all}]}}"#);
        }
        format!(r#"{{"a":{text}}}"#)
    };
    let many = 20_000;
    let (sent, own) = (
        of(r#"[{"key":"x","value":1}]"#, many),
        of(r#"{"x":1}"#, many),
    );
    let start = std::time::Instant::now();
    assert_eq!(undo.to_tool(&sent), own);
    assert_eq!(undo.to_provider(&own).len(), sent.len());
    // A mistake in the last place is no reason to try everything.
    let wrong = sent.replacen("\"op\":\"5\"", "\"op\":\"9\"", 1);
    assert_eq!(undo.to_tool(&wrong), wrong);
    assert!(
        start.elapsed().as_secs() < 20,
        "it took {:?}",
        start.elapsed()
    );
}

#[test]
fn wide_unions_take_time_in_proportion() {
    // Each variant is found by its tag, or by the member that it alone requires.
    let tagged = |n: usize| {
        format!(
            r#"{{"type":"object","properties":{{"kind":{{"const":"k{n}"}},"m":{{"type":"object","additionalProperties":{{"type":"integer"}}}}}},"required":["kind","m"],"additionalProperties":false}}"#
        )
    };
    let named = |n: usize| {
        format!(
            r#"{{"type":"object","properties":{{"k{n}":{{"type":"object","additionalProperties":{{"type":"integer"}}}}}},"required":["k{n}"],"additionalProperties":false}}"#
        )
    };
    let list = |variants: &[String]| {
        format!(
            r#"{{"type":"array","items":{{"anyOf":[{}]}}}}"#,
            variants.join(",")
        )
    };
    let all = |one: &dyn Fn(usize) -> String, count: usize| {
        let items: Vec<_> = (0..count).map(one).collect();
        format!(r#"{{"a":[{}]}}"#, items.join(","))
    };
    let mut profile = Profile::openai_strict();
    profile.budget = crate::profile::Budget::default();
    profile.large_enum = None;
    let of_tag = list(&(0..400).map(tagged).collect::<Vec<_>>());
    let of_name = list(&(0..400).map(named).collect::<Vec<_>>());
    let tag_sent = |n: usize| {
        format!(
            r#"{{"kind":"k{}","m":[{{"key":"x","value":{n}}}]}}"#,
            n % 400
        )
    };
    let tag_own = |n: usize| format!(r#"{{"kind":"k{}","m":{{"x":{n}}}}}"#, n % 400);
    let name_sent = |n: usize| format!(r#"{{"k{}":[{{"key":"x","value":{n}}}]}}"#, n % 400);
    let name_own = |n: usize| format!(r#"{{"k{}":{{"x":{n}}}}}"#, n % 400);
    for (schema, sent, own) in [
        (
            &of_tag,
            &tag_sent as &dyn Fn(usize) -> String,
            &tag_own as &dyn Fn(usize) -> String,
        ),
        (&of_name, &name_sent, &name_own),
    ] {
        let undo = undo(&profile, schema);
        // 10,000 values of 400 variants would be 4 million pairs.
        let (sent, own) = (all(sent, 10_000), all(own, 10_000));
        assert_eq!(undo.try_to_tool(&sent).as_deref(), Ok(&*own));
        assert_eq!(undo.to_provider(&own), sent);
    }
    // What nothing tells apart from outside has a bound, and says so.
    let mut lists: Vec<_> = (0..400)
        .map(|n| format!(r#"{{"type":"array","items":{{"const":"k{n}"}},"minItems":1}}"#))
        .collect();
    lists.push(r#"{"type":"object","additionalProperties":{"type":"integer"}}"#.to_owned());
    let undo = undo(&profile, &list(&lists));
    let sent = |count: usize| all(&|n| format!(r#"["k{}"]"#, n % 400), count);
    assert!(undo.try_to_tool(&sent(400)).is_ok());
    assert_eq!(undo.try_to_tool(&sent(10_000)), Err(TooManyParts));
    assert_eq!(undo.to_tool(&sent(10_000)), sent(10_000));
}

#[test]
fn members_that_a_variant_does_not_declare_come_back() {
    for (schema, values) in [
        (
            r#"{"anyOf":[{"type":"string"},{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}},
                "required":["m"],"additionalProperties":true}]}"#,
            [
                r#"{"m":{"k":1},"x":2}"#,
                r#"{"m":{},"x":{"y":[]},"m2":null}"#,
            ],
        ),
        (
            // With `n` what is sent of the first would be the second.
            r#"{"anyOf":[{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["m"]},
                {"type":"object","properties":{"m":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},
                "value":{"type":"integer"}},"required":["key","value"]}},"n":{"type":"integer"}},"required":["m","n"]}]}"#,
            [r#"{"m":{"k":1},"n":2}"#, r#"{"m":{"k":1},"x":2}"#],
        ),
    ] {
        for profile in [
            Profile::openai_strict(),
            Profile::anthropic_strict(),
            Profile::portable(),
        ] {
            let undo = undo(&profile, schema);
            for own in values {
                let own = format!(r#"{{"a":{own}}}"#);
                let there = undo.to_provider(&own);
                assert_eq!(undo.to_tool(&there), own, "{}: {there}", profile.name);
            }
        }
    }
}

#[test]
fn the_key_of_a_wrapper_says_which_variant_it_is() {
    // An object of any keys takes whatever comes, the wrapper too.
    let schema = r#"{"anyOf":[{"type":"object"},{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}],
        "minItems":2,"maxItems":2},{"type":"object","properties":{"x":{"enum":[1,2]}},"required":["x"],"additionalProperties":false}]}"#;
    for profile in [
        Profile::xai(),
        Profile::gemini(),
        Profile::ollama(),
        Profile::openai_strict(),
    ] {
        let undo = undo(&profile, schema);
        for own in [
            r#"{"a":[1,2]}"#,
            r#"{"a":{"x":2}}"#,
            r#"{"a":{"y":{"x":1}}}"#,
            r#"{"a":{}}"#,
        ] {
            let there = undo.to_provider(own);
            assert_eq!(undo.to_tool(&there), own, "{}: {there}", profile.name);
        }
    }
}

#[test]
fn a_key_that_comes_twice_in_pairs_is_there_twice() {
    let map = undo(
        &Profile::openai_strict(),
        r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
    );
    let sent = r#"{"a":[{"key":"x","value":1},{"key":"x","value":2}]}"#;
    assert_eq!(map.to_tool(sent), r#"{"a":{"x":1,"x":2}}"#);
    let beside = undo(
        &Profile::openai_strict(),
        r#"{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":{"type":"integer"}}"#,
    );
    let sent = r#"{"a":{"x":1,"other_members":[{"key":"x","value":2},{"key":"y","value":3}]}}"#;
    assert_eq!(beside.to_tool(sent), r#"{"a":{"x":1,"x":2,"y":3}}"#);
}
