//! A model for a machine without a network: a server on loopback that speaks OpenAI's wire format.
//!
//! It plays a model by rule. It asks for the weather of each city in the question, then for clothes
//! for what it was told, then it answers with what came back.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

const CITIES: [&str; 3] = ["Oslo", "Cairo", "Lima"];

/// Starts the server and gives its base URL.
pub(crate) async fn serve() -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(async move {
                if let Err(error) = answer(connection).await {
                    eprintln!("the offline model lost a connection: {error}");
                }
            });
        }
    });
    Ok(format!("http://{address}/v1"))
}

/// Reads one request and streams the response, as OpenAI would.
async fn answer(connection: TcpStream) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        match line.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().map_err(std::io::Error::other)?;
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    let request: Value = serde_json::from_slice(&body)?;

    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    connection.write_all(head.as_bytes()).await?;
    for chunk in reply(&request) {
        connection
            .write_all(format!("data: {chunk}\n\n").as_bytes())
            .await?;
    }
    connection.write_all(b"data: [DONE]\n\n").await?;
    connection.shutdown().await
}

/// The chunks of the response to a request.
fn reply(request: &Value) -> Vec<Value> {
    let messages = request["messages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let results: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .filter_map(|message| message["content"].as_str())
        .collect();
    let (delta, finish_reason) = match results.len() {
        0 => {
            let question = messages
                .last()
                .and_then(|message| message["content"].as_str());
            let asked = |city: &&&str| question.is_some_and(|question| question.contains(**city));
            let calls = CITIES
                .iter()
                .filter(asked)
                .map(|city| json!({ "city": city }));
            (tool_calls("get_weather", calls), "tool_calls")
        }
        3 => {
            let places = results
                .iter()
                .filter_map(|result| serde_json::from_str::<Value>(result).ok());
            let arguments = json!({ "places": places.collect::<Vec<_>>() });
            (tool_calls("suggest_clothes", [arguments]), "tool_calls")
        }
        _ => {
            let clothes: Vec<String> = results
                .last()
                .and_then(|result| serde_json::from_str(result).ok())
                .unwrap_or_default();
            let text = format!("Here is what to wear. {}.", clothes.join("; "));
            (json!({ "content": text }), "stop")
        }
    };
    let tokens = request.to_string().len() / 4;
    vec![
        chunk(&json!([{ "index": 0, "delta": delta, "finish_reason": null }])),
        chunk(&json!([{ "index": 0, "delta": {}, "finish_reason": finish_reason }])),
        json!({ "object": "chat.completion.chunk", "choices": [],
            "usage": { "prompt_tokens": tokens, "completion_tokens": 20 } }),
    ]
}

fn chunk(choices: &Value) -> Value {
    json!({ "id": "offline", "object": "chat.completion.chunk", "model": "offline", "choices": choices })
}

fn tool_calls(name: &str, arguments: impl IntoIterator<Item = Value>) -> Value {
    let calls = arguments.into_iter().enumerate().map(|(index, arguments)| {
        json!({ "index": index, "id": format!("call_{name}_{index}"), "type": "function",
            "function": { "name": name, "arguments": arguments.to_string() } })
    });
    json!({ "tool_calls": calls.collect::<Vec<_>>() })
}
