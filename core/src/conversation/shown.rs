//! The part of a conversation that a model is sent.

use super::{
    compaction::Compaction,
    shortened::{cut, shortened},
};
use crate::message::{AssistantMessage, Message, Part, SharedVec, ToolRound, UserMessage};

/// A piece of a conversation: it is sent whole or not at all.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// A message of the user.
    User(&'a UserMessage),
    /// A round.
    Round(&'a ToolRound),
    /// A final response.
    Response(&'a SharedVec<Part>),
}

/// A piece and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed<'a> {
    /// The number of pieces before it.
    pub(crate) place: u64,
    /// The index of its message.
    pub(crate) message: usize,
    pub(crate) piece: Piece<'a>,
}

/// The pieces of a message, in order.
pub(crate) fn pieces(message: &Message) -> impl DoubleEndedIterator<Item = Piece<'_>> {
    let (user, assistant) = match message {
        Message::User(user) => (Some(Piece::User(user)), None),
        Message::Assistant(assistant) => (None, Some(assistant)),
    };
    let rounds = assistant
        .into_iter()
        .flat_map(|message| message.tool_rounds.iter().map(Piece::Round));
    let response = assistant
        .map(|message| &message.parts)
        .filter(|parts| !parts.is_empty());
    user.into_iter()
        .chain(rounds)
        .chain(response.map(Piece::Response))
}

/// Returns the number of pieces of messages.
pub(crate) fn count(messages: &[Message]) -> u64 {
    let of_message = |message: &Message| match message {
        Message::User(_) => 1,
        Message::Assistant(message) => {
            message.tool_rounds.len() as u64 + u64::from(!message.parts.is_empty())
        }
    };
    messages.iter().map(of_message).sum()
}

/// The pieces that are sent of messages, which have `total` pieces, oldest first. What is left out is not walked,
/// apart from the messages that may hold a request of the user.
pub(crate) fn shown<'a>(
    messages: &'a [Message],
    total: u64,
    compaction: &Compaction,
) -> Vec<Placed<'a>> {
    let requests_from = usize::try_from(compaction.requests_from).unwrap_or(usize::MAX);
    let mut shown = Vec::new();
    let mut end = total;
    for (index, message) in messages.iter().enumerate().rev() {
        if end <= compaction.left_out && index < requests_from {
            break;
        }
        let start = end.saturating_sub(count(std::slice::from_ref(message)));
        let is_kept = matches!(message, Message::User(_)) && index >= requests_from;
        let left_out = if is_kept { 0 } else { compaction.left_out };
        for (place, piece) in (start..end).rev().zip(pieces(message).rev()) {
            if place < left_out {
                break;
            }
            shown.push(Placed {
                place,
                message: index,
                piece,
            });
        }
        end = start;
    }
    shown.reverse();
    shown
}

/// The messages that are sent, of messages with `total` pieces.
pub(crate) fn view(
    messages: &[Message],
    total: u64,
    compaction: &Compaction,
) -> SharedVec<Message> {
    let shown = shown(messages, total, compaction);
    let mut view = SharedVec::new();
    let kept = shown
        .iter()
        .filter(|placed| placed.place < compaction.left_out);
    let missing = compaction.left_out - kept.count() as u64;
    if missing > 0 {
        view.push(Message::user(compaction.note(missing)));
    }
    for placed in shown {
        match placed.piece {
            Piece::Round(round) => match sent(compaction, placed.place, round) {
                Some(round) => push_round(&mut view, round),
                None => push_round(&mut view, round.clone()),
            },
            piece => push(&mut view, piece),
        }
    }
    view
}

/// The form in which a round is sent, if that is not the whole.
pub(crate) fn sent(compaction: &Compaction, place: u64, round: &ToolRound) -> Option<ToolRound> {
    if place < compaction.shortened {
        return Some(shortened(round));
    }
    let limit = compaction.cut.filter(|cut| place < cut.before)?;
    Some(cut(round, limit.bytes))
}

/// Adds a piece to messages as it is.
pub(crate) fn push(messages: &mut SharedVec<Message>, piece: Piece<'_>) {
    match piece {
        Piece::User(message) => messages.push(Message::User(message.clone())),
        Piece::Round(round) => push_round(messages, round.clone()),
        Piece::Response(parts) => unfinished(messages).parts = parts.clone(),
    }
}

fn push_round(messages: &mut SharedVec<Message>, round: ToolRound) {
    unfinished(messages).tool_rounds.push(round);
}

/// The assistant message that the next round or response belongs to.
pub(super) fn unfinished(messages: &mut SharedVec<Message>) -> &mut AssistantMessage {
    let is_unfinished = matches!(
        messages.last(),
        Some(Message::Assistant(message)) if message.parts.is_empty()
    );
    if !is_unfinished {
        messages.push(Message::Assistant(AssistantMessage::default()));
    }
    match messages.last_mut() {
        Some(Message::Assistant(message)) => message,
        _ => unreachable!("an assistant message was the last, or was just pushed"),
    }
}
