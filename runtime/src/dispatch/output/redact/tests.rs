use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Redact, Redactions, Secrets, redact_fn};
use toolwright_core::{
    ToolError,
    message::Image,
    tool::{CallUpdate, OutputPart, ProgressReport, ToolOutput},
};

fn redactions(secrets: &[&str]) -> Redactions {
    let mut redactions = Redactions::default();
    redactions.push(Secrets::new(secrets));
    redactions
}

fn check_json(json: &str, expected: &str) {
    let output = redactions(&["key", "s\"q", "4711", "é"]).output(ToolOutput {
        parts: vec![OutputPart::Json(json.to_owned())],
    });
    assert_eq!(output.parts, [OutputPart::Json(expected.to_owned())]);
    // A `Value` has no place for half of a surrogate pair.
    assert!(serde_json::from_str::<&serde_json::value::RawValue>(expected).is_ok());
}

#[test]
fn secrets_are_taken_out_whole() {
    for (secrets, text, expected) in [
        (&["abc"][..], "xabcx abc", "x[redacted]x [redacted]"),
        (&["ab", "abcd", "abc"], "abcd", "[redacted]"),
        (&["abc", "cde"], "-abcde-", "-[redacted]-"),
        (&["abc", "def"], "abcdef", "[redacted][redacted]"),
        (&["red", "key"], "a key", "a [redacted]"),
        (&["", "ü"], "über", "[redacted]ber"),
        (&[""], "all of it", "all of it"),
        (&[], "all of it", "all of it"),
    ] {
        assert_eq!(Secrets::new(secrets).redact(text), expected, "{secrets:?}");
    }
    let text = "nothing to see";
    assert!(matches!(Secrets::new(["key"]).redact(text), Cow::Borrowed(same) if same == text));
}

#[test]
fn a_secret_is_not_shown_by_its_keeper() {
    let shown = format!("{:?}", Secrets::new(["s3cret"]));
    assert_eq!(shown, "Secrets(1)");
}

