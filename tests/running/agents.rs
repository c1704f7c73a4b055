//! Agents in agents: runners as tools of others.

mod approvals;
mod cancelled;
mod deep;
mod events;
mod limits;
mod results;
mod streamed;

use toolwright::{
    ModelResponse, Runner, Tool, ToolCall, Toolset,
    model::Usage,
    runner::{RunnerBuilder, SubAgent},
    testing::{ScriptedModel, ScriptedResponse},
};

/// A response with these calls, which took 100 tokens.
fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> ModelResponse {
    let calls = calls.into_iter().enumerate();
    let calls = calls.map(|(id, (name, arguments))| ToolCall::new(id.to_string(), name, arguments));
    spending(ModelResponse::from_calls(calls))
}

/// A response with a call of an agent.
fn asks(name: &str) -> ModelResponse {
    calls([(name, r#"{"task": "Look it up."}"#)])
}

/// A response with a text, which took 100 tokens.
fn says(text: &str) -> ModelResponse {
    spending(ModelResponse::from_text(text))
}

fn spending(mut response: ModelResponse) -> ModelResponse {
    response.usage = Some(Usage::new(60, 40));
    response
}

fn builder<R: Into<ScriptedResponse>>(
    script: impl IntoIterator<Item = R>,
    tools: impl IntoIterator<Item = impl Tool>,
) -> RunnerBuilder {
    Runner::builder(ScriptedModel::new(script)).tools(set(tools))
}

fn runner<R: Into<ScriptedResponse>>(
    script: impl IntoIterator<Item = R>,
    tools: impl IntoIterator<Item = impl Tool>,
) -> Runner {
    builder(script, tools).build().expect("builds")
}

fn set(tools: impl IntoIterator<Item = impl Tool>) -> Toolset {
    let with = |set: Toolset, tool| set.with(tool).expect("names differ");
    tools.into_iter().fold(Toolset::new(), with)
}

fn agent(runner: &Runner, name: &str) -> SubAgent {
    let agent = runner.as_tool(name, "Looks things up for somebody.");
    agent.expect("a name and a description")
}

/// No tools.
const NONE: [SubAgent; 0] = [];
