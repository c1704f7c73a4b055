//! What models write when they call tools as text, and the calls that it stands for.

use std::io::{self, Write};

use libtest_mimic::Failed;
use serde_json::Value;
use toolwright::{
    ToolDefinition,
    emulation::{TextCalls, TextPiece, TextSource, ToolText},
    schema::Schema,
    tool::{ToolDefinitions, ToolHints},
};

/// The part of the records that has to come out as expected, in percent.
const LEAST: usize = 98;

/// The records that are text by the rules of this crate, each with the rule.
const TEXT: [(&str, &str); 5] = [
    ("tt-6e7dfbf6d2", "a word that goes on behind the call"),
    ("tt-676ac636cb", "without a marker, words on its line"),
    ("tt-72db10463d", "without a marker, words on its line"),
    ("tt-cbf2d9cd7f", "without a marker, words on its line"),
    ("tt-911185c91a", "a marker that no call follows"),
];

/// The records of which this crate leaves out the tokens that frame a message, which are no part of it.
const FRAMED: [&str; 1] = ["tt-31f3b988c1"];

/// One record: the result is the same wherever the text is cut, and no call comes out that the record has not.
pub(crate) fn check(record: &Value) {
    let parser = parser(record);
    let text = text(record);
    let whole = parser.parse(text);
    for cut in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
        let cut = in_pieces(&parser, [&text[..cut], &text[cut..]].into_iter());
        assert_eq!(cut, whole, "{text:?}");
    }
    let ends = text
        .char_indices()
        .map(|(at, char)| &text[at..at + char.len_utf8()]);
    assert_eq!(in_pieces(&parser, ends), whole, "{text:?}");
    for seed in 0..20 {
        let pieces = at_random(text, seed);
        assert_eq!(in_pieces(&parser, pieces.into_iter()), whole, "{text:?}");
    }

    let has_calls = |outcome: &&Value| !outcome["tool_calls"].as_array().is_none_or(Vec::is_empty);
    if !accepted(record).any(|outcome| has_calls(&outcome)) {
        assert_eq!(whole.calls, [], "{text:?}");
    }

    // A model that calls natively, and tools that write.
    let native = parser.clone().with_source(TextSource::Native).parse(text);
    assert_eq!(
        (native.calls.len(), native.refused.len()),
        (0, 0),
        "{text:?}"
    );
    let writers = ToolText::new(&defined(record, false)).parse(text);
    let is_bare = matches!(writers.format, Some("json" | "functionary_v3_2"));
    assert!(
        writers.calls.is_empty() || !is_bare || text.contains(">>>"),
        "{text:?}"
    );
}

/// Writes how many records came out right, and tells which did not.
pub(crate) fn score(records: &[(String, Value)]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (id, record) in records {
        let calls = parser(record).parse(text(record));
        let is_text = TEXT.iter().any(|(text, _)| text == id);
        let is_right = if is_text {
            calls.text == text(record).trim() && calls.calls.is_empty()
        } else if FRAMED.contains(&id.as_str()) {
            let is_inner = !calls.text.is_empty() && !calls.text.contains("<|");
            is_inner && text(record).contains(&calls.text) && calls.calls.is_empty()
        } else {
            is_right(record, &calls)
        };
        if !is_right {
            wrong.push(format!(
                "{id} {}: {:?}: {calls:?}",
                record["format"],
                text(record)
            ));
        }
    }
    let (all, right) = (records.len(), records.len() - wrong.len());
    let _ = writeln!(
        io::stderr(),
        "tool_text: {right} of {all} come out as expected"
    );
    if right * 100 < all * LEAST {
        return Err(wrong.join("\n").into());
    }
    for line in wrong {
        let _ = writeln!(io::stderr(), "tool_text: {line}");
    }
    Ok(())
}

fn text(record: &Value) -> &str {
    record["text"].as_str().expect("there is a text")
}

