use std::num::NonZeroUsize;

use rmcp::model::ReadResourceRequestParams;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{
    ToolError, ToolInput, ToolOutput, Toolset,
    message::{Document, Image},
    tool, toolset,
};
use toolwright_mcp::{Resource, Service, ServiceError};

use crate::support::{Client, clients};

#[derive(Deserialize, ToolInput)]
struct Page {
    page: String,
    number: u8,
}

fn service() -> Result<Service, ServiceError> {
    let page = Resource::new("docs://{page}/{number}.md")
        .name("manual")
        .description("The pages of the manual.")
        .media_type("text/markdown");
    let board = Resource::new("ui://board")
        .media_type("text/html;profile=mcp-app")
        .meta([("ui", json!({"prefersBorder": true}))]);
    Service::new(Toolset::new())
        .resource(page, async |Page { page, number }: Page, _cx| {
            if number > 9 {
                return Err(ToolError::not_found(format!("no page {number}")));
            }
            Ok(format!("{page}: {number}"))
        })?
        .resource("docs://contents/1.md", async |(), _cx| Ok("all"))?
        .resource(board, async |(), _cx| Ok("<p>Board</p>"))?
        .resource("files://all", async |(), _cx| {
            Ok(ToolOutput::text("words")
                .with_image(Image::from_base64("image/png", "iVBORw=="))
                .with_document(Document::from_bytes("application/pdf", b"%PDF")))
        })
}

async fn read(client: &Client, uri: &str) -> Result<Value, String> {
    let request = ReadResourceRequestParams::new(uri);
    let read = client.running.read_resource(request).await;
    let read = read.map_err(|error| error.to_string())?;
    Ok(serde_json::to_value(read.contents).unwrap())
}

#[tokio::test]
async fn lists_have_what_was_declared() {
    for client in clients(&service().unwrap()).await {
        let resources = client.running.list_all_resources().await.unwrap();
        assert_eq!(
            serde_json::to_value(resources).unwrap(),
            json!([
                {"uri": "docs://contents/1.md", "name": "docs://contents/1.md"},
                {
                    "uri": "ui://board",
                    "name": "ui://board",
                    "mimeType": "text/html;profile=mcp-app",
                    "_meta": {"ui": {"prefersBorder": true}},
                },
                {"uri": "files://all", "name": "files://all"},
            ])
        );
        let templates = client.running.list_all_resource_templates().await.unwrap();
        assert_eq!(
            serde_json::to_value(templates).unwrap(),
            json!([{
                "uriTemplate": "docs://{page}/{number}.md",
                "name": "manual",
                "description": "The pages of the manual.",
                "mimeType": "text/markdown",
            }])
        );
    }
}

#[tokio::test]
async fn contents_are_what_the_closure_returns() {
    for client in clients(&service().unwrap()).await {
        for (uri, expected) in [
            (
                "docs://a%20b/2.md",
                json!([{"mimeType": "text/markdown", "text": "a b: 2"}]),
            ),
            // An address of its own comes first.
            (
                "docs://contents/1.md",
                json!([{"mimeType": "text/plain", "text": "all"}]),
            ),
            (
                "ui://board",
                json!([{
                    "mimeType": "text/html;profile=mcp-app",
                    "text": "<p>Board</p>",
                    "_meta": {"ui": {"prefersBorder": true}},
                }]),
            ),
            (
                "files://all",
                json!([
                    {"mimeType": "text/plain", "text": "words"},
                    {"mimeType": "image/png", "blob": "iVBORw=="},
                    {"mimeType": "application/pdf", "blob": "JVBERg=="},
                ]),
            ),
        ] {
            let mut expected = expected;
            for contents in expected.as_array_mut().unwrap() {
                contents["uri"] = uri.into();
            }
            assert_eq!(read(&client, uri).await, Ok(expected));
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_the_error_of_the_version() {
    let clients = clients(&service().unwrap()).await;
    for (client, code) in clients.iter().zip(["-32002", "-32002", "-32602", "-32602"]) {
        for uri in ["docs://gone", "docs://a/10.md"] {
            let error = read(client, uri).await.unwrap_err();
            assert!(error.contains(code), "{error}");
        }
        // The variable is there, but no number.
        let error = read(client, "docs://a/b.md").await.unwrap_err();
        assert!(
            error.contains("-32602") && error.contains("number"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_list_comes_in_pages() {
    let service = service().unwrap().page_size(NonZeroUsize::MIN);
    for client in clients(&service).await {
        let first = client.running.list_resources(None).await.unwrap();
        assert_eq!(
            (first.resources.len(), first.next_cursor.is_some()),
            (1, true)
        );
        assert_eq!(client.running.list_all_resources().await.unwrap().len(), 3);
    }
}

#[test]
fn what_cannot_be_offered_is_refused() {
    let refused = |address: &str| {
        let service = service().unwrap();
        let refused = service.resource(address, async |_: Page, _cx| Ok(""));
        refused.unwrap_err().to_string()
    };
    for (address, why) in [
        ("docs://{page}/{number}.md", "already"),
        ("docs://{page}", "its variables are not the fields"),
        (
            "docs://{page}/{number}/{more}",
            "its variables are not the fields",
        ),
        ("docs://{+page}/{number}", "another expression"),
    ] {
        let refused = refused(address);
        assert!(refused.contains(why), "{refused}");
    }
}

/// Show the board.
#[tool(read_only)]
fn show_board() {}

#[tokio::test]
async fn the_page_of_a_tool_is_passed_on() {
    let page = json!({"resourceUri": "ui://board"});
    let service =
        Service::new(toolset![show_board]).tool_meta("show_board", [("ui", page.clone())]);
    for client in clients(&service).await {
        let tools = client.running.list_all_tools().await.unwrap();
        let tools = serde_json::to_value(tools).unwrap();
        assert_eq!(tools[0]["_meta"], json!({"ui": page}));
    }
}
