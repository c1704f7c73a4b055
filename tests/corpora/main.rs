//! Definitions that other people wrote, loaded as tools, and the calls that fit them.
//!
//! The corpora stand beside the repository, in `../shared`. Without them every test is reported as
//! ignored.

mod bfcl;
mod forced;
mod foreign;
#[path = "../../emulation/src/tests/written.rs"]
mod formats;
mod markdown;
mod mcp;
mod recorded;
mod repair;
mod texts;
mod tool_text;
mod written;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    trials.extend(corpus(
        "mcp",
        lines("corpora/mcp-schemas-dev.jsonl"),
        mcp::check,
    ));
    let bfcl = lines("corpora/bfcl-dev.jsonl");
    trials.extend(corpus("bfcl", bfcl.clone(), bfcl::check));
    trials.extend(corpus("written", bfcl.clone(), written::check));
    let with_calls = bfcl.map(forced::with_calls);
    trials.extend(corpus("forced", with_calls, forced::check));
    let repair = lines("corpora/json-repair-dev.jsonl");
    if let Some(records) = &repair {
        repair::score(records);
    }
    trials.extend(corpus("repair", repair, repair::check));
    let tool_text = lines("corpora/tooltext-dev.jsonl");
    if let Some(records) = tool_text.clone() {
        trials.push(Trial::test("tool_text", move || tool_text::score(&records)));
    }
    trials.extend(corpus("tool_text", tool_text, tool_text::check));
    let texts = include_str!("texts.jsonl")
        .lines()
        .map(record)
        .collect::<Vec<_>>();
    trials.push(Trial::test("texts", {
        let texts = texts.clone();
        move || texts::count(&texts)
    }));
    trials.extend(corpus("texts", Some(texts), texts::check));
    trials.push(markdown::trial());
    trials.extend(corpus(
        "recorded",
        recorded::requests(&shared()),
        recorded::check,
    ));
    libtest_mimic::run(&arguments, trials).exit();
}

/// A test for each record, by its name; `None` if the corpus is absent.
fn corpus(name: &str, records: Option<Vec<(String, Value)>>, check: fn(&Value)) -> Vec<Trial> {
    let absent = records.is_none();
    let records = records.unwrap_or_default();
    // The list of tests goes to the other stream.
    let _ = writeln!(io::stderr(), "{name}: {} records", records.len());
    if records.is_empty() {
        let empty = Trial::test(format!("{name}::records"), || {
            Err("the corpus is empty".into())
        });
        return vec![empty.with_ignored_flag(absent)];
    }
    let trial = |(id, record): (String, Value)| {
        Trial::test(format!("{name}::{id}"), move || {
            check(&record);
            Ok(())
        })
    };
    records.into_iter().map(trial).collect()
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared")
}

fn lines(file: &str) -> Option<Vec<(String, Value)>> {
    let text = fs::read_to_string(shared().join(file)).ok()?;
    Some(text.lines().map(record).collect())
}

fn record(line: &str) -> (String, Value) {
    let record: Value = serde_json::from_str(line).expect("a line is JSON");
    (
        record["id"].as_str().expect("it has an id").to_owned(),
        record,
    )
}
