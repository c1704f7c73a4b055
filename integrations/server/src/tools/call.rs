//! Calls a tool without a model.

use std::{sync::Arc, time::Instant};
use toolwright_runtime::Dispatch as _;

use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use bytes::Bytes;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use toolwright_core::{
    ApprovalPolicy, ApprovalRequest, CancellationToken, Decision, Effects, ToolCall, Toolset,
    driver::Mutex,
};
use toolwright_runtime::{DispatchEvent, DispatchOptions};

use super::shown::{Progress, Shown};
use crate::{
    app::App,
    body::{self, place},
    caller::Visitor,
    failure::Failure,
    incoming,
    parts::Read,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallRequest {
    arguments: Option<Box<RawValue>>,
    /// The arguments as a model would write them: no JSON, perhaps.
    arguments_text: Option<String>,
    #[serde(default)]
    approved: bool,
}

/// Calls a tool, if the server lets its callers do that, with the context of the visitor and the limits of the runner. A call
/// that may change something runs if the visitor has approved it.
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Read(Path(name)): Read<Path<String>>,
    request: Request,
) -> Result<Response, Failure> {
    if !app.calls_by_hand {
        let message = "direct tool calls are not enabled (`Server::calls_by_hand`)";
        return Err(Failure::forbidden(message));
    }
    let tools = visitor.runner.tools();
    if tools.find(&name).is_none() {
        return Err(Failure::not_found());
    }
    let asked: CallRequest = incoming::read_as(&app, request).await?;
    let arguments = match (asked.arguments, asked.arguments_text) {
        (Some(json), None) => json.get().to_owned(),
        (None, Some(text)) => text,
        _ => {
            let message = "send either `arguments` or `argumentsText`";
            return Err(Failure::bad_request(message));
        }
    };
    let policy = tools.policy(&name);
    if policy.external {
        let message = "calls of this tool are answered by the application, and cannot run here";
        return Err(Failure::conflict("external", message));
    }
    let place = place(&app, &visitor)?;
    // Who looks for it in traces finds one call.
    let call = ToolCall::new(format!("by_hand_{}", app.call_number()), name, arguments);
    let options = visitor.runner.dispatch_options();
    let options = match visitor.runner.limits().max_time {
        Some(time) => options.with_deadline(time),
        None => options,
    };
    let needs_approval = options.calls.approvals().asks(&policy);
    let asks = policy.effects == Effects::Write || needs_approval;
    let by_caller = app.self_approval || !needs_approval;
    if asks && !asked.approved {
        check(&tools, &call, &options, by_caller).await?;
    }
    let mut calls = options.calls.clone();
    // Nothing runs that was not asked about, also if its arguments did not fit the schema.
    if asks && !asked.approved {
        let denied = |_: ApprovalRequest| async { Decision::deny("the call was not approved") };
        calls = calls
            .with_approvals(ApprovalPolicy::All)
            .with_approver(denied);
    } else if by_caller {
        calls = calls.with_approver(async |_: ApprovalRequest| Decision::Approve);
    }
    #[cfg(feature = "tracing")]
    tracing::info!(
        owner = visitor.owner.as_deref(),
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = call.id,
        argument_bytes = call.arguments.len(),
        approved = asked.approved,
        "call by hand"
    );
    let (send, received) = mpsc::channel(1);
    let tells_all = app.tells_all();
    tokio::spawn(run(tools, call, options.with_calls(calls), tells_all, send));
    let events = stream::unfold((received, place), async |(mut received, place)| {
        let event = received.recv().await?;
        Some((event, (received, place)))
    });
    Ok(body::of_events(events))
}

/// Refuses a call without an approval, and returns the arguments that it would run with. A call whose arguments do not
/// fit is let through: it does nothing but to say so.
async fn check(
    tools: &Toolset,
    call: &ToolCall,
    options: &DispatchOptions,
    by_caller: bool,
) -> Result<(), Failure> {
    let shown = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&shown);
    let ask = move |request: ApprovalRequest| {
        *seen.lock() = Some(request.call.arguments);
        async { Decision::deny("it is only looked at") }
    };
    let calls = options.calls.clone().with_approvals(ApprovalPolicy::All);
    let options = options.clone().with_calls(calls.with_approver(ask));
    tools
        .dispatch_with(std::slice::from_ref(call), &options)
        .await;
    let shown = shown.lock().take();
    let Some(arguments) = shown else {
        return Ok(());
    };
    // To the digit, and in this order.
    let parsed: Option<Box<RawValue>> = serde_json::from_str(&arguments).ok();
    let message = "the call may change something: send it again with `approved`";
    Err(Failure::conflict("approval_required", message)
        .with("arguments", &parsed)
        .with("argumentsText", &arguments)
        .with("selfApproval", &by_caller))
}

/// Runs a call, and sends its events. If the reader is gone, the call is cancelled.
async fn run(
    tools: Toolset,
    call: ToolCall,
    options: DispatchOptions,
    tells_all: bool,
    send: mpsc::Sender<Bytes>,
) {
    let (begun, stop) = (Instant::now(), CancellationToken::new());
    let context = options.context.clone().with_cancellation(stop.clone());
    let options = options.with_context(context);
    let calls = [call];
    let mut events = tools.dispatch_stream(&calls, &options);
    loop {
        let event = tokio::select! {
            biased;
            () = send.closed(), if !stop.is_cancelled() => {
                stop.cancel();
                continue;
            }
            event = events.next() => event,
        };
        match event {
            None => return,
            // The next one says more. A client that reads slowly holds up no tool.
            Some(DispatchEvent::Update { update, .. }) => {
                drop(send.try_send(frame("progress", &Progress::of(&update))));
            }
            Some(DispatchEvent::Finished { result, .. }) => {
                let shown = Shown::of(&result, begun.elapsed(), tells_all);
                // A reader that is gone is noticed above.
                let _ = send.send(frame("result", &shown)).await;
            }
            Some(_) => {}
        }
    }
}

fn frame(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    // Inside a string they are escaped; in JSON of a tool they stand where any space may.
    let data = data.replace(['\n', '\r'], " ");
    format!("event: {name}\ndata: {data}\n\n").into()
}
