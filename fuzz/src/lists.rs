//! Lists of messages: any bytes are read or refused, and what a conversation is written as is read and written
//! again as it was.

use serde_json::Value;
use toolwright::{
    Conversation,
    provider::{FindingKind, MessageList, Protocol},
};

/// Any bytes as a list of each protocol.
pub(crate) fn check(bytes: &[u8]) {
    let json = String::from_utf8_lossy(bytes);
    for protocol in Protocol::ALL {
        let list = MessageList::new(protocol);
        if let Ok(imported) = list.read(&json) {
            check_conversation(&imported.conversation);
        }
    }
}

/// A conversation as a list of each protocol.
pub(crate) fn check_conversation(conversation: &Conversation) {
    for protocol in Protocol::ALL {
        let list = MessageList::new(protocol);
        let written = list.write(conversation);
        let imported = list.read(written.as_str()).expect("it is a list");
        // A message of the user may say nothing; as a list it is left out.
        let mut damage = imported
            .report
            .iter()
            .filter(|found| found.kind.is_damage());
        let damage = damage.find(|found| found.kind != FindingKind::EmptyMessage);
        assert_eq!(damage, None, "{protocol:?}: {written}");
        let again = list.write(&imported.conversation).to_value();
        let difference = difference("", &written.to_value(), &again);
        // What is not written as it was is in the report.
        let is_told = difference.is_none() || !imported.report.is_empty();
        assert!(is_told, "{protocol:?}: {written}: {difference:?}");
    }
}

/// The first place at which two values differ.
fn difference(at: &str, one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => one
            .iter()
            .find_map(|(name, value)| difference(&format!("{at}.{name}"), value, other.get(name)?)),
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs
                .into_iter()
                .find_map(|(index, (one, other))| difference(&format!("{at}[{index}]"), one, other))
        }
        _ if one == other => None,
        _ => Some(format!("{at}: {one} was written, and then {other}")),
    }
}
