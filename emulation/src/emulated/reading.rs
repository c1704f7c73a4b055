//! The events of a request, one after the other.

use std::{collections::VecDeque, future::poll_fn, task::Poll};

use futures_util::StreamExt as _;
use toolwright_core::{
    ChatModel,
    model::{
        ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse, ModelStream, Usage,
    },
};

/// A request that was sent.
pub(super) struct SentRequest<'a> {
    events: ModelStream<'a>,
    /// The usage that its events have reported.
    usage: Option<Usage>,
    /// The requests that its events have reported.
    requests: u32,
    /// The bytes of text that have come.
    bytes: usize,
    /// What is still read before others have their turn.
    turn: ReadingTurn,
    /// The first events, if they were looked at before the others.
    first: VecDeque<Result<ModelEvent, ModelError>>,
}

/// The number of events beside the answer that are looked at before it. After so many the request counts as taken.
const FIRST: usize = 1_000;

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

impl<'a> SentRequest<'a> {
    /// Sends a request, streamed or not.
    pub(super) fn of(model: &'a impl ChatModel, request: &'a ModelRequest, streams: bool) -> Self {
        let events: ModelStream<'a> = if streams {
            model.stream(request)
        } else {
            model.unstreamed(request)
        };
        Self {
            events,
            usage: None,
            requests: 1,
            bytes: 0,
            turn: ReadingTurn::NEW,
            first: VecDeque::new(),
        }
    }

    /// The first event of the answer, or the error instead of it. A model that has another one inside may tell of that
    /// before, which `note` is given. All events come once more.
    pub(super) async fn first(
        &mut self,
        note: impl Fn(&ModelEvent),
    ) -> Option<&Result<ModelEvent, ModelError>> {
        loop {
            let event = self.read().await?;
            if let Ok(event) = &event {
                note(event);
            }
            let is_beside = matches!(&event, Ok(event) if event.is_beside_the_answer());
            self.first.push_back(event);
            if !is_beside || self.first.len() >= FIRST {
                return self.first.back();
            }
        }
    }

    /// The cost of an error, with the usage that the events before it reported.
    pub(super) fn spent_until(&self, error: &ModelError) -> ModelResponse {
        let mut spent = ModelResponse::default().with_requests(self.requests);
        spent.usage.clone_from(&self.usage);
        if let Some(partial) = &error.partial {
            // Both have been added to it.
            spent.usage.clone_from(&partial.usage);
            spent.requests = partial.requests;
        }
        spent
    }

    /// The next event; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        match self.first.pop_front() {
            Some(first) => Some(first),
            None => self.read().await,
        }
    }

    async fn read(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let mut next = self.events.next().await?;
        let mut bytes = 0;
        match &mut next {
            Ok(ModelEvent::Text(text)) => bytes = text.len(),
            Ok(ModelEvent::Media(part)) => bytes = part.media_len(),
            Ok(ModelEvent::Usage(usage)) => self.usage = Some(Usage::clone(usage)),
            Ok(ModelEvent::Requests(requests)) => self.requests = *requests,
            Ok(_) => {}
            Err(error) => self.add_told(error),
        }
        self.turn.read(bytes).await;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > TEXT_BYTES {
            let message = format!("the response is longer than {} MiB", TEXT_BYTES >> 20);
            let error = ModelError::new(ModelErrorKind::MalformedResponse, message);
            return Some(Err(error.with_retryable(false)));
        }
        Some(next)
    }

    /// Adds the usage of the events before an error to its partial response.
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
