//! The program against the strict double of the providers, which stands beside the repository in `../shared/servers`.
//! Without it, or without a Python, these tests are reported as ignored.

#[path = "../../tests/profiles/double.rs"]
#[allow(dead_code, reason = "what the double refuses is for other tests")]
mod double;
#[path = "../../tests/profiles/python.rs"]
mod python;
#[path = "../../tests/wire/record.rs"]
#[allow(
    dead_code,
    reason = "what a recording is replayed with is for other tests"
)]
mod record;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use double::Server;
use libtest_mimic::{Arguments, Trial};
use record::Record;

/// The providers, one a protocol, with the variables of their address and their key, and the end of the address.
const PROVIDERS: [(&str, &str, &str, &str); 5] = [
    ("OpenAI", "OPENAI_BASE_URL", "OPENAI_API_KEY", "/v1"),
    (
        "OpenAI Responses",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "/v1",
    ),
    ("Anthropic", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", ""),
    ("Gemini", "GEMINI_BASE_URL", "GEMINI_API_KEY", "/v1beta"),
    ("Ollama", "OLLAMA_HOST", "OLLAMA_API_KEY", ""),
];

const KEY: &str = "sk-live-0123456789abcdef0123456789abcdef";

/// What the double can do, of all behaviours.
const HOLDS: [&str; 8] = [
    "text",
    "usage",
    "call",
    "parallel calls",
    "required call",
    "strict tool",
    "error of a tool",
    "cancelled",
];

fn main() {
    let arguments = Arguments::from_args();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/servers/strict_server.py");
    let python = if arguments.list || !script.exists() {
        Err("`../shared/servers` is not there".to_owned())
    } else {
        python::with_sdks()
    };
    if let Err(why) = &python {
        eprintln!("strict-server is ignored: {why}");
    }
    let is_ignored = python.is_err();
    let with = |test: fn(&Path, &Path)| {
        let (python, script) = (python.clone().unwrap_or_default(), script.clone());
        move || {
            test(&python, &script);
            Ok(())
        }
    };
    let trials = vec![
        Trial::test("without_a_key_nothing_is_sent", || {
            without_a_key();
            Ok(())
        }),
        Trial::test("strict-server::behaviours", with(behaviours)).with_ignored_flag(is_ignored),
        Trial::test("strict-server::limit", with(limit)).with_ignored_flag(is_ignored),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// The program, with nothing of the environment but these variables.
fn program(variables: &[(&str, String)], behaviours: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolwright-live"));
    command.env_clear().args(behaviours);
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    command.output().expect("it runs")
}

fn without_a_key() {
    let output = program(&[], &[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("OPENAI_API_KEY") && said.contains("TOOLWRIGHT_LIVE_PRICES"),
        "{said}"
    );
}

/// The variables that put the double in the places of all providers.
fn in_place(server: &Server) -> Vec<(&'static str, String)> {
    let names = PROVIDERS.map(|(name, ..)| format!("{name}=sim-parallel"));
    let mut variables = vec![("TOOLWRIGHT_LIVE_MODELS", names.join(","))];
    for (_, base_url, key, end) in PROVIDERS {
        variables.push((base_url, server.url() + end));
        variables.push((key, KEY.to_owned()));
    }
    variables
}

/// The row of a behaviour.
fn row<'t>(table: &'t str, behaviour: &str) -> Vec<&'t str> {
    let start = format!("| {behaviour} |");
    let row = table.lines().find(|line| line.starts_with(&start));
    let row = row.unwrap_or_else(|| panic!("no {behaviour} in {table}"));
    row.trim_matches('|')
        .split('|')
        .map(str::trim)
        .skip(1)
        .collect()
}

fn behaviours(python: &Path, script: &Path) {
    let server = Server::start(python, script, &[]);
    let recordings = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("live");
    let _ = fs::remove_dir_all(&recordings);
    let mut variables = in_place(&server);
    variables.push((
        "TOOLWRIGHT_LIVE_RECORDINGS",
        recordings.display().to_string(),
    ));
    let output = program(&variables, &HOLDS);
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("\nTried on "), "{table}");
    for behaviour in HOLDS.iter().filter(|name| **name != "cancelled") {
        assert_eq!(
            row(&table, behaviour),
            ["holds"; PROVIDERS.len()],
            "{table}"
        );
    }
    assert_eq!(
        row(&table, "cancelled at the first text"),
        ["holds"; PROVIDERS.len()]
    );
    let report = server.report();
    assert_eq!(report["violations"], serde_json::json!([]), "{report}");

    let folders = fs::read_dir(&recordings).expect("is written");
    let mut count = 0;
    for folder in folders {
        let folder = folder.expect("can be read").path();
        for record in Record::read_all(&folder) {
            count += 1;
            assert!(
                record.is_whole() && record.body().is_some(),
                "{}",
                record.id
            );
            let file = folder.join(record.name()).with_extension("json");
            let file = if file.exists() {
                file
            } else {
                folder.join(format!("{}.json", record.name()))
            };
            let text = fs::read_to_string(file).expect("is there");
            assert!(!text.contains(KEY), "{}", record.id);
        }
    }
    assert!(count > 50, "{count} recordings");
}

/// A limit of cost that no request keeps: none is sent.
fn limit(python: &Path, script: &Path) {
    let server = Server::start(python, script, &[]);
    let mut variables = in_place(&server);
    variables.push(("TOOLWRIGHT_LIVE_PRICES", "sim-parallel=1/10".to_owned()));
    variables.push(("TOOLWRIGHT_LIVE_MAX_COST", "0.0001".to_owned()));
    let output = program(&variables, &["call"]);
    let table = String::from_utf8_lossy(&output.stdout);
    for cell in row(&table, "call") {
        assert!(cell.starts_with("not run: the request may cost"), "{table}");
    }
    assert_eq!(server.report()["requests"], 0, "{table}");
}
