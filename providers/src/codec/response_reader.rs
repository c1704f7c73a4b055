//! Responses, from JSON to model events: what is the same in every protocol.

use std::{borrow::Cow, fmt, sync::Arc};

use serde_json::Value;
use toolwright_core::{
    message::ProviderActivity,
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelResponse, Warning},
    tool::ToolCall,
};
use toolwright_json::raw::Raw;
use toolwright_json::string::text_of;

use super::{
    activity::{Activities, TextSoFar},
    error_body,
    joining::Joining,
    metadata::Metadata,
    partial_object::{self, Object},
    restore_arguments::RestoreArguments,
    tool_list::ToolList,
};

/// Reads one response of a protocol, whole or in pieces.
pub(crate) trait ResponseReader: Default + fmt::Debug + Send {
    /// An event of a stream.
    type Event<'a>: Object<'a>;

    /// The name of the missing part, in a stream that ended early.
    const END: &'static str;

    /// True if a stream is JSON, one value in each line, instead of server-sent events.
    const LINES: bool = false;

    /// True if more of the answer may come after a reason for its end: some servers repeat `STOP` in every
    /// event.
    const ENDS_OFTEN: bool = false;

    /// Returns true if an event of this name is part of the protocol. An event of another name that cannot be
    /// read is counted and left out.
    fn knows(event: &str) -> bool;

    /// Takes the body of a whole response.
    fn take_whole(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error>;

    /// Takes the next event of a stream, which is this JSON.
    fn take_event(&mut self, event: Self::Event<'_>, json: &str, events: &mut Vec<ModelEvent>);

    /// Reads the next event of a stream.
    fn read_event(
        &mut self,
        json: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), serde_json::Error> {
        self.take_event(partial_object::parse(json)?, json, events);
        Ok(())
    }

    /// Exchanges what is known of the usage with a reader of what comes after an error, where a report
    /// counts only together with those before it.
    fn swap_usage(&mut self, _late: &mut Self) {}

    /// True if citations name places in the whole text, by characters.
    const KEEPS_TEXT: bool = false;

    /// Reads the provider's activities from an opaque part.
    fn activities(_data: &Value, _text: TextSoFar<'_>) -> Vec<ProviderActivity> {
        Vec::new()
    }

    /// Reads the provider's activities from a fact about the response.
    fn activities_of_fact(
        _name: &str,
        _value: &Value,
        _text: TextSoFar<'_>,
    ) -> Vec<ProviderActivity> {
        Vec::new()
    }

    /// Tells what was held back; nothing more comes.
    fn flush(&mut self, events: &mut Vec<ModelEvent>);

    /// True if calls run after a word for the end that does not mention them. This is for a protocol that
    /// many servers use with words of their own, so that the words cannot be listed.
    const RUNS_AFTER_ANY_END: bool = false;

    /// Translates the protocol's word for the end; `None` for an unknown word.
    fn finish_reason(raw: &str) -> Option<FinishReason>;

    /// Returns true if there are calls.
    fn has_calls(&self) -> bool;

    fn state(&self) -> &ResponseState;

    fn state_mut(&mut self) -> &mut ResponseState;
}

/// The state of a response so far, for every protocol.
#[derive(Debug, Default)]
pub(crate) struct ResponseState {
    /// There is an answer, however short.
    pub(crate) answered: bool,
    /// The server has sent its end marker.
    pub(crate) done: bool,
    /// The finish reason of the server, once it has come.
    pub(crate) finish_reason: Option<String>,
    /// The reason for the end of the response, if the word alone does not say it, or there is no word.
    pub(crate) outcome: Option<FinishReason>,
    /// The error that the provider reported. It ends the response: of the events after it only usage counts.
    pub(crate) error: Option<ModelError>,
    pub(crate) facts: Metadata,
    /// Events that could not be read.
    pub(crate) unknown_events: usize,
    id: Option<String>,
    model: Option<String>,
}

impl ResponseState {
    /// Returns true if the response is complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.done || self.finish_reason.is_some() || self.outcome.is_some()
    }

    /// Takes the name of the model and the response's id. The first of each is reported.
    pub(crate) fn identify(
        &mut self,
        model: Option<Raw<'_>>,
        id: Option<Raw<'_>>,
        events: &mut Vec<ModelEvent>,
    ) {
        if let Some(model) = first(&mut self.model, model) {
            events.push(ModelEvent::Model(model));
        }
        if let Some(id) = first(&mut self.id, id) {
            events.push(ModelEvent::Metadata {
                name: "id".to_owned(),
                value: id.into(),
            });
        }
    }

    /// Takes the word for the end. An empty one says nothing.
    pub(crate) fn ends_with(&mut self, reason: Option<Raw<'_>>) {
        let reason = reason.map(text_of).filter(|reason| !reason.is_empty());
        if let Some(reason) = reason {
            self.finish_reason = Some(reason.into_owned());
        }
    }
}

/// Keeps the first text that is not empty, and gives it out that one time.
fn first(kept: &mut Option<String>, came: Option<Raw<'_>>) -> Option<String> {
    if kept.is_some() {
        return None;
    }
    let came = text_of(came?).into_owned();
    if came.is_empty() {
        return None;
    }
    *kept = Some(came.clone());
    Some(came)
}

/// JSON as text. Bytes that are no UTF-8 are replaced rather than refused: one broken character is no
/// reason to lose a response.
pub(crate) fn as_text(json: &[u8]) -> Cow<'_, str> {
    // Not `from_utf8_lossy` at once: it is slower where nothing is wrong.
    match std::str::from_utf8(json) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(json),
    }
}

