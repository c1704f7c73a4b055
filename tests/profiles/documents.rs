//! Documents and sound, as each codec sends them, before the types of the providers' own SDKs.

use serde_json::Value;
use toolwright::{
    Conversation, ModelResponse, ToolCall, ToolOutput, ToolResult,
    message::{Audio, Document, Part, UserMessage},
    model::ModelRequest,
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, MessageList, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec, Protocol,
    },
};

use crate::double::Server;

type Encode = fn(&str, &ModelRequest) -> Vec<u8>;

fn encode<C: Codec + Default>(model: &str, request: &ModelRequest) -> Vec<u8> {
    let input = EncodeInput::new(model, request);
    C::default().encode(input).expect("can be sent")
}

const CODECS: [(&str, Encode, Protocol); 5] = [
    (
        "/v1/chat/completions",
        encode::<OpenAiChatCodec>,
        Protocol::OpenAiChat,
    ),
    (
        "/v1/responses",
        encode::<OpenAiResponsesCodec>,
        Protocol::OpenAiResponses,
    ),
    (
        "/v1/messages",
        encode::<AnthropicCodec>,
        Protocol::Anthropic,
    ),
    (
        "/v1beta/models/sim-text:generateContent",
        encode::<GeminiCodec>,
        Protocol::Gemini,
    ),
    ("/api/chat", encode::<OllamaCodec>, Protocol::Ollama),
];

/// Every kind of file is taken by every provider, from a user and from a tool: as a file, or in words.
pub(crate) fn check(server: &Server) {
    let files = [
        Part::Document(Document::from_bytes("application/pdf", b"%PDF-1.7").with_name("a.pdf")),
        Part::Document(Document::from_bytes("application/pdf", b"%PDF-1.7")),
        Part::Document(Document::from_url(
            "application/pdf",
            "https://example.com/a.pdf",
        )),
        Part::Document(Document::from_bytes("text/csv", "a,b").with_name("a.csv")),
        Part::Document(Document::from_bytes("application/zip", b"PK")),
        Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
        Part::Audio(Audio::from_bytes("audio/mpeg", b"ID3")),
        Part::Audio(Audio::from_url("audio/ogg", "https://example.com/a.ogg")),
    ];
    for file in files {
        let conversation = conversation(&file);
        for (path, encode, protocol) in CODECS {
            let body = encode("sim-text", &conversation.request());
            let body: Value = serde_json::from_slice(&body).expect("it is JSON");
            server.takes(path, &body);
            // A list of them is read and written as it was.
            let list = MessageList::new(protocol).with_model("sim-text");
            let written = list.write(&conversation);
            let imported = list.read(written.as_str()).expect("it is a list");
            let again = list.write(&imported.conversation);
            if imported.report.is_empty() {
                assert_eq!(
                    again.to_value(),
                    written.to_value(),
                    "{protocol:?}: {file:?}"
                );
            }
        }
    }
}

/// A user sends a file, and a tool returns it.
fn conversation(file: &Part) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push_user(UserMessage::new([Part::Text("Look.".into()), file.clone()]));
    let call = ToolCall::new("call_1", "look", "{}");
    conversation.push_response(ModelResponse::from_calls([call]));
    let output = ToolOutput::text("Here:");
    let output = match file {
        Part::Document(document) => output.with_document(document.clone()),
        Part::Audio(audio) => output.with_audio(audio.clone()),
        other => panic!("{other:?} is no file"),
    };
    let results = [ToolResult::success("call_1", output)];
    conversation.push_results(results).expect("it waits");
    conversation
}
