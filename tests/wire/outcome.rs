//! What came of a recorded body, compared with what an independent reader made of it.

use serde_json::Value;
use toolwright::{
    ModelError, ModelResponse,
    message::Part,
    model::{FinishReason, ModelErrorKind, ModelRequest},
    provider::{self, DecodeStream, EncodeInput, ErrorResponse},
    tool::ToolDefinitions,
};

use crate::{
    pieces,
    record::{Expected, ExpectedError, Record},
};

/// What came of a body.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) reply: ModelResponse,
    pub(crate) error: Option<ModelError>,
    pub(crate) complete: bool,
}

/// A codec, as the recordings are read with it.
pub(crate) struct Codec {
    pub(crate) decode: fn(&[u8]) -> Result<ModelResponse, ModelError>,
    pub(crate) decode_error: fn(u16, &[u8]) -> ModelError,
    pub(crate) decode_stream: fn(&[&[u8]]) -> Outcome,
    /// What is to be compared besides.
    pub(crate) compare: fn(&ModelResponse, &Expected),
}

/// Decodes a stream that comes in pieces.
pub(crate) fn decode_stream<C: provider::Codec + Default>(pieces: &[&[u8]]) -> Outcome {
    let mut events = Vec::new();
    let mut decoder = C::default().stream_decoder(&ToolDefinitions::default());
    let mut result = Ok(());
    for piece in pieces {
        result = decoder.feed(piece, &mut events);
        if result.is_err() {
            break;
        }
    }
    let complete = decoder.is_complete();
    let error = result.and_then(|()| decoder.finish(&mut events)).err();
    Outcome {
        reply: events.into_iter().collect(),
        error,
        complete,
    }
}

/// The body of a request, streamed or whole as it was recorded.
pub(crate) fn encode<C: provider::Codec + Default>(
    record: &Record,
    request: &ModelRequest,
) -> Vec<u8> {
    let mut input = EncodeInput::new(record.model(), request);
    if record.is_streamed() {
        input = input.streamed();
    }
    C::default().encode(input).expect("is written")
}

impl Codec {
    /// The codec of a protocol.
    pub(crate) const fn of<C: provider::Codec + Default>(
        compare: fn(&ModelResponse, &Expected),
    ) -> Self {
        Self {
            decode: |body| C::default().decode(&ToolDefinitions::default(), body),
            decode_error: |status, body| {
                C::default().decode_error(&ErrorResponse::new(status, body))
            },
            decode_stream: decode_stream::<C>,
            compare,
        }
    }

    /// A recorded reply that is whole.
    pub(crate) fn read(&self, record: &Record) -> ModelResponse {
        let body = record.response.body.as_bytes();
        if record.kind == "json" {
            return (self.decode)(body).expect("it is whole");
        }
        let outcome = (self.decode_stream)(&[body]);
        assert_eq!(outcome.error, None, "it is whole");
        outcome.reply
    }

    pub(crate) fn check(&self, record: &Record) {
        let body = record.response.body.as_bytes();
        let status = record.response.status;
        if status >= 400 {
            let error = (self.decode_error)(status, body);
            return self.compare(&of_error(error), &record.expected, status);
        }
        if record.kind == "json" {
            let whole = self.decode_whole(body);
            self.compare(&whole, &record.expected, status);
            if whole.error.is_none() {
                // A server that does not stream although it was asked to.
                let streamed = (self.decode_stream)(&pieces::bytes(body));
                assert_eq!(streamed, whole, "byte by byte");
            }
            return;
        }
        let whole = (self.decode_stream)(&[body]);
        self.compare(&whole, &record.expected, status);
        let streamed = (self.decode_stream)(&pieces::bytes(body));
        assert_eq!(streamed, whole, "byte by byte");
        pieces::cut_in_two(body, |pieces, cut| {
            assert_eq!((self.decode_stream)(pieces), whole, "cut at {cut}");
        });
    }

    fn decode_whole(&self, body: &[u8]) -> Outcome {
        match (self.decode)(body) {
            Ok(reply) => Outcome {
                reply,
                error: None,
                complete: true,
            },
            Err(error) => of_error(error),
        }
    }

