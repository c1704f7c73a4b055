//! Tools that ask the person at the client.

use serde::{Deserialize, Serialize};
use serde_json::json;
use toolwright::{
    ToolContext, ToolError, ToolInput, Toolset,
    approval::Decision,
    mcp::{Elicit, Elicited},
    schema::Schema,
    tool,
    tool::Question,
    toolset,
};

pub(crate) fn tools() -> Toolset {
    toolset![
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
        test_input_required_result_elicitation,
        test_input_required_result_request_state,
        test_input_required_result_multi_round,
        test_input_required_result_tampered_state,
        test_missing_capability,
    ]
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct User {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Ask for a name and an address.
#[tool(read_only)]
async fn test_elicitation(
    /// The message to show the user
    message: String,
    #[context] ask: Elicit<User>,
) -> Result<String, ToolError> {
    Ok(match ask.form(message).await? {
        Elicited::Accepted(User { username, email }) => {
            format!("User response: accept, {username}, {email}")
        }
        other => format!("User response: {}", shown(other)),
    })
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Defaults {
    /// User's name
    #[serde(default = "Defaults::name")]
    name: String,
    /// User's age
    #[serde(default = "Defaults::age")]
    age: u8,
    /// User's score
    #[serde(default = "Defaults::score")]
    score: f64,
    /// User's status
    #[serde(default = "Defaults::status")]
    status: Status,
    /// Whether the user is verified
    #[serde(default = "Defaults::verified")]
    verified: bool,
}

impl Defaults {
    fn name() -> String {
        "John Doe".to_owned()
    }

    fn age() -> u8 {
        30
    }

    fn score() -> f64 {
        95.5
    }

    fn status() -> Status {
        Status::Active
    }

    fn verified() -> bool {
        true
    }
}

/// Ask with values that are there already.
#[tool(read_only)]
async fn test_elicitation_sep1034_defaults(
    #[context] ask: Elicit<Defaults>,
) -> Result<String, ToolError> {
    let answer = ask.form("Please check these values").await?;
    Ok(format!("Elicitation completed: {}", shown(answer)))
}

/// Ask for choices, one of them in the form of earlier versions (`enumNames`), which no type of ours has.
#[tool(read_only)]
async fn test_elicitation_sep1330_enums(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    let values = ["value1", "value2", "value3"];
    let labels = ["First Option", "Second Option", "Third Option"];
    let titled: Vec<_> = values
        .iter()
        .zip(labels)
        .map(|(value, title)| json!({"const": value, "title": title}))
        .collect();
    let properties = json!({
        "untitledSingle": {"type": "string", "enum": values},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": values, "enumNames": labels},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": values}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    });
    let form = Schema::from_value(&json!({"type": "object", "properties": properties}));
    let answer = cx.ask("choices", Question::form("Please choose", form));
    Ok(match answer.await? {
        Decision::ApproveWith { arguments } => {
            format!("Elicitation completed: action=accept, content={arguments}")
        }
        _ => "Elicitation completed: action=decline".to_owned(),
    })
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Name {
    name: String,
}

/// Ask for a name.
#[tool(read_only)]
async fn test_input_required_result_elicitation(
    #[context] ask: Elicit<Name>,
) -> Result<String, ToolError> {
    let ask = ask.named("user_name");
    Ok(match ask.form("What is your name?").await? {
        Elicited::Accepted(Name { name }) => format!("Hello, {name}!"),
        other => shown(other),
    })
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Confirmed {
    ok: bool,
}

/// Ask for a confirmation.
#[tool(read_only)]
async fn test_input_required_result_request_state(
    #[context] ask: Elicit<Confirmed>,
) -> Result<String, ToolError> {
    Ok(match ask.form("Please confirm").await? {
        Elicited::Accepted(Confirmed { ok }) => format!("state-ok: {ok}"),
        other => shown(other),
    })
}

#[derive(Debug, Deserialize, Serialize, ToolInput)]
struct Color {
    color: String,
}

/// Ask twice.
#[tool(read_only)]
async fn test_input_required_result_multi_round(
    #[context] ask_name: Elicit<Name>,
    #[context] ask_color: Elicit<Color>,
) -> Result<String, ToolError> {
    let name = ask_name.form("Step 1: What is your name?").await?;
    let color = ask_color
        .form("Step 2: What is your favorite color?")
        .await?;
    Ok(format!("{}, {}", shown(name), shown(color)))
}

/// Ask for a confirmation whose state nobody may change.
#[tool(read_only)]
async fn test_input_required_result_tampered_state(
    #[context] ask: Elicit<Confirmed>,
) -> Result<String, ToolError> {
    Ok(shown(ask.form("Please confirm").await?))
}

/// Need the answer of a person.
#[tool(read_only)]
async fn test_missing_capability(#[context] ask: Elicit<Confirmed>) -> Result<String, ToolError> {
    Ok(shown(ask.required().form("Please confirm").await?))
}

/// The answer in words.
fn shown(answer: Elicited<impl Serialize>) -> String {
    match answer {
        Elicited::Accepted(form) => serde_json::to_string(&form).unwrap_or_default(),
        Elicited::Declined { .. } => "decline".to_owned(),
        Elicited::Unsupported => "unsupported".to_owned(),
    }
}
