use std::sync::{Arc, Mutex};

use rmcp::model::{CallToolRequestParams, ElicitationAction};
use serde::Deserialize;
use serde_json::json;
use toolwright::{
    Dispatch, ToolCall, ToolContext, ToolError, ToolInput, tool, tool::Extension, toolset,
};
use toolwright_mcp::{Elicit, Elicited, Service};

use crate::{
    person::{Person, clients_of, person},
    support::texts,
};

/// The texts of a call over a pipe and over HTTP, with both versions, in this order.
async fn call(service: &Service, person: Person, name: &'static str) -> Vec<String> {
    let mut all = Vec::new();
    for client in clients_of(&person, service).await {
        let call = CallToolRequestParams::new(name);
        let result = client.call_tool(call).await.unwrap();
        all.push(texts(&result).join("\n"));
    }
    all
}

/// A part of a restaurant.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Part {
    Garden,
    Bar,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Diet {
    /// No meat.
    Vegetarian,
    /// Nothing of animals.
    Vegan,
}

#[derive(Debug, Deserialize, ToolInput)]
#[expect(dead_code, reason = "its text is read")]
struct Party {
    /// The number of guests.
    #[tool(range(1..=20))]
    guests: u8,
    part: Part,
    diets: Vec<Diet>,
    /// Where to write to.
    #[tool(format = "email")]
    mail: Option<String>,
    #[tool(range(0.5..10.0))]
    hours: f64,
    loud: bool,
}

/// Book a table.
#[tool]
async fn book_table(#[context] ask: Elicit<Party>) -> Result<String, ToolError> {
    Ok(format!("{:?}", ask.form("Who comes?").await?))
}

#[tokio::test]
async fn a_form_has_the_fields_of_the_type() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let shown = Arc::clone(&seen);
    let person = person(move |question| {
        shown.lock().unwrap().push(question);
        let answer = json!({
            "guests": 3, "part": "bar", "diets": ["vegan"], "hours": 2, "loud": false,
        });
        (ElicitationAction::Accept, Some(answer))
    });
    let results = call(&Service::new(toolset![book_table]), person, "book_table").await;
    let expected = "Accepted(Party { guests: 3, part: Bar, diets: [Vegan], mail: None, hours: 2.0, loud: false })";
    assert_eq!(results, [expected; 4]);
    for question in seen.lock().unwrap().iter() {
        assert_eq!(question["message"], "Who comes?");
        assert_eq!(
            question["requestedSchema"],
            json!({
                "type": "object",
                "properties": {
                    "guests": {
                        "type": "integer", "minimum": 1, "maximum": 20,
                        "description": "The number of guests.",
                    },
                    "part": {
                        "type": "string", "enum": ["garden", "bar"],
                        "description": "A part of a restaurant.",
                    },
                    "diets": {"type": "array", "items": {"anyOf": [
                        {"const": "vegetarian", "title": "No meat."},
                        {"const": "vegan", "title": "Nothing of animals."},
                    ]}},
                    "mail": {
                        "type": "string", "format": "email", "description": "Where to write to.",
                    },
                    "hours": {"type": "number", "minimum": 0.5, "maximum": 10.0},
                    "loud": {"type": "boolean"},
                },
                "required": ["guests", "part", "diets", "hours", "loud"],
            })
        );
    }
}

