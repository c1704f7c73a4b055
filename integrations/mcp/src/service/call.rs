//! A call of a client.

use std::{pin::pin, time::Duration};

use futures_util::future::OptionFuture;
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, ProgressNotificationParam, ProgressToken},
    service::{Peer, RequestContext},
};
use tokio::sync::broadcast::{self, error::RecvError};
use toolwright_core::{
    CancellationToken, ToolCall, Toolset,
    tool::{CallUpdate, ProgressReport},
};
use toolwright_runtime::{CallOptions, CallOrigin, Dispatch as _};

use super::{
    Served,
    asking::{self, Asking},
    caller, content, fields,
};

/// Runs the call, tells its progress, and ends it if the client cancels the request.
pub(crate) async fn run(
    served: &Served,
    tools: Toolset,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let is_structured = served.is_structured(&request.name);
    let arguments = fields::to_json(&request.arguments.unwrap_or_default());
    let asked = asking::Request {
        call: ["tool", &request.name, &arguments],
        state: request.request_state.as_deref(),
        answers: request.input_responses.as_ref(),
    };
    let asking = Asking::new(served, &asked, &context)?;
    let call = ToolCall::new(context.id.to_string(), request.name, arguments);
    tracing::info!(
        owner = caller::admitted(&context).map(|admitted| admitted.caller.id()),
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = call.id,
        argument_bytes = call.arguments.len(),
        "call over MCP"
    );
    let stop = CancellationToken::new();
    let mut options = served.options_of(&asking, &context);
    // The tools are those that are granted to the caller.
    options.calls = options.calls.with_granted(served.granted(&context));
    let origin = origin(served, &options.calls, &asking);
    let own = options.context.with_extension(origin);
    options.context = own.with_cancellation(stop.clone());
    let (mut reports, mut sending) = (None, None);
    if let Some(token) = context.meta.get_progress_token() {
        let (told, heard) = broadcast::channel(MAX_REPORTS);
        let listener = told.downgrade();
        options = options.with_updates(move |_, update| {
            if let (CallUpdate::Progress(report), Some(told)) = (update, listener.upgrade()) {
                let _ = told.send(report);
            }
        });
        reports = Some(told);
        sending = Some(send(context.peer.clone(), token, heard));
    }
    let mut sending = pin!(OptionFuture::from(sending));
    let calls = [call];
    let mut running = pin!(tools.dispatch_with(&calls, &options));
    let results = loop {
        tokio::select! {
            biased;
            () = context.ct.cancelled(), if !stop.is_cancelled() => stop.cancel(),
            asked = asking.asked() => return Ok(asked.into()),
            // A client that does not read holds up neither the call nor its limits.
            _ = &mut sending, if reports.is_some() => reports = None,
            results = &mut running => break results,
        }
    };
    if reports.take().is_some() {
        // The result goes the same way, and says more.
        let _ = tokio::time::timeout(LAST, sending).await;
    }
    let Some(result) = results.into_iter().next() else {
        return Err(ErrorData::internal_error("the call had no result", None));
    };
    let failed = result.outcome.as_ref().err();
    if let Some(refusal) = failed.and_then(|error| asking.refusal(error)) {
        return Err(refusal);
    }
    Ok(content::of(result, is_structured).into())
}

/// Who decides for an agent that is called. It asks the person only where the call goes on after that: a run that begins
/// again for each answer would have its effects again.
fn origin(served: &Served, calls: &CallOptions, asking: &Asking) -> CallOrigin {
    let origin = CallOrigin::new();
    if served.options.calls.has_approver() || asking.is_live() {
        return origin.with_approver_of(calls);
    }
    origin
}

/// The time for the last reports of a call, before its result.
const LAST: Duration = Duration::from_secs(1);
/// The largest number of reports that wait to be sent. The oldest ones are left out.
const MAX_REPORTS: usize = 64;

/// Sends the reports of a call until nobody reports any more. They grow, as the protocol wants it.
async fn send(
    peer: Peer<RoleServer>,
    token: ProgressToken,
    mut heard: broadcast::Receiver<ProgressReport>,
) {
    let mut last = f64::NEG_INFINITY;
    loop {
        let report = match heard.recv().await {
            Ok(report) if report.progress > last => report,
            Ok(_) | Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        last = report.progress;
        let mut sent = ProgressNotificationParam::new(token.clone(), report.progress);
        sent.total = report.total;
        sent.message = (!report.message.is_empty()).then_some(report.message);
        // A client that is gone is noticed elsewhere.
        let _ = peer.notify_progress(sent).await;
    }
}
