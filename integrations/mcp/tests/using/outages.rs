//! A server over HTTP that is away when a request comes to it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use axum::{Router, body::Bytes, response::Response, routing::post};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};
use toolwright::{Toolset, approval::Decision, testing};
use toolwright_mcp::Client;

use super::{
    asking_in_runs::asked,
    scripted::{text, tool},
    sessions::{response, result},
};

/// A server that asks before it goes. It tells no changes, so that no connection stays open.
fn answer(body: &Bytes, went: &AtomicUsize) -> Response {
    let message: Value = serde_json::from_slice(body).unwrap();
    let of_list = json!({"resultType": "complete", "ttlMs": 0, "cacheScope": "private"});
    let said = match message["method"].as_str().unwrap() {
        "server/discover" => {
            let server = json!({"name": "asking", "version": "1"});
            let mut said = of_list;
            said["supportedVersions"] = json!(["2026-07-28"]);
            said["capabilities"] = json!({"tools": {}});
            said["_meta"] = json!({"io.modelcontextprotocol/serverInfo": server});
            said
        }
        "tools/list" => {
            let mut said = of_list;
            said["tools"] = json!([tool("go")]);
            said
        }
        "tools/call" if message["params"]["inputResponses"].is_null() => {
            json!({"resultType": "input_required", "inputRequests": asked(&["a"]), "requestState": "s1"})
        }
        "tools/call" => {
            went.fetch_add(1, SeqCst);
            text("went")
        }
        _ => return response(StatusCode::ACCEPTED, "text/plain", ""),
    };
    result(&message, &said)
}

/// Waits until the server has gone for this time.
async fn leave(end: &mpsc::Sender<Duration>, outage: Duration) {
    end.send(outage).await.unwrap();
    // There is room as soon as it was taken.
    drop(end.reserve().await.unwrap());
}

/// A client of such a server, which goes for a time when a person is asked.
struct Outages {
    tools: Toolset,
    went: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
    /// Ends the server.
    end: mpsc::Sender<Duration>,
}

async fn served() -> Outages {
    let (went, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&went);
    let handler = move |body: Bytes| async move { answer(&body, &count) };
    let router = Router::new().route("/mcp", post(handler));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (end, mut ended) = mpsc::channel::<Duration>(1);
    let gone = end.clone();
    tokio::spawn(async move {
        let mut listener = listener;
        loop {
            let serving = axum::serve(listener, router.clone());
            let outage = tokio::select! {
                _ = serving => return,
                outage = ended.recv() => outage,
            };
            let Some(outage) = outage else { return };
            tokio::time::sleep(outage).await;
            listener = TcpListener::bind(address).await.unwrap();
        }
    });
    let client = Client::http(format!("http://{address}/mcp")).await.unwrap();
    let times = Arc::clone(&asked);
    let client = client.asking(move |_, _| {
        times.fetch_add(1, SeqCst);
        let end = end.clone();
        async move {
            leave(&end, Duration::from_millis(300)).await;
            Decision::approve_with(json!({"name": "Ada"}).to_string())
        }
    });
    let tools = client.toolset().await.unwrap();
    Outages {
        tools,
        went,
        asked,
        end: gone,
    }
}

#[tokio::test]
async fn an_answer_waits_for_a_server_that_is_away() {
    let server = served().await;
    let output = testing::call(&server.tools, "go", json!({})).await;
    assert_eq!(output.unwrap().to_text(), "went");
    assert_eq!(server.asked.load(SeqCst), 1);
    assert_eq!(server.went.load(SeqCst), 1);
}

#[tokio::test]
async fn a_server_that_is_not_reached_has_not_had_the_call() {
    let server = served().await;
    leave(&server.end, Duration::from_secs(60 * 60)).await;
    let error = testing::call(&server.tools, "go", json!({})).await;
    let error = error.unwrap_err();
    assert!(error.message.contains("was not made"), "{error:?}");
}
