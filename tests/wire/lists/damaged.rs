//! Lists in which a message is left out, doubled or swapped with the next: they are mended, and what is written
//! then is taken by the double of the providers.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use toolwright::provider::{ImportError, Mending, MessageList, Protocol as ListProtocol};

use super::list_protocol;
use crate::{double::Server, protocol::Protocol, python, record::Record, say};

/// The trial of all recorded requests of a protocol.
pub(crate) fn trial(protocol: &'static Protocol, records: &[Record], recordings: &Path) -> Trial {
    let script = recordings.join("../servers/strict_server.py");
    let records: Vec<_> = records
        .iter()
        .filter(|record| record.body().is_some())
        .cloned()
        .collect();
    let name = format!("damaged_lists::{}", protocol.folder);
    let is_absent = !script.exists();
    Trial::test(name, move || {
        let server = Server::start(&python()?, &script, &[]);
        check(protocol, &records, &server);
        Ok(())
    })
    .with_ignored_flag(is_absent)
}

/// The Python with the providers' SDKs, which is made once.
fn python() -> Result<PathBuf, String> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PYTHON.get_or_init(python::with_sdks).clone()
}

fn check(protocol: &Protocol, records: &[Record], server: &Server) {
    let mut seen = Seen::default();
    for record in records {
        let list = MessageList::new(list_protocol(protocol)).with_model(record.model());
        let body = record.body().expect("those without were left out");
        let name = messages_of(protocol);
        let Some(messages) = body[name].as_array() else {
            continue;
        };
        // Fields that only one vendor takes are not known to the double.
        let imported = list.read(&body.to_string()).expect("it is a list");
        let whole = list.write(&imported.conversation).to_value();
        if server.post(path_of(protocol), &request(protocol, whole)).0 != 200 {
            seen.of_vendors += 1;
            continue;
        }
        for damaged in damages(messages) {
            let mut body = body.clone();
            body[name] = damaged.into();
            check_damaged(protocol, &list, &body, server, &mut seen, &record.id);
        }
    }
    say(&format!(
        "{}: {} damaged lists, {} of them mended, all taken; {} requests have fields of one vendor",
        protocol.folder, seen.damaged, seen.mended, seen.of_vendors
    ));
    assert!(seen.mended > 10, "only {} were mended", seen.mended);
}

#[derive(Default)]
struct Seen {
    damaged: usize,
    mended: usize,
    of_vendors: usize,
}

fn check_damaged(
    protocol: &Protocol,
    list: &MessageList,
    body: &Value,
    server: &Server,
    seen: &mut Seen,
    id: &str,
) {
    seen.damaged += 1;
    let text = body.to_string();
    let imported = list.read(&text).expect("it is mended");
    let is_damaged = imported
        .report
        .iter()
        .any(|finding| finding.kind.is_damage());
    seen.mended += usize::from(is_damaged);
    let refused = list.clone().with_mending(Mending::Refuse).read(&text);
    match refused {
        Ok(same) => assert!(!is_damaged && same == imported, "{id}: {body}"),
        Err(ImportError::Damaged { report }) => {
            assert!(is_damaged && report == imported.report, "{id}: {body}");
        }
        Err(other) => panic!("{id}: {other}"),
    }
    if imported.conversation.messages().is_empty() {
        return;
    }
    let written = list.write(&imported.conversation);
    let taken = request(protocol, written.to_value());
    let (status, answer) = server.post(path_of(protocol), &taken);
    assert_eq!(status, 200, "{id}: {body}\n{taken}\n{answer}");
    // What is written is whole.
    let again = list.read(written.as_str()).expect("it is a list");
    let damage: Vec<_> = again
        .report
        .iter()
        .filter(|finding| finding.kind.is_damage())
        .collect();
    assert!(damage.is_empty(), "{id}: {written}\n{damage:#?}");
    assert_eq!(
        list.write(&again.conversation).to_value(),
        written.to_value(),
        "{id}"
    );
}

/// The list with each message left out, doubled, and swapped with the next.
fn damages(messages: &[Value]) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for index in 0..messages.len() {
        let mut without = messages.to_vec();
        without.remove(index);
        let mut doubled = messages.to_vec();
        doubled.insert(index, messages[index].clone());
        all.extend([without, doubled]);
        if index + 1 < messages.len() {
            let mut swapped = messages.to_vec();
            swapped.swap(index, index + 1);
            all.push(swapped);
        }
    }
    all
}

fn messages_of(protocol: &Protocol) -> &'static str {
    match list_protocol(protocol) {
        ListProtocol::OpenAiResponses => "input",
        ListProtocol::Gemini => "contents",
        _ => "messages",
    }
}

fn path_of(protocol: &Protocol) -> &'static str {
    match list_protocol(protocol) {
        ListProtocol::OpenAiChat => "/v1/chat/completions",
        ListProtocol::OpenAiResponses => "/v1/responses",
        ListProtocol::Anthropic => "/v1/messages",
        ListProtocol::Gemini => "/v1beta/models/sim-text:generateContent",
        _ => "/api/chat",
    }
}

/// The smallest request with a list.
fn request(protocol: &Protocol, mut body: Value) -> Value {
    let list = list_protocol(protocol);
    if list != ListProtocol::Gemini {
        body["model"] = "sim-text".into();
    }
    if list == ListProtocol::Anthropic {
        body["max_tokens"] = json!(100);
    }
    if list == ListProtocol::Ollama {
        body["stream"] = json!(false);
    }
    body
}
