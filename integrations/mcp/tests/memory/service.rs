//! A client sends, and our service reads.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use toolwright::{tool, toolset};
use toolwright_mcp::Service;

use super::{ENDLESS, LONG, Message, SHORT, Size, bounded};

/// Say how long a text is.
#[tool(read_only)]
async fn length(
    /// The text.
    text: String,
) -> usize {
    text.len()
}

/// Progress of what the server did not ask for, what is to be cancelled, and a call, which alone is answered.
fn messages() -> [Message; 3] {
    let begin = r#"{"jsonrpc":"2.0","method":"#;
    [
        Message::new(
            format!(r#"{begin}"notifications/progress","params":{{"progressToken":"#),
            r#","progress":1,"message":""#,
            r#""}}"#,
        ),
        Message::new(
            format!(r#"{begin}"notifications/cancelled","params":{{"requestId":"#),
            r#","reason":""#,
            r#""}}"#,
        ),
        Message::new(
            format!(r#"{begin}"tools/call","id":"#),
            r#","params":{"name":"length","arguments":{"text":""#,
            r#""}}}"#,
        ),
    ]
}

/// Sends so much, and reads the answers. In the end a call is answered as ever.
async fn served(size: Size) {
    let (here, there) = tokio::io::duplex(1 << 16);
    let service = Service::new(toolset![length]);
    let serving = tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
    let (reader, mut writer) = tokio::io::split(here);
    let mut reader = BufReader::new(reader).lines();
    let info = json!({"name": "hostile", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let begin = json!({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": params});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let begin = format!("{begin}\n{ready}\n");
    writer.write_all(begin.as_bytes()).await.unwrap();
    reader.next_line().await.unwrap().unwrap();

    let messages = messages();
    let count = size.sent.div_ceil(size.letters);
    for (number, letters) in (0..count)
        .map(|number| (number, size.letters))
        .chain([(count * 3 + 2, 4096)])
    {
        messages[number % 3]
            .send(number, letters, &mut writer)
            .await;
        if number % 3 == 2 {
            let answer = reader.next_line().await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["id"], number);
            let text = &answer["result"]["content"][0]["text"];
            assert_eq!(*text, letters.to_string(), "{answer}");
        }
    }
    drop((reader, writer));
    serving.await.unwrap().unwrap();
}

#[test]
fn a_flood_of_messages_is_not_kept() {
    bounded(SHORT, served(SHORT));
}

#[test]
fn long_lines_are_not_kept() {
    bounded(LONG, served(LONG));
    bounded(ENDLESS, served(ENDLESS));
}
