//! Real schemas in the form of each provider: tools of public servers and of a benchmark.
//!
//! The corpora stand beside the repository, in `../shared/corpora`. Without them every test is
//! reported as ignored.

mod answers;
mod documents;
mod double;
mod emulated;
mod encode;
#[path = "../support/exhaustive.rs"]
mod exhaustive;
mod llama;
mod pairs;
mod python;
mod run_by_provider;
mod runs;
mod server;
mod typed;

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;
use toolwright::{
    ToolDefinition,
    profile::{LossKind, Optional, Profile, Reason, Rendered},
    schema::Schema,
};

use encode::{Encode, readable, without_nulls};

/// A tool of a corpus, with arguments that its schema accepts, and others.
struct Record {
    tool: ToolDefinition,
    instances: Vec<Value>,
    wrong: Vec<Value>,
}

/// A corpus, and how it is read.
type Corpus = (&'static str, fn(&str) -> Vec<Record>);

const CORPORA: [Corpus; 2] = [("mcp-schemas-dev", mcp), ("bfcl-dev", bfcl)];

fn profiles() -> Vec<Profile> {
    vec![
        Profile::openai(),
        Profile::openai_strict(),
        Profile::anthropic(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::mistral(),
        Profile::groq(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ]
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (corpus, read) in CORPORA {
        let path = corpora().join(corpus).with_extension("jsonl");
        for profile in profiles() {
            let name = format!("{corpus}::{}", profile.name);
            let ignored = !path.exists();
            let path = path.clone();
            let line = name.clone();
            let check = move || {
                let text = fs::read_to_string(&path)?;
                check(&line, &profile, &read(&text));
                Ok(())
            };
            trials.push(Trial::test(name, check).with_ignored_flag(ignored));
        }
    }
    trials.extend(llama::trials(&corpora()));
    trials.extend(server::trials(&corpora(), arguments.list));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Each tool is taken or refused with a reason, and every instance comes back as it was.
fn check(name: &str, profile: &Profile, records: &[Record]) {
    let (mut taken, mut lossless, mut back, mut undeclared) = (0, 0, 0, 0);
    let mut lost = BTreeMap::<String, usize>::new();
    let mut refused = BTreeMap::<String, usize>::new();
    for record in records {
        let Record {
            tool, instances, ..
        } = record;
        let rendered = match profile.render(tool) {
            Ok(rendered) => rendered,
            Err(refusal) => {
                assert_eq!(refusal.tool, tool.name);
                assert!(
                    !matches!(
                        refusal.reason,
                        Reason::TooDeep { .. } | Reason::TooLarge { .. }
                    ),
                    "{refusal}"
                );
                *refused.entry(refusal.reason.to_string()).or_default() += 1;
                continue;
            }
        };
        taken += 1;
        lossless += usize::from(rendered.losses.is_empty());
        for loss in &rendered.losses {
            *lost
                .entry(format!("{} {:?}", loss.keyword, loss.kind))
                .or_default() += 1;
        }
        let again = profile.render(tool).expect("it was taken before");
        assert_eq!(
            again.parameters, rendered.parameters,
            "the bytes are stable"
        );
        let root = tool.input_schema.to_value();
        let sent = rendered.parameters.as_ref().map(Schema::to_value);
        let validator = sent.as_ref().map(|sent| {
            let sent = readable(sent);
            assert!(jsonschema::meta::is_valid(&sent), "{}: {sent}", tool.name);
            jsonschema::options().build(&sent).expect("it is a schema")
        });
        let null_is_absent = rendered
            .losses
            .iter()
            .any(|loss| loss.kind == LossKind::NullAsAbsent);
        for instance in instances {
            let mut again = sent_again(&rendered, instance, null_is_absent);
            if profile.optional == Optional::NeverNull {
                again = without_nulls(&again);
            }
            let encode = Encode {
                profile,
                root: &root,
            };
            let Ok(encoded) = encode.arguments(instance) else {
                undeclared += 1;
                continue;
            };
            if let Some(validator) = &validator {
                for value in [&encoded, &again] {
                    let error = validator.validate(value).err();
                    assert!(
                        error.is_none(),
                        "{}: {value}: {error:?}\n{sent:?}",
                        tool.name
                    );
                }
            }
            let text = encoded.to_string();
            let undone = rendered.mapping.to_tool(&text);
            let undone: Value = serde_json::from_str(&undone).expect("it is JSON");
            if null_is_absent {
                assert_eq!(
                    without_nulls(&undone),
                    without_nulls(instance),
                    "{}: {text}",
                    tool.name
                );
            } else {
                assert_eq!(undone, *instance, "{}: {text}\n{sent:?}", tool.name);
            }
            back += 1;
        }
    }
    let line = format!(
        "{name}: {} tools, {taken} taken, {lossless} without a loss; {back} instances there and back, \
         {undeclared} with undeclared members; lost: {lost:?}; refused: {refused:?}",
        records.len()
    );
    // To the error stream, since the list of tests goes to the other.
    let _ = writeln!(io::stderr(), "{line}");
    assert!(taken > 0 && back > 0, "nothing was compared");
}

/// The arguments of an earlier call in the form of the provider, from which they come back.
fn sent_again(rendered: &Rendered, own: &Value, null_is_absent: bool) -> Value {
    let text = own.to_string();
    let again = rendered.mapping.to_provider(&text);
    let back = rendered.mapping.to_tool(&again);
    let [sent, mut back] =
        [&again, &back].map(|text| serde_json::from_str(text).expect("it is JSON"));
    let mut own = own.clone();
    if null_is_absent {
        (back, own) = (without_nulls(&back), without_nulls(&own));
    }
    assert_eq!(back, own, "{}: {text} as {again}", rendered.name);
    sent
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora")
}

/// The tools of servers, with the instances that a validator accepts.
fn mcp(text: &str) -> Vec<Record> {
    let record = |text: &str| {
        let record: Value = serde_json::from_str(text).expect("a line is an object");
        let name = record["name"].as_str().expect("it has a name").to_owned();
        let description = record["description"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let all = record["instances"].as_array().expect("it has instances");
        let (valid, wrong): (Vec<_>, Vec<_>) = all.iter().partition(|one| one["valid"] == true);
        let values = |all: Vec<&Value>| all.iter().map(|one| one["value"].clone()).collect();
        Record {
            tool: ToolDefinition::new(name, description, schema(text, "input_schema")),
            instances: values(valid),
            wrong: values(wrong),
        }
    };
    text.lines().map(record).collect()
}

/// The schema in a record as it was written, in its own order.
fn schema(record: &str, key: &str) -> Schema {
    let record: BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_str(record).expect("it is an object");
    Schema::from_text(record[key].get()).expect("it is JSON")
}

/// The tools of the benchmark, with the example calls that their schemas accept.
fn bfcl(text: &str) -> Vec<Record> {
    let mut records = Vec::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("a line is an object");
        for tool in record["tools"].as_array().expect("it has tools") {
            let own = tool["name"].as_str().expect("it has a name");
            let calls = record["ground_truth"].as_array().into_iter().flatten();
            let calls = calls.filter(|call| call["name"] == own && call["example_valid"] == true);
            let description = tool["description"].as_str().unwrap_or_default().to_owned();
            let schema = Schema::from_value(&tool["parameters"]);
            records.push(Record {
                tool: ToolDefinition::new(own.replace('.', "_"), description, schema),
                instances: calls
                    .map(|call| call["example_arguments"].clone())
                    .collect(),
                wrong: Vec::new(),
            });
        }
    }
    records
}
