use std::sync::{Arc, Mutex};

use rmcp::model::{ElicitationAction, GetPromptRequestParams, ReadResourceRequestParams};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{ToolContext, ToolInput, Toolset};
use toolwright_mcp::{Elicit, Service, ServiceError};

use crate::person::{Person, clients_of, person};

#[derive(Debug, Deserialize, ToolInput)]
struct Name {
    name: String,
}

/// A person who says this to each question, and what was asked.
fn says(answer: Value) -> (Person, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let person = person(move |question| {
        let message = question["message"].as_str().unwrap();
        seen.lock().unwrap().push(message.to_owned());
        (ElicitationAction::Accept, Some(answer.clone()))
    });
    (person, asked)
}

async fn name(cx: &ToolContext, question: &str) -> Result<String, toolwright::ToolError> {
    let name = Elicit::<Name>::of(cx).form(question).await?;
    Ok(name
        .accepted()
        .map_or_else(|| "nobody".to_owned(), |it| it.name))
}

fn service() -> Result<Service, ServiceError> {
    Service::new(Toolset::new())
        .prompt("greet", async |(), cx: ToolContext| {
            let first = name(&cx, "Who greets?").await?;
            let second = name(&cx, "Who is greeted?").await?;
            Ok(format!("{first} greets {second}."))
        })?
        .resource("people://first", async |(), cx: ToolContext| {
            name(&cx, "Who is it?").await
        })
}

#[tokio::test]
async fn a_prompt_and_a_resource_ask_the_person() {
    let (person, asked) = says(json!({"name": "Ada"}));
    for client in clients_of(&person, &service().unwrap()).await {
        let prompt = client
            .get_prompt(GetPromptRequestParams::new("greet"))
            .await;
        let prompt = serde_json::to_value(prompt.unwrap()).unwrap();
        assert_eq!(prompt["messages"][0]["content"]["text"], "Ada greets Ada.");
        let first = ReadResourceRequestParams::new("people://first");
        let first = client.read_resource(first).await.unwrap();
        let first = serde_json::to_value(first).unwrap();
        assert_eq!(first["contents"][0]["text"], "Ada");
        let asked = std::mem::take(&mut *asked.lock().unwrap());
        assert_eq!(asked, ["Who greets?", "Who is greeted?", "Who is it?"]);
    }
    let nobody = Person {
        modes: None,
        ..person
    };
    for client in clients_of(&nobody, &service().unwrap()).await {
        let prompt = client
            .get_prompt(GetPromptRequestParams::new("greet"))
            .await;
        let prompt = serde_json::to_value(prompt.unwrap()).unwrap();
        assert_eq!(
            prompt["messages"][0]["content"]["text"],
            "nobody greets nobody."
        );
    }
}
