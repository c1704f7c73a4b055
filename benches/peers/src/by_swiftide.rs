use async_openai::{Client, config::OpenAIConfig};
use swiftide::{
    agents::{Agent, DefaultContext},
    chat_completion::{ChatMessage, Tool, ToolCall, ToolOutput, errors::ToolError},
    integrations::openai::OpenAI,
    tool,
    traits::AgentContext,
};

use crate::types::{self, Cabin, Contact, Passenger};

#[tool(
    description = "Book a trip.",
    param(name = "destination", description = "City to travel to"),
    param(name = "origin", description = "City to depart from"),
    param(name = "class", description = "Cabin class"),
    param(name = "passengers", description = "Everyone travelling"),
    param(name = "budget", description = "Upper limit in EUR"),
    param(name = "flexible", description = "Whether dates may move"),
    param(name = "tags", description = "Free-form labels"),
    param(name = "contact", description = "How to reach the booker")
)]
async fn book_trip(
    _context: &dyn AgentContext,
    destination: String,
    origin: Option<String>,
    class: Cabin,
    passengers: Vec<Passenger>,
    budget: f64,
    flexible: bool,
    tags: Vec<String>,
    contact: Contact,
) -> Result<ToolOutput, ToolError> {
    let quote = types::book(types::BookTrip {
        destination,
        origin,
        class,
        passengers,
        budget,
        flexible,
        tags,
        contact,
    })
    .await;
    Ok(ToolOutput::text(serde_json::to_string(&quote)?))
}

pub fn model(url: &str, stream_full: bool) -> OpenAI {
    let config = OpenAIConfig::new().with_api_base(url).with_api_key("key");
    OpenAI::builder()
        .client(Client::with_config(config))
        .default_prompt_model("m")
        .stream_full(stream_full)
        .build()
        .expect("is a model")
}

/// A run has an agent of its own: an agent keeps its messages.
pub async fn run(model: &OpenAI, streamed: bool) -> String {
    let mut agent = Agent::builder()
        .llm(model)
        .without_default_stop_tool()
        .tools([book_trip()])
        .no_system_prompt()
        .streaming(streamed)
        .build()
        .expect("is an agent");
    agent.query("Book it.").await.expect("ends");
    match agent.history().await.expect("is there").pop() {
        Some(ChatMessage::Assistant(Some(text), _)) => text,
        last => panic!("{last:?}"),
    }
}

pub struct Tools(Box<dyn Tool>, DefaultContext);

impl Tools {
    pub fn new() -> Self {
        Self(book_trip(), DefaultContext::default())
    }

    /// As the agent does it: an error is its text.
    pub async fn call(&self, args: &str) -> String {
        let call = ToolCall::builder()
            .id("call_1")
            .name("book_trip")
            .args(args)
            .build()
            .expect("is a call");
        match self.0.invoke(&self.1, &call).await {
            Ok(output) => output.to_string(),
            Err(error) => error.to_string(),
        }
    }
}