#[test]
fn json_is_redacted_inside_and_stays_json() {
    check_json("{}", "{}");
    check_json(
        "{ \"a key\" : [ 1.50, true, \"the key\" ] }",
        "{ \"a [redacted]\" : [ 1.50, true, \"the [redacted]\" ] }",
    );
    check_json(
        r#"["\u006bey","x\\","\"","s\"q"]"#,
        r#"["[redacted]","x\\","\"","[redacted]"]"#,
    );
    check_json(
        r#"{"pin":4711,"n":-4e11}"#,
        r#"{"pin":"[redacted]","n":-4e11}"#,
    );
    check_json(r#"["A\u00e9\n"]"#, r#"["A[redacted]\n"]"#);
    check_json("-1e-7", "-1e-7");
}

#[test]
fn what_is_no_json_is_redacted_as_text() {
    for (json, expected) in [
        ("the key", "the [redacted]"),
        (r#"["the key"#, r#"["the [redacted]"#),
        (r#"["key \"#, r#"["[redacted] \"#),
    ] {
        let json = OutputPart::Json(json.to_owned());
        let part = redactions(&["key"]).part(json);
        assert_eq!(part, OutputPart::Text(expected.to_owned()));
    }
}

/// Half of a surrogate pair is no character, and hides nothing beside it.
#[test]
fn a_text_that_is_no_text_switches_nothing_off() {
    for (json, expected) in [
        (
            r#"{"junk":"\ud83d","authorization":"Bearer \u006bey"}"#,
            r#"{"junk":"\ud83d","authorization":"Bearer [redacted]"}"#,
        ),
        (
            r#"["\udc00", "s\"q", "4\u003711"]"#,
            r#"["\udc00", "[redacted]", "[redacted]"]"#,
        ),
        (r#"["\ud83d\ude00 \u006bey"]"#, r#"["😀 [redacted]"]"#),
        (r#"["\ud83d \u006bey"]"#, "[\"\u{fffd} [redacted]\"]"),
        (r#"{"\ud83d":[null,{}]}"#, r#"{"\ud83d":[null,{}]}"#),
    ] {
        check_json(json, expected);
    }
    let slash = redactions(&["a/b"]).part(OutputPart::Json(r#"["\ud83d", "a\/b"]"#.to_owned()));
    assert_eq!(
        slash,
        OutputPart::Json(r#"["\ud83d", "[redacted]"]"#.to_owned())
    );
}

#[test]
fn a_secret_is_found_as_json_writes_it_inside_of_a_text() {
    let text = redactions(&["s\"q", "a\nb"]).text(r#"got {"a": "s\"q", "b": "a\nb"}"#.to_owned());
    assert_eq!(text, r#"got {"a": "[redacted]", "b": "[redacted]"}"#);
}

#[test]
fn names_stay_apart() {
    check_json(
        r#"{"key":1,"key":{"key":2,"b":"key"},"a key":3,"é":[{"é":4}]}"#,
        r#"{"[redacted]":1,"[redacted] 2":{"[redacted]":2,"b":"[redacted]"},"a [redacted]":3,"[redacted] 3":[{"[redacted]":4}]}"#,
    );
    let error = ToolError::not_found("no")
        .with_detail("[redacted]", 0)
        .with_detail("[redacted] 2", 1)
        .with_detail("key", 2)
        .with_detail("4711", 3);
    let error = redactions(&["key", "4711"])
        .outcome(Err(error))
        .unwrap_err();
    let details: Vec<_> = error.details.iter().map(|(n, v)| (&**n, &**v)).collect();
    assert_eq!(
        details,
        [
            ("[redacted]", "0"),
            ("[redacted] 2", "1"),
            ("[redacted] 3", "3"),
            ("[redacted] 4", "2"),
        ]
    );
}

#[test]
fn what_goes_over_two_texts_is_taken_out() {
    let output = ToolOutput::text("the k")
        .with_image(Image::from_url("https://a.b/"))
        .with_text("ey and key");
    let redacted = redactions(&["k\ney", "key"]).output(output.clone());
    let expected = ToolOutput::text("the [redacted] and [redacted]")
        .with_image(Image::from_url("https://a.b/"));
    assert_eq!(redacted, expected);
    let apart = redactions(&["key"]).output(output.clone());
    assert_eq!(apart.parts.len(), 3);
}

#[test]
fn arguments_are_not_quoted_in_pieces_that_show_more_than_the_whole() {
    let secret = format!("sk-{}", "4711".repeat(30));
    let all = redactions(&[&secret, "s\"q"]);
    for (arguments, is_hidden) in [
        (format!(r#"{{"n":"{secret}"}}"#), true),
        (format!(r#"{{"n":{{"deep":["{secret}"]}}}}"#), true),
        (format!(r#"{{"{secret}":2}}"#), true),
        (r#"{"n":"s\u0022q"}"#.to_owned(), true),
        (format!(r#"{{"n":"{}"}}"#, "x".repeat(100)), false),
        (r#"{"n":"s\"q"}"#.to_owned(), true),
        ("{}".to_owned(), false),
    ] {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Arguments {
            #[expect(dead_code, reason = "it is decoded")]
            n: u8,
        }
        let call = toolwright_core::ToolCall::new("a", "count", &*arguments);
        let error = call.decode::<Arguments>().unwrap_err();
        let shown = all.outcome(Err(error.clone())).unwrap_err();
        assert_eq!(shown.message == super::NOT_QUOTED, is_hidden, "{error}");
        assert_eq!(shown.message == error.message, !is_hidden, "{shown}");
        assert!(!shown.to_model_text().contains("4711"), "{shown}");
        assert_eq!(shown.details["tool"], "count");
    }
}

#[test]
fn every_text_of_an_outcome_is_redacted() {
    let all = redactions(&["key"]);
    let error = ToolError::not_found("message key")
        .with_detail("detail key", "value key")
        .with_log("log key");
    let expected = ToolError::not_found("message [redacted]")
        .with_detail("detail [redacted]", "value [redacted]")
        .with_log("log [redacted]");
    assert_eq!(all.outcome(Err(error)), Err(expected));
    let output = ToolOutput::text("text key").with_image(Image::from_url("https://a.b/?key"));
    let redacted =
        ToolOutput::text("text [redacted]").with_image(Image::from_url("https://a.b/?[redacted]"));
    assert_eq!(all.outcome(Ok(output.clone())), Ok(redacted.clone()));
    assert_eq!(
        all.update(CallUpdate::Partial(output)),
        CallUpdate::Partial(redacted)
    );
    let report = |message| CallUpdate::Progress(ProgressReport::new(1.0).with_message(message));
    assert_eq!(all.update(report("a key")), report("a [redacted]"));
}

#[test]
fn several_run_in_order() {
    let mut both = redactions(&["key"]);
    both.push(redact_fn(|text| {
        Cow::Owned(text.replace("[redacted]", "***"))
    }));
    assert_eq!(both.text("a key".to_owned()), "a ***");
    // A text of the same length is another text.
    both.push(redact_fn(|_| Cow::Borrowed("-----")));
    assert_eq!(both.text("a key".to_owned()), "-----");
}

#[cfg(feature = "regex")]
#[test]
fn patterns_take_out_what_they_match() {
    use super::RedactPatterns;

    let patterns = RedactPatterns::new([r"\d+", "x*"]).unwrap();
    assert_eq!(
        patterns.redact("a12b xx3"),
        "a[redacted]b [redacted][redacted]"
    );
    let error = RedactPatterns::new(["("]).unwrap_err();
    assert!(
        error.to_string().starts_with("`(` is no valid pattern"),
        "{error}"
    );
}

#[cfg(feature = "regex")]
#[test]
fn patterns_see_names_with_their_values() {
    use super::RedactPatterns;

    let mut all = Redactions::default();
    let patterns = [
        r#""password"\s*:\s*"[^"]*""#,
        r#""pin": \d+"#,
        r"token: \S+",
        r"sk-\d+",
    ];
    all.push(RedactPatterns::new(patterns).unwrap());
    for (json, expected) in [
        (
            r#"{"password" : "a \"b\"", "user":"ada"}"#,
            r#"{"password" : "[redacted]", "user":"ada"}"#,
        ),
        (
            r#"{"\u0070assword":"b","pin":12,"token":null}"#,
            r#"{"\u0070assword":"[redacted]","pin":"[redacted]","token":"[redacted]"}"#,
        ),
        (
            r#"[{"password":["a"]},"password","b",{"pin":true}]"#,
            r#"[{"password":["a"]},"password","b",{"pin":true}]"#,
        ),
        // What is found in the value alone is all that is taken out.
        (r#"{"key":"a sk-12 b"}"#, r#"{"key":"a [redacted] b"}"#),
    ] {
        let part = all.part(OutputPart::Json(json.to_owned()));
        assert_eq!(part, OutputPart::Json(expected.to_owned()));
    }
    let error = ToolError::not_found("no")
        .with_detail("token", "abc")
        .with_detail("tokens", "abc")
        .with_detail("password", "abc");
    let error = all.outcome(Err(error)).unwrap_err();
    let shown = "Details: password: [redacted], token: [redacted], tokens: abc";
    assert!(error.to_model_text().ends_with(shown), "{error:?}");
}

/// The work for a text of a stranger grows with it and no faster: no piece is read twice.
#[test]
fn long_texts_are_redacted_in_one_pass() {
    let read = Arc::new(AtomicUsize::new(0));
    let mut all = Redactions::default();
    let counted = Arc::clone(&read);
    all.push(redact_fn(move |text| {
        counted.fetch_add(text.len(), Ordering::Relaxed);
        Cow::Borrowed(text)
    }));
    all.push(Secrets::new(["aab", "key"]));
    let json = format!(
        r#"{{"all":[{}""]}}"#,
        r#""a\"aaaakey",1.5e3,"#.repeat(10_000)
    );
    let plain = "a".repeat(300_000);
    let given = json.len() + plain.len();
    let output = all.output(ToolOutput {
        parts: vec![OutputPart::Json(json), OutputPart::Text(plain)],
    });
    assert_eq!(output.to_text().matches("[redacted]").count(), 10_000);
    let read = read.load(Ordering::Relaxed);
    assert!(read > given / 2 && read <= given, "{read} of {given} bytes");
}
