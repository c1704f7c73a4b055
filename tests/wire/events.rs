//! A recorded stream as its events.

use serde_json::{Value, value::RawValue};

use crate::record::Record;

/// The events of a stream, as they stand in its body.
#[derive(Clone)]
pub(crate) struct Events {
    /// They stand in a list.
    in_list: bool,
    texts: Vec<String>,
}

impl Events {
    /// The events of a recorded stream.
    pub(crate) fn of(record: &Record) -> Self {
        let body = &record.response.body;
        let texts = match record.kind.as_str() {
            "json-array" => {
                let list: Vec<Box<RawValue>> = serde_json::from_str(body).expect("is a list");
                list.into_iter()
                    .map(|event| event.get().to_owned())
                    .collect()
            }
            "ndjson" => body.split_inclusive('\n').map(str::to_owned).collect(),
            _ => events_of(body),
        };
        let in_list = record.kind == "json-array";
        Self { in_list, texts }
    }

    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The body.
    pub(crate) fn body(&self) -> String {
        if self.in_list {
            return format!("[{}]", self.texts.join(",\n"));
        }
        self.texts.concat()
    }

    /// The same stream without an event.
    pub(crate) fn without(&self, place: usize) -> Self {
        let mut events = self.clone();
        events.texts.remove(place);
        events
    }

    /// The same stream with another event at a place.
    pub(crate) fn with(&self, place: usize, event: &str) -> Self {
        let mut events = self.clone();
        let event = if self.in_list {
            event.trim_start_matches("data:").trim()
        } else {
            event
        };
        events.texts.insert(place, event.to_owned());
        events
    }

    /// What an event says; null for one that is no JSON.
    pub(crate) fn data(&self, place: usize) -> Value {
        let text = &self.texts[place];
        if text.trim_start().starts_with('{') {
            return serde_json::from_str(text).unwrap_or_default();
        }
        let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
        let data: Vec<_> = lines.map(str::trim).collect();
        serde_json::from_str(&data.join("\n")).unwrap_or_default()
    }

    pub(crate) fn text(&self, place: usize) -> &str {
        &self.texts[place]
    }
}

/// The events of a body of server-sent events: what stands between empty lines.
fn events_of(body: &str) -> Vec<String> {
    let mut events = vec![String::new()];
    for line in body.split_inclusive('\n') {
        let last = events.last_mut().expect("there is always one");
        last.push_str(line);
        if line.trim().is_empty() {
            events.push(String::new());
        }
    }
    // What holds no data is no event.
    let mut with_data: Vec<String> = Vec::new();
    for event in events {
        match with_data.last_mut() {
            Some(last) if !event.lines().any(|line| line.starts_with("data")) => {
                last.push_str(&event);
            }
            _ => with_data.push(event),
        }
    }
    with_data
}
