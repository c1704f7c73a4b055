use std::num::NonZeroUsize;

use rmcp::model::{
    ArgumentInfo, CompleteRequestParams, GetPromptRequestParams, PaginatedRequestParams, Reference,
};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{
    ToolContext, ToolError, ToolInput, ToolOutput, Toolset,
    message::{Document, Image},
};
use toolwright_mcp::{Prompt, Service, ServiceError};

use crate::support::{Client, clients};

/// How strict a review is.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Tone {
    Kind,
    Keen,
    Harsh,
}

#[derive(Deserialize, ToolInput)]
struct Review {
    /// The code to review.
    code: String,
    tone: Tone,
    /// The greatest number of remarks.
    remarks: Option<u32>,
}

struct Project(&'static str);

fn service() -> Result<Service, ServiceError> {
    let review = Prompt::new("review")
        .title("Review")
        .description("Asks for a review of code.")
        .meta([("kind", json!("code"))]);
    Service::new(Toolset::new())
        .with_extension(Project("tools"))
        .prompt(review, async |review: Review, cx: ToolContext| {
            let Project(project) = cx.require()?;
            let Review {
                code,
                tone,
                remarks,
            } = review;
            Ok(format!("{project}: {code}, {tone:?}, {remarks:?}"))
        })?
        .prompt("look", async |(), _cx| {
            Ok(ToolOutput::text("Look at these.")
                .with_image(Image::from_bytes("image/png", b"png"))
                .with_document(Document::from_bytes("text/plain", "words")))
        })?
        .prompt("fail", async |(), _cx| {
            Err::<String, _>(ToolError::not_found("nothing is there"))
        })
}

async fn get(client: &Client, name: &str, arguments: Value) -> Result<Value, String> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let mut request = GetPromptRequestParams::new(name);
    request.arguments = Some(arguments);
    let got = client.running.get_prompt(request).await;
    let got = got.map_err(|error| error.to_string())?;
    Ok(serde_json::to_value(got.messages).unwrap())
}

#[tokio::test]
async fn a_list_has_the_arguments_of_the_type() {
    for client in clients(&service().unwrap()).await {
        let prompts = client.running.list_all_prompts().await.unwrap();
        assert_eq!(
            serde_json::to_value(prompts).unwrap(),
            json!([
                {
                    "name": "review",
                    "title": "Review",
                    "description": "Asks for a review of code.",
                    "arguments": [
                        {"name": "code", "description": "The code to review.", "required": true},
                        {"name": "tone", "description": "How strict a review is.", "required": true},
                        {
                            "name": "remarks",
                            "description": "The greatest number of remarks.",
                            "required": false,
                        },
                    ],
                    "_meta": {"kind": "code"},
                },
                {"name": "look", "arguments": []},
                {"name": "fail", "arguments": []},
            ])
        );
    }
}

#[tokio::test]
async fn strings_are_read_as_the_types() {
    for client in clients(&service().unwrap()).await {
        let arguments = json!({"code": "1", "tone": "keen", "remarks": "3"});
        let text = json!("tools: 1, Keen, Some(3)");
        let expected = json!([{"role": "user", "content": {"type": "text", "text": text}}]);
        assert_eq!(get(&client, "review", arguments).await, Ok(expected));
    }
}

#[tokio::test]
async fn each_part_is_a_message() {
    for client in clients(&service().unwrap()).await {
        let messages = get(&client, "look", json!({})).await.unwrap();
        let kinds = messages.as_array().unwrap().iter();
        let kinds: Vec<_> = kinds.map(|message| &message["content"]["type"]).collect();
        assert_eq!(kinds, ["text", "image", "resource"]);
        assert_eq!(messages[2]["content"]["resource"]["text"], "words");
    }
}

#[tokio::test]
async fn mistakes_are_errors_of_the_protocol() {
    for client in clients(&service().unwrap()).await {
        let unknown = get(&client, "gone", json!({})).await.unwrap_err();
        assert!(
            unknown.contains("-32602: Unknown prompt: gone"),
            "{unknown}"
        );
        let arguments = json!({"code": "1", "tone": "loud"});
        let refused = get(&client, "review", arguments).await.unwrap_err();
        assert!(
            refused.contains("-32602") && refused.contains("tone"),
            "{refused}"
        );
        let failed = get(&client, "fail", json!({})).await.unwrap_err();
        assert!(failed.contains("nothing is there"), "{failed}");
    }
}

#[tokio::test]
async fn the_values_of_an_enum_are_completed() {
    for client in clients(&service().unwrap()).await {
        let complete = async |prompt: &str, name: &str, value: &str| {
            let argument = ArgumentInfo::new(name, value);
            let request = CompleteRequestParams::new(Reference::for_prompt(prompt), argument);
            let completed = client.running.complete(request).await;
            completed.map(|completed| completed.completion.values)
        };
        assert_eq!(
            complete("review", "tone", "k").await.unwrap(),
            ["kind", "keen"]
        );
        assert!(complete("review", "code", "k").await.unwrap().is_empty());
        complete("gone", "tone", "k").await.unwrap_err();
    }
}

#[tokio::test]
async fn a_list_comes_in_pages() {
    let service = service().unwrap().page_size(NonZeroUsize::MIN);
    for client in clients(&service).await {
        let first = client.running.list_prompts(None).await.unwrap();
        assert_eq!(
            (first.prompts.len(), first.next_cursor.is_some()),
            (1, true)
        );
        assert_eq!(client.running.list_all_prompts().await.unwrap().len(), 3);
        let unknown = PaginatedRequestParams::default().with_cursor(Some("gone".to_owned()));
        client
            .running
            .list_prompts(Some(unknown))
            .await
            .unwrap_err();
    }
}

#[test]
fn what_cannot_be_offered_is_refused() {
    let service = service().unwrap();
    let twice = service.clone().prompt("look", async |(), _cx| Ok("again"));
    let twice = twice.unwrap_err().to_string();
    assert_eq!(
        twice,
        "`look` cannot be offered: there is a prompt of this name already"
    );
    service
        .prompt("number", async |_: u32, _cx| Ok(""))
        .unwrap_err();
}
