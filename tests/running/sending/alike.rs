//! A request fails in the same way, streamed or not, whatever the server answers.

use toolwright::{ChatModel, ModelError, model::collect};

use crate::{
    hostile_server::errors_in_streams::PROTOCOLS,
    loopback::{Answer, Server},
    served::question,
};

/// The answers, each with a name.
fn answers() -> Vec<(&'static str, Answer)> {
    let json = "application/json";
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let bytes = |bytes: String| Answer::Bytes(bytes.into_bytes());
    let not_found = r#"{"error":{"message":"no such model","code":404,"type":"not_found_error"}}"#;
    vec![
        ("an empty 200", Answer::json("")),
        ("an empty 200 in pieces", Answer::events("")),
        ("white space", Answer::json(" \r\n\n")),
        ("a mark alone", Answer::json("\u{feff}")),
        (
            "no content",
            bytes("HTTP/1.1 204 No Content\r\n\r\n".to_owned()),
        ),
        ("closed at once", bytes(String::new())),
        ("closed in the head", bytes("HTTP/1.1 200".to_owned())),
        (
            "closed after the head",
            bytes(format!("{head}content-length: 9\r\n\r\n")),
        ),
        ("cut JSON", Answer::json(r#"{"choices":[{"mess"#)),
        (
            "a broken body",
            bytes(format!("{head}content-length: 99\r\n\r\n{{\"choices\":")),
        ),
        (
            "a broken body in pieces",
            bytes(format!(
                "{head}transfer-encoding: chunked\r\n\r\n5\r\n{{\"cho\r\nzz\r\n"
            )),
        ),
        (
            "a broken body that is compressed",
            bytes(format!(
                "{head}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n{{\"a\""
            )),
        ),
        (
            "a page",
            Answer::http("200 OK", "text/html", "<!doctype html><html></html>"),
        ),
        ("a list", Answer::json("[]")),
        (
            "an object of something else",
            Answer::json(r#"{"ok":true}"#),
        ),
        ("an error in a 200", Answer::json(not_found)),
        (
            "an error in a 200 behind a mark",
            Answer::json(&format!("\u{feff}{not_found}")),
        ),
        ("404", Answer::http("404 Not Found", json, not_found)),
        (
            "404 behind a mark",
            Answer::http("404 Not Found", json, &format!("\u{feff}{not_found}")),
        ),
        (
            "404 of a page",
            Answer::http("404 Not Found", "text/html", "<html>nginx</html>"),
        ),
        ("404 of nothing", Answer::http("404 Not Found", json, "")),
        (
            "404 as an event",
            Answer::http(
                "404 Not Found",
                "text/event-stream",
                &format!("event: error\ndata: {not_found}\n\n"),
            ),
        ),
    ]
}

/// What a program can act on.
fn seen(error: &ModelError) -> String {
    let ModelError {
        kind,
        message,
        status,
        code,
        error_type,
        retryable,
        ..
    } = error;
    format!("{kind:?} {message} {status:?} {code:?} {error_type:?} {retryable}")
}

#[tokio::test]
async fn an_error_reads_the_same_streamed_and_whole() {
    for protocol in &PROTOCOLS {
        for (what, answer) in answers() {
            let server = Server::start(vec![answer.clone(), answer]).await;
            let model = (protocol.model)(&server);
            let whole = model.complete(&question()).await;
            let streamed = collect(model.stream(&question())).await;
            let whole = whole.expect_err("is no reply");
            let streamed = streamed.expect_err("is no reply");
            assert_eq!(seen(&whole), seen(&streamed), "{}, {what}", protocol.name);
        }
    }
}

#[tokio::test]
async fn a_reply_is_read_behind_a_byte_order_mark() {
    let replies = [
        (
            r#"{"choices":[{"message":{"content":"here"},"finish_reason":"stop"}]}"#,
            "data: {\"choices\":[{\"delta\":{\"content\":\"here\"},\"finish_reason\":\"stop\"}]}\n\n",
        ),
        (
            r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"here"}]}]}"#,
            "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"here\"}\n\n\
             data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
        ),
        (
            r#"{"content":[{"type":"text","text":"here"}],"stop_reason":"end_turn"}"#,
            "data: {\"type\":\"message_start\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"here\"}],\
             \"stop_reason\":\"end_turn\"}}\n\n",
        ),
        (
            r#"{"candidates":[{"content":{"parts":[{"text":"here"}]},"finishReason":"STOP"}]}"#,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"here\"}]},\"finishReason\":\"STOP\"}]}\n\n",
        ),
        (
            r#"{"message":{"content":"here"},"done":true,"done_reason":"stop"}"#,
            "{\"message\":{\"content\":\"here\"},\"done\":true,\"done_reason\":\"stop\"}\n",
        ),
    ];
    for (protocol, (whole, stream)) in PROTOCOLS.iter().zip(replies) {
        let [whole, stream] = [whole, stream].map(|body| format!("\u{feff}{body}"));
        for pieces in [1, 2, 3, 1_000] {
            let answer = |body: &str| Answer::streamed("200 OK", "text/plain", body, pieces);
            let server = Server::start(vec![answer(&whole), answer(&whole), answer(&stream)]).await;
            let model = (protocol.model)(&server);
            let (name, request) = (protocol.name, question());
            let reply = model.complete(&request).await.expect(name);
            assert_eq!(reply.text, "here", "{name}");
            for _ in 0..2 {
                let reply = collect(model.stream(&request)).await.expect(name);
                assert_eq!(reply.text, "here", "{name}");
            }
        }
    }
}
