//! Tools without our runner and transport: you have a client for the provider, we give you the tools as
//! its JSON, read its calls, run them, and give you the messages to send back.
//!
//! ```text
//! cargo run -p examples --example own_client
//! ```

use serde_json::{Value, json};
use toolwright::{
    Dispatch,
    provider::{Codec, OpenAiChatCodec},
    tool, toolset,
};

/// Look a word up in the dictionary.
#[tool(read_only)]
async fn look_up(
    /// One word, in lower case.
    word: String,
) -> String {
    format!("{word}: see under words")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (codec, tools) = (OpenAiChatCodec::new(), toolset![look_up]);
    let mut messages = vec![json!({"role": "user", "content": "What are tea and cups?"})];
    println!("user       What are tea and cups?");
    loop {
        let body = json!({
            "model": "gpt-5.1-mini",
            "messages": messages,
            "tools": codec.tools(&tools),
        });
        let reply = your_client(&body);
        let calls = codec.calls(&tools, &reply)?;
        messages.push(reply["choices"][0]["message"].clone());
        if calls.is_empty() {
            break;
        }
        let results = codec.results(&calls, &tools.dispatch(&calls).await);
        for (call, message) in calls.iter().zip(&results) {
            println!("assistant  {}({})", call.name, call.arguments);
            println!("tool       {}", message["content"]);
        }
        messages.extend(results);
    }
    println!("assistant  {}", messages[messages.len() - 1]["content"]);
    println!(
        "\nShown: `tools`, `calls`, `dispatch` and `results` are all that your own client needs."
    );
    Ok(())
}

/// Stands for your own client: takes the body of a request and gives the body of the response.
fn your_client(body: &Value) -> Value {
    let is_first = body["messages"].as_array().map_or(0, Vec::len) == 1;
    let call = |id: &str, word: &str| {
        json!({"id": id, "type": "function",
            "function": {"name": "look_up", "arguments": json!({"word": word}).to_string()}})
    };
    let message = if is_first {
        json!({"role": "assistant", "content": null,
            "tool_calls": [call("call_1", "tea"), call("call_2", "cups")]})
    } else {
        json!({"role": "assistant", "content": "Both are words."})
    };
    json!({"object": "chat.completion", "model": "gpt-5.1-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}
