//! Each format, written in the ways in which models write it.

use serde_json::{Map, Value, json};

use super::{
    in_pieces, parser,
    written::{ALL, Writer, Written},
};
use crate::TextCalls;

fn arguments(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => unreachable!("arguments are an object"),
    }
}

fn call(name: &str, value: Value) -> Written {
    (name.to_owned(), arguments(value))
}

fn found(calls: &TextCalls) -> Vec<Written> {
    let calls = calls.calls.iter();
    let call = |name: &str, text: &str| {
        call(
            name,
            serde_json::from_str(text).expect("arguments are JSON"),
        )
    };
    calls
        .map(|found| call(&found.name, &found.arguments))
        .collect()
}

#[track_caller]
fn check(writer: &Writer, text: &str, calls: &[Written], rest: &str) {
    let read = parser().parse(text);
    assert_eq!(found(&read), calls, "{}: {text}\n{read:?}", writer.name);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(&read.text), rest, "{}: {text}", writer.name);
    assert_eq!(read.refused, [], "{}: {text}", writer.name);
    assert_eq!(read.format, Some(writer.name), "{text}");
    let chars = text.char_indices();
    let chars = chars.map(|(at, char)| &text[at..at + char.len_utf8()]);
    assert_eq!(in_pieces(&parser(), chars), read, "{}: {text}", writer.name);
}

/// Calls that are hard to write.
fn samples() -> Vec<Vec<Written>> {
    let one = |content: &str| {
        vec![call(
            "write_file",
            json!({"path": "a.txt", "content": content}),
        )]
    };
    let mut all: Vec<_> = [
        "plain",
        "it's \"quoted\"",
        "C:\\Users\\n",
        "日本 🦀 é",
        "{\"name\": \"ping\", \"arguments\": {}}",
        "a [b] (c) {d}, e: f; g = h",
        "``` JSON_END [/TOOL_CALLS] ```",
        "// no /* comment */ # here",
        "true",
        "a\nb\n\nc",
    ]
    .map(one)
    .into();
    all.push(vec![call(
        "get_weather",
        json!({"city": "Oslo", "days": 3}),
    )]);
    all.push(vec![call("ping", json!({}))]);
    all.push(vec![
        call("get_weather", json!({"city": "Oslo", "days": -1})),
        call("ping", json!({})),
        call("search", json!({"query": "x y"})),
    ]);
    all
}

#[test]
fn what_is_written_is_read() {
    for writer in ALL {
        for calls in samples() {
            let Some(text) = writer.write(&calls) else {
                continue;
            };
            check(writer, &text, &calls, "");
            check(writer, &format!("\n\n {text} \n"), &calls, "");
            check(
                writer,
                &format!("Let me see.\n\n{text}\n"),
                &calls,
                "Let me see.",
            );
            check(
                writer,
                &format!("<think>\nHm.\n</think>\n\n{text}"),
                &calls,
                "",
            );
            check(writer, &format!("Hm.\n</think>\n{text}"), &calls, "");
            check(
                writer,
                &format!("{text}\n\nI will tell you."),
                &calls,
                "I will tell you.",
            );
        }
    }
}

#[test]
fn what_is_cut_off_is_never_completed() {
    for writer in ALL {
        for calls in samples() {
            let Some(text) = writer.write(&calls) else {
                continue;
            };
            for (cut, _) in text.char_indices() {
                let read = parser().parse(&text[..cut]);
                let found = found(&read);
                let is_part = found.len() <= calls.len() && found == calls[..found.len()];
                assert!(is_part, "{}: {}\n{read:?}", writer.name, &text[..cut]);
            }
        }
    }
}

#[test]
fn undeclared_names_are_refused() {
    for writer in ALL {
        for name in ["get_weathers", "Ping", "write-file"] {
            let calls = [call(name, json!({"a": "b"}))];
            let Some(text) = writer.write(&calls) else {
                continue;
            };
            let read = parser().parse(&text);
            assert_eq!(read.calls, [], "{}: {text}", writer.name);
            let calls = [call("ping", json!({})), call(name, json!({"a": "b"}))];
            let Some(text) = writer.write(&calls) else {
                continue;
            };
            let names: Vec<_> = parser()
                .parse(&text)
                .calls
                .into_iter()
                .map(|call| call.name)
                .collect();
            assert_eq!(names, ["ping"], "{}: {text}", writer.name);
        }
    }
}

#[test]
fn in_a_block_of_code_or_in_reasoning_it_is_an_example() {
    for writer in ALL {
        let calls = [call("get_weather", json!({"city": "Oslo"}))];
        let text = writer.write(&calls).expect("is simple");
        for (before, after) in [
            ("Like this:\n\n````markdown\n", "\n````\nSo."),
            ("```python\ntext = \"\"\"\n", "\n\"\"\"\n```\nSo."),
            ("<think>\n", "\n</think>\nSo."),
            ("<tool_response>\n", "\n</tool_response>\nSo."),
            ("A.\n<|START_TOOL_RESULT|>\n", "<|END_TOOL_RESULT|>So."),
        ] {
            if text.contains("```") && before.starts_with("```p") {
                continue;
            }
            let text = format!("{before}{text}{after}");
            let read = parser().parse(&text);
            assert_eq!(read.calls, [], "{}: {text}\n{read:?}", writer.name);
            assert!(
                read.text.ends_with("So."),
                "{}: {text}\n{read:?}",
                writer.name
            );
        }
    }
}
