//! Tools without our runner or transport: you have a client for the provider, we give you the tools
//! as its JSON, read its calls, run them and give you the messages to send back.
//!
//! ```text
//! cargo run --example own_client
//! ```

use serde_json::{Value, json};
use toolwright::{provider::openai_chat, tool, toolset};

/// Get the current time in a time zone.
#[tool]
async fn get_time(
    /// The time zone, for example "Europe/Oslo".
    zone: String,
) -> String {
    format!("It is noon in {zone}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![get_time];
    let mut messages =
        vec![json!({"role": "user", "content": "What time is it in Oslo and Lima?"})];

    loop {
        let body = json!({
            "model": "gpt-5.1-mini",
            "messages": messages,
            "tools": openai_chat::tools(&tools),
        });
        let reply = your_client(&body);
        let calls = openai_chat::calls(&reply)?;
        messages.push(reply["choices"][0]["message"].clone());
        if calls.is_empty() {
            break;
        }
        for call in &calls {
            println!("call    {}({})", call.name, call.arguments);
        }
        let results = tools.dispatch(&calls).await;
        for result in &results {
            println!("result  {}", result.to_model_text());
        }
        messages.extend(openai_chat::results(&results));
    }

    let answer = messages
        .last()
        .and_then(|message| message["content"].as_str());
    println!("answer  {}", answer.unwrap_or_default());
    Ok(())
}

/// Stands for your own client: takes the body of a request and gives the body of the reply.
fn your_client(body: &Value) -> Value {
    let results: Vec<&str> = body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|message| message["role"] == "tool")
        .filter_map(|message| message["content"].as_str())
        .collect();
    let message = if results.is_empty() {
        let call = |id, zone: &str| {
            json!({"id": id, "type": "function", "function":
                {"name": "get_time", "arguments": json!({"zone": zone}).to_string()}})
        };
        json!({"role": "assistant", "content": null,
            "tool_calls": [call("call_1", "Europe/Oslo"), call("call_2", "America/Lima")]})
    } else {
        json!({"role": "assistant", "content": format!("{}.", results.join(". "))})
    };
    json!({"object": "chat.completion", "model": "gpt-5.1-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}
