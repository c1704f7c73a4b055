//! The file of a recording: a line with the version, and a line of JSON for each request with its response.
//!
//! ```text
//! {"toolwright_recording":1}
//! {"exchange":1,"request":{"system":…,"tools":…,…,"messages":[…]},"reply":{…}}
//! {"exchange":2,"request":{"keep":1,"messages":[…]},"reply":{…}}
//! ```
//!
//! A member of a request that is left out is that of the line before, and `keep` messages are: so that a change in a review
//! is seen once. The lines stand in the order in which replies ended, and are numbered in the order in which requests were
//! sent.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::{
    Recording, RecordingError,
    sent::{ALLOWED_TOOLS, FIELDS, Sent},
};
use toolwright_core::model::{ModelError, ModelResponse};
use toolwright_runtime::testing::ScriptedResponse;

/// A request and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exchange {
    /// The number of the request, from 1.
    pub(super) number: usize,
    /// True if the model took tools then.
    pub(super) takes_tools: bool,
    /// What the model said of the schema of an answer before, if it was asked about one.
    pub(super) takes_answer_schema: Option<bool>,
    pub(super) sent: Sent,
    pub(super) reply: ScriptedResponse,
}

#[derive(Serialize, Deserialize)]
struct Header {
    toolwright_recording: u64,
}

/// The first line, with its end.
pub(super) fn header() -> String {
    format!("{{\"toolwright_recording\":{}}}\n", Recording::VERSION)
}

/// The end of a response, as JSON text.
pub(super) enum Ending {
    /// It is whole.
    Reply(Arc<str>),
    /// It is an error, with what had come before it.
    Error(Arc<str>),
    /// Nobody waited for its end: what had come by then.
    GivenUp(Arc<str>),
}

#[derive(Serialize)]
struct Line<'a> {
    exchange: usize,
    #[serde(skip_serializing_if = "is_true")]
    takes_tools: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    takes_answer_schema: Option<bool>,
    request: Changes<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct StoredLine<'a> {
    exchange: usize,
    #[serde(default = "yes")]
    takes_tools: bool,
    takes_answer_schema: Option<bool>,
    #[serde(borrow)]
    request: BTreeMap<String, &'a RawValue>,
    reply: Option<ModelResponse>,
    error: Option<ModelError>,
    given_up: Option<ModelResponse>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_true(takes_tools: &bool) -> bool {
    *takes_tools
}

/// What of a request is not as in the line before.
struct Changes<'a> {
    before: Option<&'a Sent>,
    sent: &'a Sent,
}

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (place, (name, text)) in FIELDS.iter().zip(&self.sent.fields).enumerate() {
            let is_new = match self.before {
                Some(before) => before.fields[place] != *text,
                None => *name != ALLOWED_TOOLS || **text != *"null",
            };
            if is_new {
                map.serialize_entry(name, &raw(text).map_err(serde::ser::Error::custom)?)?;
            }
        }
        let keep = self
            .before
            .map_or(0, |before| self.sent.shared_with(before));
        if keep > 0 {
            map.serialize_entry("keep", &keep)?;
        }
        let new = self.sent.messages[keep..].iter().map(|text| raw(text));
        let new: Result<Vec<_>, _> = new.collect();
        map.serialize_entry("messages", &new.map_err(serde::ser::Error::custom)?)?;
        map.end()
    }
}

fn raw(text: &str) -> serde_json::Result<&RawValue> {
    serde_json::from_str(text)
}

/// The line of an exchange, with its end.
///
/// # Errors
///
/// When a redaction has made something else than JSON.
pub(super) fn line(
    number: usize,
    (takes_tools, takes_answer_schema): (bool, Option<bool>),
    before: Option<&Sent>,
    sent: &Sent,
    ending: &Ending,
) -> serde_json::Result<String> {
    let (reply, error, given_up) = match ending {
        Ending::Reply(text) => (Some(raw(text)?), None, None),
        Ending::Error(text) => (None, Some(raw(text)?), None),
        Ending::GivenUp(text) => (None, None, Some(raw(text)?)),
    };
    let line = Line {
        exchange: number,
        takes_tools,
        takes_answer_schema,
        request: Changes { before, sent },
        reply,
        error,
        given_up,
    };
    serde_json::to_string(&line).map(|line| line + "\n")
}

