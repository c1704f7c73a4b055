//! The answer, once no tool is called.

use toolwright_core::{
    ChatModel, ToolDefinitions,
    model::{FinishReason, ModelError, ModelEvent, ModelRequest, ToolChoice},
};

use super::{
    EarlierRequests, Turn,
    reader::{TextRead, without_markup},
    schema_in_words::in_words,
};
use crate::{
    CallForm, TextSource,
    transcript::{in_turns, transcript},
};

impl<M: ChatModel> Turn<'_, M> {
    /// Asks for an answer without tools. Earlier rounds are shown as text.
    pub(super) async fn answer_as_text(
        &self,
        spent: &mut EarlierRequests,
    ) -> Result<(), ModelError> {
        let mut request = self.request.clone();
        request.messages = in_turns(transcript(&request.messages, self.emulated.older_bytes));
        request.tools = ToolDefinitions::default();
        request.tool_choice = ToolChoice::Auto;
        request.settings.parallel_tool_calls = None;
        self.answer(&request, spent).await
    }

    /// Emits an answer as it comes. No call may be in it, so that all that the model writes is text. One that calls
    /// natively has written all of it itself.
    pub(super) async fn answer(
        &self,
        request: &ModelRequest,
        spent: &mut EarlierRequests,
    ) -> Result<(), ModelError> {
        self.count_and_begin(spent).await;
        let in_words = in_words(request);
        let mut asked = self.asked(request, in_words.as_ref(), spent).await;
        let source = match self.emulated.form() {
            CallForm::Native => TextSource::Native,
            _ => TextSource::Answer,
        };
        let mut reader = self.reader(source);
        // Calls that it writes are text here, with a warning.
        let mut watch = self.text.stream();
        let (offers_tools, mut calls_left_out) = (!request.tools.is_empty(), false);
        while let Some(event) = asked.next().await {
            let event = match event {
                Ok(event) => event,
                Err(error) if error.partial.is_some() => {
                    return Err(spent.error(without_markup(error, self.reader(source))));
                }
                // Whoever reads has what came before it, and adds it to the error.
                Err(error) => {
                    self.emit_read(reader.break_off()).await;
                    return Err(error);
                }
            };
            let (reason, raw) = match event {
                ModelEvent::Text(text) => {
                    watch.push(&text);
                    self.emit_read(reader.push(&text)).await;
                    continue;
                }
                // Some servers read calls in the text of a model that is offered no tools.
                ModelEvent::CallStarted { .. } | ModelEvent::CallArguments { .. }
                    if !offers_tools =>
                {
                    calls_left_out = true;
                    continue;
                }
                ModelEvent::Finished {
                    reason: FinishReason::ToolCalls,
                    raw,
                } if !offers_tools => (FinishReason::Stop, raw),
                ModelEvent::Finished { reason, raw } => (reason, raw),
                event => {
                    self.emitter.emit(spent.included(event)).await;
                    continue;
                }
            };
            let end = reader.finish(reason);
            self.emit_read(end.read).await;
            if end.waited_in_vain {
                self.forget_reasoning();
            }
            let watched = watch.finish();
            let has_written =
                !watched.calls.is_empty() || watched.refused.iter().any(|refused| !refused.is_text);
            if calls_left_out || has_written {
                self.warn(
                    "calls_left_out",
                    "the model made calls in an answer, where calls are not allowed: they are left as text",
                )
                .await;
            }
            self.emitter
                .emit(ModelEvent::Finished { reason, raw })
                .await;
            return Ok(());
        }
        // The events end without an end marker, which the collector reports as an error.
        self.emit_read(reader.break_off()).await;
        Ok(())
    }

    async fn emit_read(&self, read: TextRead) {
        if read.was_reasoning {
            self.learn_reasoning(read.was_given).await;
        }
        for event in read.events {
            self.emitter.emit(event).await;
        }
    }
}
