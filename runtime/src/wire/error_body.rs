//! Errors, in all the shapes that servers send them: few keep to one protocol, and gateways to none.

#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::{Map, Value, value::RawValue};

use crate::{
    char_boundary,
    model::{ModelError, ModelErrorKind},
    wire::wait,
};

/// Decodes the body of a reply whose status is not one of success.
///
/// `asked` is what the headers ask for, if they do ([`wire::retry_after`](crate::wire::retry_after)
/// reads them); without it the body is searched for a wait. The
/// beginning of the body is kept in [`ModelError::body`].
pub fn decode_error(status: u16, asked: Option<Duration>, body: &[u8]) -> ModelError {
    let fields = match serde_json::from_slice::<Value>(body) {
        Ok(value) => Fields::of(&value),
        Err(_) => Fields::default(),
    };
    let message = if fields.message.is_empty() {
        without_message(status, body)
    } else {
        fields.message.clone()
    };
    let mut error = fields.into_error(Some(status), message);
    error.status = Some(status);
    error.retry_after = asked.or(error.retry_after);
    with_body(error, body)
}

/// The `error` of a body or a chunk that was sent with a status of success.
pub(crate) fn in_reply(raw: &RawValue) -> ModelError {
    let value = serde_json::from_str::<Value>(raw.get()).unwrap_or_default();
    of_value(value, raw.get().as_bytes())
}

/// The error of an event that is named one and holds it in no field of ours.
pub(crate) fn in_event(data: &[u8]) -> ModelError {
    let value = serde_json::from_slice(data)
        .unwrap_or_else(|_| String::from_utf8_lossy(data).into_owned().into());
    of_value(value, data)
}

fn of_value(error: Value, body: &[u8]) -> ModelError {
    let wrapped = Map::from_iter([("error".to_owned(), error)]);
    let fields = Fields::of(&Value::Object(wrapped));
    let message = if fields.message.is_empty() {
        "the provider reported an error and did not say which".to_owned()
    } else {
        fields.message.clone()
    };
    let status = fields.status;
    with_body(fields.into_error(status, message), body)
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
    if body.trim_ascii().is_empty() {
        return ModelError::new(ModelErrorKind::MalformedReply, "the reply is empty");
    }
    let message = if error.is_eof() {
        format!("the reply is cut off: {error}")
    } else if looks_like_html(body) {
        "the reply is an HTML page and not JSON; a proxy may stand between".to_owned()
    } else {
        format!("the reply cannot be read: {error}")
    };
    with_body(
        ModelError::new(ModelErrorKind::MalformedReply, message),
        body,
    )
}

/// A body of success that is JSON and yet no reply.
pub(crate) fn no_completion(body: &[u8]) -> ModelError {
    let error = ModelError::new(
        ModelErrorKind::MalformedReply,
        "the reply holds no completion",
    );
    with_body(error, body)
}

