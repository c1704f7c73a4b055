//! A request with native tools, whose text is read as well.

use toolwright_runtime::{
    ChatModel,
    model::{FinishReason, ModelError, ModelErrorKind, ModelEvent, ModelResponse},
};

use super::{
    Spent, Turn,
    held::{HELD_BYTES, Held},
    reader::{TextEnded, TextRead, without_markup},
    reading::TEXT_BYTES,
    schema_in_words::in_words,
};
use crate::{CallForm, decision};

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
        spent: &mut Spent,
    ) -> Result<Native, ModelError> {
        let is_held = *form == CallForm::Unknown || decision::needs_call(self.request);
        let mut held = is_held.then(Held::default);
        let in_words = in_words(self.request);
        let mut asked = self.asked(self.request, in_words.as_ref(), spent).await;
        let mut reader = self.reader();
        let (mut has_come, mut calls_natively, mut refuses) = (false, false, false);
        while let Some(event) = asked.next().await {
            match event {
                Err(error) => {
                    let is_unread = held.is_some() || !has_come;
                    if error.partial.is_none() {
                        self.emit_or_hold_read(reader.break_off(), &mut held, spent)
                            .await;
                    }
                    let mut error = without_markup(error, self.reader());
                    // What was held back is not shown: a run may ask again.
                    if let (Some(held), None) = (held, &error.partial) {
                        let came: ModelResponse = held.into_events().into_iter().collect();
                        error.partial = Some(Box::new(came));
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
                Ok(ModelEvent::Text(text)) => {
                    has_come = true;
                    self.emit_or_hold_read(reader.push(&text), &mut held, spent)
                        .await;
                }
                Ok(ModelEvent::Finished { reason, raw }) => {
                    // A refusal in words is one, whatever the provider calls its end.
                    let reason = match reason {
                        FinishReason::Stop if refuses => FinishReason::Refusal,
                        reason => reason,
                    };
                    let finished = ModelEvent::Finished { reason, raw };
                    let end = reader.finish(reason);
                    return self
                        .end_natively(end, calls_natively, held, finished, spent)
                        .await;
                }
                Ok(event) => {
                    // A model that has another one inside tells of attempts that have failed before.
                    has_come |= !event.is_beside_the_answer();
                    refuses |=
                        matches!(&event, ModelEvent::Refusal(text) if !text.trim().is_empty());
                    if let ModelEvent::CallStarted { name, .. } = &event {
                        calls_natively = true;
                        for event in reader.release() {
                            self.emit_or_hold(event, &mut held, spent).await;
                        }
                        self.emulated.learn(|facts| facts.calls = CallForm::Native);
                        if decision::is_chosen(&self.request.tool_choice, name) {
                            self.release(held.take(), spent).await;
                        }
                    }
                    self.emit_or_hold(event, &mut held, spent).await;
                }
            }
        }
        // The events end without the one that says so, which is an error of whoever collects them.
        self.emit_or_hold_read(reader.break_off(), &mut held, spent)
            .await;
        self.release(held, spent).await;
        Ok(Native::Answered)
    }

    async fn end_natively(
        &self,
        end: TextEnded,
        calls_natively: bool,
        mut held: Option<Held>,
        finished: ModelEvent,
        spent: &mut Spent,
    ) -> Result<Native, ModelError> {
        let ModelEvent::Finished { reason, .. } = finished else {
            unreachable!("it is the event of the end");
        };
        self.emit_or_hold_read(end.read, &mut held, spent).await;
        if end.waited_in_vain {
            self.forget_reasoning();
        }
        if calls_natively && held.is_some() {
            let message = "the model called another tool than the one that has to be called";
            self.warn("calls_left_out", message).await;
        }
        // The provider's calls are the model's own; those in the text would be run beside them.
        let written = end.calls.len();
        let mut calls = if calls_natively {
            Vec::new()
        } else {
            end.calls
        };
        calls.retain(|call| {
            !reason.forbids_execution()
                && decision::is_chosen(&self.request.tool_choice, &call.name)
        });
        if calls.len() < written {
            self.warn(
                "calls_left_out",
                "the model wrote calls in its text that may not run here; they were left out",
            )
            .await;
        }
        if !calls.is_empty() {
            let format = end.format.unwrap_or_default().to_owned();
            if held.is_some() {
                self.emulated.learn(|facts| {
                    // A clone may have learnt more meanwhile.
                    if facts.calls == CallForm::Unknown {
                        facts.calls = CallForm::Text { format };
                    }
                });
            }
            self.warn_of_emulation().await;
            // A response with calls has no text.
            let is_text = |event: &ModelEvent| matches!(event, ModelEvent::Text(_));
            let kept = held.take().map(Held::into_events).unwrap_or_default();
            for event in kept.into_iter().filter(|event| !is_text(event)) {
                self.emitter.emit(spent.included(event)).await;
            }
            self.emit_calls(calls).await;
            let (reason, raw) = (FinishReason::ToolCalls, None);
            self.emitter
                .emit(ModelEvent::Finished { reason, raw })
                .await;
            return Ok(Native::Answered);
        }
        match held {
            Some(held) if is_whole(reason) => {
                let mut events = held.into_events();
                events.push(finished);
                let response = events.iter().cloned().collect();
                spent.add(&response);
                Ok(Native::Held(events))
            }
            held => {
                self.release(held, spent).await;
                self.emitter.emit(finished).await;
                Ok(Native::Answered)
            }
        }
    }

    async fn emit_or_hold_read(&self, read: TextRead, held: &mut Option<Held>, spent: &Spent) {
        match held.as_mut().filter(|_| read.was_reasoning) {
            Some(held) => {
                self.learn_reasoning(false).await;
                held.make_reasoning();
            }
            None if read.was_reasoning => self.learn_reasoning(read.was_given).await,
            None => {}
        }
        for event in read.events {
            self.emit_or_hold(event, held, spent).await;
        }
    }

    /// Emits an event with what was spent before, or holds it back as it is.
    async fn emit_or_hold(&self, event: ModelEvent, held: &mut Option<Held>, spent: &Spent) {
        let Some(all) = held else {
            return self.emitter.emit(spent.included(event)).await;
        };
        all.push(event);
        let limit = if decision::needs_call(self.request) {
            TEXT_BYTES
        } else {
            HELD_BYTES
        };
        if all.bytes() > limit {
            self.release(held.take(), spent).await;
        }
    }

    /// Emits what was held back, with what was spent before.
    async fn release(&self, held: Option<Held>, spent: &Spent) {
        for event in held.map(Held::into_events).unwrap_or_default() {
            self.emitter.emit(spent.included(event)).await;
        }
    }
}

/// Returns true for the end of a response that the model has made whole: one that was cut off, refused or paused has no
/// call for that reason.
fn is_whole(reason: FinishReason) -> bool {
    matches!(
        reason,
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Other
    )
}
