//! Every variant of what a request holds reaches every codec.
//!
//! These enums are another package's and may grow, so a codec matches them with a last arm that the
//! compiler does not watch. The names of their variants come from their own deserialisers: a variant that
//! is added and not listed here fails the test.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::json;
use toolwright_core::{
    Message, ModelRequest, Part, ToolCall, ToolChoice, ToolDefinition, ToolOutput, ToolResult,
    ToolRound, UserMessage,
    message::{
        AssistantMessage, Audio, Citation, Document, Image, Opaque, ProviderActivity, Source,
    },
    schema::Schema,
    tool::OutputPart,
};

use super::encode;
use crate::provider::{
    AnthropicCodec, Codec, GeminiCodec, OllamaCodec, OpenAiChatCodec, OpenAiResponsesCodec,
};

type Encode = fn(&str, &ModelRequest) -> Vec<u8>;

const CODECS: [(&str, Encode); 5] = [
    (AnthropicCodec::PROVIDER, encode::<AnthropicCodec>),
    (GeminiCodec::PROVIDER, encode::<GeminiCodec>),
    (OllamaCodec::PROVIDER, encode::<OllamaCodec>),
    (OpenAiChatCodec::PROVIDER, encode::<OpenAiChatCodec>),
    (
        OpenAiResponsesCodec::PROVIDER,
        encode::<OpenAiResponsesCodec>,
    ),
];

