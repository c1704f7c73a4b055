//! Recorded exchanges of real providers: decoded and compared with what an independent reader made
//! of them, sent again and compared with what was sent, and replayed.
//!
//! The recordings stand beside the repository, in `../shared/wire`, one folder a protocol. Without
//! them every test is reported as ignored.
#![allow(
    clippy::incompatible_msrv,
    reason = "tests run on the pinned toolchain"
)]

mod allowed;
mod anthropic;
mod cited;
mod damaged;
#[path = "../profiles/double.rs"]
#[allow(dead_code, reason = "what the double refuses is for other tests")]
mod double;
mod events;
#[path = "../support/exhaustive.rs"]
mod exhaustive;
mod gemini;
mod heard;
mod lists;
#[path = "../support/loopback.rs"]
#[allow(
    dead_code,
    reason = "the answers of a broken server are for other tests"
)]
mod loopback;
#[path = "../support/mutation.rs"]
mod mutation;
mod ollama;
mod openai_chat;
mod openai_responses;
mod outcome;
mod pieces;
mod protocol;
#[path = "../profiles/python.rs"]
mod python;
mod real_server;
mod reasons;
mod record;
mod replay;
mod sent;
mod silent_events;
mod turn;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use libtest_mimic::{Arguments, Trial};

use protocol::Protocol;
use record::Record;
use replay::Conversations;

static PROTOCOLS: [&Protocol; 5] = [
    &anthropic::PROTOCOL,
    &gemini::PROTOCOL,
    &ollama::PROTOCOL,
    &openai_chat::PROTOCOL,
    &openai_responses::PROTOCOL,
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = real_server::trials();
    for protocol in PROTOCOLS {
        trials.extend(trials_of(protocol));
    }
    trials.extend(silent_events::trials(&recordings()));
    trials.extend(damaged::trials(&recordings()));
    trials.extend(cited::trials(&recordings()));
    let everything = arguments.filter.is_none()
        && arguments.skip.is_empty()
        && !arguments.list
        && !arguments.ignored
        && recordings().exists();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if conclusion.has_failed() || (everything && !all_reasons_are_needed()) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Says which exceptions no recording needs.
fn all_reasons_are_needed() -> bool {
    let mut all = true;
    for protocol in PROTOCOLS {
        let allowed = protocol.allowed.iter().chain(protocol.allowed_in_replay);
        let allowed = allowed.chain(lists::forms_of(protocol));
        let silent = protocol.silent.iter().map(|silent| silent.reason);
        let fields = protocol.silent_fields.iter().flat_map(|(_, paths)| *paths);
        let reasons = allowed.map(|allowed| allowed.reason).chain(silent);
        for reason in reasons.chain(fields.copied()) {
            if !reasons::is_needed(protocol.folder, reason) {
                all = false;
                let folder = protocol.folder;
                say(&format!("{folder}: no recording needs this: {reason}"));
            }
        }
    }
    all
}

/// Writes a line to the error stream, since the list of tests goes to the other.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/wire")
}

fn trials_of(protocol: &'static Protocol) -> Vec<Trial> {
    let folder = recordings().join(protocol.folder);
    let mut records = Record::read_all(&folder);
    for record in &mut records {
        (protocol.correct)(record);
    }
    if records.is_empty() {
        let name = format!("{}::recordings", protocol.folder);
        let trial = Trial::test(name, || Err("the folder is there and empty".into()));
        return vec![trial.with_ignored_flag(!folder.exists())];
    }
    let (requests, replies) = (
        sent::requests(protocol, &records),
        sent::replies(protocol, &records),
    );
    let heard = heard::trials(protocol, &records);
    let lists = lists::trials(protocol, &records);
    let damaged_lists = lists::damaged(protocol, &records, &recordings());
    let conversations = Conversations::new(protocol, &records);
    say(&format!(
        "{}: {} recordings, {} requests and {} replies go out again; {}",
        protocol.folder,
        records.len(),
        requests.len(),
        replies.len(),
        conversations.summary(protocol),
    ));
    let mut trials: Vec<_> = records
        .into_iter()
        .map(|record| {
            Trial::test(record.id.replace('/', "::"), move || {
                protocol.codec.check(&record);
                Ok(())
            })
        })
        .collect();
    trials.extend(requests);
    trials.extend(replies);
    trials.extend(heard);
    say(&format!(
        "{}: {} lists are read and written",
        protocol.folder,
        lists.len()
    ));
    trials.extend(lists);
    trials.push(damaged_lists);
    trials.extend(conversations.trials(protocol));
    trials
}
