//! A response as it comes, and who gets its pieces.

use std::{collections::VecDeque, future::poll_fn, mem::take, task::Poll, time::Duration};

use futures_util::StreamExt;
use tokio::time::Instant;

use super::Requester;
use crate::{
    budget::Budget,
    contained::{self, Events},
    runner::queue::{BATCH, EventQueue},
};
use toolwright_core::{
    model::{Assembler, ChatModel, ModelError, ModelEvent, ModelRequest, ModelResponse, collect},
    run::{ModelCall, Run},
    tool::CancellationToken,
};

/// An event that comes so long after the reader had all of them is handed over at once. That is each event of a model
/// that computes where it is polled, and never waits.
const UNREAD_TIME: Duration = Duration::from_millis(1);

/// The clock is read at each of the first unread events, then only at every so many, because reading it is the most
/// expensive part of an event.
const FIRST: usize = 4;
const EVERY: usize = 8;

/// The part of a response that has come, and who reads it.
pub(in crate::runner::drive) struct Heard {
    so_far: Assembler,
    events: EventQueue,
    /// Events that are still to be handed over.
    unread: VecDeque<ModelEvent>,
    /// True if anybody may have read some of its text.
    is_read: bool,
}

impl Heard {
    /// Nothing yet of a response whose pieces go here.
    pub(in crate::runner::drive) fn new(events: EventQueue) -> Self {
        Self {
            so_far: Assembler::default(),
            events,
            unread: VecDeque::new(),
            is_read: false,
        }
    }

    /// Ends with the pieces that are still to be handed over. It gives what has come, and whether anybody may have read some
    /// of its text.
    pub(in crate::runner::drive) fn end(mut self) -> (Assembler, bool) {
        self.events.push_deltas(&mut self.unread);
        (self.so_far, self.is_read)
    }

    /// Adds a piece to the response, and stores it for the reader, if there is one.
    fn hear(&mut self, event: ModelEvent) -> Result<(), ModelError> {
        if !self.events.is_closed() {
            self.is_read |= event.is_seen() && self.events.is_read();
            self.unread.push_back(event.clone());
        }
        self.so_far.push_bounded(event)
    }

    /// Waits until the reader has all pieces. It gives the time.
    async fn hand_over(&mut self) -> Instant {
        self.events.push_deltas(&mut self.unread);
        self.events.read().await;
        Instant::now()
    }

    /// Returns true if so much is to be handed over now, where the reader had all before at the given time.
    fn is_due(&self, read_at: Instant) -> bool {
        let unread = self.unread.len();
        let is_looked_at =
            (1..=FIRST).contains(&unread) || unread > 0 && unread.is_multiple_of(EVERY);
        unread >= BATCH || is_looked_at && read_at.elapsed() >= UNREAD_TIME
    }

    /// The error of a response that broke off, with what had come.
    fn broken_off(&mut self, error: ModelError) -> ModelError {
        error.or_partial(take(&mut self.so_far).finish())
    }
}

impl Requester<'_> {
    /// The whole response. Its pieces are published as they come.
    pub(in crate::runner::drive) async fn response(
        &self,
        run: &Run,
        (call, request): (ModelCall, &ModelRequest),
        cancellation: &CancellationToken,
        heard: &mut Heard,
    ) -> Result<ModelResponse, ModelError> {
        if let Some(given) = &run.config().given {
            return Ok(ModelResponse::from_calls([given.clone()]));
        }
        if call == ModelCall::Compact {
            // It is not a part of an answer, and must not be taken for one.
            return unread(&**self.inner.summarizer(), request, heard).await;
        }
        let model = &**self.model(run)?;
        if !self.inner.settings_of(run).streaming {
            return unread(model, request, heard).await;
        }
        let mut stream = Events::of(model, request, true)?;
        let mut budget = Budget::new();
        let mut read_at = Instant::now();
        loop {
            // Whoever reads may cancel the run, and so may others in their turn.
            if cancellation.is_cancelled() {
                std::future::pending::<()>().await;
            }
            // What is there already is handed over in one go. When the model waits, or much is unread or old, the
            // reader comes first: the reader's time does not count for the model.
            let next = if heard.unread.is_empty() {
                poll_fn(|cx| stream.poll_next(cx)).await
            } else if let Poll::Ready(next) = poll_fn(|cx| Poll::Ready(stream.poll_next(cx))).await
            {
                next
            } else {
                read_at = heard.hand_over().await;
                continue;
            };
            match next {
                None => break,
                Some(Ok(event)) => heard.hear(event)?,
                Some(Err(error)) => return Err(heard.broken_off(error)),
            }
            if heard.is_due(read_at) {
                read_at = heard.hand_over().await;
            }
            // A model that never waits must not keep the reader, a cancel or other tasks waiting. Whoever reads makes a
            // step for each event.
            if heard.unread.is_empty() {
                budget.step().await;
            }
        }
        stream.end(take(&mut heard.so_far).into_response()?)
    }
}

/// A response of which nobody reads a part. Until it is whole, only what stands beside the answer is heard: what the
/// requests for it have used.
async fn unread(
    model: &dyn ChatModel,
    request: &ModelRequest,
    heard: &mut Heard,
) -> Result<ModelResponse, ModelError> {
    let events = contained::stream(model, request, false);
    let noted = events.inspect(|event| match event {
        Ok(event) if event.is_beside_the_answer() => heard.so_far.push(event.clone()),
        _ => {}
    });
    collect(Box::pin(noted)).await
}