/// Keeps the beginning of a body. What else the error says is bounded as well: a server writes as much
/// as it likes, and what is read of a body may be quoted.
pub(crate) fn with_body(mut error: ModelError, body: &[u8]) -> ModelError {
    shorten(&mut error.message, MESSAGE_BYTES);
    for name in [&mut error.code, &mut error.error_type]
        .into_iter()
        .flatten()
    {
        shorten(name, NAME_BYTES);
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

/// What an error body says, wherever it says it.
#[derive(Debug, Default)]
struct Fields {
    message: String,
    code: Option<String>,
    error_type: Option<String>,
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
        // xAI: `{"code": "…", "error": "text"}`; vLLM: the fields at the top; FastAPI: `detail`.
        let error = match &body["error"] {
            Value::Object(_) => &body["error"],
            _ => body,
        };
        let message = [
            &error["message"],
            &body["error"],
            &body["message"],
            &body["detail"],
        ]
        .into_iter()
        .find_map(text_of)
        .unwrap_or_default();
        // OpenRouter hides what the upstream said one level down.
        let upstream = text_of(&error["metadata"]["raw"]);
        let code = text_of(&error["code"]);
        let retry_after = waits(error)
            .or_else(|| wait::from_text(&message))
            .or_else(|| upstream.as_deref().and_then(wait::from_text));
        Self {
            status: error["status_code"]
                .as_u64()
                .or_else(|| code.as_ref()?.parse().ok())
                .and_then(|status| u16::try_from(status).ok())
                .filter(|status| (400..600).contains(status)),
            // Google's APIs: `"status": "RESOURCE_EXHAUSTED"` beside a code that is a number.
            error_type: text_of(&error["type"]).or_else(|| {
                error["code"]
                    .as_u64()
                    .and_then(|_| text_of(&error["status"]))
            }),
            code,
            retry_after,
            message: match upstream {
                Some(upstream) if upstream != message => format!("{message}: {upstream}"),
                _ => message,
            },
        }
    }

    fn into_error(self, status: Option<u16>, message: String) -> ModelError {
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

/// The wait that a body names in a field: Gemini's `RetryInfo`, or a number of seconds.
fn waits(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array().into_iter().flatten();
    details
        .filter_map(|detail| detail["retryDelay"].as_str())
        .find_map(wait::from_duration)
        .or_else(|| error["retry_after"].as_f64().and_then(wait::seconds))
}

/// What can be done about an error, and whether the same request may succeed later. `message` is in
/// lower case.
fn classify(status: Option<u16>, fields: &Fields, message: &str) -> (ModelErrorKind, bool) {
    let code = fields.code.as_deref().unwrap_or_default();
    let error_type = fields.error_type.as_deref().unwrap_or_default();
    let is = |name: &str| code == name || error_type == name;
    let says = |words: &[&str]| words.iter().any(|words| message.contains(words));

    if is("insufficient_quota")
        || is("billing_error")
        || status == Some(402)
        || says(&["credit balance is too low"])
    {
        return (ModelErrorKind::RateLimit, false);
    }
    if is("tool_use_failed") {
        // Groq: the model wrote a call that does not parse. Another attempt may do better.
        return (ModelErrorKind::MalformedReply, true);
    }
    if is("context_length_exceeded")
        || is("exceed_context_size_error")
        || says(&[
            "maximum context length",
            "context length exceeded",
            "context window",
            "exceeds the available context size",
            "prompt is too long",
            "exceed context limit",
            "exceeds the maximum number of tokens",
        ])
    {
        return (ModelErrorKind::ContextTooLong, false);
    }
    if is("content_filter")
        || is("content_policy_violation")
        || says(&["blocked by content filtering"])
    {
        return (ModelErrorKind::ContentFilter, false);
    }
    if says(&[
        "does not support tools",
        "does not support tool",
        "does not support function calling",
        "function calling is not enabled",
        "support tool use",
        "tools is not supported",
        "tool choice requires --enable-auto-tool-choice",
        "tools param requires --jinja",
    ]) && !says(&["tool_choice"])
    {
        return (ModelErrorKind::ToolsUnsupported, false);
    }
    // xAI and Gemini answer a wrong key with 400.
    if matches!(status, Some(401 | 403))
        || is("invalid_api_key")
        || is("authentication_error")
        || is("permission_error")
        || says(&["incorrect api key", "api key not valid", "api key expired"])
    {
        return (ModelErrorKind::Authentication, false);
    }
    if status == Some(429) || is("rate_limit_exceeded") || is("rate_limit_error") {
        return (ModelErrorKind::RateLimit, true);
    }
    match status {
        // 501 and 505 say that the server will never do this.
        Some(408 | 409 | 425 | 500 | 502..=504 | 506..) => (ModelErrorKind::Overloaded, true),
        None if !is("invalid_request_error")
            && !is("not_found_error")
            && !is("request_too_large") =>
        {
            (ModelErrorKind::Overloaded, true)
        }
        _ => (ModelErrorKind::InvalidRequest, false),
    }
}

/// A sentence for an error body without one.
fn without_message(status: u16, body: &[u8]) -> String {
    match status {
        300..400 => {
            "the server answered with a redirect, which is not followed; check the base URL"
                .to_owned()
        }
        _ if body.trim_ascii().is_empty() => "the server gave no reason".to_owned(),
        _ if looks_like_html(body) => {
            "the server answered with an HTML page; a proxy may stand between".to_owned()
        }
        _ => {
            let kept = String::from_utf8_lossy(&body[..body.len().min(200)]);
            let line = kept.trim().lines().next().unwrap_or_default().to_owned();
            format!("the server answered: {line}")
        }
    }
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    let start = &start[..start.len().min(15)];
    [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|have| have.eq_ignore_ascii_case(tag))
    })
}
