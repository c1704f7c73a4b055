//! The parts of a reply, put together without the codec.

use serde_json::{Value, json};

use crate::record::Record;

pub(super) fn parts(record: &Record) -> Vec<Value> {
    joined(parts_of(record))
}

fn parts_of(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    let chunks: Vec<Value> = if record.kind == "sse" {
        let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
        data.map(|data| serde_json::from_str(data).expect("is JSON"))
            .collect()
    } else {
        match serde_json::from_str(body).expect("is JSON") {
            Value::Array(chunks) => chunks,
            whole => vec![whole],
        }
    };
    let of = |chunk: &Value| {
        chunk["candidates"][0]["content"]["parts"]
            .as_array()
            .cloned()
    };
    chunks.iter().filter_map(of).flatten().collect()
}

/// The parts as they go back.
fn joined(parts: Vec<Value>) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    // What came last is a text that more is joined to.
    let mut open = false;
    for mut part in parts {
        let is_signed = part.get("thoughtSignature").is_some();
        // A summary for people, and the empty end of a stream.
        if !is_signed && (part["thought"] == true || part["text"] == "") {
            open &= part["thought"] != true;
            continue;
        }
        if let Some(call) = part.get_mut("functionCall") {
            if call.get("name").is_none() {
                let open = all
                    .iter_mut()
                    .rev()
                    .find_map(|part| part.get_mut("functionCall"));
                add_pieces(&mut open.expect("has begun")["args"], call);
                continue;
            }
            call.as_object_mut().expect("is one").remove("willContinue");
            // Our arguments are always there.
            if call.get("args").is_none() {
                call["args"] = json!({});
            }
        }
        // A stream cuts texts anywhere, and texts that nobody signed are one.
        let is_text = part["text"].is_string() && !is_signed;
        match all.last_mut().filter(|_| open && is_text) {
            Some(last) => {
                let text = |part: &Value| part["text"].as_str().expect("is text").to_owned();
                last["text"] = (text(last) + &text(&part)).into();
            }
            None => all.push(part),
        }
        open = is_text;
    }
    all
}

/// Puts pieces of arguments where their paths say, which are of names and numbers alone.
fn add_pieces(arguments: &mut Value, call: &Value) {
    for piece in call["partialArgs"].as_array().into_iter().flatten() {
        let path = piece["jsonPath"].as_str().expect("has one");
        let path = path.replace('[', ".").replace(']', "");
        let mut place = &mut *arguments;
        for step in path.split('.').skip(1) {
            place = match step.parse::<usize>() {
                Ok(index) => {
                    if place.is_null() {
                        *place = json!([]);
                    }
                    let items = place.as_array_mut().expect("is one");
                    items.resize(items.len().max(index + 1), Value::Null);
                    &mut items[index]
                }
                Err(_) => &mut place[step],
            };
        }
        let more = piece["stringValue"]
            .as_str()
            .expect("only texts were recorded");
        *place = (place.as_str().unwrap_or_default().to_owned() + more).into();
    }
}
