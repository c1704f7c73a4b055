//! Chunks put together, by the rules of `processUIMessageStream` of `ai` 6 and 7.

mod calls;

use serde::Serialize;
use toolwright_json::JsonText;

use super::{
    call_places::CallPlaces,
    chunk::UiMessageChunk,
    message::{UiMessage, UiPart, UiTextState},
};
use crate::Frame;

/// A chunk that does not follow those before it. A client would end the stream with an error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the message has no {what} with the id `{id}`")]
#[non_exhaustive]
pub struct ChunkOutOfOrder {
    /// What is missing: `open text`, `open reasoning`, `call`, `approval`.
    pub what: &'static str,
    /// The id that the chunk has.
    pub id: String,
}

impl ChunkOutOfOrder {
    fn new(what: &'static str, id: &str) -> Self {
        let id = id.to_owned();
        Self { what, id }
    }
}

impl UiMessage {
    /// Takes the chunk of a frame, if it has one.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    pub fn take(&mut self, frame: &Frame<UiMessageChunk>) -> Result<(), ChunkOutOfOrder> {
        frame
            .data
            .as_ref()
            .map_or(Ok(()), |chunk| self.apply(chunk))
    }

    /// Takes the next chunk. The message then has the parts of the chunk that a client stores.
    ///
    /// # Errors
    ///
    /// When it does not follow those before it. The chunks of one [`UiMessageStream`](super::UiMessageStream) do, and those of
    /// another one that has [caught up](super::UiMessageStream::catch_up) with it follow them.
    pub fn apply(&mut self, chunk: &UiMessageChunk) -> Result<(), ChunkOutOfOrder> {
        use UiMessageChunk as Chunk;
        match chunk {
            Chunk::Start { message_id } => {
                if message_id != self.id() {
                    self.restart();
                    self.set_id(message_id);
                }
            }
            Chunk::StartStep => {
                self.parts_mut().push(UiPart::StepStart);
                self.calls.start_step(self.parts().len());
            }
            Chunk::FinishStep if self.is_version_7 => {}
            Chunk::FinishStep => self.close(),
            Chunk::ResetStep => {
                self.void_step();
                self.close();
            }
            Chunk::TextStart { id } => {
                let place = self.parts().len();
                self.texts.insert(id.clone(), place);
                let (text, state) = (String::new(), Some(UiTextState::Streaming));
                self.parts_mut().push(UiPart::Text { text, state });
            }
            Chunk::ReasoningStart { id } => {
                let place = self.parts().len();
                self.reasoning.insert(id.clone(), place);
                self.parts_mut().push(UiPart::Reasoning {
                    id: id.clone(),
                    text: String::new(),
                    state: UiTextState::Streaming,
                });
            }
            Chunk::TextDelta { id, delta } => {
                let place = self.texts.get(id).copied();
                self.more(place, delta)
                    .ok_or_else(|| ChunkOutOfOrder::new("open text", id))?;
            }
            Chunk::ReasoningDelta { id, delta } => {
                let place = self.reasoning.get(id).copied();
                self.more(place, delta)
                    .ok_or_else(|| ChunkOutOfOrder::new("open reasoning", id))?;
            }
            Chunk::TextEnd { id } => {
                let place = self.texts.remove(id);
                self.end_text(place)
                    .ok_or_else(|| ChunkOutOfOrder::new("open text", id))?;
            }
            Chunk::ReasoningEnd { id } => {
                let place = self.reasoning.remove(id);
                self.end_text(place)
                    .ok_or_else(|| ChunkOutOfOrder::new("open reasoning", id))?;
            }
            Chunk::File { url, media_type } => {
                self.parts_mut().push(UiPart::File {
                    media_type: media_type.clone(),
                    filename: None,
                    url: url.clone(),
                });
            }
            Chunk::SourceUrl {
                source_id,
                url,
                title,
            } => self.parts_mut().push(UiPart::SourceUrl {
                source_id: source_id.clone(),
                url: url.clone(),
                title: title.clone(),
            }),
            Chunk::SourceDocument {
                source_id,
                media_type,
                title,
            } => self.parts_mut().push(UiPart::SourceDocument {
                source_id: source_id.clone(),
                media_type: media_type.clone(),
                title: title.clone(),
            }),
            Chunk::SteeringMessage { id, parts } => {
                let (id, parts) = (id.clone(), parts.clone());
                self.parts_mut().push(UiPart::SteeringMessage { id, parts });
            }
            Chunk::DataUserMessage { id, data } => self.data("data-user-message", id, data),
            Chunk::DataVoid { id, data } => self.data("data-void", id, data),
            Chunk::DataQuestion { id, data } => self.data("data-question", id, data),
            Chunk::DataTransfer { id, data } => self.data("data-transfer", id, data),
            Chunk::DataUsage { id, data } => self.data("data-usage", id, data),
            Chunk::DataWarning { id, data } => self.data("data-warning", id, data),
            Chunk::DataLimitReached { id, data } => self.data("data-limit-reached", id, data),
            Chunk::DataAnswer { id, data } => self.data("data-answer", id, data),
            Chunk::DataFailure { id, data } => self.data("data-failure", id, data),
            // The first is transient, and a client keeps the others beside the message.
            Chunk::DataRetry { .. }
            | Chunk::Abort { .. }
            | Chunk::Error { .. }
            | Chunk::Finish { .. } => {}
            chunk => return self.apply_to_call(chunk),
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.parts_mut().clear();
        self.calls = CallPlaces::default();
        self.close();
    }

    fn close(&mut self) {
        self.texts.clear();
        self.reasoning.clear();
    }

    /// Adds to a text that is open.
    fn more(&mut self, place: Option<usize>, delta: &str) -> Option<()> {
        match self.parts_mut().get_mut(place?)? {
            UiPart::Text { text, .. } | UiPart::Reasoning { text, .. } => text.push_str(delta),
            _ => return None,
        }
        Some(())
    }

    fn end_text(&mut self, place: Option<usize>) -> Option<()> {
        match self.parts_mut().get_mut(place?)? {
            UiPart::Text { state, .. } => *state = Some(UiTextState::Done),
            UiPart::Reasoning { state, .. } => *state = UiTextState::Done,
            _ => return None,
        }
        Some(())
    }

    /// Sets a part of data, which may be there.
    fn data(&mut self, kind: &'static str, id: &str, data: &impl Serialize) {
        let Ok(data) = JsonText::of(data) else { return };
        let known = self.parts_mut().iter_mut().find_map(|part| match part {
            UiPart::Data {
                kind: known,
                id: of,
                data,
            } => (*known == kind && of == id).then_some(data),
            _ => None,
        });
        if let Some(known) = known {
            *known = data;
        } else {
            let id = id.to_owned();
            self.parts_mut().push(UiPart::Data { kind, id, data });
        }
    }
}
