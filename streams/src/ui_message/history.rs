//! The messages of a conversation that no run is kept of.

use super::{
    activity_chunks,
    call_chunk::{known, outcome},
    chunk::UiMessageChunk,
    message::UiMessage,
};
use crate::{links::with_safe_links, output::media_type};
use toolwright_core::{
    Conversation,
    message::{Message, Part, ToolRound, calls_of},
    tool::ToolResult,
};

/// The messages of a conversation without stored runs, or of the part before its first stored run.
///
/// A message has the id `history-0`, by its place. For a stored run, [`UiMessageStream`](super::UiMessageStream) makes
/// the message, with the ids of its calls and what the conversation does not have: approvals, warnings, usage.
pub fn history(conversation: &Conversation) -> Vec<UiMessage> {
    let messages = conversation.messages().iter().enumerate();
    let of = |(place, message): (usize, &Message)| {
        let id = format!("history-{place}");
        match message {
            Message::User(message) => UiMessage::user(id, message),
            Message::Assistant(message) => {
                let mut reply = Replies::new(id);
                for round in &message.tool_rounds {
                    reply.round(round);
                }
                if !message.parts.is_empty() {
                    reply.add(&message.parts, &[]);
                }
                reply.message
            }
        }
    };
    messages.map(of).collect()
}

struct Replies {
    message: UiMessage,
    steps: usize,
    rounds: usize,
}

impl Replies {
    fn new(id: String) -> Self {
        Self {
            message: UiMessage::assistant(id),
            steps: 0,
            rounds: 0,
        }
    }

    fn round(&mut self, round: &ToolRound) {
        self.add(&round.reply, &round.results);
        self.rounds += usize::from(calls_of(&round.reply).next().is_some());
    }

    fn add(&mut self, parts: &[Part], results: &[ToolResult]) {
        use UiMessageChunk as Chunk;
        self.take(&Chunk::StartStep);
        let (mut calls, mut place) = (0, 0);
        for part in parts {
            let id = format!("{}-{place}", self.steps);
            match part {
                Part::Text(text) | Part::Reasoning(text) if text.is_empty() => continue,
                Part::Text(text) => {
                    let delta = text.clone();
                    self.take(&Chunk::TextStart { id: id.clone() });
                    self.take(&Chunk::TextDelta {
                        id: id.clone(),
                        delta,
                    });
                    self.take(&Chunk::TextEnd { id });
                }
                Part::Reasoning(text) => {
                    let delta = text.clone();
                    self.take(&Chunk::ReasoningStart { id: id.clone() });
                    self.take(&Chunk::ReasoningDelta {
                        id: id.clone(),
                        delta,
                    });
                    self.take(&Chunk::ReasoningEnd { id });
                }
                Part::Call(call) => {
                    let id = format!("{}:{}.{calls}", self.message.id(), self.rounds);
                    let result = results.get(calls);
                    calls += 1;
                    self.take(&known(&id, &call.name, &call.arguments, result));
                    if let Some(result) = result {
                        self.take(&outcome(id, result, false));
                    }
                }
                Part::Image(image) => self.take(&Chunk::File {
                    url: image.address().into_owned(),
                    media_type: media_type(image).to_owned(),
                }),
                Part::Document(document) => self.take(&Chunk::File {
                    url: document.address().into_owned(),
                    media_type: document.media_type.clone(),
                }),
                Part::Audio(audio) => self.take(&Chunk::File {
                    url: audio.address().into_owned(),
                    media_type: audio.media_type.clone(),
                }),
                Part::Activity(activity) => {
                    let scope = self.message.id().to_owned();
                    let activity = with_safe_links((**activity).clone());
                    for chunk in activity_chunks::chunks(&scope, &id, &activity) {
                        self.take(&chunk);
                    }
                }
                // No user reads an opaque part.
                _ => continue,
            }
            place += 1;
        }
        self.take(&Chunk::FinishStep);
        self.steps += 1;
    }

    fn take(&mut self, chunk: &UiMessageChunk) {
        self.message
            .apply(chunk)
            .unwrap_or_else(|error| unreachable!("each part follows its beginning: {error}"));
    }
}