#[tokio::test]
async fn what_is_no_input_is_a_result_of_its_own() {
    let service = Service::new(toolset![book_table]);
    for (action, expected) in [
        (ElicitationAction::Decline, "declined it"),
        (ElicitationAction::Cancel, "did not decide"),
    ] {
        let person = person(move |_| (action.clone(), None));
        let expected = format!(r#"Declined {{ reason: "the person at the client {expected}" }}"#);
        assert_eq!(call(&service, person, "book_table").await, [&*expected; 4]);
    }
    let nobody = Person {
        modes: None,
        ..person(|_| panic!("nobody is asked"))
    };
    assert_eq!(
        call(&service, nobody, "book_table").await,
        ["Unsupported"; 4]
    );
    let given = [ToolCall::new("1", "book_table", "{}")];
    let results = toolset![book_table].dispatch(&given).await;
    assert_eq!(results[0].to_model_text(), "Unsupported");
}

#[tokio::test]
async fn an_answer_is_checked() {
    let answer = json!({"guests": 21, "part": "bar", "diets": [], "hours": 2, "loud": true});
    let person = person(move |_| (ElicitationAction::Accept, Some(answer.clone())));
    for result in call(&Service::new(toolset![book_table]), person, "book_table").await {
        assert!(result.contains("guests"), "{result}");
    }
}

/// The form takes 10 hours, since it has no limit that is not reached.
#[tokio::test]
async fn an_answer_that_fits_the_form_alone_is_asked_for_again() {
    let answer =
        |hours: f64| json!({"guests": 3, "part": "bar", "diets": [], "hours": hours, "loud": true});
    let service = Service::new(toolset![book_table]);
    let mends = person(move |question| {
        let message = question["message"].as_str().unwrap();
        assert!(message.starts_with("Who comes?"), "{message}");
        let hours = if message.contains("hours") { 2.0 } else { 10.0 };
        (ElicitationAction::Accept, Some(answer(hours)))
    });
    for result in call(&service, mends, "book_table").await {
        assert!(result.starts_with("Accepted(Party"), "{result}");
        assert!(result.contains("hours: 2.0"), "{result}");
    }
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let insists = person(move |_| {
        *count.lock().unwrap() += 1;
        (ElicitationAction::Accept, Some(answer(10.0)))
    });
    for result in call(&service, insists, "book_table").await {
        assert!(result.contains("hours"), "{result}");
        assert!(!result.contains("Accepted"), "{result}");
    }
    // Three times each.
    assert_eq!(*asked.lock().unwrap(), 4 * 3);
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

#[derive(Debug, Deserialize, ToolInput)]
#[expect(dead_code, reason = "its text is read")]
struct Name {
    name: String,
}

/// Ask for two things, and then for the first one again.
#[tool(approval)]
async fn ask_often(
    #[context] cx: &ToolContext,
    #[context] Extension(log): Extension<Log>,
    #[context] ask: Elicit<Name>,
    #[context] confirm: Elicit<()>,
) -> Result<String, ToolError> {
    let key = cx.idempotency_key().unwrap_or_default();
    log.0.lock().unwrap().push(key);
    let first = ask.form("Your name?").await?;
    let second = ask.form("Your name?").await?;
    let sure = confirm.form("Sure?").await?;
    Ok(format!("{first:?} {second:?} {sure:?}"))
}

#[tokio::test]
async fn a_call_that_runs_again_has_its_answers_and_its_key() {
    let log = Log::default();
    let names = Arc::new(Mutex::new(0));
    let person = person(move |question| {
        let message = question["message"].as_str().unwrap();
        let name = message.contains("name").then(|| {
            *names.lock().unwrap() += 1;
            json!({"name": names.lock().unwrap().to_string()})
        });
        (ElicitationAction::Accept, name)
    });
    let service = Service::new(toolset![ask_often]).with_extension(log.clone());
    let results = call(&service, person, "ask_often").await;
    let expected = [(1, 2), (3, 4), (5, 6), (7, 8)].map(|(first, second)| {
        let name = |name| format!("Accepted(Name {{ name: \"{name}\" }})");
        format!("{} {} Accepted(())", name(first), name(second))
    });
    assert_eq!(results, expected);
    // The older version runs a call once, the newer one again after each answer, after the approval.
    let mut keys = log.0.lock().unwrap().clone();
    assert_eq!(keys.len(), 2 + 2 * 4);
    keys.dedup();
    assert_eq!(keys.len(), 4, "{keys:?}");
}

/// Sign in at a page.
#[tool]
async fn sign_in(#[context] ask: Elicit<()>) -> Result<String, ToolError> {
    let opened = ask.url("Sign in.", "https://example.com/in?id=7").await?;
    Ok(format!("{opened:?} {}", opened == Elicited::Accepted(())))
}

#[tokio::test]
async fn an_address_is_opened() {
    let service = Service::new(toolset![sign_in]);
    let opens = person(|question| {
        assert_eq!(question["mode"], "url");
        assert_eq!(question["message"], "Sign in.");
        assert_eq!(question["url"], "https://example.com/in?id=7");
        (ElicitationAction::Accept, None)
    });
    assert_eq!(
        call(&service, opens.clone(), "sign_in").await,
        ["Accepted(()) true"; 4]
    );
    let forms_only = Person {
        modes: Some(json!({"form": {}})),
        ..opens
    };
    assert_eq!(
        call(&service, forms_only, "sign_in").await,
        ["Unsupported false"; 4]
    );
}
