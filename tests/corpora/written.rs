//! The calls of the questions, written in each of the formats and read again.

use serde_json::Value;
use toolwright::emulation::ToolText;

use crate::{
    formats::{ALL, Written},
    tool_text::{at_random, declared, in_pieces, is_same},
};

/// One record: its calls come out of every format that can write them, also in pieces.
pub(crate) fn check(record: &Value) {
    let truth = record["ground_truth"].as_array();
    let call = |call: &Value| -> Written {
        let arguments = call["example_arguments"].as_object();
        let name = call["name"].as_str().expect("has a name");
        (name.to_owned(), arguments.expect("has arguments").clone())
    };
    let calls: Vec<_> = truth.into_iter().flatten().map(call).collect();
    if calls.is_empty() {
        return;
    }
    let parser = ToolText::new(&declared(record));
    let mut written = 0;
    for writer in ALL {
        let Some(text) = writer.write(&calls) else {
            continue;
        };
        written += 1;
        let text = format!("I will look it up.\n{text}");
        let read = parser.parse(&text);
        let is_right = read.calls.len() == calls.len()
            && read
                .calls
                .iter()
                .zip(&calls)
                .all(|(read, (name, arguments))| {
                    let read_arguments = serde_json::from_str(&read.arguments).expect("is JSON");
                    read.name == *name && is_same(&arguments.clone().into(), &read_arguments, false)
                });
        assert!(is_right, "{}: {text}\n{read:?}", writer.name);
        assert_eq!(read.text, "I will look it up.", "{}: {text}", writer.name);
        let pieces = at_random(&text, 7).into_iter();
        assert_eq!(in_pieces(&parser, pieces), read, "{}: {text}", writer.name);
    }
    assert!(written > 20, "{written} formats have such calls");
}
