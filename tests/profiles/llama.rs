//! What the profile `grammar` sends, given to llama.cpp's own converter of schemas.
//!
//! `llama_grammar/build.sh` builds the program that asks it, and `TOOLWRIGHT_LLAMA_GRAMMAR` names that program. Without it
//! these tests are reported as ignored.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use toolwright::{ToolDefinition, profile::Profile, schema::Schema};

const VARIABLE: &str = "TOOLWRIGHT_LLAMA_GRAMMAR";

/// The parts of which patterns are made, and how often each is repeated.
const PARTS: [&str; 30] = [
    "a", "é", "😀", r"\d", r"\w", r"\s", r"\S", r"\p{L}", ".", "[a-c]", r"[\d-]", "[^a]",
    r"[^a\d]", r"\.", r"\/", "/", "-", "\"", r"\\", r"\t", "[é-ü]", r"[\^a]", "[-a]", "(ab)",
    "(?:a|é)", "(a|b)", "(?=a)", r"\u00e9", ",", "{a}",
];
const TIMES: [&str; 8] = ["", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{,3}"];

/// Texts of which some fit.
const TEXTS: [&str; 28] = [
    "", "a", "aa", "aaa", "aaaa", "b", "ab", "abab", "c", "d", "é", "éé", "ü", "😀", "1", "12",
    "1234", "-", "--", ".", "/", "//", ",", "^", " ", "_", "xay", "{a}",
];

pub(crate) fn trials(corpora: &Path) -> Vec<Trial> {
    let program = env::var(VARIABLE).ok();
    let is_ignored = program.is_none();
    let program = program.unwrap_or_default();
    let mut trials = Vec::new();
    let of_patterns = program.clone();
    let patterns = move || {
        patterns(&of_patterns);
        Ok(())
    };
    trials.push(Trial::test("llama-cpp::patterns", patterns).with_ignored_flag(is_ignored));
    for (corpus, read) in super::CORPORA {
        let path = corpora.join(corpus).with_extension("jsonl");
        let (program, is_absent) = (program.clone(), !path.exists());
        let schemas = move || {
            let records = read(&fs::read_to_string(&path)?);
            schemas(&program, records.into_iter().map(|record| record.tool));
            Ok(())
        };
        let trial = Trial::test(format!("llama-cpp::{corpus}"), schemas);
        trials.push(trial.with_ignored_flag(is_ignored || is_absent));
    }
    trials
}

/// What the converter makes of each schema, in order.
fn ask(program: &str, asked: &[Value]) -> Vec<Value> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("is piped");
    let output = BufReader::new(child.stdout.take().expect("is piped"));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for one in asked {
                writeln!(input, "{one}").expect("it reads");
            }
        });
        let lines = output.lines();
        let lines = lines.map(|line| serde_json::from_str(&line.expect("it writes")));
        let answers: Result<Vec<Value>, _> = lines.collect();
        child.wait().expect("it ends");
        answers.expect("is JSON")
    })
}

fn tool(schema: &Value) -> ToolDefinition {
    ToolDefinition::new("t", "", Schema::from_value(schema))
}

/// A pattern that is sent accepts what the pattern means, and nothing else.
fn patterns(program: &str) {
    let (mut sent, mut left_out) = (Vec::new(), 0);
    for (part, times) in PARTS
        .iter()
        .flat_map(|part| TIMES.map(|times| (part, times)))
    {
        for pattern in [
            format!("^{part}{times}$"),
            format!("^x{part}{times}y$"),
            format!("^({part}{times}|z)+$"),
        ] {
            let schema = json!({"type": "string", "pattern": pattern});
            let Ok(validator) = jsonschema::options().build(&schema) else {
                continue;
            };
            let object = json!({"type": "object", "properties": {"p": schema}, "required": ["p"]});
            let rendered = Profile::grammar().render(&tool(&object)).expect("is taken");
            let parameters = rendered.parameters.expect("has one").to_value();
            if let Some(written) = parameters["properties"]["p"].get("pattern") {
                sent.push((pattern, written.clone(), validator));
            } else {
                assert!(!rendered.losses.is_empty(), "{pattern} is lost in silence");
                left_out += 1;
            }
        }
    }
    let quoted = TEXTS.map(|text| Value::from(text).to_string());
    let asked = sent.iter().map(|(_, written, _)| {
        json!({"schema": {"type": "string", "pattern": written}, "texts": quoted})
    });
    let answers = ask(program, &asked.collect::<Vec<_>>());
    assert_eq!(answers.len(), sent.len(), "it broke off");
    let mut differ = Vec::new();
    for ((pattern, written, validator), answer) in sent.iter().zip(&answers) {
        let fits = TEXTS.map(|text| validator.is_valid(&Value::from(text)));
        if answer["accepted"] != json!(fits) {
            differ.push(format!("{pattern} as {written}: {answer}"));
        }
    }
    let line = format!(
        "llama-cpp::patterns: {} patterns are sent and mean the same, {left_out} are left to words",
        sent.len()
    );
    let _ = writeln!(io::stderr(), "{line}");
    assert!(
        differ.is_empty(),
        "{}:\n{}",
        differ.len(),
        differ.join("\n")
    );
    assert!(sent.len() > 300 && left_out > 30, "{line}");
}

/// Each schema that is sent becomes a grammar that parses.
fn schemas(program: &str, tools: impl Iterator<Item = ToolDefinition>) {
    let rendered = tools.filter_map(|tool| Profile::grammar().render(&tool).ok()?.parameters);
    let asked = rendered.map(|schema| json!({"schema": schema.to_value(), "texts": []}));
    let asked: Vec<_> = asked.collect();
    let answers = ask(program, &asked);
    assert_eq!(answers.len(), asked.len(), "it broke off");
    for (asked, answer) in asked.iter().zip(&answers) {
        assert!(answer["grammar"].is_string(), "{answer}: {asked}");
    }
    let _ = writeln!(
        io::stderr(),
        "llama-cpp: {} schemas become grammars",
        asked.len()
    );
    assert!(!asked.is_empty());
}
