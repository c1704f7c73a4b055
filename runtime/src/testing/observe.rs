//! Calls one tool and keeps what it says.

use std::{mem::take, sync::Arc};

use serde_json::Value;

use crate::Dispatch as _;
use toolwright_core::testing::context;
use toolwright_core::{
    ToolError, Toolset,
    driver::Mutex,
    tool::{CallUpdate, Progress, ToolCall, ToolOutput},
};

/// The updates of a call and its outcome.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Observed {
    /// The progress and the partial results of the call, all of them, in order.
    pub updates: Vec<CallUpdate>,
    /// The outcome of the call.
    pub outcome: Result<ToolOutput, ToolError>,
}

/// Calls one tool of a set by its name, as [`call`](super::call) does, and collects the updates that come before its
/// result.
pub async fn observe(tools: &Toolset, name: &str, arguments: Value) -> Observed {
    let updates = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&updates);
    let listener = move |update| {
        let mut heard = heard.lock();
        heard.push(update);
    };
    let cx = context().with_progress(Progress::new(listener));
    let call = ToolCall::new(cx.call_id(), name, arguments.to_string());
    let outcome = tools.call(&call, &cx).await.outcome.map_err(|error| *error);
    let updates = take(&mut *updates.lock());
    Observed { updates, outcome }
}
