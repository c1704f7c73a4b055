//! What is sent, compared with what was sent when the exchanges were recorded: the recorded request is
//! read into a request of ours, and ours, encoded, must say the same, field by field. And every
//! recorded reply goes back as the content it came as, opaque parts byte for byte.

use libtest_mimic::Trial;
use serde_json::Value;
use toolwright::{Conversation, ToolResult};

use crate::{allowed::assert_same, protocol::Protocol, record::Record, turn};

/// A trial for each recorded request.
pub(crate) fn requests(protocol: &'static Protocol, records: &[Record]) -> Vec<Trial> {
    let cannot_be_said = protocol.cannot_be_said;
    for (name, _) in cannot_be_said {
        let is_there = records.iter().any(|record| record.name() == *name);
        assert!(is_there, "{name} is no recording");
    }
    let records = records.iter().filter(|record| record.body().is_some());
    let can_be_said = |record: &&Record| {
        let mut names = cannot_be_said.iter().map(|(name, _)| *name);
        names.all(|name| name != record.name())
    };
    let trials = records.filter(can_be_said).cloned().map(|record| {
        Trial::test(format!("sent::{}", record.id), move || {
            check_request(protocol, &record);
            Ok(())
        })
    });
    trials.collect()
}

/// A trial for each recorded reply that is whole and whose calls can be read.
pub(crate) fn replies(protocol: &'static Protocol, records: &[Record]) -> Vec<Trial> {
    let records = records.iter().filter(|record| record.goes_back());
    let trials = records.cloned().map(|record| {
        Trial::test(format!("back::{}", record.id), move || {
            check_response(protocol, &record);
            Ok(())
        })
    });
    trials.collect()
}

fn check_request(protocol: &Protocol, record: &Record) {
    let recorded = record.body().expect("those without were left out");
    let mut request = (protocol.asked)(recorded);
    request.messages = turn::messages((protocol.turns)(recorded), protocol.codec.decode).into();
    let ours = (protocol.encode)(record, &request);
    assert_same(record, &ours, protocol.allowed);
    assert_eq!((protocol.warnings)(record, &request), []);
}

fn check_response(protocol: &Protocol, record: &Record) {
    let reply = protocol.codec.read(record);
    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    conversation.push_response(reply.clone());
    let results: Vec<_> = conversation
        .pending_calls()
        .map(|call| ToolResult::success(&call.id, "done"))
        .collect();
    // Calls of a reply that ended otherwise do not run; the conversation answers them.
    if !results.is_empty() {
        conversation.push_results(results).expect("they are theirs");
    }
    let body = (protocol.encode)(record, &conversation.request());
    let body: Value = serde_json::from_slice(&body).expect("what we send is JSON");
    let sent = (protocol.replies)(&body).into_iter().next();
    assert_came(&sent.unwrap_or_default(), &(protocol.came)(record));
}

/// The content of a reply that goes back is what came.
pub(crate) fn assert_came(sent: &[Value], came: &[Value]) {
    for (sent, came) in sent.iter().zip(came) {
        assert_eq!(sent, came);
    }
    assert_eq!(sent.len(), came.len());
}
