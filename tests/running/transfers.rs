//! Agents that hand a conversation over to each other.

mod approvals;
mod bounds;
mod building;
mod calls;
mod going_on;
mod models;
mod settings;
mod there_and_back;
mod typed;

use toolwright::{
    ModelResponse, Runner, Tool, ToolCall, Toolset,
    model::ModelRequest,
    runner::{Agent, RunnerBuilder},
    testing::{ScriptedModel, ScriptedResponse},
};

/// A response with calls without arguments.
fn calls(names: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(names.iter().map(|name| ToolCall::new("a", *name, "{}")))
}

/// A response that hands over to an agent.
fn to(agent: &str) -> ModelResponse {
    calls(&[&format!("transfer_to_{agent}")])
}

fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

fn model<R: Into<ScriptedResponse>>(script: impl IntoIterator<Item = R>) -> ScriptedModel {
    ScriptedModel::new(script)
}

fn set(tools: impl IntoIterator<Item = impl Tool>) -> Toolset {
    let with = |set: Toolset, tool| set.with(tool).expect("names differ");
    tools.into_iter().fold(Toolset::new(), with)
}

/// The runner of an agent, whose system text has its name.
fn member(name: &str, model: &ScriptedModel) -> RunnerBuilder {
    Runner::builder(model.clone()).system(format!("You are {name}."))
}

fn agent(name: &str, runner: RunnerBuilder) -> Agent {
    let runner = runner.build().expect("is sound");
    Agent::new(name, format!("Knows all about {name}."), runner)
}

/// A runner with an agent `main` and an agent `billing`.
fn pair(main: &ScriptedModel, billing: &ScriptedModel) -> RunnerBuilder {
    member("main", main).agent(agent("billing", member("billing", billing)))
}

fn names(request: &ModelRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| &*tool.name).collect()
}

fn system(request: &ModelRequest) -> &str {
    request.system.as_deref().unwrap_or_default()
}

/// The results of the last round in a request, as the model reads them.
fn results(request: &ModelRequest) -> Vec<String> {
    let mut rounds = request.messages.iter().filter_map(|message| match message {
        toolwright::Message::Assistant(message) => message.tool_rounds.iter().next_back(),
        toolwright::Message::User(_) => None,
    });
    let last = rounds.next_back().expect("there is a round");
    let texts = last.results.iter();
    texts
        .map(|result| result.to_model_text().into_owned())
        .collect()
}
