//! The events of a request, one after the other.

use std::{future::poll_fn, task::Poll};

use futures_util::{StreamExt as _, stream};
use toolwright_runtime::{
    ChatModel,
    model::{ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Usage},
};

/// A request that was sent.
pub(super) struct Asked<'a> {
    events: ModelStream<'a>,
    /// What its events have told that it used.
    usage: Option<Usage>,
    /// What they have told of the requests that it took.
    requests: u32,
    /// The bytes of text that have come.
    bytes: usize,
    /// What is still read before others have their turn.
    turn: ReadingTurn,
    /// The first event, if it was looked at before the others.
    first: Option<Result<ModelEvent, ModelError>>,
}

/// The events and the bytes of text that are read in one go. A model that never waits must not keep a cancel or other
/// tasks waiting, also where nothing is shown of it.
struct ReadingTurn {
    events: u32,
    bytes: usize,
}

impl ReadingTurn {
    const NEW: Self = Self {
        events: 128,
        bytes: 256 * 1024,
    };

    /// Counts an event, and lets others have their turn once enough has been read.
    async fn read(&mut self, bytes: usize) {
        self.events = self.events.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
        if self.events == 0 || self.bytes == 0 {
            *self = Self::NEW;
            yield_now().await;
        }
    }
}

/// The longest text of a response, in bytes: as long as one that is put together of events may be.
pub(super) const TEXT_BYTES: usize = 64 << 20;

impl<'a> Asked<'a> {
    /// Sends a request, streamed or not.
    pub(super) fn of(model: &'a impl ChatModel, request: &'a ModelRequest, streams: bool) -> Self {
        let events: ModelStream<'a> = if streams {
            model.stream(request)
        } else {
            let whole = stream::once(model.complete(request));
            Box::pin(whole.flat_map(|response| {
                let events = match response {
                    Ok(response) => response.into_events().into_iter().map(Ok).collect(),
                    Err(error) => vec![Err(error)],
                };
                stream::iter(events)
            }))
        };
        Self {
            events,
            usage: None,
            requests: 1,
            bytes: 0,
            turn: ReadingTurn::NEW,
            first: None,
        }
    }

    /// The first event, which comes once more with the others.
    pub(super) async fn first(&mut self) -> Option<&Result<ModelEvent, ModelError>> {
        self.first = self.next().await;
        self.first.as_ref()
    }

    /// The next event; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let mut next = self.events.next().await?;
        let mut bytes = 0;
        match &mut next {
            Ok(ModelEvent::Text(text)) => bytes = text.len(),
            Ok(ModelEvent::Usage(usage)) => self.usage = Some(Usage::clone(usage)),
            Ok(ModelEvent::Requests(requests)) => self.requests = *requests,
            Ok(_) => {}
            Err(error) => self.add_told(error),
        }
        self.turn.read(bytes).await;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > TEXT_BYTES {
            let message = format!("the reply is longer than {} MiB", TEXT_BYTES >> 20);
            let error = ModelError::new(ModelErrorKind::MalformedReply, message);
            return Some(Err(error.with_retryable(false)));
        }
        Some(next)
    }

    /// Adds what the events before an error have told to its partial response.
    fn add_told(&self, error: &mut ModelError) {
        if let Some(partial) = &mut error.partial {
            partial.usage = partial.usage.take().or_else(|| self.usage.clone());
            partial.requests = partial.requests.max(self.requests);
        }
    }
}

/// Lets others have their turn.
async fn yield_now() {
    let mut has_waited = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
