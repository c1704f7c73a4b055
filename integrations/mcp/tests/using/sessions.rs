//! A server over HTTP that forgets its sessions.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    response::Response,
    routing::any,
};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolwright::{ErrorCategory, Toolset, testing};
use toolwright_mcp::Client;

use crate::scripted::{text, tool};

#[derive(Default)]
struct Server {
    /// The session that it knows.
    session: AtomicUsize,
    /// Whether its tool has another definition now.
    is_changed: AtomicBool,
    /// The calls that it has begun.
    calls: AtomicUsize,
    next_call: Mutex<CallEnd>,
}

/// How a call ends.
#[derive(Default, Clone, Copy, Debug)]
enum CallEnd {
    #[default]
    Well,
    /// The server has done the work, and does not know the session any more.
    Forgotten,
    /// The stream of the answer breaks off, and the server does not know the session any more.
    BrokenOff,
}

impl Server {
    fn forget(&self) {
        self.session.fetch_add(1, SeqCst);
    }

    fn call(&self, asked: &Value) -> Response {
        self.calls.fetch_add(1, SeqCst);
        let end = std::mem::take(&mut *self.next_call.lock().unwrap());
        match end {
            CallEnd::Well => result(asked, &text("went")),
            CallEnd::Forgotten => {
                self.forget();
                response(StatusCode::NOT_FOUND, "text/plain", "no session")
            }
            CallEnd::BrokenOff => {
                self.forget();
                let begun = "id: 1\nretry: 1\ndata: \n\n";
                response(StatusCode::OK, "text/event-stream", begun)
            }
        }
    }
}

pub(super) fn response(status: StatusCode, kind: &str, body: impl Into<Body>) -> Response {
    let response = Response::builder().status(status);
    let response = response.header("content-type", kind);
    response.body(body.into()).unwrap()
}

pub(super) fn result(asked: &Value, result: &Value) -> Response {
    let body = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result});
    response(StatusCode::OK, "application/json", body.to_string())
}

async fn answer(
    State(server): State<Arc<Server>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let session = headers.get("mcp-session-id");
    let session = session.map(|it| it.to_str().unwrap().parse().unwrap());
    let is_known = session == Some(server.session.load(SeqCst));
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    match asked["method"].as_str().unwrap_or_default() {
        "server/discover" => {
            let unknown = json!({"code": -32601, "message": "Method not found"});
            let body = json!({"jsonrpc": "2.0", "id": asked["id"], "error": unknown});
            response(StatusCode::OK, "application/json", body.to_string())
        }
        "initialize" => {
            let info = json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "forgetful", "version": "1"},
            });
            let session = server.session.fetch_add(1, SeqCst) + 1;
            let mut response = result(&asked, &info);
            let headers = response.headers_mut();
            headers.insert("mcp-session-id", session.into());
            response
        }
        _ if !is_known => response(StatusCode::NOT_FOUND, "text/plain", "no session"),
        _ if method != Method::POST => response(StatusCode::METHOD_NOT_ALLOWED, "text/plain", ""),
        "tools/list" => {
            let mut tool = tool("send");
            if server.is_changed.load(SeqCst) {
                tool["description"] = "Send it to everybody.".into();
            }
            result(&asked, &json!({"tools": [tool]}))
        }
        "tools/call" => server.call(&asked),
        _ => response(StatusCode::ACCEPTED, "text/plain", ""),
    }
}

async fn served() -> (Arc<Server>, Client) {
    let server = Arc::new(Server::default());
    let router = Router::new().route("/mcp", any(answer));
    let router = router.with_state(Arc::clone(&server));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let client = Client::http(format!("http://{address}/mcp")).await;
    // A stream that breaks off is asked for until the call is late.
    (server, client.unwrap().timeout(Duration::from_secs(2)))
}

async fn called(tools: &Toolset) -> Result<String, ErrorCategory> {
    let output = testing::call(tools, "send", json!({})).await;
    let text = output.map(|output| output.to_text().to_string());
    text.map_err(|error| error.category)
}

#[tokio::test]
async fn a_call_of_a_session_that_is_over_is_not_sent_again() {
    let (server, client) = served().await;
    let tools = client.toolset().await.unwrap();
    server.forget();
    let first = called(&tools).await;
    assert_eq!(first, Err(ErrorCategory::NetworkError));
    assert_eq!(server.calls.load(SeqCst), 0);
    // The next one is made in a session of its own.
    assert_eq!(called(&tools).await, Ok("went".to_owned()));
    assert_eq!(server.calls.load(SeqCst), 1);
}

#[tokio::test]
async fn a_new_session_does_not_run_what_a_tool_has_become() {
    let (server, client) = served().await;
    let tools = client.toolset().await.unwrap();
    server.is_changed.store(true, SeqCst);
    server.forget();
    for expected in [ErrorCategory::NetworkError, ErrorCategory::ResourceNotFound] {
        assert_eq!(called(&tools).await, Err(expected));
    }
    assert_eq!(server.calls.load(SeqCst), 0);
    // A list asks for no effect: it is read in a new session at once.
    server.forget();
    let tools = client.toolset().await.unwrap();
    assert_eq!(called(&tools).await, Ok("went".to_owned()));
}

#[tokio::test]
async fn a_call_whose_session_ends_is_made_once() {
    for end in [CallEnd::Forgotten, CallEnd::BrokenOff] {
        let (server, client) = served().await;
        let tools = client.toolset().await.unwrap();
        *server.next_call.lock().unwrap() = end;
        called(&tools).await.unwrap_err();
        assert_eq!(server.calls.load(SeqCst), 1, "{end:?}");
        // What is known of it comes with the next call at the latest.
        if called(&tools).await.is_err() {
            assert_eq!(server.calls.load(SeqCst), 1, "{end:?}");
            assert_eq!(called(&tools).await, Ok("went".to_owned()), "{end:?}");
        }
        assert_eq!(server.calls.load(SeqCst), 2, "{end:?}");
    }
}
