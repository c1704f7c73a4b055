//! Sends a request to the model, and signals the outcome to the run.

use std::{pin::pin, time::Duration};

use super::{Driver, requester::Heard};
use crate::dispatch::wait;
use toolwright_core::{
    model::ToolChoice,
    run::{Interruption, ModelCall, Signal},
    tool::BoxFuture,
};

impl Driver<'_> {
    /// Asks the hook what the next request is to be.
    pub(super) fn plan_request(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let run = self.journal.run();
            let context = self.calls.context_of_agent(run);
            let plan = self.requester.plan(run, &context);
            match self.listener.unless_interrupted(plan).await {
                Ok(Ok(plan)) => self.journal.signal(Signal::RequestPlanned(plan)),
                Ok(Err(error)) => self.journal.signal(Signal::ModelFailed(error)),
                Err(signal) => self.stop(signal),
            }
        })
    }

    pub(super) fn call_model(&mut self, call: ModelCall) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let (request, tools) = match self.requester.request(self.journal.run(), call) {
                Ok(request) => request,
                Err(error) => return self.journal.signal(Signal::ModelFailed(error)),
            };
            if let Some(tools) = tools {
                self.calls.offer(tools);
            }
            if matches!(call, ModelCall::Locked | ModelCall::Flattened) {
                self.listener.begin_summary();
            }
            let mut heard = Heard::new(self.journal.events().clone());
            let response = {
                let (run, token) = (self.journal.run(), self.listener.cancellation().clone());
                let response = self
                    .requester
                    .response(run, (call, &request), &token, &mut heard);
                self.listener.unless_interrupted(response).await
            };
            let (so_far, is_read) = heard.end();
            let may_call = call == ModelCall::Open && request.tool_choice != ToolChoice::None;
            // The run adds to unshared messages without a copy.
            drop(request);
            match response {
                Ok(Ok(mut response)) => {
                    let run = self.journal.run();
                    let unfit = self.requester.unfit(run, call, may_call, &mut response);
                    let policies = {
                        let policy = |name: &str| {
                            let takes_answer = self.requester.takes_answer(name);
                            self.calls.policy(&self.journal, name, takes_answer)
                        };
                        let calls = response.tool_calls.iter();
                        calls.map(|call| policy(&call.name)).collect()
                    };
                    // Messages that came meanwhile are answered as well.
                    self.hear().await;
                    self.journal.signal(Signal::Replied {
                        response,
                        policies,
                        unfit,
                    });
                }
                Ok(Err(error)) if is_read => self.journal.signal(Signal::ModelBrokeOff(error)),
                Ok(Err(error)) => self.journal.signal(Signal::ModelFailed(error)),
                Err(signal) => {
                    let partial = so_far.finish();
                    let by = match signal {
                        Signal::Cancel => Interruption::Cancel,
                        _ => Interruption::TimeLimit,
                    };
                    self.stop(Signal::ResponseBrokenOff { partial, by });
                }
            }
        })
    }

    /// Waits before the model is asked again, unless the run is to stop.
    pub(super) fn wait_for_model(&mut self, hint: Option<Duration>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let mut waits = pin!(wait(self.requester.wait(self.journal.run(), hint)));
            loop {
                match self.listener.unless_said(waits.as_mut()).await {
                    Some(Ok(())) => return self.journal.signal(Signal::ModelResumed),
                    Some(Err(signal)) => return self.stop(signal),
                    None => {}
                }
                // Nobody is asked again after a round that was to be the last.
                self.hear().await;
                if self.journal.run().ends_after_round() {
                    return self.stop(Signal::Cancel);
                }
            }
        })
    }
}
