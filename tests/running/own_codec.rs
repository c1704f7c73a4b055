//! A codec that is not ours, over our transport.

use std::time::Duration;

use serde_json::json;
use toolwright::{
    ChatModel, Conversation, Message, ModelError, ModelResponse, ToolCall, ToolResult,
    message::{Opaque, Part, Turn, text_of},
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, Warning, collect},
    provider::{Codec, DecodeStream, EncodeInput, ErrorResponse, HttpModel},
    tool,
    tool::ToolDefinitions,
    toolset,
    wire::LineDecoder,
};

use crate::{
    loopback::{Answer, Server},
    served::question,
};

/// A protocol of lines: a question is the texts, and what was sealed; a reply says, seals and ends.
#[derive(Clone)]
struct Lines;

impl Codec for Lines {
    const PROVIDER: &'static str = "lines";

    type Stream = Decoder;

    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError> {
        let mut lines = vec![format!("{} {}", input.model, input.streamed)];
        for turn in input.request.messages.iter().flat_map(Message::turns) {
            let (Turn::User(parts) | Turn::Assistant(parts)) = turn else {
                let message = "Lines has no tools";
                return Err(ModelError::new(ModelErrorKind::InvalidRequest, message));
            };
            lines.push(text_of(parts));
            for part in parts {
                if let Part::Opaque(opaque) = part
                    && input.owns(Self::PROVIDER, opaque)
                {
                    lines.push(format!("sealed {}", opaque.data));
                }
            }
        }
        Ok(lines.join("\n").into_bytes())
    }

    fn stream_decoder(&self, _tools: &ToolDefinitions) -> Decoder {
        Decoder::default()
    }

    fn path(&self, model: &str, _streamed: bool) -> String {
        format!("v3/{model}")
    }

    fn query(&self, streamed: bool) -> Option<(&'static str, &'static str)> {
        streamed.then_some(("as", "lines"))
    }

    fn decode_error(&self, reply: &ErrorResponse<'_>) -> ModelError {
        let kind = match reply.header("X-Lines-Code") {
            Some("busy") => ModelErrorKind::Overloaded,
            _ => ModelErrorKind::InvalidRequest,
        };
        let error = ModelError::new(kind, String::from_utf8_lossy(reply.body));
        let wait = reply.retry_after.unwrap_or_default();
        error.with_status(reply.status).with_retry_after(wait)
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        let seed = request.settings.seed;
        let warning = seed.map(|_| Warning::new("seed_ignored", "Lines takes no seed"));
        warning.into_iter().collect()
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("X-Lines-Key", format!("<{key}>"))
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("x-lines-version", "3")]
    }
}

#[derive(Default)]
struct Decoder {
    lines: LineDecoder,
    over: bool,
}

impl DecodeStream for Decoder {
    fn feed(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        let over = &mut self.over;
        let read = self.lines.feed(bytes, |line| {
            let line = String::from_utf8_lossy(line);
            match line.split_once(' ').unwrap_or((&line, "")) {
                ("say", text) => events.push(ModelEvent::Text(text.to_owned())),
                ("seal", text) => events.push(ModelEvent::Opaque(Opaque {
                    provider: Lines::PROVIDER.to_owned(),
                    data: text.into(),
                })),
                ("end", _) => *over = true,
                _ => {}
            }
        });
        read.map_err(|error| ModelError::new(ModelErrorKind::MalformedResponse, error.to_string()))
    }

    fn is_done(&self) -> bool {
        self.over
    }

    fn finish(self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        if !self.over {
            let message = "it did not end";
            return Err(ModelError::new(ModelErrorKind::Transport, message));
        }
        let (reason, raw) = (FinishReason::Stop, None);
        events.push(ModelEvent::Finished { reason, raw });
        Ok(())
    }

    fn set_event_limit(&mut self, bytes: usize) {
        self.lines = LineDecoder::new().with_limit(bytes);
    }
}

/// Look around.
#[tool]
fn look() -> String {
    "a cat".to_owned()
}

const REPLY: &str = "say Hel\nsay lo\nseal s1\nend\n";

fn answer() -> Answer {
    Answer::http("200 OK", "text/plain", REPLY)
}

