//! Nothing is dropped silently: without an event of a stream, or a field of a whole reply, the reply is
//! another one, or it is of a kind that says nothing. And an event that nobody knows is counted or kept.

mod fields;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{events::Events, outcome::Outcome, protocol::Protocol, reasons, record::Record};

/// An event that says nothing to the caller, with the reason.
pub(crate) struct Silent {
    pub(crate) reason: &'static str,
    pub(crate) is_it: fn(&Value) -> bool,
}

/// A trial for each recorded reply.
pub(crate) fn trials(protocol: &'static Protocol, records: &[Record]) -> Vec<Trial> {
    let replies = records.iter().filter(|record| record.response.status < 300);
    let trials = replies.cloned().map(|record| {
        Trial::test(format!("heard::{}", record.id), move || {
            if record.kind == "json" {
                fields::check(protocol, &record);
            } else {
                check_events(protocol, &record);
                check_unknown(protocol, &record);
            }
            Ok(())
        })
    });
    trials.collect()
}

fn decoded(protocol: &Protocol, events: &Events) -> Outcome {
    (protocol.codec.decode_stream)(&[events.body().as_bytes()])
}

fn check_events(protocol: &Protocol, record: &Record) {
    let events = Events::of(record);
    let whole = decoded(protocol, &events);
    let mut unheard = Vec::new();
    for place in 0..events.len() {
        if decoded(protocol, &events.without(place)) != whole {
            continue;
        }
        let data = events.data(place);
        match protocol.silent.iter().find(|silent| (silent.is_it)(&data)) {
            Some(silent) => reasons::need(protocol.folder, silent.reason),
            None => unheard.push(events.text(place)),
        }
    }
    assert!(
        unheard.is_empty(),
        "{} of {}: {}",
        unheard.len(),
        events.len(),
        unheard.concat()
    );
}

/// An event of a kind that is not known does not change the reply, and is told of.
fn check_unknown(protocol: &Protocol, record: &Record) {
    let events = Events::of(record);
    let whole = decoded(protocol, &events);
    // Nothing is heard after the end.
    let place = 1.min(events.len() - 1);
    let mut with = decoded(protocol, &events.with(place, protocol.unknown_event));
    assert_ne!(with, whole, "it is told of");
    with.reply
        .warnings
        .retain(|warning| warning.code != "unknown_events");
    with.reply
        .metadata
        .retain(|name, _| name != "something_new");
    assert_eq!(with, whole);
}
