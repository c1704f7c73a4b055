use std::convert::Infallible;

use futures::StreamExt;
use rig::{
    prelude::{Agent, AgentBuilder, MultiTurnStreamItem},
    providers::openai::OpenAIConfig,
    tool::{PortableTool, ToolContext, ToolSet},
};

use crate::types::{self, Quote};

struct BookTrip;

impl PortableTool for BookTrip {
    const NAME: &'static str = "book_trip";
    type Args = types::BookTrip;
    type Output = Quote;
    type Error = Infallible;

    fn description(&self) -> String {
        "Book a trip.".to_owned()
    }

    fn parameters(&self) -> serde_json::Value {
        schemars::schema_for!(types::BookTrip).to_value()
    }

    async fn call(&self, trip: types::BookTrip) -> Result<Quote, Infallible> {
        Ok(types::book(trip).await)
    }
}

pub fn agent(url: &str) -> Agent {
    let config = OpenAIConfig::new("key").with_base_url(url);
    AgentBuilder::new(config.client().chat("m"))
        .tool(BookTrip)
        .default_max_turns(60)
        .build()
}

pub async fn run(agent: &Agent, streamed: bool) -> String {
    let run = agent.prompt("Book it.");
    if !streamed {
        return run.await.expect("ends").output();
    }
    let mut items = run.stream();
    let mut text = None;
    while let Some(item) = items.next().await {
        if let MultiTurnStreamItem::FinalResponse(response) = item.expect("goes on") {
            text = Some(response.output());
        }
    }
    text.expect("ends")
}

pub fn tools() -> ToolSet {
    let mut tools = ToolSet::default();
    tools.add_tool(BookTrip);
    tools
}

pub async fn call(tools: &ToolSet, args: &str) -> String {
    let mut context = ToolContext::new();
    let result = tools.execute("book_trip", args, &mut context).await;
    result.output().render()
}
