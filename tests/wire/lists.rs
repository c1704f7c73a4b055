//! The messages of every recorded request: read into a conversation and written as they were, and read when
//! something in them is wrong.

mod damaged;
mod forms;

use libtest_mimic::Trial;
use serde_json::{Map, Value};
use toolwright::provider::{FindingKind, MessageList, Protocol as ListProtocol};

use crate::{
    allowed::{Allowed, assert_value_same},
    protocol::Protocol,
    record::Record,
};
pub(crate) use damaged::trial as damaged;

/// A trial for each recorded request.
pub(crate) fn trials(protocol: &'static Protocol, records: &[Record]) -> Vec<Trial> {
    let records = records.iter().filter(|record| record.body().is_some());
    let trials = records.cloned().map(|record| {
        Trial::test(format!("lists::{}", record.id), move || {
            check(protocol, &record);
            Ok(())
        })
    });
    trials.collect()
}

/// The forms that say the same in a protocol.
pub(crate) fn forms_of(protocol: &Protocol) -> &'static [Allowed] {
    match list_protocol(protocol) {
        ListProtocol::OpenAiChat => forms::OPENAI_CHAT,
        ListProtocol::OpenAiResponses => forms::OPENAI_RESPONSES,
        ListProtocol::Anthropic => forms::ANTHROPIC,
        ListProtocol::Gemini => forms::GEMINI,
        _ => forms::OLLAMA,
    }
}

/// What is found in recorded lists, and why it is right.
const FOUND: &[(&str, &[FindingKind], &str)] = &[
    (
        "anthropic-pai-multimodal-tool-return-matrix-direct-uploaded-file-image-f8522b.2",
        &[FindingKind::LeftOut, FindingKind::Rewritten],
        "a result holds a file by its id, which no result of ours does",
    ),
    (
        "google-pai-multimodal-tool-return-matrix-direct-uploaded-file-image-61a8b4.3",
        &[FindingKind::Rewritten],
        "the address of a file of Google's has no extension",
    ),
    (
        "openrouter-llm-tools-streaming-variant-a.2",
        &[FindingKind::EmptyMessage],
        "the client stored a message in which nothing is said",
    ),
    (
        "openai-rig-error-identity-edge-nonexistent-previous-response-refere-8c02c8",
        &[FindingKind::LeftOut],
        "the server has what came before",
    ),
    (
        "xai-rubyllm-grok-4-1-fast-non-reasoning-can-handle-multiple-tool-cal-53f68e.2",
        &[FindingKind::ReplacedId; 3],
        "ids of this server are longer than other providers take",
    ),
];

fn check(protocol: &Protocol, record: &Record) {
    let body = record.body().expect("those without were left out");
    let list = MessageList::new(list_protocol(protocol)).with_model(record.model());
    let imported = list.read(&body.to_string()).expect("it is a list");
    let expected = FOUND.iter().find(|(name, ..)| *name == record.name());
    let kinds: Vec<_> = imported.report.iter().map(|finding| finding.kind).collect();
    let expected_kinds = expected.map_or(&[][..], |(_, kinds, _)| kinds);
    assert_eq!(kinds, expected_kinds, "{:#?}", imported.report);
    if expected_kinds == [FindingKind::LeftOut, FindingKind::Rewritten] {
        return;
    }
    let stored = serde_json::to_string(&imported.conversation).expect("it is stored");
    let conversation = serde_json::from_str(&stored).expect("it is read");
    let written = list.write(&conversation).to_value();
    assert_value_same(record, conversation_in(body), written, forms_of(protocol));
}

/// The fields of a body that hold its conversation.
fn conversation_in(body: &Value) -> Value {
    let names = [
        "messages",
        "input",
        "contents",
        "system",
        "instructions",
        "systemInstruction",
    ];
    let fields = body.as_object().expect("is one").iter();
    let kept = fields.filter(|(name, _)| names.contains(&name.as_str()));
    let kept = kept.map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(kept.collect::<Map<_, _>>())
}

fn list_protocol(protocol: &Protocol) -> ListProtocol {
    match protocol.folder {
        "openai-chat" => ListProtocol::OpenAiChat,
        "openai-responses" => ListProtocol::OpenAiResponses,
        "anthropic" => ListProtocol::Anthropic,
        "gemini" => ListProtocol::Gemini,
        "ollama" => ListProtocol::Ollama,
        other => panic!("{other} has no list"),
    }
}
