//! A guard against a model that repeats itself without progress.

use crate::{
    Conversation,
    message::{Message, ToolRound},
    run::Limits,
    tool::ToolResult,
};

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LoopGuard {
    /// The run makes progress, as far as is known.
    #[default]
    Made,
    /// The model repeats itself, and the next request notes that.
    Note,
    /// The model was warned, and has made progress since.
    Noted,
    /// The model was warned, and repeats itself again.
    None,
}

impl LoopGuard {
    /// Returns the progress after a round. `circles` is true if the round repeats earlier ones.
    pub(crate) fn after(self, circles: bool) -> Self {
        match (self, circles) {
            (Self::Made, true) => Self::Note,
            (Self::Note | Self::Noted, true) => Self::None,
            (Self::Note | Self::Noted, false) => Self::Noted,
            (Self::Made | Self::None, _) => self,
        }
    }
}

/// Returns true if the last of the run's `rounds` rounds has occurred too often. Rounds of the conversation from
/// before the run do not count.
pub(crate) fn repeats(conversation: &Conversation, rounds: u32) -> bool {
    let Some(Message::Assistant(message)) = conversation.messages().last() else {
        return false;
    };
    let window = Limits::WINDOW.min(usize::try_from(rounds).unwrap_or(usize::MAX));
    let mut latest = message.tool_rounds.iter().rev().take(window);
    let Some(last) = latest.next() else {
        return false;
    };
    let alike = latest.filter(|round| are_alike(round, last)).count();
    alike + 1 >= Limits::REPEATS
}

/// Returns true if two rounds had the same calls with the same results, as the model reads them.
fn are_alike(one: &ToolRound, other: &ToolRound) -> bool {
    one.results.len() == other.results.len()
        && one.answered_calls().zip(other.answered_calls()).all(
            |((call, result), (other, other_result))| {
                call.name == other.name
                    && call.arguments == other.arguments
                    && read_alike(result, other_result)
            },
        )
}

fn read_alike(one: &ToolResult, other: &ToolResult) -> bool {
    match (&one.outcome, &other.outcome) {
        (Ok(one), Ok(other)) => one == other,
        // The log text and the wait may differ.
        (Err(one), Err(other)) => {
            one.category == other.category
                && one.message == other.message
                && one.details == other.details
        }
        _ => false,
    }
}
