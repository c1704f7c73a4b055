//! What is asked of a codec, whatever a server sends: no panic, the same answer wherever the bytes are
//! cut, an answer that is bounded by the bytes, and one that every codec can send on.

use std::{sync::LazyLock, time::Duration};

use toolwright::{
    Conversation, ModelError, ModelResponse, ToolDefinition, ToolResult,
    model::{ModelEvent, ModelRequest},
    provider::{
        AnthropicCodec, Codec as _, DecodeStream, EncodeInput, ErrorResponse, GeminiCodec,
        OllamaCodec, OpenAiChatCodec, OpenAiResponsesCodec,
    },
    schema::Schema,
    tool::{Strict, ToolDefinitions},
};

use super::requests;

/// A codec, as it is fuzzed.
pub(crate) struct Codec {
    pub(crate) name: &'static str,
    /// Whether a stream is JSON a line.
    lines: bool,
    decode: fn(&ToolDefinitions, &[u8]) -> Result<ModelResponse, ModelError>,
    decode_error: fn(u16, &[u8]) -> ModelError,
    decode_stream: fn(&ToolDefinitions, usize, &[&[u8]]) -> Streamed,
    pub(crate) encode: fn(&str, &ModelRequest) -> Vec<u8>,
    pub(crate) encode_stream: fn(&str, &ModelRequest) -> Vec<u8>,
}

/// What came of a stream.
#[derive(Debug, PartialEq)]
struct Streamed {
    reply: ModelResponse,
    error: Option<ModelError>,
    is_complete: bool,
    events: usize,
}

macro_rules! codec {
    ($codec:ident, $lines:literal) => {
        Codec {
            name: $codec::PROVIDER,
            lines: $lines,
            decode: |tools, body| $codec::new().decode(tools, body),
            decode_error: |status, body| {
                $codec::new().decode_error(&ErrorResponse::new(status, body))
            },
            decode_stream: |tools, limit, pieces| {
                let mut decoder = $codec::new().stream_decoder(tools);
                decoder.set_event_limit(limit);
                let mut events = Vec::new();
                let fed = pieces
                    .iter()
                    .try_for_each(|piece| decoder.feed(piece, &mut events));
                let is_complete = fed.is_ok() && decoder.is_complete();
                let error = fed.and_then(|()| decoder.finish(&mut events)).err();
                Streamed {
                    events: events.len(),
                    reply: assembled(events),
                    error,
                    is_complete,
                }
            },
            encode: |model, request| encoded(&$codec::new(), EncodeInput::new(model, request)),
            encode_stream: |model, request| {
                encoded(&$codec::new(), EncodeInput::new(model, request).streamed())
            },
        }
    };
}

pub(crate) const CODECS: [Codec; 5] = [
    codec!(OpenAiChatCodec, false),
    codec!(OpenAiResponsesCodec, false),
    codec!(AnthropicCodec, false),
    codec!(GeminiCodec, false),
    codec!(OllamaCodec, true),
];

fn encoded(codec: &impl toolwright::provider::Codec, input: EncodeInput<'_>) -> Vec<u8> {
    codec.encode(input).expect("can be sent")
}

/// The codec of a name.
#[allow(dead_code, reason = "those who run all of them do not ask")]
pub(crate) fn codec(name: &str) -> &'static Codec {
    const ALL: &[Codec] = &CODECS;
    let found = ALL.iter().find(|codec| codec.name == name);
    found.expect("it is one of the five")
}

/// The longest event that is read by default.
const LIMIT: usize = 16 * 1024 * 1024;
/// How many bytes may come of one, at most: a byte that is no character becomes three, a control
/// character an escape of six, and a reply repeats its text and its calls beside its parts.
const GROWTH: usize = 24;
/// What may come of nothing: warnings, an error in words.
const ROOM: usize = 2_000;

/// A tool whose arguments come back in another form than they are sent in.
static TOOLS: LazyLock<ToolDefinitions> = LazyLock::new(|| {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},
        "labels":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["city"]}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tool = ToolDefinition::new("get_weather", "Get the weather.", schema);
    [tool.with_strict(Strict::Portable)].into_iter().collect()
});

/// Two bytes that choose, and a body.
#[allow(dead_code, reason = "the tests choose by themselves")]
pub(crate) fn chosen(codec: &Codec, input: &[u8]) {
    if let Some((choice, body)) = input.split_first_chunk() {
        check(codec, u16::from_le_bytes(*choice), body);
    }
}