/// The names of the variants of a tagged enum, as its deserialiser knows them.
fn names<T: DeserializeOwned>() -> BTreeSet<String> {
    let Err(error) = serde_json::from_value::<T>(json!({"type": "no variant"})) else {
        panic!("there is such a variant");
    };
    let error = error.to_string();
    let (_, expected) = error.split_once("expected").expect("it says what there is");
    expected
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Checks that each codec sends the words of each variant, apart from those that it leaves out.
#[track_caller]
fn check<T: DeserializeOwned>(
    samples: &[(&str, &str, ModelRequest)],
    left_out: &[(&str, &[&str])],
) {
    let listed: BTreeSet<String> = samples
        .iter()
        .map(|(name, ..)| (*name).to_owned())
        .collect();
    assert_eq!(listed, names::<T>(), "a sample for every variant");
    let mut found = Vec::new();
    for (codec, encode) in CODECS {
        let missing: Vec<&str> = samples
            .iter()
            .filter(|(_, words, request)| {
                let body = String::from_utf8(encode("m", request)).expect("is text");
                !body.contains(words)
            })
            .map(|(name, ..)| *name)
            .collect();
        if !missing.is_empty() {
            found.push((codec, missing));
        }
    }
    let left_out: Vec<_> = left_out
        .iter()
        .map(|(codec, names)| (*codec, names.to_vec()))
        .collect();
    assert_eq!(found, left_out, "what is left out");
}

fn reply(part: Part) -> ModelRequest {
    let is_call = matches!(part, Part::Call(_));
    let (tool_rounds, parts) = if is_call {
        let results = vec![ToolResult::success("c1", "done")];
        let round = ToolRound {
            reply: vec![part].into(),
            results: results.into_iter().collect(),
        };
        (vec![round], Vec::new())
    } else {
        (Vec::new(), vec![Part::Text("Before.".into()), part])
    };
    ModelRequest::new([
        Message::user("Hi"),
        Message::Assistant(AssistantMessage {
            tool_rounds: tool_rounds.into(),
            parts: parts.into(),
        }),
        Message::user("Go on"),
    ])
}

fn user(part: Part) -> ModelRequest {
    ModelRequest::new([Message::user(UserMessage::new([part]))])
}

fn picture() -> Image {
    Image::from_bytes("image/png", b"picture")
}

const REPORT: &str = "https://example.org/report.pdf";
const SOUND: &str = "https://example.org/sound.wav";

fn report() -> Document {
    Document::from_url("application/pdf", REPORT)
}

fn sound() -> Audio {
    Audio::from_url("audio/wav", SOUND)
}

/// Base64 of `picture`.
const PICTURE: &str = "cGljdHVyZQ==";

#[test]
fn every_part_of_a_message_is_sent() {
    let foreign = Opaque {
        provider: "somebody".into(),
        data: json!({"sealed": "words in a seal"}),
    };
    let told = Citation::new(Source::new("https://example.org/told"));
    let told = Box::new(ProviderActivity::Citation(told));
    check::<Part>(
        &[
            ("text", "some words", reply(Part::Text("some words".into()))),
            (
                "reasoning",
                "a thought",
                reply(Part::Reasoning("a thought".into())),
            ),
            (
                "call",
                "look_up",
                reply(Part::Call(ToolCall::new("c1", "look_up", "{}"))),
            ),
            ("image", PICTURE, user(Part::Image(picture()))),
            ("document", REPORT, user(Part::Document(report()))),
            ("audio", SOUND, user(Part::Audio(sound()))),
            ("opaque", "words in a seal", reply(Part::Opaque(foreign))),
            ("activity", "example.org/told", reply(Part::Activity(told))),
        ],
        // Reasoning goes back as the opaque part that its provider signed, and opaque parts to it alone. Activities are for
        // people.
        &[
            ("anthropic", &["reasoning", "opaque", "activity"]),
            ("gemini", &["reasoning", "opaque", "activity"]),
            ("ollama", &["opaque", "activity"]),
            ("openai_chat", &["reasoning", "opaque", "activity"]),
            ("openai_responses", &["reasoning", "opaque", "activity"]),
        ],
    );
}

#[test]
fn every_part_of_a_result_is_sent() {
    let result = |part: OutputPart| {
        let mut output = ToolOutput::default();
        output.parts.push(part);
        let results = vec![ToolResult::new("c1", Ok(output))];
        let round = ToolRound {
            reply: vec![Part::Call(ToolCall::new("c1", "look_up", "{}"))].into(),
            results: results.into_iter().collect(),
        };
        ModelRequest::new([
            Message::user("Hi"),
            Message::Assistant(AssistantMessage {
                tool_rounds: vec![round].into(),
                parts: Vec::new().into(),
            }),
        ])
    };
    check::<OutputPart>(
        &[
            (
                "text",
                "some words",
                result(OutputPart::Text("some words".into())),
            ),
            (
                "json",
                "1234567",
                result(OutputPart::Json("[1234567]".into())),
            ),
            ("image", PICTURE, result(OutputPart::Image(picture()))),
            ("document", REPORT, result(OutputPart::Document(report()))),
            ("audio", SOUND, result(OutputPart::Audio(sound()))),
        ],
        &[],
    );
}

#[test]
fn every_image_is_sent() {
    let url = "https://example.org/picture.png";
    check::<Image>(
        &[
            ("base64", PICTURE, user(Part::Image(picture()))),
            ("url", url, user(Part::Image(Image::from_url(url)))),
        ],
        &[],
    );
}

#[test]
fn every_choice_of_a_tool_is_sent() {
    let choose = |choice| {
        let tool = |name: &'static str| {
            let schema = Schema::from_text(r#"{"type":"object","properties":{}}"#);
            ToolDefinition::new(name, "Looks something up.", schema.expect("is a schema"))
        };
        let mut request = ModelRequest::new([Message::user("Hi")]);
        request.tools = [tool("look_up"), tool("write_down")].into_iter().collect();
        request.tool_choice = choice;
        request
    };
    let samples = [
        choose(ToolChoice::Auto),
        choose(ToolChoice::None),
        choose(ToolChoice::Required),
        choose(ToolChoice::Tool("write_down".into())),
    ];
    assert_eq!(names::<ToolChoice>().len(), samples.len());
    for (codec, encode) in CODECS {
        let bodies: BTreeSet<_> = samples.iter().map(|sample| encode("m", sample)).collect();
        assert_eq!(
            bodies.len(),
            samples.len(),
            "{codec} tells the choices apart"
        );
    }
}
