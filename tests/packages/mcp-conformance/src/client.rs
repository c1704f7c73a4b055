//! The client that the conformance suite of the Model Context Protocol starts, with the address of its server. It calls what the
//! suite names, or else every tool. What it is to observe is on the server's side, so that a call that fails is no failure here.

use std::env;

use serde_json::{Map, Value, json};
use toolwright::{
    Dispatch, ToolCall, ToolDefinition, Toolset,
    approval::Decision,
    mcp::{Authorization, Client},
    tool::{Question, QuestionWay},
};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    // `reqwest`, which opens the pages, has no TLS of its own here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = env::args().nth(1).ok_or("the address is missing")?;
    let client = Client::http_authorized(&authorization(url).await?).await?;
    let client = client.asking(async |question, _| answer(&question));
    let tools = client.toolset().await?;
    for (name, arguments) in calls(&tools)? {
        let call = ToolCall::new("1", name, arguments.to_string());
        for result in tools.dispatch(&[call]).await {
            println!("{}", result.to_model_text());
        }
    }
    Ok(())
}

/// An authorisation whose person opens each page at once, or that of the program itself. The suite has set its address.
async fn authorization(url: String) -> Result<Authorization, Failure> {
    let context = context()?;
    let text = |key: &str| context[key].as_str().unwrap_or_default();
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    if scenario.starts_with("auth/client-credentials") {
        let issuer = issuer(&url).await?;
        let program = Authorization::client_credentials(url).registered(issuer, text("client_id"));
        return Ok(program.secret(text("client_secret")));
    }
    let known = Authorization::new(url, Authorization::LOOPBACK)
        .described_at("https://conformance-test.local/client-metadata.json")
        .browser(|address| {
            let opened = reqwest::get(address.to_owned());
            tokio::spawn(async move {
                if let Err(error) = opened.await {
                    eprintln!("the page does not open: {error}");
                }
            });
        });
    Ok(if context["client_id"].is_string() {
        known
            .registered(text("issuer"), text("client_id"))
            .secret(text("client_secret"))
    } else {
        known
    })
}

/// The authorization server of a server. A program of people names it; the suite does not.
async fn issuer(url: &str) -> Result<String, Failure> {
    let about = url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    let about: Value = serde_json::from_str(&reqwest::get(about).await?.text().await?)?;
    let issuer = about["authorization_servers"][0].as_str();
    Ok(issuer
        .ok_or("the server names no authorization server")?
        .to_owned())
}

fn context() -> Result<Value, Failure> {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_else(|_| "{}".to_owned());
    Ok(serde_json::from_str(&context)?)
}

/// What the suite names (`toolCalls` of its context), else a call of each tool.
fn calls(tools: &Toolset) -> Result<Vec<(String, Value)>, Failure> {
    let context = context()?;
    if let Some(named) = context["toolCalls"].as_array() {
        let named = named.iter().map(|call| {
            let name = call["name"].as_str().unwrap_or_default();
            (name.to_owned(), call["arguments"].clone())
        });
        return Ok(named.collect());
    }
    let each = tools.definitions();
    Ok(each
        .map(|tool| (tool.name.to_string(), arguments(tool, tools)))
        .collect())
}

/// A value for each required parameter.
fn arguments(tool: &ToolDefinition, tools: &Toolset) -> Value {
    // This one returns the schema of another, so that the suite sees how it arrived here.
    if let (true, Some(other)) = (
        tool.name == "json_schema_echo",
        tools.find("json_schema_2020_12_tool"),
    ) {
        return json!({"schema": other.definition().input_schema.to_value()});
    }
    let schema = tool.input_schema.to_value();
    let required = schema["required"].as_array().into_iter().flatten();
    let required = required.filter_map(Value::as_str);
    let values = required.map(|name| (name.to_owned(), value(&schema["properties"][name])));
    Value::Object(values.collect())
}

/// Fills in a form with what it offers.
fn answer(question: &Question) -> Decision {
    let QuestionWay::Form(schema) = &question.way else {
        return Decision::deny("no address is opened");
    };
    let schema = schema.to_value();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields = fields.map(|(name, field)| (name.clone(), value(field)));
    let form: Map<_, _> = fields.collect();
    Decision::approve_with(Value::Object(form).to_string())
}

fn value(schema: &Value) -> Value {
    let by_type = match schema["type"].as_str() {
        Some("string") => json!("test"),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => Value::Null,
    };
    schema.get("default").cloned().unwrap_or(by_type)
}
