//! A conversation over several questions, kept as JSON in between.
//!
//! ```text
//! cargo run -p examples --example multi_turn
//! ```

use toolwright::{
    Conversation, ModelResponse, Runner, ToolCall, testing::ScriptedModel, tool, toolset,
};

/// Look up the opening hours of a shop.
#[tool]
async fn opening_hours(
    /// The name of the shop.
    shop: String,
) -> String {
    format!("{shop} is open from 9 to 17")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new(
            "a",
            "opening_hours",
            r#"{"shop":"The bakery"}"#,
        )]),
        ModelResponse::from_text("The bakery is open from 9 to 17."),
        ModelResponse::from_calls([ToolCall::new(
            "b",
            "opening_hours",
            r#"{"shop":"The florist"}"#,
        )]),
        ModelResponse::from_text("The florist keeps the same hours."),
    ]);
    let runner = Runner::builder(model)
        .system("You know the shops.")
        .tools(toolset![opening_hours])
        .build()?;

    let mut conversation = Conversation::new();
    for question in ["When is the bakery open?", "And the florist?"] {
        let request = runner.request(question).within(&mut conversation);
        let outcome = request.run().await?;
        println!("You:   {question}");
        println!(
            "Model: {} ({} round of tools)",
            outcome.text, outcome.rounds
        );

        // Between two questions the conversation can rest anywhere: it is a value.
        let stored = serde_json::to_string(&conversation)?;
        println!(
            "       ({} messages, {} bytes of JSON)",
            conversation.messages().len(),
            stored.len()
        );
        conversation = serde_json::from_str(&stored)?;
    }
    println!("\nShown: the second question is answered with what the first one found.");
    Ok(())
}
