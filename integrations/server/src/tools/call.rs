//! Calls a tool without a model: in a run of this call alone.

use std::{sync::Arc, time::Instant};

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
    ApprovalPolicy, ApprovalRequest, Decision, Effects, ErrorCategory, Finish, ToolCall, ToolError,
    ToolResult, Toolset,
    driver::Mutex,
    run::{Record, RunOutcome},
};
use toolwright_runtime::{Dispatch as _, DispatchOptions, RunEvent, RunHandle};

use super::shown::{Progress, Shown};
use crate::{
    app::App,
    body::{self, place},
    caller::Visitor,
    failure::Failure,
    incoming,
    parts::Read,
};

/// The label of the run of a call by hand.
pub(crate) const BY_HAND: &str = "toolwright.by_hand";

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
    let needs_approval = options.calls.approvals().asks(&policy);
    let asks = policy.effects == Effects::Write || needs_approval;
    let by_caller = app.self_approval || !needs_approval;
    let (begun, tells_all) = (Instant::now(), app.tells_all());
    if asks && !asked.approved {
        let refused = check(&tools, &call, &options, by_caller).await?;
        let shown = Shown::of(&refused, begun.elapsed(), tells_all);
        let result = frame("result", &shown);
        return Ok(body::of_events(stream::iter([result])));
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
    let mut request = visitor.runner.call(call).label(BY_HAND, "true");
    if needs_approval && by_caller {
        request = request.approver(async |_: ApprovalRequest| Decision::Approve);
    } else if needs_approval && !options.calls.has_approver() {
        // Nobody decides about it later: who called waits for the result.
        request = request.approver(async |_: ApprovalRequest| {
            Decision::deny("it needs an approval, and there is no approver")
        });
    }
    let (send, received) = mpsc::channel(1);
    tokio::spawn(run(request.start(), (begun, tells_all), send));
    let events = stream::unfold((received, place), async |(mut received, place)| {
        let event = received.recv().await?;
        Some((event, (received, place)))
    });
    Ok(body::of_events(events))
}

/// Refuses a call without an approval, and returns the arguments that it would run with. Of a call whose arguments do not
/// fit it gives the result, which says so: nothing runs that was not asked about.
async fn check(
    tools: &Toolset,
    call: &ToolCall,
    options: &DispatchOptions,
    by_caller: bool,
) -> Result<ToolResult, Failure> {
    let shown = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&shown);
    let ask = move |request: ApprovalRequest| {
        *seen.lock() = Some(request.call.arguments);
        async { Decision::deny("it is only looked at") }
    };
    let calls = options.calls.clone().with_approvals(ApprovalPolicy::All);
    let options = options.clone().with_calls(calls.with_approver(ask));
    let calls = std::slice::from_ref(call);
    let mut results = tools.dispatch_with(calls, &options).await;
    let shown = shown.lock().take();
    let Some(arguments) = shown else {
        let none = || Failure::internal("the call has no result");
        return results.pop().ok_or_else(none);
    };
    // To the digit, and in this order.
    let parsed: Option<Box<RawValue>> = serde_json::from_str(&arguments).ok();
    let message = "the call may change something: send it again with `approved`";
    Err(Failure::conflict("approval_required", message)
        .with("arguments", &parsed)
        .with("argumentsText", &arguments)
        .with("selfApproval", &by_caller))
}

/// Drives the run of a call, and sends what happens. If the reader is gone, the call is cancelled.
async fn run(
    mut handle: RunHandle,
    (begun, tells_all): (Instant, bool),
    send: mpsc::Sender<Bytes>,
) {
    let (mut is_stopped, mut is_late, mut has_result) = (false, false, false);
    loop {
        let event = tokio::select! {
            biased;
            () = send.closed(), if !is_stopped => {
                is_stopped = true;
                handle.cancel();
                continue;
            }
            event = handle.next() => event,
        };
        match event {
            None => break,
            // The next one says more. A client that reads slowly holds up no tool.
            Some(RunEvent::Update { update, .. }) => {
                drop(send.try_send(frame("progress", &Progress::of(&update))));
            }
            Some(RunEvent::Recorded { record, .. }) => match record {
                Record::TimeLimitReached => is_late = true,
                Record::CallFinished { mut result, .. } => {
                    if is_late {
                        say_late(&mut result);
                    }
                    has_result = true;
                    let shown = Shown::of(&result, begun.elapsed(), tells_all);
                    // A reader that is gone is noticed above.
                    let _ = send.send(frame("result", &shown)).await;
                }
                _ => {}
            },
            Some(_) => {}
        }
    }
    let ended = handle.outcome().await;
    if !has_result {
        let outcome = ended.as_ref().unwrap_or_else(|error| &error.outcome);
        let result = ToolResult::of("", Err(Box::new(without_result(outcome))));
        let shown = Shown::of(&result, begun.elapsed(), tells_all);
        let _ = send.send(frame("result", &shown)).await;
    }
}

/// Says that the time of the run was too short for a call that was stopped.
fn say_late(result: &mut ToolResult) {
    if let Err(error) = &mut result.outcome
        && error.category == ErrorCategory::Cancelled
    {
        error.category = ErrorCategory::ExecutionTimeout;
    }
}

/// Why a run has no result of its call.
fn without_result(outcome: &RunOutcome) -> ToolError {
    let message = match outcome.user_failure() {
        Some(failure) => failure.message,
        None if outcome.finish == Finish::Suspended => {
            format!(
                "the call waits for a decision: see the run {}",
                outcome.run_id
            )
        }
        None => "the call has no result".to_owned(),
    };
    ToolError::new(ErrorCategory::Unknown, message).with_log(outcome.to_string())
}

fn frame(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    // Inside a string they are escaped; in JSON of a tool they stand where any space may.
    let data = data.replace(['\n', '\r'], " ");
    format!("event: {name}\ndata: {data}\n\n").into()
}
