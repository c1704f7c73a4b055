//! How often a tool may be called: a call over the limit waits for its turn, and holds up no other.
//!
//! ```text
//! cargo run -p examples --example rate_limits
//! ```

use std::time::Instant;

use toolwright::{
    Dispatch, ToolCall,
    dispatch::{DispatchEvent, DispatchOptions},
    tool, toolset,
};

/// Look a word up in a dictionary that answers twice a second.
#[tool(read_only, rate_limit = "2/s")]
async fn look_up(word: &str) -> String {
    format!("{word}: see under words")
}

/// Count the letters of a word.
#[tool(read_only)]
async fn count_letters(word: &str) -> usize {
    word.chars().count()
}

#[tokio::main]
async fn main() {
    let tools = toolset![look_up, count_letters];
    let words = ["tea", "cup", "pot", "milk"];
    let call = |tool: &str, word: &str| {
        ToolCall::new(word, tool, serde_json::json!({ "word": word }).to_string())
    };
    let mut calls: Vec<_> = words.iter().map(|word| call("look_up", word)).collect();
    calls.push(call("count_letters", "tea"));

    let start = Instant::now();
    let options = DispatchOptions::new();
    let mut stream = tools.dispatch_stream(&calls, &options);
    while let Some(event) = stream.next().await {
        let ms = start.elapsed().as_millis();
        match event {
            DispatchEvent::Delayed { index, why } => {
                println!("{ms:4} ms  {} waits: {why:?}", calls[index].arguments);
            }
            DispatchEvent::Finished { index, result } => {
                println!(
                    "{ms:4} ms  {}: {}",
                    calls[index].name,
                    result.to_model_text()
                );
            }
            _ => {}
        }
    }
    println!("\nShown: two of four calls waited for their turn, and the other tool did not.");
}
