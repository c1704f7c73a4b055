//! What a provider reports within a stream is the error of the reply, whatever the connection does then;
//! and a reply that has told the reason for its end is whole, whatever the server does then.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;
use toolwright::{
    Anthropic, ChatModel, Gemini, ModelError, ModelResponse, Ollama, OpenAiChat, OpenAiResponses,
    model::{ModelErrorKind, collect},
};

use crate::{
    loopback::{Answer, Server},
    served::question,
};

/// A protocol: a piece of a reply, its end, an error, more of the reply, and what keeps it alive.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) model: fn(&Server) -> Box<dyn ChatModel>,
    pub(crate) piece: &'static str,
    /// The reason for the end, after which usage may follow.
    pub(crate) end: &'static str,
    pub(crate) error: &'static str,
    alive: &'static [u8],
}

pub(crate) const PROTOCOLS: [Protocol; 5] = [
    Protocol {
        name: "openai_chat",
        model: |server| {
            Box::new(OpenAiChat::new("m", "sk-secret").with_base_url(server.base_url()))
        },
        piece: "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n",
        end: "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        error: "data: {\"error\":{\"message\":\"no\",\"code\":\"context_length_exceeded\"}}\n\n",
        alive: b": alive\n\n",
    },
    Protocol {
        name: "openai_responses",
        model: |server| {
            Box::new(OpenAiResponses::new("m", "sk-secret").with_base_url(server.base_url()))
        },
        piece: "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"half\"}\n\n",
        end: "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
        error: "event: error\ndata: {\"type\":\"error\",\"code\":\"context_length_exceeded\",\"message\":\"no\"}\n\n",
        alive: b"data: {\"type\":\"keepalive\"}\n\n",
    },
    Protocol {
        name: "anthropic",
        model: |server| Box::new(Anthropic::new("m", "sk-secret").with_base_url(server.base_url())),
        piece: "data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n\
            data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"half\"}}\n\n",
        end: "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
        error: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long\"}}\n\n",
        alive: b"event: ping\ndata: {\"type\":\"ping\"}\n\n",
    },
    Protocol {
        name: "gemini",
        model: |server| Box::new(Gemini::new("m", "sk-secret").with_base_url(server.base_url())),
        piece: "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"half\"}]}}]}\n\n",
        end: "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n",
        error: "data: {\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\",\"message\":\"it exceeds the maximum number of tokens\"}}\n\n",
        alive: b"\n",
    },
    Protocol {
        name: "ollama",
        model: |server| Box::new(Ollama::new("m").with_base_url(server.origin())),
        piece: "{\"message\":{\"content\":\"half\"}}\n",
        end: "{\"message\":{},\"done_reason\":\"stop\"}\n",
        error: "{\"error\":\"the input exceeds the context window\"}\n",
        alive: b"\n",
    },
];

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";

/// All ways in which a connection may go on after these bytes: its end, a break, silence, signs of life
/// for ever, slowly and fast, and more of the reply.
fn ways(body: &str, more: &str, alive: &'static [u8]) -> Vec<(&'static str, Answer)> {
    let open = format!("{HEAD}\r\n{body}").into_bytes();
    let length = body.len();
    let chunk = format!("{HEAD}transfer-encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n");
    let cut = format!("{HEAD}content-length: 100000\r\n\r\n{body}");
    vec![
        ("its end", Answer::Bytes(open.clone())),
        ("a break within the body", Answer::Bytes(cut.into_bytes())),
        (
            "no end of the chunks",
            Answer::Bytes(chunk.clone().into_bytes()),
        ),
        (
            "bytes that are no chunk",
            Answer::Bytes(format!("{chunk}xyz").into_bytes()),
        ),
        ("silence", Answer::Stall(open.clone())),
        ("slow signs of life", Answer::Drip(open.clone(), alive)),
        (
            "fast signs of life",
            Answer::Flood(open.clone(), alive.repeat(10_000)),
        ),
        (
            "more of the response",
            Answer::Bytes([&open, more.as_bytes()].concat()),
        ),
    ]
}

async fn stream(protocol: &Protocol, answer: Answer) -> Result<ModelResponse, ModelError> {
    let server = Server::start(vec![answer]).await;
    let model = (protocol.model)(&server);
    let request = question();
    // Far beyond what is waited for, and far below the limits of an exchange.
    let reply = timeout(Duration::from_secs(60), collect(model.stream(&request))).await;
    reply.expect("the response ends")
}

async fn check_error(protocol: &Protocol) {
    let Protocol {
        name,
        piece,
        end,
        error,
        alive,
        ..
    } = protocol;
    let done = "data: [DONE]\n\n";
    for body in [format!("{piece}{error}"), (*error).to_owned()] {
        let other = error.replace("context", "other").replace("tokens", "other");
        let mut ways = ways(&body, &format!("{piece}{other}{end}{done}"), alive);
        // The blank line, or the end of the line, that the event lacks.
        let cut = format!("{HEAD}content-length: 100000\r\n\r\n{}", body.trim_end());
        ways.push(("a cut at its last byte", Answer::Bytes(cut.into_bytes())));
        for (way, answer) in ways {
            let failed = stream(protocol, answer).await.expect_err("is an error");
            assert_eq!(
                failed.kind,
                ModelErrorKind::ContextTooLong,
                "{name}, {way}: {failed}"
            );
            assert!(!failed.retryable, "{name}, {way}: {failed}");
            let text = failed.partial.map(|partial| partial.text);
            let came = body.contains("half").then(|| "half".to_owned());
            assert_eq!(text.filter(|text| !text.is_empty()), came, "{name}, {way}");
        }
    }
}

async fn check_end(protocol: &Protocol) {
    let Protocol {
        name,
        piece,
        end,
        alive,
        ..
    } = protocol;
    for (way, answer) in ways(&format!("{piece}{end}"), "", alive) {
        let reply = stream(protocol, answer).await;
        let reply = reply.unwrap_or_else(|error| panic!("{name}, {way}: {error}"));
        assert_eq!(reply.text, "half", "{name}, {way}");
    }
}

#[tokio::test]
async fn an_error_ends_the_reply_whatever_comes_then() {
    join_all(PROTOCOLS.iter().map(check_error)).await;
}

#[tokio::test]
async fn a_reply_that_told_its_end_is_whole_whatever_comes_then() {
    join_all(PROTOCOLS.iter().map(check_end)).await;
}

#[tokio::test]
async fn an_error_of_a_whole_reply_wins_over_a_broken_connection() {
    for protocol in &PROTOCOLS {
        let body = "{\"error\":{\"message\":\"the input exceeds the context window\"}}";
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        let length = body.len();
        for cut in [
            format!("{head}content-length: 100000\r\n\r\n{body}"),
            format!("{head}transfer-encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\nxyz"),
        ] {
            let server = Server::start(vec![Answer::Bytes(cut.clone().into_bytes())]).await;
            let whole = (protocol.model)(&server).complete(&question()).await;
            let streamed = stream(protocol, Answer::Bytes(cut.into_bytes())).await;
            for failed in [whole, streamed] {
                let failed = failed.expect_err("is an error");
                assert_eq!(failed.kind, ModelErrorKind::ContextTooLong, "{failed}");
                assert_eq!(failed.status, Some(200), "{failed}");
            }
        }
    }
}
