//! The calls of the questions, written in each of the formats and read again.

use std::iter::zip;

use serde_json::Value;
use toolwright::emulation::ToolText;

use crate::{
    formats::{ALL, Written},
    tool_text::{at_random, declared, in_pieces, is_same},
};

/// What a model writes, in one of the formats.
pub(crate) struct Text {
    pub(crate) format: &'static str,
    pub(crate) text: String,
}

/// The calls of a record.
pub(crate) fn calls(record: &Value) -> Vec<Written> {
    let truth = record["ground_truth"].as_array();
    let call = |call: &Value| -> Written {
        let arguments = call["example_arguments"].as_object();
        let name = call["name"].as_str().expect("has a name");
        (name.to_owned(), arguments.expect("has arguments").clone())
    };
    truth.into_iter().flatten().map(call).collect()
}

/// Calls in every format that can write them, behind a sentence.
pub(crate) fn texts(calls: &[Written]) -> Vec<Text> {
    let texts: Vec<_> = ALL
        .iter()
        .filter_map(|writer| {
            Some(Text {
                format: writer.name,
                text: format!("I will look it up.\n{}", writer.write(calls)?),
            })
        })
        .collect();
    assert!(texts.len() > 20, "{} formats have such calls", texts.len());
    texts
}

/// One record: its calls come out of every format that can write them, also in pieces.
pub(crate) fn check(record: &Value) {
    let calls = calls(record);
    if calls.is_empty() {
        return;
    }
    let parser = ToolText::new(&declared(record));
    for Text { format, text } in texts(&calls) {
        let read = parser.parse(&text);
        let is_right = read.calls.len() == calls.len()
            && zip(&read.calls, &calls).all(|(read, (name, arguments))| {
                let read_arguments = serde_json::from_str(&read.arguments).expect("is JSON");
                read.name == *name && is_same(&arguments.clone().into(), &read_arguments, false)
            });
        assert!(is_right, "{format}: {text}\n{read:?}");
        assert_eq!(read.text, "I will look it up.", "{format}: {text}");
        let pieces = at_random(&text, 7).into_iter();
        assert_eq!(in_pieces(&parser, pieces), read, "{format}: {text}");
    }
}
