//! Rounds of calls are written once, and the body is what it would be if they were written again.

use toolwright_core::{
    message::{AssistantMessage, Image, Message, Opaque, Part, SharedVec, ToolRound},
    model::ModelRequest,
    schema::Schema,
    tool::{OutputPart, ToolCall, ToolDefinition, ToolOutput, ToolResult},
};

use super::super::{AnthropicCodec, Codec, GeminiCodec, OllamaCodec, OpenAiChatCodec};
use crate::{codec::encode_input::EncodeInput, profile::Profile, provider::OpenAiResponsesCodec};

type Encode = fn(&ModelRequest, Option<Profile>, &str, &str) -> String;

fn encode<C: Codec>(codec: &C, model: &str, request: &ModelRequest, server: &str) -> String {
    let input = EncodeInput::new(model, request).with_server(server);
    String::from_utf8(codec.encode(input).expect("is written")).expect("is text")
}

macro_rules! of {
    ($($codec:ident),*) => {
        [$(($codec::PROVIDER, |request, profile, model, server| {
            let codec = match profile {
                Some(profile) => $codec::new().with_profile(profile),
                None => $codec::new(),
            };
            encode(&codec, model, request, server)
        })),*]
    };
}

const CODECS: [(&str, Encode); 5] = of!(
    AnthropicCodec,
    GeminiCodec,
    OllamaCodec,
    OpenAiChatCodec,
    OpenAiResponsesCodec
);

/// A round of calls with these ids, with what only the codec itself can read.
fn round(ids: &[&str], codec: &str) -> ToolRound {
    let opaque = Opaque {
        provider: format!("{codec}:one"),
        data: serde_json::json!({"type": "thinking", "signature": "s", "reasoning_content": "r", "call": 0}),
    };
    let calls = ids
        .iter()
        .map(|id| Part::Call(ToolCall::new(*id, "look", "{\"at\": 1.50}")));
    let first = [
        Part::Text("I look.".into()),
        Part::Reasoning("Hm.".into()),
        Part::Opaque(opaque),
    ];
    let results = ids.iter().map(|id| {
        let text = OutputPart::Text("sunny".into());
        let image = OutputPart::Image(Image::from_bytes("image/png", b"png"));
        ToolResult::success(*id, ToolOutput::from_iter([text, image]))
    });
    ToolRound {
        reply: first.into_iter().chain(calls).collect(),
        results: results.collect(),
    }
}

fn request(rounds: Vec<ToolRound>, last: &str) -> ModelRequest {
    let message = AssistantMessage {
        tool_rounds: rounds.into(),
        parts: [].into(),
    };
    let mut messages = vec![Message::user("go"), Message::Assistant(message)];
    if !last.is_empty() {
        messages.push(Message::user(last));
    }
    ModelRequest::new(messages)
}

/// The same request, which shares nothing with it.
fn copy(request: &ModelRequest) -> ModelRequest {
    let json = serde_json::to_string(request).expect("is JSON");
    serde_json::from_str(&json).expect("is a request")
}

#[test]
fn a_round_that_was_written_before_is_written_as_if_it_were_not() {
    // Optional members come back as `null` in one of the profiles, and calls of history go in that form.
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"at": {"type": "number"}, "near": {"type": "string"}},
        "required": ["at"],
    });
    let tools = || {
        let schema = Schema::from_value(&schema);
        ToolDefinition::new("look", "Looks around.", schema)
    };
    for (name, encode) in CODECS {
        let (a, b) = (round(&["a", ""], name), round(&["a"], name));
        let empty = ToolRound::default();
        let said = ToolRound {
            reply: [Part::Text(" ".into())].into(),
            ..ToolRound::default()
        };
        let mut other_response = a.clone();
        other_response.reply = SharedVec::from(b.reply.to_vec());
        other_response.results = other_response.results.to_vec()[..1].to_vec().into();
        let lists = [
            vec![a.clone(), b.clone()],
            vec![b.clone(), a.clone(), b.clone()],
            vec![a.clone(), empty.clone(), b.clone(), said.clone()],
            vec![empty, a.clone(), said, b],
            vec![other_response, a],
        ];
        // Each list with each of these, so that what is kept of a round is what another wrote.
        for (model, server) in [
            ("gemini-2.5-pro", "one"),
            ("gemini-3-pro", "one"),
            ("m", "two"),
        ] {
            for profile in [None, Some(Profile::openai_strict())] {
                for (list, last) in lists.iter().zip(["", "and now?", "", "so", ""]) {
                    let mut request = request(list.clone(), last);
                    request = request.with_tools([tools()]);
                    for _ in 0..2 {
                        let kept = encode(&request, profile.clone(), model, server);
                        let fresh = encode(&copy(&request), profile.clone(), model, server);
                        assert_eq!(kept, fresh, "{name}, {model}, {server}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_round_that_changes_is_written_anew() {
    for (name, encode) in CODECS {
        let mut rounds = vec![
            round(&["a"], name),
            round(&["b"], name),
            round(&["c"], name),
        ];
        let body = |rounds: &[ToolRound]| encode(&request(rounds.to_vec(), ""), None, "m", "one");
        let before = body(&rounds);
        rounds[0].results.to_mut()[0] = ToolResult::success("a", "rainy");
        let (new_result, kept) = (body(&rounds), body(&rounds));
        assert!(
            new_result.contains("rainy") && !before.contains("rainy"),
            "{name}"
        );
        assert_eq!(kept, new_result);
        rounds[0].reply.to_mut()[0] = Part::Text("I wait.".into());
        assert!(body(&rounds).contains("I wait."), "{name}");
    }
}

#[test]
fn a_round_is_written_anew_where_responses_are_stored() {
    let opaque = Opaque {
        provider: "openai_responses:one".into(),
        data: serde_json::json!({"type": "reasoning", "id": "rs_1", "summary": []}),
    };
    let round = || ToolRound {
        reply: [
            Part::Opaque(opaque.clone()),
            Part::Call(ToolCall::new("a", "look", "{}")),
        ]
        .into(),
        results: [ToolResult::success("a", "sunny")].into(),
    };
    let body = |request: &ModelRequest| {
        let dialect = OpenAiResponsesCodec::new();
        encode(&dialect, "m", request, "one")
    };
    for stored_first in [true, false] {
        let plain = request(vec![round()], "");
        let mut stored = plain.clone();
        stored.settings.extra.insert("store".into(), true.into());
        let (first, second) = if stored_first {
            (&stored, &plain)
        } else {
            (&plain, &stored)
        };
        assert_ne!(body(first), body(second));
        assert_eq!(body(second), body(&copy(second)));
    }
}