/// Answers to a request for calls need no marker; others are those of any model.
fn parser(record: &Value) -> ToolText {
    let source = match record["format"].as_str() {
        Some("emulation") => TextSource::Decision,
        _ => TextSource::Other,
    };
    ToolText::new(&declared(record)).with_source(source)
}

/// The tools that a record declares, of which it does not say what they do: they only read.
pub(crate) fn declared(record: &Value) -> ToolDefinitions {
    defined(record, true)
}

fn defined(record: &Value, are_readers: bool) -> ToolDefinitions {
    let tools = record["tools"].as_array().expect("there are tools");
    let tool = |tool: &Value| {
        let text = |key: &str| tool[key].as_str().unwrap_or_default().to_owned();
        let schema = Schema::from_value(&tool["parameters"]);
        ToolDefinition {
            hints: ToolHints::NONE.with_read_only(are_readers),
            ..ToolDefinition::new(text("name"), text("description"), schema)
        }
    };
    tools.iter().map(tool).collect()
}

/// A text in pieces of up to 40 bytes.
pub(crate) fn at_random(mut text: &str, seed: u64) -> Vec<&str> {
    let (mut pieces, mut state) = (Vec::new(), seed);
    while !text.is_empty() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let wanted = usize::try_from(state >> 33).unwrap_or_default() % 40 + 1;
        let end = (wanted..text.len()).find(|&at| text.is_char_boundary(at));
        let (piece, rest) = text.split_at(end.unwrap_or(text.len()));
        pieces.push(piece);
        text = rest;
    }
    pieces
}

/// The same text, in pieces.
pub(crate) fn in_pieces<'t>(parser: &ToolText, pieces: impl Iterator<Item = &'t str>) -> TextCalls {
    let mut stream = parser.stream();
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(stream.push(piece));
    }
    let end = stream.finish();
    all.extend(end.pieces);
    let mut calls = TextCalls::default();
    for piece in all {
        match piece {
            TextPiece::Text(text) => calls.text += &text,
            TextPiece::Reasoning(text) => calls.reasoning += &text,
            TextPiece::TextWasReasoning => calls.reasoning = std::mem::take(&mut calls.text),
            other => panic!("{other:?} is not known"),
        }
    }
    (calls.calls, calls.refused, calls.format) = (end.calls, end.refused, end.format);
    calls
}

/// The outcome that is expected, and others that are as good.
fn accepted(record: &Value) -> impl Iterator<Item = &Value> {
    let others = record["also_accept"].as_array();
    std::iter::once(&record["expected"]).chain(others.into_iter().flatten())
}

fn is_right(record: &Value, calls: &TextCalls) -> bool {
    let outcome = match (calls.calls.is_empty(), calls.refused.is_empty()) {
        (false, true) => "calls",
        (false, false) => "mixed",
        (true, false) => "malformed",
        (true, true) => "none",
    };
    let trims = record["compare"] == "trim_strings";
    accepted(record).any(|accepted| {
        let expected = accepted["tool_calls"].as_array().expect("are listed");
        let remaining = accepted["remaining_text"].as_str();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        accepted["outcome"] == outcome
            && expected.len() == calls.calls.len()
            && expected.iter().zip(&calls.calls).all(|(expected, call)| {
                let arguments = serde_json::from_str(&call.arguments).expect("arguments are JSON");
                expected["name"] == call.name.as_str()
                    && is_same(&expected["arguments"], &arguments, trims)
            })
            && remaining.is_none_or(|remaining| remaining == words(&calls.text))
    })
}

/// Whether two values are the same, numbers compared as numbers.
pub(crate) fn is_same(one: &Value, other: &Value, trims: bool) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::String(one), Value::String(other)) if trims => one.trim() == other.trim(),
        (Value::Array(one), Value::Array(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other, trims))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there = |(key, value): (&String, &Value)| {
                let other = other.get(key);
                other.is_some_and(|other| is_same(value, other, trims))
            };
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}
