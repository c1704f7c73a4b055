//! Recorded exchanges of real providers, decoded and compared with what an independent reader made
//! of them.
//!
//! The recordings stand beside the repository, in `../shared/wire`, one folder a protocol. Without
//! them every test is reported as ignored.

mod anthropic;
mod damaged;
mod gemini;
#[path = "../integration/loopback.rs"]
#[allow(
    dead_code,
    reason = "the answers of a broken server are for other tests"
)]
mod loopback;
mod ollama;
mod openai_chat;
mod openai_responses;
mod outcome;
mod patterns;
mod pieces;
mod real_server;
mod record;
mod replay;
mod responses_sent;
mod sent;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use libtest_mimic::{Arguments, Trial};

use record::Record;

/// A protocol: the folder of its recordings, and how one is checked.
struct Protocol {
    folder: &'static str,
    check: fn(&Record),
}

const PROTOCOLS: &[Protocol] = &[
    Protocol {
        folder: "anthropic",
        check: anthropic::check,
    },
    Protocol {
        folder: "gemini",
        check: gemini::check,
    },
    Protocol {
        folder: "ollama",
        check: ollama::check,
    },
    Protocol {
        folder: "openai-chat",
        check: openai_chat::check,
    },
    Protocol {
        folder: "openai-responses",
        check: openai_responses::check,
    },
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for protocol in PROTOCOLS {
        let folder = recordings().join(protocol.folder);
        let of_protocol = trials_of(protocol, &folder);
        say(&format!(
            "{}: {} recordings",
            protocol.folder,
            of_protocol.len()
        ));
        if of_protocol.is_empty() {
            let name = format!("{}::recordings", protocol.folder);
            let absent = !folder.exists();
            let trial = Trial::test(name, || Err("the folder is there and empty".into()));
            trials.push(trial.with_ignored_flag(absent));
        }
        trials.extend(of_protocol);
    }
    trials.extend(patterns::trials(&recordings()));
    trials.extend(damaged::trials(&recordings()));
    trials.extend(real_server::trials());
    trials.extend(replay::trials(&recordings().join("openai-chat")));
    let sent = sent::trials(&recordings().join("anthropic"));
    say(&format!(
        "anthropic: {} requests and replies go out again",
        sent.len()
    ));
    trials.extend(sent);
    trials.extend(gemini::trials(&recordings().join("gemini")));
    trials.extend(ollama::trials(&recordings().join("ollama")));
    let sent = responses_sent::trials(&recordings().join("openai-responses"));
    say(&format!(
        "openai-responses: {} requests and replies go out again",
        sent.len()
    ));
    trials.extend(sent);
    libtest_mimic::run(&arguments, trials).exit();
}

/// Writes a line to the error stream, since the list of tests goes to the other.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/wire")
}

fn trials_of(protocol: &Protocol, folder: &Path) -> Vec<Trial> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    let check = protocol.check;
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_stem().expect("it ends in .json");
            let name = format!("{}::{}", protocol.folder, name.to_string_lossy());
            Trial::test(name, move || {
                check(&Record::read(&path));
                Ok(())
            })
        })
        .collect()
}
