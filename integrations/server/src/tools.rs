//! The tools that the model is offered.

mod call;
#[cfg(feature = "playground")]
mod sent;
mod shown;

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, State},
    response::Response,
};
use serde::Serialize;
use serde_json::json;
use toolwright_core::{Capabilities, Effects, OnExcess, Schema, ToolDefinition, Toolset};

pub(crate) use call::{BY_HAND, call};

use crate::{app::App, caller::Visitor, failure::Failure, json, parts::Read};

/// All of them.
pub(crate) async fn list(Extension(visitor): Extension<Visitor>) -> Result<Response, Failure> {
    let tools = visitor.runner.tools();
    let shown = tools.definitions().map(|tool| shown(&tools, tool));
    json::json(&ShownTools {
        tools: shown.collect(),
    })
}

/// One of them, by its name.
pub(crate) async fn one(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(name)): Read<Path<String>>,
) -> Result<Response, Failure> {
    let tools = visitor.runner.tools();
    let tool = tools.definitions().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(Failure::not_found)?;
    let shown = shown(&tools, tool);
    #[cfg(feature = "playground")]
    if app.playground {
        return json::json(&sent::Prepared::of(shown, tool));
    }
    #[cfg(not(feature = "playground"))]
    let _ = app;
    json::json(&shown)
}

#[derive(Serialize)]
struct ShownTools<'a> {
    tools: Vec<ShownTool<'a>>,
}

/// A tool. Its schema is written as it is: a JSON value would lose the order of the arguments.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownTool<'a> {
    name: &'a str,
    title: Option<&'a str>,
    description: &'a str,
    parameters: &'a Schema,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a Schema>,
    effects: Effects,
    policies: Policies,
    external: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a policy of its own")]
struct Policies {
    timeout_ms: Option<u64>,
    retries: u32,
    rate_limit: Option<ShownRateLimit>,
    approval: bool,
    requires: Capabilities,
    sequential: bool,
    max_output_bytes: Option<usize>,
    polls: bool,
    ends_run: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownRateLimit {
    calls: u32,
    period_ms: u64,
    on_excess: OnExcess,
}

fn shown<'a>(tools: &Toolset, tool: &'a ToolDefinition) -> ShownTool<'a> {
    let policy = tools.policy(&tool.name);
    ShownTool {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: &tool.description,
        parameters: &tool.input_schema,
        output: tool.output_schema.as_ref(),
        effects: policy.effects,
        external: policy.external,
        policies: Policies {
            timeout_ms: policy.timeout.map(millis),
            retries: policy.allowed_retries(),
            rate_limit: policy.rate_limit.map(|limit| ShownRateLimit {
                calls: limit.calls.get(),
                period_ms: millis(limit.period),
                on_excess: limit.on_excess,
            }),
            approval: policy.approval,
            requires: policy.requires,
            sequential: policy.sequential,
            max_output_bytes: policy.max_output,
            polls: policy.polls,
            ends_run: policy.ends_run,
        },
    }
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// What a page asks first.
pub(crate) async fn info(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let limits = &app.limits;
    json::json(&json!({
        "name": app.name,
        "version": env!("CARGO_PKG_VERSION"),
        "model": app.runner.model_name(),
        "playground": app.playground,
        "callsByHand": app.calls_by_hand,
        "selfApproval": app.self_approval,
        "suggestions": app.suggestions,
        "limits": {
            "bodyBytes": limits.body_bytes,
            "streams": limits.streams,
            "page": limits.page,
        },
    }))
}
