//! Errors, in all the shapes that servers send them: few keep to one protocol, and gateways to none.

mod codes;
pub(crate) mod sentences;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::{Map, Value};
use toolwright_core::model::{ModelError, ModelErrorKind};
use toolwright_json::char_boundary;
use toolwright_json::raw::Raw;

use super::partial_object::Rest;
use crate::wire::{SseDecoder, SseEvent, retry_after, sse::BYTE_ORDER_MARK};

/// Decodes the body of a response whose status is not one of success.
///
/// `asked` is what the headers ask for, if they do ([`wire::retry_after`](crate::wire::retry_after)
/// reads them); without it the body is searched for a wait. The
/// beginning of the body is kept in [`ModelError::body`].
pub(crate) fn decode_error(status: u16, asked: Option<Duration>, body: &[u8]) -> ModelError {
    let fields = read(body).map_or_else(Fields::default, |value| Fields::of(&value));
    let mut error = fields.into_error(Some(status), || without_message(status, body));
    error.status = Some(status);
    error.retry_after = asked.or(error.retry_after);
    with_body(error, body)
}

/// The JSON of a body: as it is, or of the first event of a stream, which some servers send with their
/// errors too.
fn read(body: &[u8]) -> Option<Value> {
    let body = without_mark(body);
    if let Ok(value) = serde_json::from_slice(body) {
        return Some(value);
    }
    let mut first = None;
    let mut decoder = SseDecoder::new();
    let mut take = |event: SseEvent<'_>| {
        if first.is_none() {
            first = serde_json::from_slice(event.data).ok();
        }
    };
    decoder.feed(body, &mut take).ok()?;
    decoder.finish(take).ok()?;
    first
}

/// A body without the byte order mark that may stand before it.
pub(crate) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body)
}

/// The `error` of a body or a chunk that was sent with a status of success, with its other fields: some servers send a text
/// and its code beside it.
pub(crate) fn in_reply(raw: Raw<'_>, beside: &Rest<'_>) -> ModelError {
    let read = |raw: Raw<'_>| serde_json::from_str::<Value>(raw.get()).unwrap_or_default();
    let error = read(raw);
    let mut body = Map::new();
    if error.is_string() {
        let told = beside.iter().filter(|(name, _)| BESIDE.contains(&&**name));
        body.extend(told.map(|(name, value)| (name.to_string(), read(*value))));
    }
    body.insert("error".to_owned(), error);
    of_body(body, raw.get().as_bytes())
}

/// The fields beside an error that is a text.
const BESIDE: [&str; 4] = ["code", "type", "status", "status_code"];

/// The error of an event that is named one and holds it in no field of ours.
pub(crate) fn in_event(data: &[u8]) -> ModelError {
    let value = serde_json::from_slice(data)
        .unwrap_or_else(|_| String::from_utf8_lossy(data).into_owned().into());
    of_value(value, data)
}

/// The error that `MiniMax` reports with a status of success: `{"status_code": …, "status_msg": …}`; `None` for its code
/// of success.
pub(crate) fn in_base_resp(raw: Raw<'_>) -> Option<ModelError> {
    let value: Value = serde_json::from_str(raw.get()).ok()?;
    let is_error = value["status_code"].as_i64().is_some_and(|code| code != 0);
    is_error.then(|| of_field(BASE_RESP, value, raw.get().as_bytes()))
}

/// The field of errors of `MiniMax`.
const BASE_RESP: &str = "base_resp";

fn of_value(error: Value, body: &[u8]) -> ModelError {
    of_field("error", error, body)
}

fn of_field(name: &str, error: Value, body: &[u8]) -> ModelError {
    of_body(Map::from_iter([(name.to_owned(), error)]), body)
}

fn of_body(fields: Map<String, Value>, body: &[u8]) -> ModelError {
    let fields = Fields::of(&Value::Object(fields));
    let status = fields.status;
    let nothing = || "the provider reported an error without details".to_owned();
    with_body(fields.into_error(status, nothing), body)
}

/// The error of a stream that ended too early.
pub(crate) fn ended_early(what: &str) -> ModelError {
    ModelError::new(
        ModelErrorKind::Transport,
        format!("the stream ended early: {what}"),
    )
}

/// A body of success that is no JSON object of ours.
pub(crate) fn not_a_reply(body: &[u8], error: &serde_json::Error) -> ModelError {
    if without_mark(body).trim_ascii().is_empty() {
        return ModelError::new(ModelErrorKind::MalformedResponse, "the response is empty");
    }
    let message = if error.is_eof() {
        format!("the response is cut off: {error}")
    } else if looks_like_html(body) {
        "the response is an HTML page, not JSON; a proxy may be in between".to_owned()
    } else {
        format!("the response cannot be read: {error}")
    };
    malformed(message, body)
}