/// Reads a whole file, and gives the exchanges in the order in which they began.
///
/// # Errors
///
/// When it is none, or one of a newer version, or damaged, with the number of the line.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Exchange>, RecordingError> {
    let damaged = |line: usize, problem: String| RecordingError::Damaged {
        path: path.to_owned(),
        line,
        problem,
    };
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let version =
        header_version(lines.next().unwrap_or_default()).map_err(|why| damaged(1, why))?;
    if version > Recording::VERSION {
        let path = path.to_owned();
        return Err(RecordingError::Newer { path, version });
    }
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (place, line) in lines.enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let before = exchanges.last().map(|exchange| &exchange.sent);
        let exchange = exchange(line, before).map_err(|why| damaged(place + 2, why))?;
        exchanges.push(exchange);
    }
    exchanges.sort_by_key(|exchange| exchange.number);
    match (1..)
        .zip(&exchanges)
        .find(|(number, exchange)| exchange.number != *number)
    {
        None => Ok(exchanges),
        Some((number, _)) => Err(damaged(
            bytes.split(|byte| *byte == b'\n').count(),
            format!("before this line, exchange {number} is missing, or another one is duplicated"),
        )),
    }
}

fn header_version(line: &[u8]) -> Result<u64, String> {
    if line.trim_ascii().is_empty() {
        return Err("the file is empty".to_owned());
    }
    let header = serde_json::from_slice::<Header>(line);
    let header = header.map_err(|_| "not the first line of a recording".to_owned())?;
    match header.toolwright_recording {
        0 => Err("there is no version 0".to_owned()),
        version => Ok(version),
    }
}

fn exchange(line: &[u8], before: Option<&Sent>) -> Result<Exchange, String> {
    if !line.ends_with(b"\n") && serde_json::from_slice::<&RawValue>(line).is_err() {
        return Err("the file ends in the middle of it".to_owned());
    }
    let line = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
    let StoredLine {
        exchange,
        takes_tools,
        takes_answer_schema,
        request,
        reply,
        error,
        given_up,
    } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let reply = match (reply, error, given_up) {
        (Some(reply), None, None) => ScriptedResponse::Reply(reply.normalized()),
        (None, Some(error), None) => ScriptedResponse::Error(error),
        (None, None, Some(partial)) => ScriptedResponse::Stall(partial.normalized()),
        _ => {
            return Err(
                "the line must have exactly one of `reply`, `error` and `given_up`".to_owned(),
            );
        }
    };
    Ok(Exchange {
        number: exchange,
        takes_tools,
        takes_answer_schema,
        sent: sent(request, before)?,
        reply,
    })
}

/// The whole request of a line.
fn sent(mut request: BTreeMap<String, &RawValue>, before: Option<&Sent>) -> Result<Sent, String> {
    let mut fields = Vec::with_capacity(FIELDS.len());
    for (place, name) in FIELDS.iter().enumerate() {
        let field = match (request.remove(*name), before) {
            (Some(text), _) => text.get().into(),
            (None, Some(before)) => Arc::clone(&before.fields[place]),
            (None, None) if *name == ALLOWED_TOOLS => "null".into(),
            (None, None) => return Err(format!("its request has no `{name}`")),
        };
        fields.push(field);
    }
    let keep = request.remove("keep").map_or(Ok(0), |keep| {
        let keep = keep.get().parse::<usize>();
        keep.map_err(|_| "`keep` is not a number of messages".to_owned())
    })?;
    let kept = before.map_or(&[][..], |before| &before.messages);
    let kept = kept
        .get(..keep)
        .ok_or_else(|| format!("it keeps {keep} messages of a request that has fewer"))?;
    let new = request
        .remove("messages")
        .ok_or("its request has no `messages`")?;
    let new: Vec<&RawValue> =
        serde_json::from_str(new.get()).map_err(|error| format!("`messages`: {error}"))?;
    if let Some(other) = request.keys().next() {
        return Err(format!("its request has the unknown field `{other}`"));
    }
    let new = new.into_iter().map(|text| Arc::from(text.get()));
    let fields = fields.try_into();
    Ok(Sent {
        fields: fields.unwrap_or_else(|_| unreachable!("there is one for each name")),
        messages: kept.iter().cloned().chain(new).collect(),
    })
}
