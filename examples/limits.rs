//! Limits of a run, each of which ends in an answer: rounds, calls, tokens, cost and calls that are not valid.
//!
//! ```text
//! cargo run -p examples --example limits
//! ```

use std::sync::atomic::{AtomicU32, Ordering};

use toolwright::{
    ModelResponse, Runner, ToolCall,
    model::{ToolChoice, Usage},
    run::{Cost, Finish, Limits, OnLimit, Price, PriceTable},
    testing::ScriptedModel,
    tool, toolset,
};

/// Count the words on a page of the book.
#[tool(read_only)]
async fn count_words(page: u32) -> u32 {
    200 + page
}

/// A model that never comes to an end by itself: it looks at one page after the other, and answers when it must.
fn curious() -> ScriptedModel {
    let pages = AtomicU32::new(0);
    ScriptedModel::by_rule(move |request| {
        let mut response = if request.tool_choice == ToolChoice::None {
            ModelResponse::from_text("So far about 200 words on each page.")
        } else {
            let page = pages.fetch_add(2, Ordering::Relaxed);
            let call = |page| ToolCall::new("", "count_words", format!(r#"{{"page": {page}}}"#));
            ModelResponse::from_calls([call(page), call(page + 1)])
        };
        response.usage = Some(Usage::new(900, 100));
        response.model = Some("curious-1".to_owned());
        response
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Limits::agent();
    for (what, limits) in [
        ("3 rounds", agent.with_max_rounds(3)),
        ("5 tool calls", agent.with_max_tool_calls(5)),
        (
            "1 call of one response",
            agent.with_max_calls_per_response(1),
        ),
        ("4,000 tokens", agent.with_max_tokens(4_000)),
        ("0.05 euros", agent.with_max_cost(Cost::new(0.05))),
        (
            "no summary",
            agent.with_max_rounds(3).with_on_limit(OnLimit::Stop),
        ),
    ] {
        let runner = Runner::builder(curious())
            .tools(toolset![count_words])
            .prices(PriceTable::new().with("curious", Price::per_million(5.0, 30.0)))
            .limits(limits)
            .no_progress(false)
            .build()?;
        let outcome = runner.run("How many words has the book?").await?;
        let Finish::Limit { limit, .. } = &outcome.finish else {
            return Err("the model never ends by itself".into());
        };
        println!("{what}: {limit}.");
        println!(
            "  {} requests, {} calls, {} tokens, {} euros",
            outcome.model_calls,
            outcome.tool_calls,
            outcome.usage.input_tokens + outcome.usage.output_tokens,
            outcome.cost.unwrap_or_default(),
        );
        if !outcome.text.is_empty() {
            println!("  {}", outcome.text);
        }
    }
    println!("\nShown: whatever a run has too much of, it ends, and mostly with an answer.");
    Ok(())
}