/// Decodes the body of a whole response.
pub(crate) fn decode_whole<R: ResponseReader>(
    body: &[u8],
    events: &mut Vec<ModelEvent>,
) -> Result<(), ModelError> {
    let mut reply = R::default();
    let from = events.len();
    let text = as_text(error_body::without_mark(body));
    reply
        .take_whole(&text, events)
        .or_else(|error| {
            // Some gateways send a list of one.
            let first = first_of_list(&text).ok_or(error)?;
            reply = R::default();
            reply.take_whole(first, events)
        })
        .map_err(|error| error_body::not_a_reply(body, &error))?;
    let result = finish(reply, body, events);
    let mut joining = Joining::default();
    joining.take(events, from);
    joining.finish(events);
    result
}

/// The first value of a list that is not empty.
fn first_of_list(json: &str) -> Option<&str> {
    let list = json.trim_ascii_start().starts_with('[').then_some(json)?;
    let values: Vec<Raw<'_>> = partial_object::parse_list(list).ok()?;
    values.first().map(|first| first.get())
}

/// The error that a body reports, if it is whole and reports one.
pub(crate) fn reported_error<R: ResponseReader>(body: &[u8]) -> Option<ModelError> {
    let mut reply = R::default();
    let json = as_text(error_body::without_mark(body));
    reply.take_whole(&json, &mut Vec::new()).ok()?;
    reply.state_mut().error.take()
}

/// Ends a response: tells what was held back, and its end or its error. `body` is for the error of a
/// response that is none.
pub(crate) fn finish<R: ResponseReader>(
    mut reply: R,
    body: &[u8],
    events: &mut Vec<ModelEvent>,
) -> Result<(), ModelError> {
    let state = reply.state_mut();
    if !state.answered && state.error.is_none() {
        state.error = Some(error_body::no_completion(body));
    }
    let raw = state.finish_reason.clone();
    let outcome = state.outcome;
    let has_calls = reply.has_calls();
    let error = abandon(reply, events);
    let reason = match (outcome, raw.as_deref()) {
        (Some(outcome), _) => outcome,
        (None, None) => FinishReason::Other,
        (None, Some(raw)) => {
            let known = R::finish_reason(raw);
            let reason = known.unwrap_or_default();
            let is_unclear = has_calls && reason == FinishReason::Other;
            if known.is_none() || is_unclear {
                events.push(unknown_end(raw, is_unclear, R::RUNS_AFTER_ANY_END));
            }
            if is_unclear && !R::RUNS_AFTER_ANY_END {
                FinishReason::Unknown
            } else {
                reason
            }
        }
    };
    events.push(ModelEvent::Finished { reason, raw });
    error.map_or(Ok(()), Err)
}

/// Says that a response ended with a word that says too little.
fn unknown_end(raw: &str, has_calls: bool, run: bool) -> ModelEvent {
    let calls = match (has_calls, run) {
        (false, _) => "",
        (true, true) => "; its calls run all the same",
        (true, false) => "; its calls do not run",
    };
    let raw: String = raw.chars().take(100).collect();
    let message = format!("the response ended with `{raw}`, an unknown reason{calls}");
    ModelEvent::Warning(Warning::new("unknown_finish_reason", message))
}

/// Ends a response that broke off: tells what was held back, without an end, and gives what the provider
/// said went wrong.
pub(crate) fn abandon<R: ResponseReader>(
    mut reply: R,
    events: &mut Vec<ModelEvent>,
) -> Option<ModelError> {
    reply.flush(events);
    let state = std::mem::take(reply.state_mut());
    state.facts.finish(events);
    if state.unknown_events > 0 {
        let message = format!(
            "{} events of unknown kinds were left out",
            state.unknown_events
        );
        events.push(ModelEvent::Warning(Warning::new("unknown_events", message)));
    }
    state.error
}

/// Decodes the body of a whole response to a request with these tools.
pub(crate) fn whole_response<R: ResponseReader>(
    tools: Arc<ToolList>,
    body: &[u8],
) -> Result<ModelResponse, ModelError> {
    let mut events = Vec::new();
    let result = decode_whole::<R>(body, &mut events);
    let readers = (
        R::activities as _,
        R::activities_of_fact as _,
        R::KEEPS_TEXT,
    );
    Activities::default().take(&mut events, 0, readers);
    let mut undoing = RestoreArguments::new(tools);
    undoing.take(&mut events, 0);
    undoing.finish(&mut events);
    response_of(events, result)
}

/// The response that events make; or the error that came, with what came before it.
pub(crate) fn response_of(
    events: Vec<ModelEvent>,
    result: Result<(), ModelError>,
) -> Result<ModelResponse, ModelError> {
    let nothing_came = events.is_empty();
    let reply: ModelResponse = events.into_iter().collect();
    match result {
        Ok(()) => Ok(reply),
        Err(error) if nothing_came => Err(error),
        Err(error) => Err(error.with_partial(reply)),
    }
}

/// The calls of a response that are to be run.
pub(crate) fn runnable_calls(response: ModelResponse) -> Result<Vec<ToolCall>, ModelError> {
    if !response.tool_calls.is_empty() && !response.requires_tool_execution() {
        let reason = response.raw_finish_reason.as_deref().unwrap_or("a refusal");
        let message = format!("the response ended with `{reason}`, so its calls must not run");
        return Err(
            ModelError::new(ModelErrorKind::MalformedResponse, message).with_partial(response)
        );
    }
    Ok(response.tool_calls.into_vec())
}
