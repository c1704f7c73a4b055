use std::num::NonZeroUsize;

use rmcp::{
    model::{ServerNotification, SubscriptionFilter},
    service::ClientLifecycleMode,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::{
    Tool, ToolInput, Toolset,
    dispatch::CallOptions,
    tool,
    tool::{Capabilities, Json},
    toolset,
    toolset::ToolRegistry,
};
use toolwright_mcp::Service;

use crate::support::{Client, versions};

/// The weather of a place.
#[derive(Serialize, Deserialize, ToolInput)]
struct Weather {
    /// In degrees Celsius.
    temperature: f64,
}

/// Get the current weather of a city.
#[tool(title = "Weather", read_only)]
async fn get_weather(
    /// The name of the city.
    city: String,
) -> Json<Weather> {
    let temperature = f64::from(u8::try_from(city.len()).unwrap());
    Json(Weather { temperature })
}

/// Send a message to somebody.
#[tool(requires(network))]
async fn send_message(
    /// The text of the message.
    text: String,
) -> String {
    text
}

/// Answer what only the browser of the user knows.
#[derive(Deserialize, Tool)]
#[tool(external)]
struct AskBrowser {
    /// The question for the browser.
    question: String,
}

fn all() -> Toolset {
    toolset![get_weather, send_message, AskBrowser]
}

#[tokio::test]
async fn a_definition_is_as_declared() {
    let client = Client::of(Service::new(all())).await;
    let tools = client.running.list_all_tools().await.unwrap();
    let tools: Value = serde_json::to_value(tools).unwrap();
    assert_eq!(
        tools,
        json!([{
            "name": "get_weather",
            "title": "Weather",
            "description": "Get the current weather of a city.",
            "inputSchema": {
                "type": "object",
                "properties": {"city": {"type": "string", "description": "The name of the city."}},
                "required": ["city"],
                "additionalProperties": false,
            },
            "outputSchema": {
                "type": "object",
                "properties": {"temperature": {"type": "number", "description": "In degrees Celsius."}},
                "required": ["temperature"],
            },
            "annotations": {"readOnlyHint": true},
        }])
    );
}

#[tokio::test]
async fn what_is_granted_is_listed() {
    let calls = CallOptions::new().with_granted(Capabilities::NETWORK);
    let client = Client::of(Service::new(all()).calls(calls)).await;
    let tools = client.running.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["get_weather", "send_message"]);
}

#[tokio::test]
async fn a_list_comes_in_pages() {
    let calls = CallOptions::new().with_granted(Capabilities::NETWORK);
    let service = Service::new(all()).calls(calls);
    let client = Client::of(service.page_size(NonZeroUsize::MIN)).await;
    let first = client.running.list_tools(None).await.unwrap();
    assert_eq!((first.tools.len(), first.next_cursor.is_some()), (1, true));
    assert_eq!(client.running.list_all_tools().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_change_of_the_tools_is_told() {
    for version in versions() {
        let registry = ToolRegistry::from(toolset![get_weather]);
        let mut client = Client::begin(Service::new(registry.clone()), version.clone(), None).await;
        if version == ClientLifecycleMode::Initialize {
            // The server has read that the handshake is over.
            client.running.list_all_tools().await.unwrap();
            registry
                .update(|tools| tools.merge(toolset![AskBrowser]))
                .unwrap();
            client.changes.recv().await.unwrap();
        } else {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            let mut changes = client.running.listen(filter).await.unwrap();
            registry
                .update(|tools| tools.merge(toolset![AskBrowser]))
                .unwrap();
            let change = changes.next().await.unwrap();
            assert!(
                matches!(
                    change,
                    Some(ServerNotification::ToolListChangedNotification(_))
                ),
                "{change:?}"
            );
        }
    }
}
