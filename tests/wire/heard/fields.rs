//! The fields of a whole reply.

use serde_json::{Value, json};

use crate::{protocol::Protocol, reasons, record::Record};

/// Without any field the reply is another one, but for those that say nothing.
pub(super) fn check(protocol: &Protocol, record: &Record) {
    // What is no JSON has no fields.
    let Ok(body) = serde_json::from_str::<Value>(&record.response.body) else {
        return;
    };
    let decode = |body: &Value| (protocol.codec.decode)(body.to_string().as_bytes());
    let whole = decode(&body);
    let warnings = whole.iter().flat_map(|reply| &reply.warnings);
    if warnings
        .into_iter()
        .any(|warning| warning.code == "other_choices")
    {
        // All but the first are left out, and that is told.
        return;
    }
    let mut places = Vec::new();
    list_places(&mut Vec::new(), &body, &mut places);
    let mut unheard = Vec::new();
    for place in &places {
        if decode(&without(&body, place)) != whole {
            continue;
        }
        let names = place.iter().filter(|name| name.parse::<usize>().is_err());
        let path = names.map(String::as_str).collect::<Vec<_>>().join(".");
        let is_it = |silent: &&&str| {
            let inside = path.strip_prefix(**silent);
            inside.is_some_and(|inside| inside.is_empty() || inside.starts_with('.'))
        };
        let mut silent = protocol.silent_fields.iter().flat_map(|(_, paths)| *paths);
        match silent.find(is_it) {
            Some(path) => reasons::need(protocol.folder, path),
            None => unheard.push(path),
        }
    }
    assert!(unheard.is_empty(), "{unheard:?}");
}

/// Lists the places of all fields and elements that say something, by the way to each.
fn list_places(way: &mut Vec<String>, value: &Value, places: &mut Vec<Vec<String>>) {
    let inside: Vec<_> = match value {
        Value::Object(fields) => (fields.iter())
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(values) => (values.iter().enumerate())
            .map(|(place, value)| (place.to_string(), value))
            .collect(),
        _ => Vec::new(),
    };
    for (name, value) in inside {
        let is_empty = [json!(null), json!(""), json!([]), json!({})].contains(value);
        way.push(name);
        if !is_empty {
            places.push(way.clone());
        }
        list_places(way, value, places);
        way.pop();
    }
}

/// The same value without what is in a place.
fn without(value: &Value, place: &[String]) -> Value {
    let mut without = value.clone();
    let (name, way) = place.split_last().expect("the whole is no place");
    let mut at = &mut without;
    for name in way {
        at = match at {
            Value::Array(values) => &mut values[name.parse::<usize>().expect("is a number")],
            fields => &mut fields[name],
        };
    }
    match at {
        Value::Array(values) => _ = values.remove(name.parse().expect("is a number")),
        Value::Object(fields) => _ = fields.remove(name),
        _ => unreachable!("it holds the place"),
    }
    without
}
