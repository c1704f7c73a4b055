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
use serde_json::{Value, json};
use toolwright_core::{ToolDefinition, ToolPolicy, Toolset};

pub(crate) use call::call;

use crate::{app::App, caller::Visitor, failure::Failure, json, parts::Read};

/// All of them.
pub(crate) async fn list(Extension(visitor): Extension<Visitor>) -> Result<Response, Failure> {
    let tools = visitor.runner.tools();
    let shown: Vec<_> = tools
        .definitions()
        .map(|tool| shown(&tools, tool))
        .collect();
    json::json(&json!({ "tools": shown }))
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
    #[cfg_attr(
        not(feature = "playground"),
        expect(unused_mut, reason = "only a page shows more")
    )]
    let mut shown = shown(&tools, tool);
    if app.playground {
        #[cfg(feature = "playground")]
        sent::add(&mut shown, tool);
    }
    json::json(&shown)
}

fn shown(tools: &Toolset, tool: &ToolDefinition) -> Value {
    let policy = tools.policy(&tool.name);
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "parameters": tool.input_schema,
        "effects": policy.effects,
        "policies": policies(&policy),
        "external": policy.external,
    })
}

fn policies(policy: &ToolPolicy) -> Value {
    json!({
        "timeoutMs": policy.timeout.map(millis),
        "retries": policy.allowed_retries(),
        "rateLimit": policy.rate_limit.map(|limit| json!({
            "calls": limit.calls,
            "periodMs": millis(limit.period),
            "onExcess": limit.on_excess,
        })),
        "approval": policy.approval,
        "requires": policy.requires,
        "sequential": policy.sequential,
        "maxOutputBytes": policy.max_output,
        "polls": policy.polls,
        "endsRun": policy.ends_run,
    })
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
        "limits": {
            "bodyBytes": limits.body_bytes,
            "streams": limits.streams,
            "page": limits.page,
        },
    }))
}
