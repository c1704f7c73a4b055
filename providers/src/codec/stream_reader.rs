//! Decoding of a streamed response from its bytes: the part that all protocols share, those of server-sent
//! events and those of one JSON value in each line.

use std::sync::Arc;

use toolwright_core::model::{ModelError, ModelErrorKind, ModelEvent};
use toolwright_json::nesting::Nesting;

use super::{
    activity::Activities,
    decode_stream::DecodeStream,
    error_body,
    joining::Joining,
    response_reader::{self, ResponseReader},
    restore_arguments::RestoreArguments,
    tool_list::ToolList,
};
use crate::wire::{EventTooLong, LineDecoder, SseDecoder, SseEvent, sse::BYTE_ORDER_MARK};

/// Decodes a streamed response of a codec of this crate, however its bytes are cut.
///
/// [`Codec::stream_decoder`](crate::provider::Codec::stream_decoder) makes one.
#[derive(Debug)]
pub struct StreamDecoder<R> {
    framing: Framing,
    events: SseDecoder,
    state: State<R>,
    joining: Joining,
    activities: Activities,
    undoing: RestoreArguments,
}

/// The kind of the body. The first byte that is not white space decides it.
#[derive(Debug, Default)]
enum Framing {
    #[default]
    Unknown,
    Events,
    /// Values of a line each.
    Lines(LineDecoder),
    /// JSON or a page: not a stream at all.
    Body(Vec<u8>, Nesting),
}

#[derive(Debug, Default)]
struct State<R> {
    reply: R,
    /// An event has come.
    any: bool,
    /// The beginning of a stream in which no event has come yet.
    head: Vec<u8>,
    /// The number of bytes of the byte order mark that have come. It is the length of the whole mark once
    /// something else has come.
    mark_came: usize,
    broken: Option<ModelError>,
}

impl<R: Default> StreamDecoder<R> {
    /// Creates a decoder of the response to a request with these tools.
    pub(crate) fn for_tools(tools: Arc<ToolList>) -> Self {
        Self {
            framing: Framing::default(),
            events: SseDecoder::default(),
            state: State::default(),
            joining: Joining::default(),
            activities: Activities::default(),
            undoing: RestoreArguments::new(tools),
        }
    }
}

impl<R: ResponseReader> DecodeStream for StreamDecoder<R> {
    fn feed(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        if self.is_over() {
            return Ok(());
        }
        // No event ends in them.
        if self.state.any && matches!(self.framing, Framing::Events) && self.events.hold(bytes) {
            return Ok(());
        }
        let from = events.len();
        let result = self.read(bytes, events);
        self.joining.take(events, from);
        let readers = (
            R::activities as _,
            R::activities_of_fact as _,
            R::KEEPS_TEXT,
        );
        self.activities.take(events, from, readers);
        self.undoing.take(events, from);
        result
    }

    fn is_done(&self) -> bool {
        self.is_over() || self.has_failed()
    }

    fn is_over(&self) -> bool {
        self.state.reply.state().done
    }

    fn has_failed(&self) -> bool {
        self.state.reply.state().error.is_some()
    }

    fn is_complete(&self) -> bool {
        match &self.framing {
            Framing::Body(_, nesting) => nesting.is_closed(),
            _ => self.state.reply.state().is_complete(),
        }
    }

    fn may_continue(&self) -> bool {
        R::ENDS_OFTEN
    }

    fn set_event_limit(&mut self, bytes: usize) {
        self.events = std::mem::take(&mut self.events).with_limit(bytes);
    }

    fn finish(self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        self.finish_after(None, events)
    }

    fn finish_body(
        self,
        failure: Option<ModelError>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        match failure {
            None => self
                .no_event()
                .map_or_else(|| self.finish_after(None, events), Err),
            failure => self.finish_after(failure, events),
        }
    }
}

#[expect(private_bounds, reason = "the methods are as private as the trait")]
impl<R: ResponseReader> StreamDecoder<R> {
    fn read(&mut self, mut bytes: &[u8], events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        if let Framing::Unknown = self.framing {
            bytes = self.state.after_mark(bytes);
            // The white space before everything else is read apart, wherever it is cut: it belongs to
            // events alone.
            let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
            let space;
            (space, bytes) = bytes.split_at(first.unwrap_or(bytes.len()));
            self.state.keep_head(space);
            (self.events.feed(space, |_| {}))
                .map_err(|EventTooLong { limit, .. }| too_long(limit))?;
            self.framing = match bytes.first() {
                None => return Ok(()),
                Some(b'[' | b'<') => Framing::Body(Vec::new(), Nesting::default()),
                Some(_) if R::LINES => {
                    Framing::Lines(LineDecoder::new().with_limit(self.events.limit()))
                }
                Some(b'{') => Framing::Body(Vec::new(), Nesting::default()),
                Some(_) => Framing::Events,
            };
        }
        if let Framing::Body(body, nesting) = &mut self.framing {
            if body.len() + bytes.len() > self.events.limit() {
                return Err(too_long(self.events.limit()));
            }
            body.extend_from_slice(bytes);
            nesting.read(bytes);
            return Ok(());
        }
        let state = &mut self.state;
        state.keep_head(bytes);
        let fed = match &mut self.framing {
            Framing::Lines(lines) => lines.feed(bytes, |line| state.take(of_line(line), events)),
            _ => (self.events).feed(bytes, |event| state.take(event, events)),
        };
        // The first error is reported, wherever the bytes are cut.
        if let Some(broken) = self.state.broken.take() {
            return Err(broken);
        }
        if self.is_done() {
            return Ok(());
        }
        fed.map_err(|EventTooLong { limit, .. }| too_long(limit))
    }

