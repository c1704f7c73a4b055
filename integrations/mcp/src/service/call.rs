//! A call of a client.

use std::{collections::VecDeque, future::pending, time::Duration};

use futures_util::future::BoxFuture;
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, ProgressNotificationParam, ProgressToken},
    service::{Peer, RequestContext},
};
use toolwright_core::{
    CancellationToken, ToolCall, Toolset,
    tool::{CallUpdate, ProgressReport},
};
use toolwright_runtime::{CallOptions, CallOrigin, Dispatch as _, DispatchEvent};

use super::{
    Served, approval,
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
    let stop = CancellationToken::new();
    let calls = served.options.calls.clone();
    // The tools are those that are granted to the caller.
    let mut calls = calls.with_granted(served.granted(&context));
    let mut own = served.context(&context);
    if !calls.has_approver() {
        let asking = asking.clone();
        own = own.with_extension(asking.modes());
        calls = calls.with_approver(move |request| approval::decide(asking.clone(), request));
    }
    let own = own.with_extension(origin(served, &calls, &asking));
    tracing::info!(
        owner = caller::admitted(&context).map(|admitted| admitted.caller.id()),
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = call.id,
        argument_bytes = call.arguments.len(),
        "call over MCP"
    );
    let mut options = served.options.clone().with_calls(calls);
    options = options.with_context(own.with_cancellation(stop.clone()));
    if let Some(id) = asking.id() {
        options = options.with_batch_id(id);
    }
    let calls = [call];
    let mut events = tools.dispatch_stream(&calls, &options);
    let mut progress = context
        .meta
        .get_progress_token()
        .map(|token| Reports::new(context.peer.clone(), token));
    let mut sending = None;
    loop {
        // A client that does not read holds up neither the call nor its limits.
        if sending.is_none() {
            sending = progress.as_mut().and_then(Reports::send_next);
        }
        let event = tokio::select! {
            biased;
            () = context.ct.cancelled(), if !stop.is_cancelled() => {
                stop.cancel();
                continue;
            }
            asked = asking.asked() => return Ok(asked.into()),
            () = ended(&mut sending) => continue,
            event = events.next() => event,
        };
        match event {
            Some(DispatchEvent::Update { update, .. }) => {
                if let (Some(progress), CallUpdate::Progress(report)) = (&mut progress, update) {
                    progress.add(report);
                }
            }
            Some(DispatchEvent::Finished { result, .. }) => {
                let failed = result.outcome.as_ref().err();
                if let Some(refusal) = failed.and_then(|error| asking.refusal(error)) {
                    return Err(refusal);
                }
                let rest = async {
                    while let Some(sent) = sending
                        .take()
                        .or_else(|| progress.as_mut().and_then(Reports::send_next))
                    {
                        sent.await;
                    }
                };
                // The result goes the same way, and says more.
                let _ = tokio::time::timeout(LAST, rest).await;
                return Ok(content::of(result, is_structured).into());
            }
            Some(_) => {}
            None => return Err(ErrorData::internal_error("the call had no result", None)),
        }
    }
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

/// Waits for the end of what is sent.
async fn ended(sending: &mut Option<BoxFuture<'static, ()>>) {
    match sending {
        Some(sent) => sent.await,
        None => pending().await,
    }
    *sending = None;
}

/// The time for the last reports of a call, before its result.
const LAST: Duration = Duration::from_secs(1);
/// The largest number of reports that wait to be sent. The oldest ones are left out.
const MAX_REPORTS: usize = 64;

/// The reports of a call, which grow as the protocol wants it.
struct Reports {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    last: f64,
    waiting: VecDeque<ProgressNotificationParam>,
}

impl Reports {
    fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        Self {
            peer,
            token,
            last: f64::NEG_INFINITY,
            waiting: VecDeque::new(),
        }
    }

    fn add(&mut self, report: ProgressReport) {
        if report.progress <= self.last {
            return;
        }
        self.last = report.progress;
        let mut sent = ProgressNotificationParam::new(self.token.clone(), report.progress);
        sent.total = report.total;
        sent.message = (!report.message.is_empty()).then_some(report.message);
        if self.waiting.len() == MAX_REPORTS {
            self.waiting.pop_front();
        }
        self.waiting.push_back(sent);
    }

    /// Sends the next report. A client that is gone is noticed elsewhere.
    fn send_next(&mut self) -> Option<BoxFuture<'static, ()>> {
        let (peer, next) = (self.peer.clone(), self.waiting.pop_front()?);
        Some(Box::pin(async move {
            let _ = peer.notify_progress(next).await;
        }))
    }
}
