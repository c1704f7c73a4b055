//! What servers and networks do wrong: each is a typed error, with what came before it.

use std::time::Duration;

use toolwright::{
    ChatModel, ModelError, OpenAiChat, ToolCall,
    model::ModelErrorKind::{
        self, Authentication, InvalidRequest, MalformedResponse, Overloaded, RateLimit, Transport,
    },
    provider::HttpOptions,
};

use crate::{
    loopback::{Answer, Server},
    openai_chat::{complete, request, stream},
};

const HALF: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
const HTML: &str = "<!doctype html><html><body>Please sign in</body></html>";

/// The same answer to a plain request and to a streamed one.
async fn check_both(answer: Answer, kind: ModelErrorKind, message: &str) -> ModelError {
    let plain = complete(answer.clone()).await.expect_err("is an error");
    let streamed = stream(answer).await.expect_err("is an error");
    for error in [&plain, &streamed] {
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(message), "{error}");
        assert!(!format!("{error:?}").contains("sk-secret"), "{error:?}");
    }
    plain
}

#[tokio::test]
async fn a_stream_that_stops_in_the_middle() {
    let cut = format!("{HALF}data: {{\"choices\":[{{\"delta\":{{\"cont");
    for answer in [
        Answer::events(HALF),
        Answer::events(&cut),
        Answer::cut_events(HALF),
        Answer::cut_events(&cut),
    ] {
        let error = stream(answer).await.expect_err("is cut");
        assert_eq!(error.kind, Transport, "{error}");
        assert!(error.retryable);
        assert_eq!(error.partial.expect("came").text, "half");
    }
}

#[tokio::test]
async fn json_cut_in_the_middle() {
    let body = "{\"choices\":[{\"message\":{\"content\":\"ha";
    check_both(Answer::json(body), MalformedResponse, "cut off").await;
    // The connection breaks before the length is reached.
    let Answer::Bytes(mut bytes) = Answer::json(&format!("{body}{}", " ".repeat(100))) else {
        unreachable!("a body is bytes")
    };
    bytes.truncate(bytes.len() - 50);
    let error = check_both(Answer::Bytes(bytes), Transport, "broke off").await;
    assert!(error.body.expect("came").starts_with(body));
}

#[tokio::test]
async fn success_with_an_error_in_its_body() {
    let body = r#"{"error":{"message":"busy","code":"overloaded"}}"#;
    let error = check_both(Answer::json(body), Overloaded, "busy").await;
    assert_eq!(
        (error.status, error.code.as_deref()),
        (Some(200), Some("overloaded"))
    );
    let event = format!("{HALF}event: error\ndata: {body}\n\n");
    let error = stream(Answer::events(&event))
        .await
        .expect_err("is an error");
    assert_eq!(error.kind, Overloaded);
    assert_eq!(error.partial.expect("came").text, "half");
}

#[tokio::test]
async fn statuses_with_and_without_json() {
    let json = r#"{"error":{"message":"told","type":"t","code":"c"}}"#;
    for (status, kind) in [
        ("400 Bad Request", InvalidRequest),
        ("401 Unauthorized", Authentication),
        ("404 Not Found", InvalidRequest),
        ("429 Too Many Requests", RateLimit),
        ("500 Internal Server Error", Overloaded),
        ("503 Service Unavailable", Overloaded),
    ] {
        let told = check_both(Answer::http(status, "application/json", json), kind, "told").await;
        assert_eq!(
            told.status
                .map(|told| status.starts_with(&told.to_string())),
            Some(true)
        );
        assert_eq!(told.error_type.as_deref(), Some("t"));
        assert_eq!(told.body.as_deref(), Some(json));
        check_both(Answer::http(status, "text/plain", "oops"), kind, "oops").await;
        check_both(
            Answer::http(status, "text/plain", ""),
            kind,
            "gave no reason",
        )
        .await;
        check_both(Answer::http(status, "text/html", HTML), kind, "HTML").await;
        let cut = Answer::http(status, "application/json", "{\"error\":{\"mess");
        check_both(cut, kind, "the server answered: {\"error").await;
    }
}

#[tokio::test]
async fn a_wait_is_handed_on() {
    let answer = Answer::with_headers("429 Too Many Requests", &[("retry-after", "7")], "{}");
    let error = check_both(answer, RateLimit, "").await;
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
    assert!(error.retryable);
}

#[tokio::test]
async fn a_page_of_a_proxy() {
    check_both(
        Answer::http("200 OK", "text/html", HTML),
        MalformedResponse,
        "HTML",
    )
    .await;
}

#[tokio::test]
async fn an_empty_body() {
    let empty = Answer::json("");
    let error = complete(empty.clone()).await.expect_err("is empty");
    assert_eq!(error.kind, MalformedResponse);
    let error = stream(empty).await.expect_err("is empty");
    assert_eq!(error.kind, MalformedResponse);
}

#[tokio::test]
async fn a_body_that_is_something_else() {
    check_both(
        Answer::http("200 OK", "text/plain", "hello"),
        MalformedResponse,
        "",
    )
    .await;
    check_both(
        Answer::json("{\"jobs\":[]}"),
        MalformedResponse,
        "no completion",
    )
    .await;
    check_both(Answer::json("[1, 2]"), MalformedResponse, "").await;
}

