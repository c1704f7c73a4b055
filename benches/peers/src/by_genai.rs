//! genai has no loop and no tools with a function: both are written by hand here.

use futures::StreamExt;
use genai::{
    Client, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    chat::{ChatMessage, ChatOptions, ChatRequest, ChatStreamEvent, Tool, ToolResponse},
    resolver::{AuthData, Endpoint, ServiceTargetResolver},
};
use serde::Deserialize;

use crate::types::{self, BookTrip};

pub fn client(url: &str) -> Client {
    let url = format!("{url}/");
    let target = move |_: ServiceTarget| {
        Ok::<_, genai::resolver::Error>(ServiceTarget {
            endpoint: Endpoint::from_owned(url.as_str()),
            auth: AuthData::from_single("key"),
            model: ModelIden::new(AdapterKind::OpenAI, "m"),
        })
    };
    Client::builder()
        .with_service_target_resolver(ServiceTargetResolver::from_resolver_fn(target))
        .build()
        .expect("is a client")
}

pub async fn run(client: &Client, streamed: bool) -> String {
    let schema = schemars::schema_for!(BookTrip).to_value();
    let tool = Tool::new("book_trip")
        .with_description("Book a trip.")
        .with_schema(schema);
    let options = ChatOptions::default()
        .with_capture_content(true)
        .with_capture_tool_calls(true);
    let mut request = ChatRequest::from_user("Book it.").with_tools([tool]);
    loop {
        let content = if streamed {
            let response = client.exec_chat_stream("m", request.clone(), Some(&options));
            let mut events = response.await.expect("answers").stream;
            let mut content = None;
            while let Some(event) = events.next().await {
                if let ChatStreamEvent::End(end) = event.expect("goes on") {
                    content = end.captured_content;
                }
            }
            content.expect("is captured")
        } else {
            let response = client.exec_chat("m", request.clone(), Some(&options));
            response.await.expect("answers").content
        };
        if content.tool_calls().is_empty() {
            return content.into_first_text().expect("is a text");
        }
        let calls = content.into_tool_calls();
        let results = calls.iter().map(|call| async {
            assert_eq!(call.fn_name, "book_trip");
            let trip = BookTrip::deserialize(&call.fn_arguments).expect("fits");
            let quote = serde_json::to_string(&types::book(trip).await).expect("is JSON");
            ToolResponse::new(call.call_id.as_str(), quote)
        });
        let results = futures::future::join_all(results).await;
        request = request
            .append_message(ChatMessage::from(calls))
            .append_messages(results.into_iter().map(ChatMessage::from));
    }
}
