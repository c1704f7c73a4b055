//! A request with native tools, whose text is read as well.

use serde_json::json;
use toolwright_core::{
    ChatModel, ToolCall, ToolDefinitions,
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelResponse},
};

use super::{
    EarlierRequests, Turn,
    held::{HELD_BYTES, HeldEvents},
    reader::{Reader, TextEnded, TextRead, read_all, without_markup},
    reading::TEXT_BYTES,
    schema_in_words::in_words,
};
use crate::{CallForm, RefusalReason, RefusedCall, TextSource, decision};

/// What became of a native request.
pub(super) enum Native {
    /// The response has been emitted.
    Answered,
    /// The server refuses tools. Nothing has been emitted.
    ToolsRefused,
    /// The response has no call, and there may be one, or has to be. These are its events.
    Held(Vec<ModelEvent>),
}

impl<M: ChatModel> Turn<'_, M> {
    /// Asks the model with its tools. Where nothing is known of it, its response is held back until there is a call;
    /// and so it is where a call is needed, since a response without is none.
    pub(super) async fn ask_natively(
        &self,
        form: &CallForm,
        spent: &mut EarlierRequests,
    ) -> Result<Native, ModelError> {
        let is_held = *form == CallForm::Unknown || decision::needs_call(self.request);
        let mut held = is_held.then(HeldEvents::default);
        let limit = if decision::needs_call(self.request) {
            TEXT_BYTES
        } else {
            HELD_BYTES
        };
        let in_words = in_words(self.request);
        let mut asked = self.asked(self.request, in_words.as_ref(), spent).await;
        let source = match form {
            CallForm::Native => TextSource::Native,
            _ => TextSource::Other,
        };
        // What is held back is read when it is known what it is.
        let mut reader = self.reader(source);
        let (mut has_come, mut calls_natively, mut refuses) = (false, false, false);
        while let Some(event) = asked.next().await {
            match event {
                Err(error) => {
                    let is_unread = held.is_some() || !has_come;
                    let mut error = without_markup(error, self.reader(source));
                    match (held, &error.partial) {
                        // It is not shown: a run may ask again.
                        (Some(held), None) => {
                            let events = self.read_held(held, reader, FinishReason::Length).await.0;
                            let came: ModelResponse = events.into_iter().collect();
                            error.partial = Some(Box::new(came));
                        }
                        (None, None) => self.emit_natively(reader.break_off(), spent).await,
                        (_, Some(_)) => {}
                    }
                    if error.kind == ModelErrorKind::ToolsUnsupported && is_unread {
                        self.emulated.learn(|facts| facts.calls = CallForm::None);
                        spent.add(&asked.spent_until(&error));
                        return Ok(Native::ToolsRefused);
                    }
                    // Whoever reads has what came, if that is not in the error, and adds it.
                    return Err(match &error.partial {
                        Some(_) => spent.error(error),
                        None => error,
                    });
                }
                Ok(ModelEvent::Finished { reason, raw }) => {
                    // A refusal in words is one, whatever the provider calls its end.
                    let reason = match reason {
                        FinishReason::Stop if refuses => FinishReason::Refusal,
                        reason => reason,
                    };
                    let finished = ModelEvent::Finished { reason, raw };
                    if let Some(held) = held {
                        return self
                            .end_held(held, source, calls_natively, finished, spent)
                            .await;
                    }
                    let end = reader.finish(reason);
                    return self.end_shown(end, calls_natively, finished, spent).await;
                }
                Ok(event) => {
                    // A model that has another one inside tells of attempts that have failed before.
                    has_come |= !event.is_beside_the_answer();
                    refuses |=
                        matches!(&event, ModelEvent::Refusal(text) if !text.trim().is_empty());
                    if let ModelEvent::CallStarted { name, .. } = &event {
                        if held.is_some() {
                            reader = self.reader(TextSource::Native);
                        }
                        calls_natively = true;
                        self.emulated.learn(|facts| facts.calls = CallForm::Native);
                        if decision::is_chosen(&self.request.tool_choice, name) {
                            self.release(held.take(), &mut reader, spent).await;
                        }
                    }
                    if let Some(all) = &mut held {
                        self.note(&event, spent);
                        all.push(event);
                        if all.bytes() > limit {
                            self.release(held.take(), &mut reader, spent).await;
                        }
                    } else {
                        self.show(event, &mut reader, spent).await;
                    }
                }
            }
        }
        // The events end without an end marker, which the collector reports as an error.
        self.release(held, &mut reader, spent).await;
        self.emit_natively(reader.break_off(), spent).await;
        Ok(Native::Answered)
    }

    /// The end of a response of which nothing has been emitted.
    async fn end_held(
        &self,
        held: HeldEvents,
        source: TextSource,
        calls_natively: bool,
        finished: ModelEvent,
        spent: &mut EarlierRequests,
    ) -> Result<Native, ModelError> {
        let ModelEvent::Finished { reason, .. } = finished else {
            unreachable!("it is the event of the end");
        };
        let is_text = calls_natively || reason.forbids_execution();
        let answer = if calls_natively || source == TextSource::Native {
            TextSource::Native
        } else {
            TextSource::Answer
        };
        let events = held.into_events();
        let reader = self.reader(if is_text { answer } else { source });
        let (read, end) = read_all(events.clone(), reader, reason);
        let (mut calls, is_usable) = self.calls_of(&end);
        if is_usable && !is_text {
            let format = end.format.unwrap_or_default().to_owned();
            self.emulated.learn(|facts| {
                // A clone may have learnt more meanwhile.
                if facts.calls == CallForm::Unknown {
                    facts.calls = CallForm::Text { format };
                }
            });
            self.learn_from(&end).await;
            // A response with calls has no text.
            let is_text = |event: &ModelEvent| matches!(event, ModelEvent::Text(_));
            for event in read.into_iter().filter(|event| !is_text(event)) {
                self.emitter.emit(spent.included(event)).await;
            }
            return self.end_with_calls(calls, &end).await;
        }
        // The answer is all that the model wrote.
        let (read, shown) = if is_text {
            (read, end)
        } else {
            let has_refused = !calls.is_empty();
            calls.clear();
            if has_refused {
                self.warn_of_refused().await;
            }
            read_all(events, self.reader(answer), reason)
        };
        self.learn_from(&shown).await;
        if calls_natively {
            let message = "the model called another tool than the one that has to be called";
            self.warn("calls_left_out", message).await;
        }
        if is_whole(reason) {
            let mut events = read;
            events.push(finished);
            let response = events.iter().cloned().collect();
            spent.add(&response);
            return Ok(Native::Held(events));
        }
        for event in read.into_iter().chain([finished]) {
            self.emitter.emit(spent.included(event)).await;
        }
        Ok(Native::Answered)
    }

    /// The end of a response that has been emitted as it came.
    async fn end_shown(
        &self,
        mut end: TextEnded,
        calls_natively: bool,
        finished: ModelEvent,
        spent: &EarlierRequests,
    ) -> Result<Native, ModelError> {
        let ModelEvent::Finished { reason, .. } = finished else {
            unreachable!("it is the event of the end");
        };
        self.learn_from(&end).await;
        for event in std::mem::take(&mut end.read.events) {
            self.emitter.emit(spent.included(event)).await;
        }
        let (calls, _) = self.calls_of(&end);
        if !calls.is_empty() && !calls_natively && !reason.forbids_execution() {
            return self.end_with_calls(calls, &end).await;
        }
        if !calls.is_empty() {
            // The provider's calls are the model's own; and what may be a part of a call is none.
            self.warn(
                "calls_left_out",
                "the model wrote calls that may not run here: they are left as text",
            )
            .await;
            let text = ModelEvent::Text(format!("\n{}", end.written));
            self.emitter.emit(text).await;
        }
        self.emitter.emit(finished).await;
        Ok(Native::Answered)
    }

    /// Ends a response with these calls of its text.
    async fn end_with_calls(
        &self,
        calls: Vec<ToolCall>,
        end: &TextEnded,
    ) -> Result<Native, ModelError> {
        self.warn_of_emulation().await;
        let is_offered = |call: &ToolCall| {
            let mut tools = self.request.tools.iter();
            decision::is_chosen(&self.request.tool_choice, &call.name)
                && tools.any(|tool| tool.name == call.name.as_str())
        };
        if end.refused.iter().any(|refused| !refused.is_text) || !calls.iter().all(is_offered) {
            self.warn_of_refused().await;
        }
        self.emit_calls(calls).await;
        let (reason, raw) = (FinishReason::ToolCalls, None);
        self.emitter
            .emit(ModelEvent::Finished { reason, raw })
            .await;
        Ok(Native::Answered)
    }

    /// The calls of a text, with those that are refused: the runner answers each. True if one of them is of a tool that
    /// may be called.
    fn calls_of(&self, end: &TextEnded) -> (Vec<ToolCall>, bool) {
        let is_usable =
            |call: &ToolCall| decision::is_chosen(&self.request.tool_choice, &call.name);
        let is_usable = end.calls.iter().any(is_usable);
        let refused = end.refused.iter().filter(|refused| !refused.is_text);
        let calls = end
            .calls
            .iter()
            .cloned()
            .chain(refused.map(|refused| as_call(refused, &self.request.tools)));
        (calls.collect(), is_usable)
    }

    async fn warn_of_refused(&self) {
        self.warn(
            "calls_refused",
            "the model wrote calls that cannot run: they get error results, or the request is repeated",
        )
        .await;
    }

    /// Reads what was held back.
    async fn read_held(
        &self,
        held: HeldEvents,
        reader: Reader,
        reason: FinishReason,
    ) -> (Vec<ModelEvent>, TextEnded) {
        let (events, end) = read_all(held.into_events(), reader, reason);
        self.learn_from(&end).await;
        (events, end)
    }

    /// Learns from the end of a text whether it was reasoning.
    async fn learn_from(&self, end: &TextEnded) {
        if end.read.was_reasoning {
            self.learn_reasoning(end.read.was_given).await;
        }
        if end.waited_in_vain {
            self.forget_reasoning();
        }
    }

    async fn emit_natively(&self, read: TextRead, spent: &EarlierRequests) {
        if read.was_reasoning {
            self.learn_reasoning(read.was_given).await;
        }
        for event in read.events {
            self.emitter.emit(spent.included(event)).await;
        }
    }

    /// Emits an event with what was spent before, and text as it is read.
    async fn show(&self, event: ModelEvent, reader: &mut Reader, spent: &EarlierRequests) {
        match event {
            ModelEvent::Text(text) => self.emit_natively(reader.push(&text), spent).await,
            event => {
                if matches!(event, ModelEvent::CallStarted { .. }) {
                    for event in reader.release() {
                        self.emitter.emit(spent.included(event)).await;
                    }
                }
                self.emitter.emit(spent.included(event)).await;
            }
        }
    }

    /// Emits what was held back.
    async fn release(
        &self,
        held: Option<HeldEvents>,
        reader: &mut Reader,
        spent: &EarlierRequests,
    ) {
        for event in held.map(HeldEvents::into_events).unwrap_or_default() {
            self.show(event, reader, spent).await;
        }
    }
}

/// A refused call, as a call of an unknown tool, which gets an error as its result. One that cannot be read is never
/// given to a tool, which might not look at its arguments.
fn as_call(refused: &RefusedCall, tools: &ToolDefinitions) -> ToolCall {
    if let (RefusalReason::UnknownTool, Some(name), Some(arguments)) =
        (&refused.reason, &refused.name, &refused.arguments)
    {
        return ToolCall::new("", name.clone(), arguments.clone());
    }
    let mut name = "unreadable_call".to_owned();
    while tools.iter().any(|tool| tool.name == name.as_str()) {
        name.push('_');
    }
    let arguments = json!({"name": refused.name, "written": refused.text});
    ToolCall::new("", name, arguments.to_string())
}

/// Returns true for the end of a response that the model has made whole: one that was cut off, refused or paused has no
/// call for that reason.
fn is_whole(reason: FinishReason) -> bool {
    matches!(
        reason,
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Other
    )
}
