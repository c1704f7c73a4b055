use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use toolwright::ErrorCategory;
use toolwright_mcp::Client;

use super::called;
use crate::scripted::{text, tool};

/// The body of a request, if there is one.
async fn request(stream: &mut BufReader<TcpStream>) -> Option<Value> {
    let (mut length, mut line) = (0, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

fn response(kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn result(request: &Value, result: &Value) -> String {
    let id = &request["id"];
    let body = json!({"jsonrpc": "2.0", "id": id, "result": result});
    response("application/json", &body.to_string())
}

const CALLS: [&str; 9] = [
    "garbage", "cut", "silent", "endless", "other_id", "error", "redirect", "array", "flood",
];

/// The answer to a call, by the name of the tool. It gives `true` if the connection stays open without a word.
async fn answer(stream: &mut TcpStream, asked: &Value) -> bool {
    let body = |id: Value| json!({"jsonrpc": "2.0", "id": id, "result": text("wrong")}).to_string();
    let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let bytes = match asked["params"]["name"].as_str().unwrap() {
        "garbage" => response("application/json", "{{{{"),
        "array" => response("application/json", "[[[[]]]]"),
        "cut" => response("application/json", &body(asked["id"].clone()))[..150].to_owned(),
        "silent" => {
            let half = &response("application/json", &body(asked["id"].clone()))[..150];
            let _ = stream.write_all(half.as_bytes()).await;
            return true;
        }
        "endless" => {
            let _ = stream.write_all(events.as_bytes()).await;
            let piece = "data: ".to_owned() + &"x".repeat(1 << 16);
            while stream.write_all(piece.as_bytes()).await.is_ok() {}
            return false;
        }
        "other_id" => response("application/json", &body(json!(4_000_000))),
        "error" => "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
        "redirect" => {
            "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                .to_owned()
        }
        "flood" => {
            let note = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": text("went")});
            format!("{events}{}data: {answer}\n\n", format!("data: {note}\n\n").repeat(5_000))
        }
        _ => result(asked, &text("went")),
    };
    let _ = stream.write_all(bytes.as_bytes()).await;
    false
}

async fn serve(stream: TcpStream) {
    let mut stream = BufReader::new(stream);
    let asked = request(&mut stream).await.unwrap_or_default();
    let tools: Vec<_> = CALLS
        .iter()
        .chain(&["good"])
        .map(|name| tool(name))
        .collect();
    let said = match asked["method"].as_str().unwrap_or_default() {
        "server/discover" => {
            let unknown = json!({"code": -32601, "message": "Method not found"});
            let body = json!({"jsonrpc": "2.0", "id": asked["id"], "error": unknown});
            response("application/json", &body.to_string())
        }
        "initialize" => {
            let info = json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1"},
            });
            result(&asked, &info)
        }
        "tools/list" => result(&asked, &json!({"tools": tools})),
        "tools/call" => {
            if answer(stream.get_mut(), &asked).await {
                // Until the client goes.
                let _ = stream.read(&mut [0; 1]).await;
            }
            return;
        }
        "" => "HTTP/1.1 405 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
        _ => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
    };
    let _ = stream.get_mut().write_all(said.as_bytes()).await;
}

#[tokio::test]
async fn each_bad_answer_is_an_error_of_its_call() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    let client = Client::http(format!("http://{address}/mcp")).await.unwrap();
    let client = client.timeout(Duration::from_secs(2));
    let tools = client.toolset().await.unwrap();
    for name in CALLS {
        let first = called(&tools, name).await;
        if name == "flood" {
            assert_eq!(first, Ok("went".to_owned()));
        } else {
            let is_refused = matches!(
                first,
                Err(ErrorCategory::NetworkError
                    | ErrorCategory::ExecutionTimeout
                    | ErrorCategory::Unknown)
            );
            assert!(is_refused, "{name}: {first:?}");
        }
        assert_eq!(
            called(&tools, "good").await,
            Ok("went".to_owned()),
            "after {name}"
        );
    }
}