#[tokio::test]
async fn an_unknown_event() {
    let body =
        format!("event: ping\ndata: tick\n\nevent: n\ndata: {{\"n\":1}}\n\n{HALF}data: [DONE]\n\n");
    let reply = stream(Answer::events(&body)).await.expect("is a reply");
    assert_eq!((&*reply.text, &reply.metadata["n"]), ("half", &1.into()));
    assert_eq!(reply.warnings[0].code, "unknown_events");
}

#[tokio::test]
async fn a_call_without_a_name() {
    let call = r#"{"index":0,"id":"a","function":{"arguments":"{}"}}"#;
    let body = format!("{{\"choices\":[{{\"message\":{{\"tool_calls\":[{call}]}}}}]}}");
    let reply = complete(Answer::json(&body)).await.expect("is a reply");
    assert_eq!(reply.tool_calls, [ToolCall::new("a", "", "{}")]);
    let body = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\ndata: [DONE]\n\n"
    );
    let reply = stream(Answer::events(&body)).await.expect("is a reply");
    assert_eq!(reply.tool_calls, [ToolCall::new("a", "", "{}")]);
}

#[tokio::test]
async fn a_connection_closed_before_any_answer() {
    check_both(Answer::Bytes(Vec::new()), Transport, "before the response").await;
    check_both(
        Answer::Bytes(b"HTTP/1.1 200".to_vec()),
        Transport,
        "before the response",
    )
    .await;
    check_both(
        Answer::Bytes(b"SSH-2.0-hello\r\n".to_vec()),
        Transport,
        "before the response",
    )
    .await;
}

#[tokio::test]
async fn nobody_listens() {
    let server = Server::start(Vec::new()).await;
    let model = OpenAiChat::new("m", "sk-secret").with_base_url(server.base_url());
    drop(server);
    tokio::task::yield_now().await;
    let error = model
        .complete(&request())
        .await
        .expect_err("nobody is there");
    assert_eq!(error.kind, Transport);
    assert!(error.message.starts_with("127.0.0.1: "), "{error}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::start(vec![Answer::json("{}")]).await;
    let to = [("location", &*other.base_url())];
    let answer = Answer::with_headers("307 Temporary Redirect", &to, "");
    let error = check_both(answer, InvalidRequest, "redirect").await;
    assert!(!error.retryable);
    assert!(other.requests().is_empty(), "the key went to another host");
}

#[tokio::test]
async fn a_body_that_is_too_long() {
    let server = Server::start(vec![Answer::json(&" ".repeat(2000))]).await;
    let model = OpenAiChat::new("m", "")
        .with_base_url(server.base_url())
        .with_http(HttpOptions::new().with_body_limit(1000));
    let error = model.complete(&request()).await.expect_err("is too long");
    assert_eq!(error.kind, MalformedResponse);
    assert!(error.message.contains("1000 bytes"), "{error}");
}

#[tokio::test]
async fn a_server_that_quotes_the_key() {
    let body = r#"{"error":{"message":"wrong key: sk-secret"}}"#;
    let answer = Answer::http("401 Unauthorized", "application/json", body);
    check_both(answer, Authentication, "wrong key: [hidden]").await;
    // Wherever it stands, and where the kept body is cut in its middle.
    let body = r#"{"error":{"message":"no","code":"sk-secret","type":"sk-secret"}}"#;
    check_both(
        Answer::http("401 No", "application/json", body),
        Authentication,
        "no",
    )
    .await;
    let body = format!("{}sk-secret", "x".repeat(ModelError::BODY_BYTES - 7));
    let error = check_both(
        Answer::http("401 No", "text/plain", &body),
        Authentication,
        "",
    )
    .await;
    assert!(!error.body.expect("came").contains("sk-"));
}

#[tokio::test]
async fn a_server_that_quotes_a_header_or_the_address() {
    let body = r#"{"error":{"message":"tok-header and tok-query"}}"#;
    let server = Server::start(vec![Answer::http("401 No", "application/json", body)]).await;
    let model = OpenAiChat::new("m", "")
        .with_base_url(format!("{}?api-key=tok-query", server.base_url()))
        .with_http(HttpOptions::new().with_header("api-key", "tok-header"));
    let error = model.complete(&request()).await.expect_err("is refused");
    assert_eq!(error.message, "[hidden] and [hidden]");
}

/// The status says most: the body of an error is not waited for in full.
#[tokio::test(start_paused = true)]
async fn an_error_whose_body_does_not_come() {
    let head = b"HTTP/1.1 429 Slow Down\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\n{";
    let answer = Answer::Stall(head.to_vec());
    let error = complete(answer).await.expect_err("is limited");
    assert_eq!(
        (error.kind, error.retry_after),
        (RateLimit, Some(Duration::from_secs(7)))
    );
}

#[tokio::test]
async fn an_address_that_is_none() {
    for base in ["", "example.com/v1", "ftp://example.com"] {
        let model = OpenAiChat::new("m", "sk-secret").with_base_url(base);
        let error = model.complete(&request()).await.expect_err("is no address");
        assert_eq!(error.kind, InvalidRequest);
    }
}