fn model(server: &Server) -> HttpModel<Lines> {
    HttpModel::new(Lines, "m1", "key-secret").with_base_url(server.origin())
}

async fn both(model: &HttpModel<Lines>, request: &ModelRequest) -> [ModelResponse; 2] {
    let whole = model.complete(request).await.expect("is a reply");
    let streamed = collect(model.stream(request)).await.expect("is a reply");
    [whole, streamed]
}

#[tokio::test]
async fn a_codec_of_ones_own_is_a_model() {
    let server = Server::start(vec![answer(), answer()]).await;
    let mut request = question();
    request.settings.seed = Some(1);
    for reply in both(&model(&server), &request).await {
        assert_eq!(reply.text, "Hello");
        assert_eq!(reply.warnings[0].code, "seed_ignored");
    }
    let [whole, streamed] = &server.requests()[..] else {
        panic!("two requests were sent");
    };
    assert!(whole.head.starts_with("post /v3/m1 http"));
    assert!(streamed.head.starts_with("post /v3/m1?as=lines http"));
    assert_eq!(whole.header("x-lines-key").as_deref(), Some("<key-secret>"));
    assert_eq!(whole.header("x-lines-version").as_deref(), Some("3"));
    assert!(whole.body.starts_with(b"m1 false\n"));
    assert!(streamed.body.starts_with(b"m1 true\n"));
}

#[test]
fn tools_and_results_are_sent_as_they_serialize_by_default() {
    let tools = toolset![look];
    let sent = Lines.tools(&tools).to_value();
    assert_eq!(sent[0]["name"], "look");
    assert_eq!(sent[0]["description"], "Look around.");
    assert_eq!(sent[0]["input_schema"]["type"], "object");

    let calls = Lines.calls(&tools, &json!("say Hello"));
    let error = calls.expect_err("the line `end` is missing");
    assert_eq!(error.kind, ModelErrorKind::Transport);

    let calls = [ToolCall::new("a", "look", "{}")];
    let results = Lines.results(&calls, &[ToolResult::success("a", "a cat")]);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["call_id"], "a");
}

#[tokio::test]
async fn what_only_one_server_reads_goes_back_to_it_alone() {
    let server = Server::start(vec![answer(), answer(), answer()]).await;
    let other = Server::start(vec![answer()]).await;
    let here = model(&server);
    let [_, reply] = both(&here, &question()).await;
    let mut conversation = Conversation::new();
    conversation.push_user("Hi");
    conversation.push_response(reply);
    conversation.push_user("And?");
    let request = conversation.request();
    here.complete(&request).await.expect("is a reply");
    model(&other).complete(&request).await.expect("is a reply");

    let bodies = [server.requests().pop(), other.requests().pop()];
    let sealed = bodies.map(|sent| {
        let body = sent.expect("was sent").body;
        String::from_utf8_lossy(&body).contains("sealed \"s1\"")
    });
    assert_eq!(sealed, [true, false]);
}

#[tokio::test]
async fn its_errors_are_read_with_their_headers_and_hide_the_key() {
    let headers = [("x-lines-code", "busy"), ("retry-after", "7")];
    let body = "not with <key-secret>";
    let busy = Answer::with_headers("503 Service Unavailable", &headers, body);
    let server = Server::start(vec![busy]).await;
    let error = model(&server).complete(&question()).await;
    let error = error.expect_err("is busy");
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(error.status, Some(503));
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn a_reply_that_breaks_off_says_how_and_keeps_what_came() {
    let server = Server::start(vec![Answer::cut_events("say Hel\n")]).await;
    let error = collect(model(&server).stream(&question())).await;
    let error = error.expect_err("is cut off");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("127.0.0.1"), "{error}");
    assert_eq!(error.partial.expect("is kept").text, "Hel");
}

#[tokio::test]
async fn a_codec_without_an_address_needs_one() {
    let model = HttpModel::new(Lines, "m1", "");
    let error = model.complete(&question()).await.expect_err("has none");
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    let error = HttpModel::from_env(Lines, "m1").expect_err("has none");
    assert_eq!(error.message, "no base URL");
}
