//! Habits of other frameworks that compile as they are. Those that do not are in `tests/ui/habits`.

use toolwright::{
    Conversation, ModelResponse, ToolCall, ToolContext, Toolset,
    message::text_of,
    tool,
    tool::{Extension, ExtensionRef},
    toolset,
};

/// The result of a call, in rmcp's words.
#[derive(serde::Serialize)]
struct CallToolResult {
    content: Vec<String>,
}

#[derive(Debug)]
struct ErrorData;

impl std::error::Error for ErrorData {}

impl std::fmt::Display for ErrorData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the shop is closed")
    }
}

#[derive(Clone)]
struct User(&'static str);

struct Pool {
    connections: usize,
}

// rmcp, rig: the description is a key.
#[tool(name = "add", description = "Add two numbers to each other")]
async fn sum(a: i32, b: i32) -> i32 {
    a + b
}

// rmcp: a result of its own type, with an error of its own.
/// Find products by a word in their name.
#[tool]
async fn find(word: String) -> Result<CallToolResult, ErrorData> {
    (word != "hat").then_some(()).ok_or(ErrorData)?;
    Ok(CallToolResult {
        content: vec![word],
    })
}

// rig, LangChain: `anyhow::Result`.
/// Parse a number of the user.
#[tool]
fn parse(text: String) -> anyhow::Result<i64> {
    Ok(text.parse::<i64>()?)
}

// rig, rmcp: `JsonSchema` alone, marked.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: i32,
    b: i32,
}

/// Add the parts of a sum to each other.
#[tool]
fn add_up(#[tool(schemars)] sum: Sum) -> i32 {
    sum.a + sum.b
}

// axum: a parameter that takes apart what it extracts.
/// Say who asks, and with what.
#[tool]
fn who(
    #[context] Extension(User(name)): Extension<User>,
    #[context] ExtensionRef(pool): ExtensionRef<'_, Pool>,
    greeting: String,
    #[context] Extension(user): Extension<User>,
) -> Option<String> {
    let User(again) = user;
    (name == again).then(|| format!("{greeting} {name} by {}", pool.connections))
}

async fn called(tools: &Toolset, name: &str, arguments: &str) -> String {
    let cx = ToolContext::default()
        .with_extension(User("Ada"))
        .with_extension(Pool { connections: 3 });
    let call = ToolCall::new("1", name, arguments);
    toolwright::Dispatch::call(tools, &call, &cx)
        .await
        .to_model_text()
        .into_owned()
}

#[tokio::test]
async fn habits_that_compile_are_right() {
    let tools = toolset![sum, find, parse, add_up, who];
    let first = tools.definitions().next().unwrap();
    assert_eq!(
        (&*first.name, &*first.description),
        ("add", "Add two numbers to each other")
    );
    for (name, arguments, result) in [
        ("add", r#"{"a": 2, "b": 40}"#, "42"),
        ("find", r#"{"word": "scarf"}"#, r#"{"content":["scarf"]}"#),
        ("parse", r#"{"text": "7"}"#, "7"),
        ("add_up", r#"{"sum": {"a": 2, "b": 40}}"#, "42"),
        ("who", r#"{"greeting": "Hello,"}"#, "Hello, Ada by 3"),
    ] {
        assert_eq!(called(&tools, name, arguments).await, result, "{name}");
    }
    for (name, arguments) in [
        ("find", r#"{"word": "hat"}"#),
        ("parse", r#"{"text": "x"}"#),
    ] {
        let text = called(&tools, name, arguments).await;
        assert!(text.starts_with("Tool execution failed"), "{text}");
        assert!(
            !text.contains("closed") && !text.contains("digit"),
            "it is for the log: {text}"
        );
    }
}

#[test]
fn the_last_question_can_be_taken_back() {
    let mut conversation = Conversation::new().with_system("Be brief.");
    assert!(conversation.pop_user().is_none());
    conversation.push_user("Hello.");
    conversation.push_response(ModelResponse::from_text("Hello."));
    let before = conversation.clone();
    conversation.push_user("Weather in Olso?");
    let call = ToolCall::new("1", "get_weather", r#"{"city": "Olso"}"#);
    conversation.push_response(ModelResponse::from_calls([call]));
    assert!(conversation.requires_tool_execution());

    let asked = conversation.pop_user().expect("it was asked");
    assert_eq!(text_of(&asked.parts), "Weather in Olso?");
    assert_eq!(conversation, before);
    assert!(!conversation.requires_tool_execution());
    conversation.pop_user().expect("it was said");
    assert!(conversation.messages().is_empty());
    assert_eq!(conversation.system(), Some("Be brief."));
}

#[test]
fn what_is_no_longer_sent_is_forgotten_with_what_it_tells_of() {
    let mut conversation = Conversation::new();
    for word in ["One", "Two"] {
        conversation.push_user(format!("{word}?"));
        conversation.push_response(ModelResponse::from_text(word));
    }
    let mut stored = serde_json::to_value(&conversation).unwrap();
    stored["compaction"] = serde_json::json!({"left_out": 2, "requests_from": 2, "shortened": 2});
    let mut conversation: Conversation = serde_json::from_value(stored).expect("it is stored so");
    assert!(conversation.pop_user().is_some());
    assert!(
        conversation.compaction().is_some(),
        "what it tells of is there"
    );
    assert!(conversation.pop_user().is_some());
    assert!(conversation.compaction().is_none());
    let again = serde_json::to_string(&conversation).unwrap();
    assert!(serde_json::from_str::<Conversation>(&again).is_ok());
}
