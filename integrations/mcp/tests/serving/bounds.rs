use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::Serialize;
use serde_json::json;
use toolwright::{
    ErrorCategory, ToolContext, ToolError, ToolInput, ToolOutput,
    dispatch::CallOptions,
    message::{Audio, Document, Image},
    redact::Secrets,
    tool,
    tool::{Backoff, Extension, Json},
    toolset,
};
use toolwright_mcp::Service;

use crate::support::{clients, texts};

/// Return something of each kind.
#[tool(read_only)]
fn show_all() -> ToolOutput {
    ToolOutput::text("words")
        .with_image(Image::from_base64("image/png", "iVBORw=="))
        .with_image(Image::from_url("https://example.com/a.png"))
        .with_audio(Audio::from_bytes("audio/wav", b"RIFF"))
        .with_document(Document::from_bytes("text/plain", "lines").with_name("a.txt"))
        .with_document(Document::from_bytes("application/pdf", b"%PDF"))
        .with_document(Document::from_url(
            "application/pdf",
            "https://example.com/b.pdf",
        ))
}

#[tokio::test]
async fn each_kind_of_part_is_content() {
    for client in clients(&Service::new(toolset![show_all])).await {
        let result = client.call("show_all", json!({})).await;
        let content = serde_json::to_value(result.content).unwrap();
        assert_eq!(
            content,
            json!([
                {"type": "text", "text": "words"},
                {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
                {"type": "resource_link", "uri": "https://example.com/a.png", "name": "image"},
                {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
                {"type": "resource", "resource": {
                    "uri": "result://4/a.txt", "mimeType": "text/plain", "text": "lines",
                }},
                {"type": "resource", "resource": {
                    "uri": "result://5/document", "mimeType": "application/pdf", "blob": "JVBERg==",
                }},
                {
                    "type": "resource_link", "uri": "https://example.com/b.pdf", "name": "document",
                    "mimeType": "application/pdf",
                },
            ])
        );
    }
}

/// Read the log of the program.
#[tool(read_only)]
fn read_log() -> String {
    format!("sk-4711 {}", "x".repeat(1_000))
}

#[derive(Serialize, ToolInput)]
struct Names {
    /// All of them.
    names: Vec<String>,
}

/// List all names.
#[tool]
fn list_names() -> Json<Names> {
    let names = vec!["Ada".to_owned(); 10_000];
    Json(Names { names })
}

/// A client refuses a success of a tool with an output schema that has no object.
#[tokio::test]
async fn an_object_that_is_cut_is_no_success() {
    for client in clients(&Service::new(toolset![list_names])).await {
        let result = client.call("list_names", json!({})).await;
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content, None);
        let text = texts(&result).concat();
        assert!(text.starts_with("The call was executed."), "{text}");
    }
    let calls = CallOptions::new().with_max_output(None);
    for client in clients(&Service::new(toolset![list_names]).calls(calls)).await {
        let result = client.call("list_names", json!({})).await;
        assert_eq!(result.is_error, Some(false));
        let object = result.structured_content.unwrap();
        assert_eq!(object["names"].as_array().unwrap().len(), 10_000);
    }
}

#[tokio::test]
async fn an_output_is_redacted_and_then_cut() {
    let calls = CallOptions::new()
        .with_redaction(Secrets::new(["sk-4711"]))
        .with_max_output(200);
    for client in clients(&Service::new(toolset![read_log]).calls(calls)).await {
        let text = texts(&client.call("read_log", json!({})).await).concat();
        assert!(text.len() <= 200 && text.contains("[redacted]"), "{text}");
        assert!(!text.contains("4711"), "{text}");
    }
}

/// Wait longer than there is time.
#[tool(read_only, timeout = "10ms", retries = 0)]
async fn wait_too_long() {
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_call_has_its_time_limit() {
    for client in clients(&Service::new(toolset![wait_too_long])).await {
        let result = client.call("wait_too_long", json!({})).await;
        assert_eq!(result.is_error, Some(true));
        assert!(texts(&result)[0].contains("executionTimeout"), "{result:?}");
    }
}

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>, Arc<AtomicUsize>);

/// Pay, and fail at first.
#[tool(idempotent)]
fn pay(
    #[context] cx: &ToolContext,
    #[context] Extension(seen): Extension<Seen>,
) -> Result<&'static str, ToolError> {
    seen.0.lock().unwrap().push(cx.idempotency_key().unwrap());
    if seen.1.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
        let category = ErrorCategory::NetworkError;
        return Err(ToolError::new(category, "the bank is not there"));
    }
    Ok("paid")
}

#[tokio::test]
async fn a_call_has_one_key_for_all_its_attempts() {
    let seen = Seen::default();
    let calls = CallOptions::new().with_backoff(Backoff::new(Duration::ZERO, Duration::ZERO));
    let service = Service::new(toolset![pay])
        .calls(calls)
        .with_extension(seen.clone());
    for client in clients(&service).await {
        assert_eq!(texts(&client.call("pay", json!({})).await), ["paid"]);
    }
    let mut keys = seen.0.lock().unwrap().clone();
    assert_eq!(keys.len(), 8);
    keys.dedup();
    assert_eq!(keys.len(), 4, "{keys:?}");
}
