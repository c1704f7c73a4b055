//! Answers that are values: an enum as a classifier, a struct with a constraint, a list.
//!
//! ```text
//! cargo run -p examples --example structured_output                           offline, no key
//! OPENAI_API_KEY=… cargo run -p examples --example structured_output -- --live
//! ```
//!
//! Offline, a script plays the model. Its second answer breaks a constraint: the model is told, and mends it. With
//! `--live`, `OPENAI_BASE_URL` and `OPENAI_MODEL` choose another server and another model.

use std::sync::Arc;

use serde::Deserialize;
use toolwright::{
    ChatModel, ModelResponse, OpenAiChat, Runner, ToolInput, testing::ScriptedModel, tool, toolset,
};

/// The topic of a message.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Billing,
    Delivery,
    Other,
}

/// How urgent a message is.
#[derive(Debug, Deserialize, ToolInput)]
struct Ticket {
    /// One sentence.
    summary: String,
    /// From 1 (some day) to 5 (now).
    #[tool(range(1..=5))]
    urgency: u8,
}

/// Look up the parcel of an order.
#[tool(read_only)]
fn find_parcel(
    /// The number of the order.
    order: u32,
) -> String {
    format!("the parcel of order {order} left Hamburg on Monday")
}

const MESSAGE: &str = "Order 4711 was to be here on Friday. Where is it? I need it tomorrow!";

fn scripted() -> ScriptedModel {
    let texts = [
        r#"{"answer": "delivery"}"#,
        r#"{"summary": "Order 4711 is late.", "urgency": 9}"#,
        r#"{"summary": "Order 4711 is late.", "urgency": 5}"#,
        r#"{"answer": ["Check the address.", "Send a new one."]}"#,
    ];
    ScriptedModel::new(texts.map(ModelResponse::from_text))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model: Arc<dyn ChatModel> = if std::env::args().any(|argument| argument == "--live") {
        let model = std::env::var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5.1-mini".to_owned());
        Arc::new(OpenAiChat::from_env(model)?)
    } else {
        Arc::new(scripted())
    };
    let runner = Runner::builder(model)
        .tools(toolset![find_parcel])
        .build()?;

    // A classifier in one line.
    let topic = runner.request(MESSAGE).answer_as::<Topic>();
    let topic = topic.run().await?.value;
    println!("topic:   {topic:?}");

    let ticket = runner.request(MESSAGE).answer_as::<Ticket>().run().await?;
    let Ticket { summary, urgency } = &ticket.value;
    println!("ticket:  {summary} Urgency {urgency}.");
    println!("         ({} correction)", ticket.outcome.corrections);
    for warning in &ticket.outcome.warnings {
        println!("         {}", warning.message);
    }

    let steps = runner.request("What is to be done?");
    let steps = steps.answer_as::<Vec<String>>().run().await?;
    println!("steps:   {}", steps.value.join(" "));
    println!("\nShown: answers arrive as values, and one that does not fit is asked for again.");
    Ok(())
}