    /// The error of a body that ended as it should before its first event: that of a whole response.
    fn no_event(&self) -> Option<ModelError> {
        let body = match &self.framing {
            Framing::Unknown => &[],
            Framing::Lines(lines) if !self.state.any => lines.begun(),
            Framing::Lines(_) | Framing::Events | Framing::Body(..) => return None,
        };
        response_reader::decode_whole::<R>(body, &mut Vec::new()).err()
    }

    /// Ends a response, whose connection may have failed, and adds its last events. A response that was whole
    /// before is whole, and what the provider reported before wins over what the connection did then.
    fn finish_after(
        self,
        failure: Option<ModelError>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        let Self {
            framing,
            events: framed,
            state,
            mut joining,
            mut activities,
            mut undoing,
        } = self;
        let from = events.len();
        let result = end(framing, framed, state, failure, events);
        joining.take(events, from);
        joining.finish(events);
        let readers = (
            R::activities as _,
            R::activities_of_fact as _,
            R::KEEPS_TEXT,
        );
        activities.take(events, from, readers);
        undoing.take(events, from);
        undoing.finish(events);
        result
    }
}

/// Ends a response before what is done to its events.
fn end<R: ResponseReader>(
    mut framing: Framing,
    mut framed: SseDecoder,
    mut state: State<R>,
    failure: Option<ModelError>,
    events: &mut Vec<ModelEvent>,
) -> Result<(), ModelError> {
    if let Framing::Body(body, nesting) = &framing {
        return match failure {
            Some(failure) if !nesting.is_closed() => Err(failure),
            _ => response_reader::decode_whole::<R>(body, events),
        };
    }
    // An event at the very end may be whole or cut. Only a whole one counts.
    let mut last = false;
    if let Framing::Lines(lines) = &mut framing {
        lines.finish(|line| state.take(of_line(line), events));
    } else {
        let result = framed.finish(|event| state.take(event, events));
        last = result.is_err();
    }
    last |= state.broken.take().is_some();
    let State {
        reply, any, head, ..
    } = state;
    if reply.state().is_complete() {
        return response_reader::finish(reply, &head, events);
    }
    Err(match response_reader::abandon(reply, events).or(failure) {
        Some(error) => error,
        None if any => error_body::ended_early(R::END),
        None if last => error_body::ended_early("in the middle of its first event"),
        None if head.trim_ascii().is_empty() => error_body::ended_early("nothing came"),
        None => error_body::with_body(
            ModelError::new(
                ModelErrorKind::MalformedResponse,
                "the response is no event stream",
            ),
            &head,
        ),
    })
}

/// A line as an event, which has no name.
fn of_line(data: &[u8]) -> SseEvent<'_> {
    SseEvent { name: "", data }
}

impl<R: ResponseReader> State<R> {
    /// Takes one event.
    fn take(&mut self, event: SseEvent<'_>, events: &mut Vec<ModelEvent>) {
        let data = event.data.trim_ascii();
        // Nothing counts after the end marker, wherever the bytes are cut.
        if self.broken.is_some() || self.reply.state().done || data.is_empty() {
            return;
        }
        if self.reply.state().error.is_some() {
            return self.take_late(data, events);
        }
        if data == b"[DONE]" {
            self.reply.state_mut().done = true;
        } else {
            let json = response_reader::as_text(data);
            let taken = self.reply.read_event(&json, events);
            let state = self.reply.state_mut();
            match (taken, event.name) {
                // Groq names its errors, and puts them in `error`, which has been read by now.
                (Ok(()), "error") if state.error.is_some() => {}
                (_, "error") => state.error = Some(error_body::in_event(data)),
                (Ok(()), _) => {}
                (Err(error), name) if R::knows(name) => {
                    self.broken = Some(unreadable(data, &error));
                    return;
                }
                (Err(_), _) => state.unknown_events += 1,
            }
        }
        self.any = true;
        self.head = Vec::new();
    }

    /// Takes an event after an error, of which only usage counts. A reader of its own reads it, so that
    /// nothing of the response changes.
    fn take_late(&mut self, data: &[u8], events: &mut Vec<ModelEvent>) {
        let mut late = R::default();
        let mut came = Vec::new();
        self.reply.swap_usage(&mut late);
        // What cannot be read says nothing of usage.
        let _ = late.read_event(&response_reader::as_text(data), &mut came);
        self.reply.swap_usage(&mut late);
        came.retain(|event| matches!(event, ModelEvent::Usage(_)));
        events.append(&mut came);
        self.reply.state_mut().done = data == b"[DONE]" || late.state().done;
    }

    /// The bytes without what they hold of the byte order mark that may stand before everything else.
    fn after_mark<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while self.mark_came < BYTE_ORDER_MARK.len()
            && let Some(rest) = bytes.strip_prefix(&[BYTE_ORDER_MARK[self.mark_came]])
        {
            self.mark_came += 1;
            bytes = rest;
        }
        if !bytes.is_empty() {
            self.mark_came = BYTE_ORDER_MARK.len();
        }
        bytes
    }

    fn keep_head(&mut self, bytes: &[u8]) {
        if !self.any && self.head.len() < ModelError::BODY_BYTES {
            let room = ModelError::BODY_BYTES - self.head.len();
            self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
}

fn unreadable(data: &[u8], error: &serde_json::Error) -> ModelError {
    let message = format!("an event of the stream cannot be read: {error}");
    error_body::with_body(
        ModelError::new(ModelErrorKind::MalformedResponse, message),
        data,
    )
}

fn too_long(limit: usize) -> ModelError {
    let message = EventTooLong { limit }.to_string();
    // The same request would be answered at the same length.
    ModelError::new(ModelErrorKind::MalformedResponse, message).with_retryable(false)
}
