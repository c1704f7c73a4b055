//! The difference between a request that was sent and one that would be sent now.

use std::fmt::Write as _;

use toolwright_json::{
    path::{cut_to, key_text},
    tree::{Json, Object},
};

use super::{
    excerpt,
    sent::{FIELDS, Sent},
};
use toolwright_core::tool::ToolCall;

/// The number of places that are shown.
const PLACES: usize = 6;

/// The places that differ, each with what was there then and what is there now; nothing if the requests say the same.
pub(super) fn between(then: &Sent, now: &Sent) -> String {
    let mut places = Places::default();
    for (place, name) in FIELDS.iter().enumerate() {
        let (then, now) = (&then.fields[place], &now.fields[place]);
        if then != now {
            places.compare(name, &parsed(then), &parsed(now));
        }
    }
    let least = then.messages.len().min(now.messages.len());
    for index in 0..least {
        let (then, now) = (&then.messages[index], &now.messages[index]);
        if then != now {
            places.compare(&format!("messages[{index}]"), &parsed(then), &parsed(now));
        }
    }
    for (index, gone) in then.messages.iter().enumerate().skip(least) {
        places.add(format!("messages[{index}]"), Some(&parsed(gone)), None);
    }
    for (index, new) in now.messages.iter().enumerate().skip(least) {
        places.add(format!("messages[{index}]"), None, Some(&parsed(new)));
    }
    places.named(now).into_text()
}

/// The start of the last message of a request.
pub(super) fn last_message(sent: &Sent) -> String {
    let last = sent.messages.last();
    last.map_or_else(String::new, |message| cut_to(message, 160))
}

/// A call that there was not.
pub(super) fn of_call(call: &ToolCall) -> String {
    let lines = excerpt::of_difference(None, Some(&call.arguments));
    format!("{}\n{lines}", cut_to(&call.name, 160))
}

/// JSON text as a tree. What cannot be one is compared as the text it is.
fn parsed(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|_| Json::from(text))
}

#[derive(Default)]
struct Places {
    /// The path of each place, and the lines of its difference.
    shown: Vec<(String, String)>,
    others: usize,
}

impl Places {
    fn add(&mut self, path: String, then: Option<&Json>, now: Option<&Json>) {
        if self.shown.len() == PLACES {
            self.others += 1;
            return;
        }
        let (then, now) = (then.map(shown), now.map(shown));
        let lines = excerpt::of_difference(then.as_deref(), now.as_deref());
        self.shown.push((path, lines));
    }

    fn compare(&mut self, path: &str, then: &Json, now: &Json) {
        match (then, now) {
            _ if then == now => {}
            (Json::Object(then), Json::Object(now)) => self.objects(path, then, now),
            (Json::List(then), Json::List(now)) => self.lists(path, then, now),
            _ => self.add(path.to_owned(), Some(then), Some(now)),
        }
    }

    fn objects(&mut self, path: &str, then: &Object, now: &Object) {
        let before = self.shown.len() + self.others;
        for (key, value) in then.iter() {
            let path = || format!("{path}{}", key_text(key));
            match now.get(key) {
                Some(other) => self.compare(&path(), value, other),
                None => self.add(path(), Some(value), None),
            }
        }
        for (key, value) in now.iter().filter(|(key, _)| !then.contains(key)) {
            self.add(format!("{path}{}", key_text(key)), None, Some(value));
        }
        if self.shown.len() + self.others == before {
            let keys = |object: &Object| Json::from(&*object.keys().collect::<Vec<_>>().join(", "));
            let path = format!("{path} (the order of its members)");
            self.add(path, Some(&keys(then)), Some(&keys(now)));
        }
    }

    fn lists(&mut self, path: &str, then: &[Json], now: &[Json]) {
        if let (Some(then), Some(now)) = (by_name(then), by_name(now)) {
            return self.objects(path, &then, &now);
        }
        let least = then.len().min(now.len());
        for (index, (then, now)) in then.iter().zip(now).enumerate() {
            self.compare(&format!("{path}[{index}]"), then, now);
        }
        for (index, gone) in then.iter().enumerate().skip(least) {
            self.add(format!("{path}[{index}]"), Some(gone), None);
        }
        for (index, new) in now.iter().enumerate().skip(least) {
            self.add(format!("{path}[{index}]"), None, Some(new));
        }
    }

    /// Says of results which call they answer.
    fn named(mut self, now: &Sent) -> Self {
        for (path, _) in &mut self.shown {
            if let Some(call) = call_of(path, now) {
                let _ = write!(path, " (the result of `{call}`)");
            }
        }
        self
    }

    fn into_text(self) -> String {
        let shown = self.shown.into_iter();
        let places: Vec<_> = shown
            .map(|(path, lines)| format!("{path}\n{lines}"))
            .collect();
        let mut text = places.join("\n");
        if self.others > 0 {
            let _ = write!(text, "\n… and {} more places\n", self.others);
        }
        text
    }
}

/// A string as it is, all else as JSON.
fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The items of a list by their names, if each has one: tools.
fn by_name(items: &[Json]) -> Option<Object> {
    let mut named = Object::new();
    for item in items {
        let name = item.as_object()?.text("name")?;
        if named.contains(name) {
            return None;
        }
        named.push(name, item.clone());
    }
    Some(named)
}

/// The name of the tool of a result: `messages[2].results[0]…` answers the first call of `messages[1]`.
fn call_of(path: &str, sent: &Sent) -> Option<String> {
    let (message, rest) = path.strip_prefix("messages[")?.split_once("].results[")?;
    let (result, _) = rest.split_once(']')?;
    let (message, result): (usize, usize) = (message.parse().ok()?, result.parse().ok()?);
    let reply = parsed(sent.messages.get(message.checked_sub(1)?)?);
    let parts = reply.as_object()?.get("parts")?.as_list()?;
    let parts = parts.iter().filter_map(Json::as_object);
    let mut calls = parts.filter(|part| part.text("type") == Some("call"));
    let call = calls.nth(result)?.get("content")?.as_object()?;
    call.text("name").map(str::to_owned)
}
