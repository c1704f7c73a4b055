//! A server sends, and our client reads.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::{
    Dispatch, ToolCall,
    dispatch::{DispatchEvent, DispatchOptions},
    testing,
};
use toolwright_mcp::Client;

use super::{ENDLESS, LONG, Message, SHORT, Size, bounded};
use crate::scripted::{self, Line, text, tool};

/// What a server sends by itself in a call: progress, a log, and an answer that nobody asked for.
fn messages(call: &Value) -> [Message; 3] {
    let token = &call["params"]["_meta"]["progressToken"];
    let begin = r#"{"jsonrpc":"2.0","method":"notifications/"#;
    [
        Message::new(
            format!(r#"{begin}progress","params":{{"progressToken":{token},"progress":"#),
            r#","message":""#,
            r#""}}"#,
        ),
        Message::new(
            format!(r#"{begin}message","params":{{"level":"info","logger":""#),
            r#"","data":""#,
            r#""}}"#,
        ),
        Message::new(
            r#"{"jsonrpc":"2.0","id":"n"#,
            r#"","result":{"content":[{"type":"text","text":""#,
            r#""}]}}"#,
        ),
    ]
}

/// A server that sends so much when `go` is called, and then the answer. It says when all was sent.
async fn flooding(size: Size) -> (Client, Arc<Notify>) {
    let sent = Arc::new(Notify::new());
    let told = Arc::clone(&sent);
    let client = scripted::client(move |mut line: Line, _| {
        let told = Arc::clone(&told);
        async move {
            line.begin().await;
            let call = line.call(&[tool("go")]).await.unwrap();
            let messages = messages(&call);
            for number in 0..size.sent.div_ceil(size.letters) {
                let message = &messages[number % messages.len()];
                message.send(number, size.letters, &mut line.writer).await;
            }
            told.notify_one();
            line.answer(&call, text("went")).await;
            line.next().await;
        }
    });
    let client = client.await.unwrap();
    (client.timeout(Duration::from_secs(300)), sent)
}

async fn answered(size: Size) {
    let (client, _) = flooding(size).await;
    let tools = client.toolset().await.unwrap();
    let output = testing::call(&tools, "go", json!({})).await.unwrap();
    assert_eq!(output.to_text(), "went");
}

#[test]
fn a_flood_of_messages_is_not_kept() {
    bounded(SHORT, answered(SHORT));
}

#[test]
fn long_lines_are_not_kept() {
    bounded(LONG, answered(LONG));
    bounded(ENDLESS, answered(ENDLESS));
}

/// Nobody reads the events of the call while they come.
#[test]
fn progress_that_is_not_read_is_not_kept() {
    bounded(SHORT, async {
        let (client, sent) = flooding(SHORT).await;
        let tools = client.toolset().await.unwrap();
        let (calls, options) = ([ToolCall::new("1", "go", "{}")], DispatchOptions::new());
        let mut events = tools.dispatch_stream(&calls, &options);
        let mut updates = 0;
        let result = loop {
            match events.next().await.unwrap() {
                DispatchEvent::Update { .. } => {
                    if updates == 0 {
                        sent.notified().await;
                    }
                    updates += 1;
                }
                DispatchEvent::Finished { result, .. } => break result,
                _ => {}
            }
        };
        assert_eq!(result.to_model_text(), "went");
        assert!(updates > 0);
    });
}
