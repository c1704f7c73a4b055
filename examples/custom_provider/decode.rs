//! From the bytes of a response to its events.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use toolwright::{
    ModelError,
    message::Opaque,
    model::{FinishReason, ModelErrorKind, ModelEvent, Usage, Warning},
    provider::{Codec, DecodeStream},
    wire::{CallDelta, LineDecoder, PartialCalls},
};

use crate::lantern::Lantern;

/// Reads a response, however its bytes are cut.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    lines: LineDecoder,
    reply: Reply,
}

/// What is known of a response.
#[derive(Debug, Default)]
struct Reply {
    calls: PartialCalls,
    unknown: usize,
    end: Option<FinishReason>,
    raw_end: Option<String>,
}

/// A line of a response. Fields that are not here are read over.
#[derive(Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Line {
    Begin {
        model: String,
    },
    Say {
        text: String,
    },
    Call {
        n: u64,
        id: String,
        function: String,
    },
    With {
        n: u64,
        json: String,
    },
    Seal {
        data: Value,
    },
    End {
        why: String,
        read: u64,
        wrote: u64,
    },
    Failed {
        code: String,
        text: String,
        wait: Option<f64>,
    },
    #[serde(other)]
    Unknown,
}

impl DecodeStream for Decoder {
    fn feed(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        let mut result = Ok(());
        let reply = &mut self.reply;
        let read = self.lines.feed(bytes, |line| {
            if result.is_ok() {
                result = reply.take(line, events);
            }
        });
        read.map_err(|error| {
            ModelError::new(ModelErrorKind::MalformedResponse, error.to_string())
        })?;
        result
    }

    fn is_done(&self) -> bool {
        self.reply.end.is_some()
    }

    /// Ends the response. Only the server's word makes it whole: a connection that closes does not.
    fn finish(mut self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        self.feed(b"\n", events)?;
        self.reply.calls.finish(events);
        if self.reply.unknown > 0 {
            let message = format!(
                "{} lines of unknown kinds were left out",
                self.reply.unknown
            );
            events.push(ModelEvent::Warning(Warning::new("unknown_events", message)));
        }
        let Some(reason) = self.reply.end else {
            let message = "the response ended before the line `end`";
            return Err(ModelError::new(ModelErrorKind::Transport, message));
        };
        let raw = self.reply.raw_end;
        events.push(ModelEvent::Finished { reason, raw });
        Ok(())
    }
}

impl Reply {
    fn take(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let line = serde_json::from_slice(line).map_err(|error| {
            let message = format!("a line of the response cannot be read: {error}");
            ModelError::new(ModelErrorKind::MalformedResponse, message)
                .with_body(&String::from_utf8_lossy(line))
        })?;
        match line {
            Line::Begin { model } => events.push(ModelEvent::Model(model)),
            Line::Say { text } => events.push(ModelEvent::Text(text)),
            Line::Call { n, id, function } => {
                self.piece(n, &id, &function, "", events);
            }
            Line::With { n, json } => self.piece(n, "", "", &json, events),
            Line::Seal { data } => events.push(ModelEvent::Opaque(Opaque {
                provider: Lantern::PROVIDER.to_owned(),
                data,
            })),
            Line::End { why, read, wrote } => {
                events.push(ModelEvent::from(Usage::new(read, wrote)));
                self.end = Some(match &*why {
                    "done" => FinishReason::Stop,
                    "calls" => FinishReason::ToolCalls,
                    "limit" => FinishReason::Length,
                    "blocked" => FinishReason::ContentFilter,
                    _ => FinishReason::Other,
                });
                self.raw_end = Some(why);
            }
            Line::Failed { code, text, wait } => return Err(failure(&code, &text, wait)),
            Line::Unknown => self.unknown += 1,
        }
        Ok(())
    }

    /// A piece of a call: `n` is a key, and not a position.
    fn piece(&mut self, n: u64, id: &str, name: &str, json: &str, events: &mut Vec<ModelEvent>) {
        let delta = CallDelta {
            index: Some(n),
            id: id.into(),
            name: name.into(),
            arguments: json.into(),
        };
        self.calls.push(delta, events);
    }
}

/// What can be done about a failure decides its kind, and whether it is tried again.
fn failure(code: &str, text: &str, wait: Option<f64>) -> ModelError {
    let kind = match code {
        "who" => ModelErrorKind::Authentication,
        "busy" => ModelErrorKind::Overloaded,
        "long" => ModelErrorKind::ContextTooLong,
        _ => ModelErrorKind::InvalidRequest,
    };
    let error = ModelError::new(kind, text).with_code(code);
    match wait.map(Duration::try_from_secs_f64) {
        Some(Ok(wait)) => error.with_retry_after(wait),
        _ => error,
    }
}
