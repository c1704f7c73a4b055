//! Exchanges as files, in the form that `tests/wire` reads, without secrets.

use std::{fs, io, path::Path, time::SystemTime};

use serde_json::{Value, json};
use toolwright::{
    ModelError, ModelResponse,
    message::Part,
    redact::{Credentials, Redact, Secrets},
};

use crate::{provider::Provider, tap::Exchange};

/// The exchanges of one behaviour.
pub(crate) struct Conversation<'c> {
    pub(crate) provider: &'c Provider,
    pub(crate) model: &'c str,
    pub(crate) name: &'c str,
}

impl Conversation<'_> {
    /// Writes a file for each exchange that came to an end, into the folder of the protocol.
    ///
    /// # Errors
    ///
    /// What keeps a file from being written.
    pub(crate) fn write(&self, folder: &Path, exchanges: &[Exchange]) -> io::Result<()> {
        let folder = folder.join(self.provider.folder());
        fs::create_dir_all(&folder)?;
        let vendor = slug(self.provider.name());
        let conversation = format!("{vendor}-live-{}", slug(self.name));
        for (turn, exchange) in exchanges.iter().enumerate() {
            let Some(read) = &exchange.read else { continue };
            let name = format!("{conversation}.{}", turn + 1);
            let body = String::from_utf8_lossy(&exchange.body);
            let is_error = exchange.status != 200;
            let (kind, content_type) = match (exchange.is_streamed && !is_error, self.provider) {
                (false, _) => ("json", "application/json"),
                (true, Provider::Ollama) => ("ndjson", "application/x-ndjson"),
                (true, _) => ("sse", "text/event-stream"),
            };
            let recorded = httpdate::fmt_http_date(SystemTime::now());
            let file = json!({
                "id": format!("{}/{name}", self.provider.folder()),
                "source": {"repo": env!("CARGO_PKG_REPOSITORY"), "path": "live", "fidelity": "verbatim", "authenticity": "recorded"},
                "provider": self.provider.folder(),
                "vendor": vendor,
                "model": self.model,
                "recorded": recorded,
                "kind": kind,
                "conversation": conversation,
                "turn": turn,
                "turns": exchanges.len(),
                "categories": [if exchange.is_streamed { "stream" } else { "whole" }],
                "wire": [],
                "request": {"method": "POST", "path": exchange.path, "body": redacted(exchange.request.clone())},
                "response": {"status": exchange.status, "content_type": content_type, "body": hide(&body)},
                "expected": expected(exchange.status, read),
                "expected_checked_by": null,
            });
            // Also what is quoted of a key that no pattern knows, wherever that is.
            let text = serde_json::to_string_pretty(&redacted(file))?;
            let text = Secrets::new(self.provider.keys())
                .redact(&text)
                .into_owned()
                + "\n";
            fs::write(folder.join(format!("{name}.json")), text)?;
        }
        Ok(())
    }
}

/// What this project reads in a response. Another reader has to check it before it is a test of anything but sameness.
fn expected(status: u16, read: &Result<ModelResponse, ModelError>) -> Value {
    let nothing = ModelResponse::default();
    let (response, error) = match read {
        Ok(response) => (response, None),
        Err(error) => (error.partial.as_deref().unwrap_or(&nothing), Some(error)),
    };
    let calls = response.tool_calls.iter().map(|call| {
        let arguments = serde_json::from_str::<Value>(&call.arguments);
        json!({
            "id": Some(&call.id).filter(|id| !id.is_empty()),
            "name": call.name,
            "arguments_error": arguments.as_ref().err().map(ToString::to_string),
            "arguments": arguments.unwrap_or_default(),
            "arguments_raw": call.arguments,
        })
    });
    let reasoning = response.parts.iter().filter_map(|part| match part {
        Part::Reasoning(text) => Some(text.as_str()),
        _ => None,
    });
    let usage = response.usage.as_ref().map(|usage| {
        let number = |names: [&str; 4], otherwise: u64| {
            let mut told = names.iter().filter_map(|name| usage.raw[*name].as_u64());
            told.next().unwrap_or(otherwise)
        };
        json!({
            "input_tokens": number(["prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count"], usage.input_tokens),
            "output_tokens": number(["completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count"], usage.output_tokens),
            "raw": usage.raw,
        })
    });
    json!({
        "text": hide(&response.text),
        "tool_calls": calls.collect::<Vec<_>>(),
        "server_tool_calls": [],
        "finish_reason": response.raw_finish_reason,
        "usage": usage,
        "reasoning_text": hide(&reasoning.collect::<String>()),
        "reasoning_signatures": [],
        "refusal": response.refusal,
        "error": error.map(|error| json!({
            "status": Some(status).filter(|status| *status != 200),
            "type": error.error_type,
            "code": error.code,
            "message": hide(&error.message),
        })),
        "complete": error.is_none(),
    })
}

/// A value whose strings have no secrets.
fn redacted(value: Value) -> Value {
    match value {
        Value::String(text) => hide(&text).into(),
        Value::Array(items) => items.into_iter().map(redacted).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, redacted(value)))
            .collect(),
        other => other,
    }
}

/// A text without credentials, and without the names of accounts that providers write into errors.
fn hide(text: &str) -> String {
    const ACCOUNTS: [&str; 6] = ["org-", "org_", "proj_", "proj-", "user-", "acct_"];
    let mut text = Credentials::new().redact(text).into_owned();
    for prefix in ACCOUNTS {
        let mut from = 0;
        while let Some(found) = text[from..].find(prefix) {
            let start = from + found + prefix.len();
            let is_name = |char: char| char.is_ascii_alphanumeric();
            let end = text[start..]
                .find(|char| !is_name(char))
                .map_or(text.len(), |it| start + it);
            let is_account = end - start >= 12;
            if is_account {
                text.replace_range(start..end, "REDACTED");
            }
            from = start;
        }
    }
    text
}

/// A name in lower case, with a hyphen for each run of other characters.
fn slug(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|char: char| !char.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
