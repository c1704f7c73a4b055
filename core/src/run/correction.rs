//! Corrections: requests that ask a model once more.

use crate::model::ToolChoice;

/// The reason why a model is asked once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Correction {
    /// It had to call a tool, and did not.
    Choice,
    /// Its provider could not read a call of it.
    Malformed,
    /// Its response was empty.
    Empty,
}

/// The corrections of one turn: each is made once, so that a model that does not listen comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Corrections {
    made: [bool; 3],
    latest: Option<Correction>,
}

impl Corrections {
    /// Returns true if this correction was made in the turn.
    pub(super) fn has(self, correction: Correction) -> bool {
        self.made[correction as usize]
    }

    /// The one that the next request makes.
    pub(super) fn latest(self) -> Option<Correction> {
        self.latest
    }

    pub(super) fn make(&mut self, correction: Correction) {
        self.made[correction as usize] = true;
        self.latest = Some(correction);
    }

    /// A response has come: the next request says nothing of it, unless there is another one to make.
    pub(super) fn heard(&mut self) {
        self.latest = None;
    }
}

impl Correction {
    /// The name of the warning that says that it was made.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Choice => "tool_choice_unmet",
            Self::Malformed => "malformed_call",
            Self::Empty => "empty_response",
        }
    }

    /// Returns the fault of the response, in words for people.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Choice => "the model had to call a tool and did not",
            Self::Malformed => "the model wrote a call that its provider could not read",
            Self::Empty => {
                "the model said nothing: its response had neither text nor a call that may run"
            }
        }
    }

    /// Returns the note for the model. It is part of one request only.
    pub(super) fn note(self, choice: &ToolChoice) -> String {
        let note = match (self, choice) {
            (Self::Choice, ToolChoice::Tool(name)) => {
                format!("you have to call the tool `{name}` before you answer. Call it now.")
            }
            (Self::Choice, _) => {
                "you have to call a tool before you answer. Call one now.".to_owned()
            }
            (Self::Malformed, _) => {
                "your last response held a call that could not be read, so that no call \
                 of it has run. Make it again, with arguments in JSON, or answer without it."
                    .to_owned()
            }
            (Self::Empty, ToolChoice::None) => {
                "your last response held no text, and no tool may be called. Answer in text now."
                    .to_owned()
            }
            (Self::Empty, _) => "your last response was empty. Answer now.".to_owned(),
        };
        format!("Note from the application: {note}")
    }
}