    fn compare(&self, outcome: &Outcome, expected: &Expected, status: u16) {
        let reply = &outcome.reply;
        assert_text(&reply.text, &expected.text);
        assert_calls(reply, expected);
        assert_eq!(reply.raw_finish_reason, expected.finish_reason);
        assert_eq!(reply.refusal, expected.refusal);
        assert_eq!(outcome.complete, expected.complete, "complete");

        let reasoning: String = reply
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Reasoning(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(reasoning, expected.reasoning_text);
        let opaque: Vec<_> = reply
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Opaque(opaque) => Some(&opaque.data),
                _ => None,
            })
            .collect();
        for signature in &expected.reasoning_signatures {
            let kept = opaque.iter().any(|data| holds(data, signature));
            assert!(kept, "the signature {signature} is among {opaque:?}");
        }

        let usage = reply.usage.as_ref();
        assert_eq!(
            usage.map(|usage| (usage.input_tokens, usage.output_tokens, &usage.raw)),
            expected.usage.as_ref().map(|usage| {
                let (input, output) = usage.billed();
                (input, output, &usage.raw)
            })
        );
        (self.compare)(reply, expected);
        if !expected.complete && expected.error.is_none() {
            let kind = outcome.error.as_ref().map(|error| error.kind);
            assert_eq!(kind, Some(ModelErrorKind::Transport), "it ended early");
            return;
        }
        assert_error(outcome.error.as_ref(), expected.error.as_ref(), status);
    }
}

fn of_error(mut error: ModelError) -> Outcome {
    Outcome {
        reply: error.partial.take().map(|reply| *reply).unwrap_or_default(),
        error: Some(error),
        complete: true,
    }
}

/// Where a server answers with an object instead of a text, the reader wrote it down with other
/// white space.
fn assert_text(text: &str, expected: &str) {
    let object = |text: &str| serde_json::from_str::<Value>(text).ok();
    if text != expected && object(text).is_some_and(|text| text.is_object()) {
        assert_eq!(object(text), object(expected));
    } else {
        assert_eq!(text, expected);
    }
}

fn assert_calls(reply: &ModelResponse, expected: &Expected) {
    let calls: Vec<_> = reply
        .tool_calls
        .iter()
        .map(|call| (&*call.id, &*call.name, &*call.arguments))
        .collect();
    let expected_calls: Vec<_> = expected
        .tool_calls
        .iter()
        .zip(&calls)
        .map(|(call, (_, _, arguments))| {
            let id = call.id.as_deref().unwrap_or_default();
            // Where the protocol has an object, its text is for nobody to say.
            let raw = call.arguments_raw.as_deref();
            (id, &*call.name, raw.unwrap_or(arguments))
        })
        .collect();
    assert_eq!(calls.len(), expected.tool_calls.len());
    assert_eq!(calls, expected_calls);
    for (call, wanted) in reply.tool_calls.iter().zip(&expected.tool_calls) {
        if wanted.kind.as_deref() == Some("custom") {
            assert_eq!(wanted.arguments, *call.arguments);
        } else if wanted.arguments_error.is_none() {
            let text = match call.arguments.trim() {
                "" => "{}",
                text => text,
            };
            let arguments: Value = serde_json::from_str(text).expect("was read before");
            assert_eq!(arguments, wanted.arguments);
        } else {
            let cut = reply.finish_reason == FinishReason::Length
                || matches!(reply.raw_finish_reason.as_deref(), Some("error" | "failed"))
                || !expected.complete;
            assert!(cut, "a call that cannot be read comes of a cut reply");
        }
    }
}

pub(crate) fn assert_error(
    error: Option<&ModelError>,
    expected: Option<&ExpectedError>,
    status: u16,
) {
    let (Some(error), Some(expected)) = (error, expected) else {
        assert_eq!(error.is_some(), expected.is_some(), "{error:?}");
        return;
    };
    if expected.error_type.as_deref() == Some("unreadable") {
        assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
        assert_eq!(expected.status, Some(status));
        return;
    }
    assert_eq!(error.status, expected.status);
    assert_eq!(error.error_type, expected.error_type);
    let code = match &expected.code {
        Value::Null => None,
        Value::String(code) => Some(code.clone()),
        code => Some(code.to_string()),
    };
    assert_eq!(error.code, code);
    let message = expected.message.as_deref().unwrap_or_default();
    assert!(
        error.message.starts_with(message),
        "{:?} begins with {message:?}",
        error.message
    );
}

/// Whether a text stands anywhere in a value.
pub(crate) fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value == text,
        Value::Array(values) => values.iter().any(|value| holds(value, text)),
        Value::Object(fields) => fields.values().any(|value| holds(value, text)),
        _ => false,
    }
}