/// A body of success that is JSON and yet no response.
pub(crate) fn no_completion(body: &[u8]) -> ModelError {
    malformed("the response holds no completion", body)
}

/// A response that is none.
fn malformed(message: impl Into<String>, body: &[u8]) -> ModelError {
    let error = ModelError::new(ModelErrorKind::MalformedResponse, message);
    with_body(error, body)
}

/// Keeps the beginning of a body. What else the error says is bounded as well: a server writes as much
/// as it likes, and what is read of a body may be quoted.
pub(crate) fn with_body(mut error: ModelError, body: &[u8]) -> ModelError {
    shorten(&mut error.message, MESSAGE_BYTES);
    replace_controls(&mut error.message);
    for name in [&mut error.code, &mut error.error_type]
        .into_iter()
        .flatten()
    {
        shorten(name, NAME_BYTES);
        replace_controls(name);
    }
    let kept = &body[..body.len().min(ModelError::BODY_BYTES)];
    error.with_body(&String::from_utf8_lossy(kept))
}

/// The longest message of an error, in bytes.
const MESSAGE_BYTES: usize = ModelError::BODY_BYTES;
/// The longest code of an error, or type, in bytes.
const NAME_BYTES: usize = 256;

/// Cuts a text that is too long, and shows that it was cut.
fn shorten(text: &mut String, most: usize) {
    const CUT: char = '…';
    if text.len() > most {
        text.truncate(char_boundary::floor(text, most - CUT.len_utf8()));
        text.push(CUT);
        text.shrink_to_fit();
    }
}

/// Replaces control characters, and those that change the direction of writing: errors are written to terminals.
fn replace_controls(text: &mut String) {
    let is_control = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.contains(is_control) {
        // No longer than it was, where it was cut.
        *text = text.replace(is_control, "?");
    }
}

/// The fields of an error body, wherever they are in it.
#[derive(Debug, Default)]
struct Fields {
    message: String,
    code: Option<String>,
    error_type: Option<String>,
    /// All names of the error, as the table of codes has them.
    names: Vec<String>,
    /// A quota of a whole day, or longer, is used up.
    quota_used_up: bool,
    /// The status, where a body sent with success names one.
    status: Option<u16>,
    retry_after: Option<Duration>,
}

impl Fields {
    fn of(body: &Value) -> Self {
        // Gemini wraps the error of this surface in a list.
        let body = match body {
            Value::Array(list) => list.first().unwrap_or(&Value::Null),
            body => body,
        };
        // xAI: `{"code": "…", "error": "text"}`; vLLM: the fields at the top; FastAPI: `detail`; MiniMax: `base_resp`.
        let of_minimax = &body[BASE_RESP];
        let error = match &body["error"] {
            Value::Object(_) => &body["error"],
            _ => body,
        };
        let message = [
            &error["message"],
            &of_minimax["status_msg"],
            &body["error"],
            &body["message"],
            &body["detail"],
        ]
        .into_iter()
        .find_map(text_of)
        .unwrap_or_default();
        // OpenRouter puts the upstream's error one level down.
        let upstream = text_of(&error["metadata"]["raw"]);
        let number = text_of(&of_minimax["status_code"]);
        let code = text_of(&error["code"]).or_else(|| number.clone());
        let retry_after = waits(error)
            .or_else(|| retry_after::from_text(&message))
            .or_else(|| upstream.as_deref().and_then(retry_after::from_text));
        // Google's APIs: `"status": "RESOURCE_EXHAUSTED"` beside a code that is a number.
        let error_type = text_of(&error["type"]).or_else(|| {
            error["code"]
                .as_u64()
                .and_then(|_| text_of(&error["status"]))
        });
        let reasons = details_of(error).filter_map(|detail| text_of(&detail["reason"]));
        let inner = text_of(&error["innererror"]["code"]);
        // Its numbers are others' too, with another meaning.
        let number = number.map(|number| format!("{BASE_RESP}.{number}"));
        let own = code.clone().filter(|_| number.is_none());
        let names = [own, number, error_type.clone(), inner];
        let names = names.into_iter().flatten();
        let statuses = [&error["status_code"], &error["status"], &body["status"]];
        let statuses = statuses.into_iter().filter_map(Value::as_u64);
        Self {
            status: statuses
                .chain(code.as_ref().and_then(|code| code.parse().ok()))
                .filter_map(|status| u16::try_from(status).ok())
                .find(|status| (400..600).contains(status)),
            names: names
                .chain(reasons)
                .map(|name| codes::normalized(&name))
                .collect(),
            quota_used_up: quota_used_up(error),
            error_type,
            code,
            retry_after,
            message: match upstream {
                Some(upstream) if upstream != message => format!("{message}: {upstream}"),
                _ => message,
            },
        }
    }

