use std::borrow::Cow;

use super::{Redact, Redactions, Secrets, redact_fn};
use crate::{
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
    assert!(serde_json::from_str::<serde_json::Value>(expected).is_ok());
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
        (r#"["key \ud800"]"#, r#"["[redacted] \ud800"]"#),
        ("the key", "the [redacted]"),
        (r#"["the key"#, r#"["the [redacted]"#),
        (r#"["key \"#, r#"["[redacted] \"#),
    ] {
        let json = OutputPart::Json(json.to_owned());
        let part = redactions(&["key"]).part(json);
        assert_eq!(part, OutputPart::Text(expected.to_owned()));
    }
    let broken = OutputPart::Json(r#"["\ud800"]"#.to_owned());
    assert_eq!(redactions(&["key"]).part(broken.clone()), broken);
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
    use super::Patterns;

    let patterns = Patterns::new([r"\d+", "x*"]).unwrap();
    assert_eq!(
        patterns.redact("a12b xx3"),
        "a[redacted]b [redacted][redacted]"
    );
    let error = Patterns::new(["("]).unwrap_err();
    assert!(
        error.to_string().starts_with("`(` is no valid pattern"),
        "{error}"
    );
}

/// A text of a stranger takes time that grows with it and no faster.
#[test]
fn long_texts_are_redacted_in_one_pass() {
    let start = std::time::Instant::now();
    let all = redactions(&["aab", "key"]);
    let json = format!("[{}\"\"]", r#""a\"aaaakey",1.5e3,"#.repeat(100_000));
    let output = all.output(ToolOutput {
        parts: vec![
            OutputPart::Json(json),
            OutputPart::Text("a".repeat(3_000_000)),
        ],
    });
    assert_eq!(output.to_text().matches("[redacted]").count(), 100_000);
    assert!(start.elapsed().as_secs() < 20, "took {:?}", start.elapsed());
}
