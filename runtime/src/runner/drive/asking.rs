//! Asks the model: a request, its response as it comes, and the wait before it is asked again.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    mem::take,
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use futures_util::future::{Either, select};
use tokio::time::Instant;

use super::Driver;
use crate::contained::{Events, complete};
use crate::{
    budget::Budget,
    dispatch::wait,
    random,
    runner::{
        on_demand::SEARCH_TOOLS,
        queue::BATCH,
        time_limit::{ResponseTime, RunTime},
    },
};
use toolwright_core::{
    ToolsetError,
    model::{
        Assembler, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse, ToolChoice,
    },
    run::{Interruption, ModelCall, Signal},
    tool::CancellationToken,
};

/// An event that comes so long after the reader had all of them is handed over at once. That is each event of a model
/// that computes where it is polled, and never waits.
const UNREAD_TIME: Duration = Duration::from_millis(1);

/// The clock is read at each of the first events that nobody has read, then at every one of so many: it takes longer
/// than all else that an event needs.
const FIRST: usize = 4;
const EVERY: usize = 8;

/// The part of a response that has come.
#[derive(Default)]
struct Heard {
    so_far: Assembler,
    /// Events that are still to be handed over.
    unread: VecDeque<ModelEvent>,
    /// True if anybody may have read some of its text.
    is_read: bool,
}