    /// The error. `otherwise` is its message if the body has none.
    fn into_error(mut self, status: Option<u16>, otherwise: impl FnOnce() -> String) -> ModelError {
        let message = match std::mem::take(&mut self.message) {
            message if message.is_empty() => otherwise(),
            message => message,
        };
        let (kind, retryable) = classify(status, &self, &message.to_ascii_lowercase());
        let mut error = ModelError::new(kind, message).with_retryable(retryable);
        error.code = self.code;
        error.error_type = self.error_type;
        error.retry_after = self.retry_after;
        error
    }
}

/// A text, or a number as text; nothing for what is empty or neither.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// What Google's APIs tell besides.
fn details_of(error: &Value) -> impl Iterator<Item = &Value> {
    error["details"].as_array().into_iter().flatten()
}

/// Returns true if Google reports that a daily quota is used up.
fn quota_used_up(error: &Value) -> bool {
    let violations =
        details_of(error).flat_map(|detail| detail["violations"].as_array().into_iter().flatten());
    let mut names = violations.filter_map(|violation| violation["quotaId"].as_str());
    names.any(|name| name.contains("PerDay"))
}

/// The wait that a body names in a field: Gemini's `RetryInfo`, or a number of seconds.
fn waits(error: &Value) -> Option<Duration> {
    details_of(error)
        .filter_map(|detail| detail["retryDelay"].as_str())
        .find_map(retry_after::from_duration)
        // `estimated_time` is that of Hugging Face, until a model is loaded.
        .or_else(|| {
            let mut fields = ["retry_after", "estimated_time"].into_iter();
            let seconds = fields.find_map(|name| error[name].as_f64());
            seconds.and_then(retry_after::seconds)
        })
}

/// Returns the kind of an error, and true if the same request may succeed later. `message` is in lower case.
fn classify(status: Option<u16>, fields: &Fields, message: &str) -> (ModelErrorKind, bool) {
    let certain = codes::certain(&fields.names);
    // What is wrong with a request a sentence may say better than a code; and xAI has one code for a wrong key, for
    // no credit and for its filter.
    if let Some((kind, retryable)) = certain
        && !matches!(
            kind,
            ModelErrorKind::InvalidRequest | ModelErrorKind::Authentication
        )
        && (!retryable || kind == ModelErrorKind::MalformedResponse)
    {
        return (kind, retryable);
    }
    if let Some(kind) = sentences::kind_of(message) {
        return (kind, false);
    }
    let may_pass = |kind| (kind, !fields.quota_used_up);
    match (certain, status) {
        (Some((kind, true)), _) => may_pass(kind),
        (Some(last), _) => last,
        (None, Some(401 | 403)) => (ModelErrorKind::Authentication, false),
        (None, Some(402)) => (ModelErrorKind::RateLimit, false),
        (None, Some(429)) => may_pass(ModelErrorKind::RateLimit),
        // 501 and 505 say that the server will never do this; 498 is Groq's for no capacity.
        (None, Some(408 | 409 | 425 | 498 | 500 | 502..=504 | 506..)) => {
            (ModelErrorKind::Overloaded, true)
        }
        (None, None) if !codes::blame_the_request(&fields.names) => {
            (ModelErrorKind::Overloaded, true)
        }
        (None, _) => (ModelErrorKind::InvalidRequest, false),
    }
}

/// A sentence for an error body without one.
fn without_message(status: u16, body: &[u8]) -> String {
    match status {
        300..400 => {
            "the server answered with a redirect, which is not followed; check the base URL"
                .to_owned()
        }
        _ if without_mark(body).trim_ascii().is_empty() => "the server gave no reason".to_owned(),
        _ if looks_like_html(body) => {
            "the server answered with an HTML page; a proxy may be in between".to_owned()
        }
        _ => {
            let kept = String::from_utf8_lossy(&body[..body.len().min(200)]);
            let line = kept.trim().lines().next().unwrap_or_default().to_owned();
            format!("the server answered: {line}")
        }
    }
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = without_mark(body).trim_ascii_start();
    let start = &start[..start.len().min(15)];
    [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|have| have.eq_ignore_ascii_case(tag))
    })
}
