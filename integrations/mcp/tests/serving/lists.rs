use std::{num::NonZeroUsize, time::Duration};

use rmcp::{
    model::{CacheScope, ProtocolVersion, ServerNotification, SubscriptionFilter},
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

use crate::support::{Client, clients, versions};

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

#[derive(Deserialize, ToolInput)]
struct City {
    city: String,
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

#[tokio::test]
async fn lists_say_for_how_long_a_client_may_keep_them() {
    let service = Service::new(all())
        .prompt("greet", async |(), _cx| Ok("hello"))
        .and_then(|service| service.resource("docs://all", async |(), _cx| Ok("all")))
        .and_then(|service| {
            service.resource("docs://{city}", async |city: City, _cx| Ok(city.city))
        })
        .unwrap();
    let fresh = service.clone().lists_fresh_for(Duration::from_secs(90));
    for (service, expected) in [(service, 0), (fresh, 90_000)] {
        for client in clients(&service).await {
            let tools = client.running.list_tools(None).await.unwrap();
            let prompts = client.running.list_prompts(None).await.unwrap();
            let resources = client.running.list_resources(None).await.unwrap();
            let templates = client.running.list_resource_templates(None).await.unwrap();
            let said = [
                (tools.ttl_ms, tools.cache_scope),
                (prompts.ttl_ms, prompts.cache_scope),
                (resources.ttl_ms, resources.cache_scope),
                (templates.ttl_ms, templates.cache_scope),
            ];
            // What is listed depends on who asks. The older protocol has neither, and its clients leave out the time.
            let version = &client.running.peer_info().unwrap().protocol_version;
            let scope = (*version == ProtocolVersion::V_2026_07_28).then_some(CacheScope::Private);
            assert_eq!(said, [(Some(expected), scope); 4], "{version}");
        }
    }
}
