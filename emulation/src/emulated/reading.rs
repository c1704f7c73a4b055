//! What a model writes, as events, with its calls and its reasoning read from its text.

use futures_util::{StreamExt as _, stream};
use toolwright_runtime::{
    ChatModel, ToolCall,
    model::{ModelError, ModelEvent, ModelRequest, ModelStream},
};

use crate::{TextPiece, TextStream, ToolText};

/// A request that was sent.
pub(super) struct Asked<'a> {
    events: ModelStream<'a>,
    told_usage: bool,
}

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
            told_usage: false,
        }
    }

    /// The next event; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let next = self.events.next().await;
        self.told_usage |= matches!(next, Some(Ok(ModelEvent::Usage(_))));
        next
    }

    /// Returns true if the provider has told what the request used.
    pub(super) fn told_usage(&self) -> bool {
        self.told_usage
    }
}

/// The text of a response, read as it comes.
pub(super) struct Reader {
    stream: TextStream,
}

/// The end of a text.
pub(super) struct TextEnded {
    /// The last events.
    pub(super) events: Vec<ModelEvent>,
    /// The calls in the text.
    pub(super) calls: Vec<ToolCall>,
    /// The format of the first.
    pub(super) format: Option<&'static str>,
}

impl Reader {
    pub(super) fn new(text: &ToolText) -> Self {
        Self {
            stream: text.stream(),
        }
    }

    /// Reads a piece of text. It gives what is certain now.
    pub(super) fn push(&mut self, text: &str) -> Vec<ModelEvent> {
        events(self.stream.push(text))
    }

    pub(super) fn finish(self) -> TextEnded {
        let end = self.stream.finish();
        TextEnded {
            events: events(end.pieces),
            calls: end.calls,
            format: end.format,
        }
    }
}

fn events(pieces: Vec<TextPiece>) -> Vec<ModelEvent> {
    let event = |piece| match piece {
        TextPiece::Text(text) => Some(ModelEvent::Text(text)),
        TextPiece::Reasoning(text) => Some(ModelEvent::Reasoning(text)),
        // What a reader has seen stays text.
        TextPiece::TextWasReasoning => None,
    };
    pieces.into_iter().filter_map(event).collect()
}
