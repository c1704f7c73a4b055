//! An agent that asks other agents: runners as tools of a runner. What they spend counts for the run around them, and so do
//! its limits.
//!
//! ```text
//! cargo run -p examples --example sub_agents
//! ```

use toolwright::{
    ModelResponse, Runner, ToolCall, ToolInput, Toolset, message::ToolRound, model::Usage,
    run::Limits, testing::ScriptedModel, tool, toolset,
};

/// Look up the weather of a city.
#[tool(read_only)]
fn weather(city: &str) -> String {
    format!("{city}: rain until noon, 9 degrees")
}

/// What the planner is asked.
#[derive(serde::Deserialize, ToolInput)]
struct Trip {
    /// Where it begins.
    from: String,
    /// Where it ends.
    to: String,
}

/// A model with a script, each response of which takes 100 tokens.
fn model<const N: usize>(script: [ModelResponse; N]) -> ScriptedModel {
    ScriptedModel::new(script.map(|mut reply| {
        reply.usage = Some(Usage::new(80, 20));
        reply
    }))
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let forecaster = Runner::builder(model([
        ModelResponse::from_calls([call("1", "weather", r#"{"city": "Bergen"}"#)]),
        ModelResponse::from_text("Bergen is wet until noon."),
    ]))
    .system("Say what the weather means for a traveller.")
    .tools(toolset![weather])
    .build()?
    .as_tool("ask_forecaster", "Knows the weather and what it means.")?;

    let planner = Runner::builder(model([ModelResponse::from_text("The train at 8:25.")]))
        .system("Find a connection.")
        .build()?
        .as_tool("plan_trip", "Finds a train between two cities.")?
        .input(|trip: Trip| format!("From {} to {}, please.", trip.from, trip.to))?;

    let runner = Runner::builder(model([
        ModelResponse::from_calls([
            call("1", "ask_forecaster", r#"{"task": "Is Bergen dry today?"}"#),
            call("2", "plan_trip", r#"{"from": "Oslo", "to": "Bergen"}"#),
        ]),
        ModelResponse::from_text("Take the train at 8:25, and a coat."),
    ]))
    .tools(Toolset::new().with(forecaster)?.with(planner)?)
    .limits(Limits::default().with_max_tokens(5_000))
    .build()?;

    let outcome = runner
        .run("How do I get from Oslo to Bergen today?")
        .await?;
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!("{:15} {}", call.name, result.to_model_text());
    }
    println!("{:15} {}", "answer", outcome);
    println!(
        "\n{} requests and {} tool calls in three runs, {} tokens of 5000",
        outcome.model_calls,
        outcome.tool_calls,
        outcome.usage.input_tokens + outcome.usage.output_tokens
    );
    println!(
        "\nShown: two agents worked side by side, and the run around them counts what they did."
    );
    Ok(())
}
