//! The rules, one by one. What people and models write is in the corpora.

use serde_json::Value;

use super::repair_json;
use crate::tool::ChangeKind::{self, *};

/// Compares the JSON, or why there is none.
fn check(text: &str, expected: &str) {
    let got = match repair_json(text) {
        Ok(repaired) => {
            let json: Result<Value, _> = serde_json::from_str(&repaired.text);
            assert!(json.is_ok(), "{text:?} gives {}", repaired.text);
            repaired.text.into_owned()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(got, expected, "{text:?}");
}

fn kinds(text: &str) -> Vec<ChangeKind> {
    let repaired = repair_json(text).expect("is repaired");
    repaired.changes.iter().map(|change| change.kind).collect()
}

#[test]
fn json_comes_through_byte_for_byte() {
    for text in [
        "{}",
        " [1 , 2]\n",
        r#"{"a": "```json", "a": 1E5, "b": "//"}"#,
        "\"text\"",
        "null",
    ] {
        let repaired = repair_json(text).expect("is JSON");
        assert_eq!((&*repaired.text, repaired.changes), (text, vec![]));
    }
}

#[test]
fn strings() {
    check(r#"{'a': 'say "hi"'}"#, r#"{"a":"say \"hi\""}"#);
    check("{“a”: ‘b’}", r#"{"a":"b"}"#);
    check(r"{`a`: `it\`s`}", r#"{"a":"it`s"}"#);
    check("{\"a\": \"b\nc\t\0\"}", r#"{"a":"b\nc\t\u0000"}"#);
    check(r#"{"a": "it\'s"}"#, r#"{"a":"it's"}"#);
    check("{\"a\": \"b\\\nc\"}", r#"{"a":"b\nc"}"#);
    check(
        r#"{'a': "\ud83e\udd80\u00e9"}"#,
        r#"{"a":"\ud83e\udd80\u00e9"}"#,
    );
}

#[test]
fn strings_whose_end_is_a_guess() {
    let comma = "arguments.a: expected a comma or the closing bracket after it";
    check("{'a': 'it's'}", comma);
    check(r#"{"a": "say "hi" to"}"#, comma);
    check(r#"{"a": "b, "c": "d"}"#, comma);
    check("{\"a\": \"b,\n \"c\": \"d\"\n}", comma);
    check(r#"["a" "b"]"#, &comma.replace(".a", "[0]"));
    check(
        r#"{"a": ["x, "y", "z"]}"#,
        "arguments.a[0]: expected a comma or the closing bracket after it",
    );
    check(
        r#"{'a": 1, "b': 2}"#,
        "arguments: a key with two kinds of quotes",
    );
    check(
        r#"{'a': 'b", 'c': 1}"#,
        "arguments.a: a string with two kinds of quotes",
    );
    check(
        r#"{“a”: “b", 3”}"#,
        "arguments.a: a string with two kinds of quotes",
    );
    check(
        "{`a`: `x ${y}`}",
        "arguments.a: a string with an expression in it",
    );
    check(
        r#"{"a": "C:\Users"}"#,
        "arguments.a: a backslash before 'U'",
    );
    check(
        r#"{"a": "\ud83e!"}"#,
        r"arguments.a: a `\u` escape that is not a whole character",
    );
}

#[test]
fn what_is_cut_off_is_refused() {
    for (text, place) in [
        (r#"{"a": "b"#, "arguments.a: the text ends inside a string"),
        (
            r#"{"a": [1, {"b": "c"#,
            "arguments.a[1].b: the text ends inside a string",
        ),
        (r#"{"a"#, "arguments: the text ends inside a key"),
        (r#"{"a""#, "arguments.a: the text ends after a key"),
        (
            r#"{"a":"#,
            "arguments.a: the text ends where a value is expected",
        ),
        (
            r#"{"a": 1,"#,
            "arguments: the text ends where a key is expected",
        ),
        (
            r#"{"a": 1"#,
            "arguments.a: the text ends before the closing bracket",
        ),
        (
            r#"{"a": "b""#,
            "arguments.a: the text ends before the closing bracket",
        ),
        (r#"{"a": tr"#, "arguments.a: expected a value, got tr"),
        (
            "[{}",
            "arguments[0]: the text ends before the closing bracket",
        ),
        (
            "```\n{\"a\": {}",
            "arguments.a: the text ends before the closing bracket",
        ),
        (
            "```\n{\"a\": {}\n```",
            "arguments: the text ends before the closing bracket",
        ),
        (
            "```\n{\"a\": {},\n```",
            "arguments: the text ends before the closing bracket",
        ),
        (
            "{\"a\": {} // }",
            "arguments.a: the text ends before the closing bracket",
        ),
        (
            "{\"a\": {} /* }",
            "arguments.a: the text ends inside a comment",
        ),
        ("", "arguments: the text is empty"),
    ] {
        check(text, place);
    }
}

#[test]
fn brackets_are_closed_behind_what_is_whole() {
    for (text, json) in [
        (r#"{"a": [{"b": 1}"#, r#"{"a":[{"b":1}]}"#),
        (r#"{"a": true"#, r#"{"a":true}"#),
        (r#"{"a": 1, "b": {"c": null}"#, r#"{"a":1,"b":{"c":null}}"#),
        (r#"{"a": 1, "b": [1, 2]"#, r#"{"a":1,"b":[1,2]}"#),
        (r#"{"a": [{"b": 1, "c": 2}]"#, r#"{"a":[{"b":1,"c":2}]}"#),
        (r#"{"a": []"#, r#"{"a":[]}"#),
    ] {
        let repaired = repair_json(text).expect("is whole");
        assert_eq!(repaired.text, json);
        assert!(repaired.is_cut_off);
    }
    assert!(!repair_json("{'a': 1}").expect("is whole").is_cut_off);
}

#[test]
fn what_could_change_its_owner_is_refused() {
    let missing = "a closing bracket is missing, and it is not clear where";
    for text in [
        r#"{"a": {"b": null, "c": true}"#,
        r#"{"a": {"b": null, "c": true"#,
        r#"{"a": [{"b": null, "c": true}"#,
        r#"{"a": [[1, 2], [3]"#,
        r#"{"a": {"b": {"c": 1}, "d": {}}"#,
    ] {
        let error = repair_json(text).expect_err("has two readings");
        assert_eq!(error.reason, missing, "{text}");
    }
    let stray = "there is one closing bracket too many, and it is not clear which";
    for text in [
        r#"{"a": {"b": 1}, "c": 2}}"#,
        r#"{"a": {"b": 1}, "c": 2};}"#,
        "[[1], 2]]",
        r#"{"a": [{"b": 1}], "c": 2}]}"#,
    ] {
        let error = repair_json(text).expect_err("has two readings");
        assert_eq!(error.reason, stray, "{text}");
    }
    check(r#"{"a": {"b": 1, "c": 2}}}"#, r#"{"a":{"b":1,"c":2}}"#);
    check(r#"{"a": [1], "b": 2}]"#, r#"{"a":[1],"b":2}"#);
    check(r#"{"a": {"b": 1}, "c": 2}]"#, r#"{"a":{"b":1},"c":2}"#);
}

#[test]
fn commas() {
    check("{\"a\": 1\nb: 2,}", r#"{"a":1,"b":2}"#);
    check(r#"{"a": 1 "b": 2}"#, r#"{"a":1,"b":2}"#);
    check(
        "{\"a\": 1 b: 2}",
        "arguments.a: expected a comma or the closing bracket after it",
    );
    check("[1\n\"a\"\n{} {}]", r#"[1,"a",{},{}]"#);
    check(
        "[1\n-2]",
        "arguments[0]: expected a comma or the closing bracket after it",
    );
    check(
        "[1 2]",
        "arguments[0]: expected a comma or the closing bracket after it",
    );
    check(
        "[1,,2]",
        "arguments[1]: expected a value, got ,,2]"
            .replace(",,2]", ",2]")
            .as_str(),
    );
    check("{\"a\": 1},", r#"{"a":1}"#);
    // Python makes one text of two.
    let joined = "arguments[0]: expected a comma or the closing bracket after it";
    check("['SELECT * '\n 'FROM t']", joined);
    check("[\"a\"\n 'b']", joined);
    check("['a'\n 1]", r#"["a",1]"#);
}

#[test]
fn comments_and_white_space() {
    check("\u{feff}{ // a\n'a'\u{a0}: /* b */ 1 # c\n}", r#"{"a":1}"#);
    check(
        "{\"a\": //x.org/y\n1}",
        "arguments.a: expected a value, got //x.org/y\n1}",
    );
    check(
        "{\"a\": 7 // 2\n}",
        "arguments.a: expected a comma or the closing bracket after it",
    );
    check(
        "{\"a\": #fff\n}",
        "arguments.a: expected a value, got #fff\n}",
    );
}

#[test]
fn a_comment_that_may_be_the_rest_of_a_text_is_none() {
    let two =
        |place: &str| format!("{place}: a quote that may end a string or be part of a comment");
    for (text, place) in [
        // The text may be `b"} // c`, and so on.
        (r#"{"a": "b"} // c"}"#, "arguments"),
        (r#"{"a": "b"} # c"}"#, "arguments"),
        (r#"{"a": "b"} /* c"} */"#, "arguments"),
        (r#"{"a": "b"}} // c"}"#, "arguments"),
        (r#"{"a": "b"}; // say "c" to him"#, "arguments"),
        (r#"{"a": "http:"} //x.org"}"#, "arguments"),
        ("{'a': 'b'} // it's", "arguments"),
        ("```\n{\"a\": \"b\"}\n``` // \"c\"", "arguments"),
        ("{“a”: “b”} // ”}", "arguments"),
        ("{\"a\": \"b\", // c\"\n}", "arguments"),
        ("{\"a\": \"b\" // c\", \"d\": 1\n}", "arguments.a"),
        ("{\"a\": \"b\", # c\"}\n\"d\": 1}", "arguments"),
        (r#"{"a": "b" /* ", "c": " */}"#, "arguments.a"),
        (r#"["a", // b", "c"]"#, "arguments"),
    ] {
        check(text, &two(place));
    }
    // What no text can end with is a comment.
    for (text, json) in [
        ("{\"a\": 1} // it's done", r#"{"a":1}"#),
        ("{\"a\": \"b\"} // done", r#"{"a":"b"}"#),
        ("{ // \"c\"\n\"a\": \"b\"}", r#"{"a":"b"}"#),
        ("{\"a\": \"b\", // say \"c\"\n}", r#"{"a":"b"}"#),
        ("{\"a\": 1, // the \"most\" of all\n}", r#"{"a":1}"#),
        ("{\"a\": \"b\", // it's\n}", r#"{"a":"b"}"#),
    ] {
        check(text, json);
    }
}

#[test]
fn numbers_and_words() {
    check("[+1, .5, -.5e3, 2., -0, 1E5]", "[1,0.5,-0.5e3,2.0,-0,1E5]");
    check("[True, False, None]", "[true,false,null]");
    for word in [
        "05",
        "0x1F",
        "1_000",
        "1e",
        "-",
        ".",
        "1.2.3",
        "2024-10-18",
        "+-1",
        "1a",
    ] {
        check(
            &format!("[{word}]"),
            &format!("arguments[0]: expected a number, got {word}"),
        );
    }
    for word in ["NaN", "undefined", "nul", "Oslo"] {
        check(
            &format!("[{word}]"),
            &format!("arguments[0]: expected a value, got {word}"),
        );
    }
    check(
        "{\"a\": 1e999}",
        "arguments.a: expected a number that a 64-bit float can hold",
    );
    check("{True: 1}", "arguments: expected a key in quotes");
}

#[test]
fn what_stands_around() {
    check("```json\n{'a': 1}\n```\n", r#"{"a":1}"#);
    check("```{\"a\": 1}", r#"{"a":1}"#);
    check(r#"{"a": 1}}];"#, r#"{"a":1}"#);
    check(
        "```\n{}\n```\nDone.",
        "arguments: unexpected text after the closing bracket",
    );
    check("Here: {}", "arguments: expected an object");
    check(
        "{} {}",
        "arguments: unexpected text after the closing bracket",
    );
    check(
        "{\"a\": [1, 2}",
        "arguments.a[1]: a closing bracket does not match the open one",
    );
}

#[test]
fn every_change_is_told_in_order() {
    assert_eq!(
        kinds(
            "```json\n{a: 'b', /* c */ \"d\": [True, .5,] \"e\": {}"
                .replace("```json\n", "")
                .as_str()
        ),
        [
            UnquotedKey,
            Quotes,
            Comment,
            Literal,
            Number,
            TrailingComma,
            MissingComma,
            Unclosed
        ]
    );
    let repaired = repair_json(r#"{"a": {"b c": [1, True]}}"#).expect("is repaired");
    assert_eq!(repaired.changes[0].path, r#"arguments.a["b c"][1]"#);
}

#[test]
fn what_is_told_is_bounded() {
    let text = format!("{{'a': [{}]}}", "True,".repeat(10_000));
    let repaired = repair_json(&text).expect("is repaired");
    assert!(repaired.changes.len() < 40, "{}", repaired.changes.len());
    let times: usize = repaired.changes.iter().map(|change| change.times).sum();
    assert_eq!(times, 10_000 + 2, "all are counted");
}

#[test]
fn depth_is_bounded() {
    for bracket in ["[", "{\"a\":"] {
        let error = repair_json(&bracket.repeat(100_000)).expect_err("is too deep");
        assert!(error.reason.contains("more than 127"), "{error}");
        assert!(error.path.len() < 200, "{error}");
    }
    let deepest = format!("{}True{}", "[".repeat(127), "]".repeat(127));
    check(&deepest, &deepest.replace('T', "t"));
}