impl Driver<'_> {
    pub(super) async fn call_model(&mut self, call: ModelCall) {
        if let Some(error) = self.no_agent() {
            return self.signal(Signal::ModelFailed(error));
        }
        let mut request = self.run.request();
        if call != ModelCall::Compact {
            let planned = self.run.plan().and_then(|plan| plan.settings.as_ref());
            let settings = planned.unwrap_or(&self.agent().settings);
            request.settings.clone_from(settings);
        }
        if matches!(call, ModelCall::Open | ModelCall::Locked) {
            let offered = match self.offered() {
                Ok(offered) => offered,
                Err(error) => {
                    let which = match &error {
                        ToolsetError::Duplicate { name } if name == SEARCH_TOOLS => {
                            "searches for tools"
                        }
                        _ => "takes the answer",
                    };
                    let why = format!("the tool that {which} cannot be offered: {error}");
                    let error = ModelError::new(ModelErrorKind::InvalidRequest, why);
                    return self.signal(Signal::ModelFailed(error));
                }
            };
            self.tools = offered.tools;
            request.tools = offered.definitions;
            request.allowed_tools = offered.allowed;
        }
        if matches!(call, ModelCall::Locked | ModelCall::Flattened) {
            self.time.begin_summary();
        }
        let mut time = take(&mut self.time);
        let mut heard = Heard::default();
        let reply = {
            let reply = pin!(self.reply(call, &request, &mut heard));
            let interrupted = pin!(interrupted(self.cancellation, &mut time));
            match select(reply, interrupted).await {
                Either::Left((reply, _)) => Ok(reply),
                Either::Right((signal, _)) => Err(signal),
            }
        };
        self.time = time;
        self.events.push_deltas(&mut heard.unread);
        let may_call = call == ModelCall::Open && request.tool_choice != ToolChoice::None;
        // The run adds to messages that nobody else holds without a copy.
        drop(request);
        match reply {
            Ok(Ok(mut response)) => {
                let unfit = self.unfit(call, may_call, &mut response);
                let policies = response
                    .tool_calls
                    .iter()
                    .map(|call| self.policy(&call.name))
                    .collect();
                // What was said meanwhile is answered as well.
                self.take_messages(None);
                self.signal(Signal::Replied {
                    response,
                    policies,
                    unfit,
                });
            }
            Ok(Err(error)) if heard.is_read => self.signal(Signal::ModelBrokeOff(error)),
            Ok(Err(error)) => self.signal(Signal::ModelFailed(error)),
            Err(signal) => {
                let partial = heard.so_far.finish();
                let by = match signal {
                    Signal::Cancel => Interruption::Cancel,
                    _ => Interruption::TimeLimit,
                };
                self.stop(Signal::ResponseBrokenOff { partial, by });
            }
        }
    }

    /// The reason why a response is no answer of the type that is asked for, if it may be the answer and is none. Of several
    /// calls that may each be the answer, the first that fits is put before the others.
    fn unfit(
        &self,
        call: ModelCall,
        may_call: bool,
        response: &mut ModelResponse,
    ) -> Option<String> {
        let answer = self.answer.as_ref()?;
        if call == ModelCall::Compact || may_call && response.requires_tool_execution() {
            return None;
        }
        let unfit = answer.unfit(self.run.answer_text(response))?;
        let places = {
            let mut given = self.run.answers_given(response);
            let first = given.next();
            let fits = given.find(|(_, arguments)| answer.unfit(arguments).is_none());
            first.zip(fits).map(|((first, _), (fits, _))| (first, fits))
        };
        let Some((first, fits)) = places else {
            return Some(unfit);
        };
        response.change_parts(|parts| parts.swap(first, fits));
        None
    }

    /// Waits before the model is asked again, unless the run is to stop.
    pub(super) async fn wait_for_model(&mut self, hint: Option<Duration>) {
        let backoff = self.inner.model_backoff;
        let duration = backoff.wait(self.run.model_attempts(), hint, random::fraction());
        let duration = duration.saturating_sub(take(&mut self.model_waited));
        let mut waits = pin!(wait(duration));
        loop {
            let happened = {
                let inbox = &self.inbox.0;
                let said = poll_fn(|cx| inbox.poll_filled(cx));
                let interrupted = pin!(interrupted(self.cancellation, &mut self.time));
                match select(select(waits.as_mut(), interrupted), said).await {
                    Either::Left((Either::Left(_), _)) => Some(Signal::ModelResumed),
                    Either::Left((Either::Right((signal, _)), _)) => Some(signal),
                    Either::Right(_) => None,
                }
            };
            match happened {
                Some(Signal::ModelResumed) => return self.signal(Signal::ModelResumed),
                Some(signal) => return self.stop(signal),
                None => {}
            }
            // Nobody is asked again after a round that was to be the last.
            self.take_messages(None);
            if self.run.ends_after_round() {
                return self.stop(Signal::Cancel);
            }
        }
    }

    /// The whole response. Its pieces are published as they come.
    async fn reply(
        &self,
        call: ModelCall,
        request: &ModelRequest,
        heard: &mut Heard,
    ) -> Result<ModelResponse, ModelError> {
        let mut time = ResponseTime::of(&self.run.config().limits);
        if call == ModelCall::Compact {
            // It is no part of an answer, which nobody is to take it for.
            let reply = complete(&**self.inner.summarizer(), request);
            return time.within(reply).await?;
        }
        if !self.agent().streaming {
            let reply = complete(&**self.model()?, request);
            return time.within(reply).await?;
        }
        let mut stream = Events::of(&**self.model()?, request)?;
        let mut budget = Budget::new();
        let mut read_at = Instant::now();
        loop {
            // Whoever reads may cancel the run, and so may others in their turn.
            if self.cancellation.is_cancelled() {
                std::future::pending::<()>().await;
            }
            // What is there already is handed over in one go. When the model waits, or when that is much or old, it
            // is read first: the time of whoever reads is not the model's.
            let next = if heard.unread.is_empty() {
                let next = time.within(poll_fn(|cx| stream.poll_next(cx))).await;
                next.unwrap_or_else(|late| Some(Err(late)))
            } else if let Poll::Ready(next) = poll_fn(|cx| Poll::Ready(stream.poll_next(cx))).await
            {
                next
            } else {
                read_at = self.hand_over(heard, &mut time).await;
                continue;
            };
            match next {
                None => break,
                Some(Ok(event)) => match time.check() {
                    Ok(()) => self.hear(event, heard)?,
                    Err(late) => return Err(late.or_partial(take(&mut heard.so_far).finish())),
                },
                Some(Err(error)) => {
                    return Err(error.or_partial(take(&mut heard.so_far).finish()));
                }
            }
            if is_due(heard.unread.len(), read_at) {
                read_at = self.hand_over(heard, &mut time).await;
            }
            // A model that never waits must not keep the reader, a cancel or other tasks waiting. Whoever reads makes a
            // step for each event.
            if heard.unread.is_empty() {
                budget.step().await;
            }
        }
        stream.end(take(&mut heard.so_far).into_response()?)
    }

    /// Adds a piece to the response, and keeps it for the reader, if there is one.
    fn hear(&self, event: ModelEvent, heard: &mut Heard) -> Result<(), ModelError> {
        if !self.events.is_closed() {
            heard.is_read |= event.is_seen() && self.events.is_read();
            heard.unread.push_back(event.clone());
        }
        heard.so_far.push_bounded(event)
    }

    /// Waits until the reader has all pieces. It gives the time.
    async fn hand_over(&self, heard: &mut Heard, time: &mut ResponseTime) -> Instant {
        self.events.push_deltas(&mut heard.unread);
        time.without(self.events.read()).await;
        Instant::now()
    }
}

/// Returns true if so many events are to be handed over now, where the reader had all others at the given time.
fn is_due(unread: usize, read_at: Instant) -> bool {
    let is_looked_at = (1..=FIRST).contains(&unread) || unread > 0 && unread.is_multiple_of(EVERY);
    unread >= BATCH || is_looked_at && read_at.elapsed() >= UNREAD_TIME
}

/// Waits until a run is to stop: it is cancelled, or its time is up.
pub(super) async fn interrupted(cancellation: &CancellationToken, time: &mut RunTime) -> Signal {
    let mut cancelled = cancellation.cancelled();
    poll_fn(|cx| {
        if Pin::new(&mut cancelled).poll(cx).is_ready() {
            return Poll::Ready(Signal::Cancel);
        }
        time.poll_up(cx).map(|()| Signal::TimeLimitReached)
    })
    .await
}
