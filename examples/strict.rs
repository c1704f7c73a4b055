//! What each provider is sent of a tool, what it loses, and how its arguments come back.
//!
//! ```text
//! cargo run -p examples --example strict
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright::{
    Dispatch, ToolInput,
    profile::Profile,
    provider::{Codec, OpenAiChatCodec},
    tool,
    tool::Strict,
    toolset,
};

/// How the result is ordered.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// The newest first.
    Newest,
    /// The best match first.
    Best,
}

/// Search the archive and return the best passages.
#[tool(read_only)]
fn search(
    /// What to look for.
    #[tool(length(1..=100))]
    query: String,
    /// Labels and the least weight of each.
    labels: BTreeMap<String, u8>,
    /// From the first page to the last.
    pages: Option<(u32, u32)>,
    #[tool(default = Order::Best)] order: Order,
) -> String {
    format!("{query}: {labels:?}, pages {pages:?}, {order:?} first")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![search];
    for profile in [
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ] {
        let sent = profile.render_all(tools.definitions())?;
        let parameters = sent
            .tools
            .iter()
            .filter_map(|tool| tool.parameters.as_ref());
        let bytes: usize = parameters.map(|schema| schema.as_str().len()).sum();
        println!(
            "{:20} {bytes} bytes, {} losses",
            profile.name,
            sent.losses().count()
        );
    }

    let strict = Profile::openai_strict().render_all(tools.definitions())?;
    println!("\nWhat strict OpenAI is not sent:");
    for loss in strict.losses() {
        println!("  {loss}");
    }

    // What a strict model answers, and what the tool is given.
    let tools = tools.strict(Strict::OpenAi);
    let arguments =
        r#"{"query":"cats","labels":[{"key":"fur","value":3}],"pages":{"0":1,"1":9},"order":null}"#;
    let reply = serde_json::json!({"choices": [{"finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
            "function": {"name": "search", "arguments": arguments}}]}}]});
    let calls = OpenAiChatCodec::new().calls(&tools, &reply)?;
    println!("\nA strict model wrote\n  {arguments}");
    println!("The tool gets\n  {}", calls[0].arguments);
    let results = tools.dispatch(&calls).await;
    println!("and returns\n  {}", results[0].to_model_text());
    println!("\nShown: a tool is declared once; each provider gets the form that it takes.");
    Ok(())
}
