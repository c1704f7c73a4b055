//! Does what a run says may be done, and tells it what happened.

use std::{
    future::{Future, poll_fn},
    hash::{BuildHasher, RandomState},
    pin::pin,
    sync::Arc,
    time::SystemTime,
};

use futures_util::{
    FutureExt, StreamExt,
    future::{Either, select},
    stream::FuturesUnordered,
};
use tokio::task::consume_budget;

use super::{Inner, RunEvent, queue::EventQueue};
use crate::{
    Conversation, ToolError, Toolset, UserMessage,
    dispatch::{execute, interrupted},
    model::{Assembler, ModelError, ModelRequest, ModelResponse},
    run::{Action, CallId, ModelCall, Record, Run, RunId, RunOutcome, Signal},
    tool::{CancellationToken, Progress, ToolOutput, ToolPolicy, ToolResult},
};

/// Performs a run from its start to its end.
pub(super) async fn drive(
    inner: Arc<Inner>,
    run_id: RunId,
    conversation: Conversation,
    input: UserMessage,
    events: EventQueue,
    cancellation: CancellationToken,
) -> RunOutcome {
    let (run, records) = Run::start(run_id, inner.config.clone(), conversation, input);
    let driver = Driver {
        inner: &inner,
        tools: inner.tools.snapshot(),
        run,
        events,
        cancellation: &cancellation,
    };
    driver.publish(0, records);
    driver.finish().await
}

struct Driver<'a> {
    inner: &'a Inner,
    /// What the model was shown last.
    tools: Toolset,
    run: Run,
    events: EventQueue,
    cancellation: &'a CancellationToken,
}

impl Driver<'_> {
    async fn finish(mut self) -> RunOutcome {
        let mut running = FuturesUnordered::new();
        loop {
            self.events.read().await;
            if self.cancellation.is_cancelled() {
                // What is ready has finished, and a tool that heard of the cancel may say its last.
                while let Some(Some((id, outcome))) = running.next().now_or_never() {
                    self.call_finished(id, outcome);
                }
                self.signal(Signal::Cancel);
            }
            for action in self.run.poll() {
                match action {
                    Action::CallModel(call) => self.call_model(call).await,
                    Action::StartCall(id) => {
                        self.signal(Signal::CallStarted(id));
                        running.push(self.work_of(id));
                    }
                    Action::CancelCall(id) => {
                        // A run is cancelled as a whole, so nothing that runs is wanted any more.
                        running.clear();
                        let effects = self
                            .run
                            .call(id)
                            .map(|call| self.policy(&call.name).effects);
                        self.call_finished(id, Err(interrupted(effects.unwrap_or_default())));
                    }
                }
            }
            if let Some(outcome) = self.run.outcome() {
                return outcome;
            }
            if running.is_empty() {
                continue;
            }
            // The calls that have just started are in the log of the reader before they run.
            self.events.read().await;
            if self.cancellation.is_cancelled() {
                continue;
            }
            let cancelled = pin!(self.cancellation.cancelled());
            if let Either::Left((Some((id, outcome)), _)) = select(running.next(), cancelled).await
            {
                self.call_finished(id, outcome);
            }
        }
    }

    async fn call_model(&mut self, call: ModelCall) {
        let mut request = self.run.request();
        request.settings.clone_from(&self.inner.settings);
        if call != ModelCall::Flattened {
            self.tools = self.inner.tools.snapshot();
            request.tools = self.tools.shared_definitions().clone();
        }
        let signal = {
            let reply = pin!(self.reply(&request));
            let cancelled = pin!(self.cancellation.cancelled());
            match select(reply, cancelled).await {
                Either::Left((Ok(response), _)) => {
                    let response = response.normalized();
                    let policies = response
                        .tool_calls
                        .iter()
                        .map(|call| self.policy(&call.name))
                        .collect();
                    Signal::Replied { response, policies }
                }
                Either::Left((Err(error), _)) => Signal::ModelFailed(error),
                Either::Right(_) => Signal::Cancel,
            }
        };
        self.signal(signal);
    }

    /// The whole reply. Its pieces are published as they come.
    async fn reply(&self, request: &ModelRequest) -> Result<ModelResponse, ModelError> {
        if !self.inner.streaming {
            return self.inner.model.complete(request).await;
        }
        let mut stream = self.inner.model.stream(request);
        let mut assembler = Assembler::new();
        while let Some(event) = poll_fn(|cx| stream.as_mut().poll_next(cx)).await {
            match event {
                Ok(event) => {
                    self.events.push(|| RunEvent::Delta(event.clone()));
                    assembler.push(event);
                }
                Err(error) => return Err(error.or_partial(assembler.finish())),
            }
            // A model that never waits must not keep the reader, a cancel or other tasks waiting.
            self.events.read().await;
            consume_budget().await;
            if self.cancellation.is_cancelled() {
                std::future::pending::<()>().await;
            }
        }
        assembler.into_reply()
    }

    /// The work of a call. It owns what it needs, since it lives while the run changes.
    fn work_of(
        &self,
        id: CallId,
    ) -> impl Future<Output = (CallId, Result<ToolOutput, ToolError>)> + Send + use<> {
        let call = self
            .run
            .call(id)
            .expect("the run has just started this call")
            .clone();
        let tool = self.tools.resolve(&call).map(Arc::clone);
        let policy = self.policy(&call.name);
        let cx = self
            .inner
            .context
            .clone()
            .with_cancellation(self.cancellation.clone())
            .with_progress(self.progress_of(id));
        let finishing = self.inner.finishing.clone();
        let cx = finishing.context(cx);
        let timeout = self.inner.tool_timeout;
        async move {
            let outcome = match tool {
                Ok(tool) => execute(tool, policy, &call, &cx, timeout).await,
                Err(error) => Err(error),
            };
            (id, finishing.finish(&call, policy, outcome).await)
        }
    }

    fn progress_of(&self, id: CallId) -> Progress {
        let events = self.events.clone();
        Progress::new(move |update| events.update(id, update))
    }

    fn policy(&self, name: &str) -> ToolPolicy {
        self.tools.policy(name)
    }

    fn call_finished(&mut self, id: CallId, outcome: Result<ToolOutput, ToolError>) {
        let result = ToolResult {
            call_id: String::new(),
            outcome,
        };
        self.signal(Signal::CallFinished(id, result));
    }

    fn signal(&mut self, signal: Signal) {
        let first = self.run.sequence();
        let records = self.run.handle(signal);
        self.publish(first, records);
    }

    fn publish(&self, first: u64, records: Vec<Record>) {
        for (sequence, record) in (first..).zip(records) {
            self.events.push(|| RunEvent::Recorded { sequence, record });
        }
    }
}

/// 128 bits in hexadecimal, from the seed that the standard library draws for its hash maps and from
/// the time: enough to tell runs apart, and no secret.
pub(super) fn new_run_id() -> RunId {
    let now = SystemTime::now();
    let half = || RandomState::new().hash_one(now);
    RunId::new(format!("{:016x}{:016x}", half(), half()))
}