/// Any bytes as what a server answers: a whole reply, a stream, an error.
pub(crate) fn check(codec: &Codec, choice: u16, body: &[u8]) {
    let tools = match choice % 3 {
        0 => &*TOOLS,
        _ => &ToolDefinitions::default(),
    };
    let whole = (codec.decode)(tools, body);
    let streamed = (codec.decode_stream)(tools, LIMIT, &[body]);
    check_cuts(codec, tools, LIMIT, choice, body, &streamed);
    if choice.is_multiple_of(5) {
        let limit = 1 + usize::from(choice) % body.len().max(64);
        let limited = (codec.decode_stream)(tools, limit, &[body]);
        check_cuts(codec, tools, limit, choice, body, &limited);
    }
    let first = body.trim_ascii_start().first();
    if let (Ok(whole), Some(b'{' | b'['), false) = (&whole, first, codec.lines) {
        assert_eq!(streamed.reply, *whole, "a body is no stream");
        assert_eq!(streamed.error, None, "a body is no stream");
    }
    assert!(streamed.events <= 2 * body.len() + 64);

    let error = (codec.decode_error)(choice % 1_000, body);
    let errors = whole.as_ref().err().into_iter().chain(&streamed.error);
    for error in errors.chain([&error]) {
        check_error(error);
    }
    let partial = whole
        .as_ref()
        .err()
        .and_then(|error| error.partial.as_deref());
    for reply in whole.iter().chain(partial).chain([&streamed.reply]) {
        check_response(reply, body.len());
    }
}

/// The same comes of a stream, wherever it is cut.
fn check_cuts(
    codec: &Codec,
    tools: &ToolDefinitions,
    limit: usize,
    choice: u16,
    body: &[u8],
    whole: &Streamed,
) {
    let pieces = pieces(body, choice);
    let cut = (codec.decode_stream)(tools, limit, &pieces);
    assert_eq!(cut, *whole, "cut into pieces, choice {choice}");
    if body.len() <= 512 {
        let bytes: Vec<_> = body.chunks(1).collect();
        let cut = (codec.decode_stream)(tools, limit, &bytes);
        assert_eq!(cut, *whole, "byte by byte");
    }
}

/// A body in pieces, some of them empty, which a number chooses.
pub(super) fn pieces(mut body: &[u8], choice: u16) -> Vec<&[u8]> {
    let mut random = u32::from(choice) + 1;
    let widest = [2, 5, 17, 300, 5_000][usize::from(choice) % 5];
    let mut pieces = Vec::new();
    while !body.is_empty() {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let length = (random >> 8) as usize % widest;
        let (piece, rest) = body.split_at(length.min(body.len()));
        pieces.push(piece);
        body = rest;
    }
    pieces
}

fn assembled(events: Vec<ModelEvent>) -> ModelResponse {
    events.into_iter().collect()
}

/// What an error says is bounded, whatever a server wrote.
fn check_error(error: &ModelError) {
    let texts = [
        Some(&error.message),
        error.code.as_ref(),
        error.error_type.as_ref(),
        error.body.as_ref(),
    ];
    for text in texts.into_iter().flatten() {
        assert!(text.len() <= ModelError::BODY_BYTES, "{} bytes", text.len());
    }
    assert!(!error.message.is_empty(), "{error:?}");
    let week = Duration::from_secs(7 * 24 * 60 * 60);
    assert!(error.retry_after.is_none_or(|wait| wait <= week), "{error}");
}

/// A reply is bounded by what it came of, can be stored, and goes on to every provider.
fn check_response(reply: &ModelResponse, bytes: usize) {
    let stored = serde_json::to_string(reply).expect("can be stored");
    let most = GROWTH * bytes + ROOM;
    assert!(stored.len() <= most, "{} of {bytes} bytes", stored.len());

    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    conversation.push_response(reply.clone());
    let calls: Vec<_> = conversation
        .pending_calls()
        .map(|call| call.id.clone())
        .collect();
    if !calls.is_empty() {
        let results = calls.into_iter().map(|id| ToolResult::success(id, "done"));
        conversation
            .push_results(results)
            .expect("one for each call");
    }
    conversation.push_user("And now?");
    let stored = serde_json::to_string(&conversation).expect("can be stored");
    serde_json::from_str::<Conversation>(&stored).expect("can be read again");
    check_request(&conversation.request());
}

/// A request holds the rules of every provider.
pub(super) fn check_request(request: &ModelRequest) {
    for codec in &CODECS {
        for body in [
            (codec.encode)("m", request),
            (codec.encode_stream)("m", request),
        ] {
            let body = serde_json::from_slice(&body);
            let body = body.unwrap_or_else(|error| panic!("{}: {error}", codec.name));
            let calls = requests::check(codec.name, &body);
            let answered = request.messages.iter().flat_map(toolwright::Message::turns);
            let answered = answered.filter_map(|turn| match turn {
                toolwright::message::Turn::Results(round) => Some(round.results.len()),
                _ => None,
            });
            assert_eq!(
                calls.len(),
                answered.sum::<usize>(),
                "{}: {body}",
                codec.name
            );
        }
    }
}
