//! Findings of a list of messages that was read.

use std::fmt;

/// A difference between a list of messages that was read and the conversation that it became.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The place in the list, such as `messages[3].content[0]`.
    pub path: String,
    /// The kind of difference.
    pub kind: FindingKind,
    /// What was found there, and what was done.
    pub message: String,
}

impl Finding {
    pub(crate) fn new(kind: FindingKind, path: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The kind of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Calls without results, followed by other messages. They are answered as not executed.
    DanglingCall,
    /// A result of no call. It is left out.
    OrphanResult,
    /// A second result of a call. It is left out.
    DuplicateResult,
    /// A result that stood at another place than its call. It is put there.
    MovedResult,
    /// A message with calls that is repeated. It is left out.
    DuplicateMessage,
    /// A message that says nothing. It is left out.
    EmptyMessage,
    /// Messages of one side that follow each other, where the protocol has them in turn. They are written as
    /// one.
    MergedRoles,
    /// A message, or a part of one, that this crate cannot represent. It is left out.
    LeftOut,
    /// The id of a call that is repeated or too long. Its call is sent under another.
    ReplacedId,
    /// Content that is kept in another form.
    Rewritten,
    /// Calls at the end of the list that wait for their results. They wait in the conversation.
    PendingCalls,
}

impl FindingKind {
    /// Returns true if the list is damaged: something in it is wrong, or is lost. Ids that are replaced, other
    /// forms and calls that wait are no damage.
    pub const fn is_damage(self) -> bool {
        !matches!(
            self,
            Self::ReplacedId | Self::Rewritten | Self::PendingCalls
        )
    }
}

/// The limit on the findings that are kept. Each takes more memory than the few bytes of a list that it is about.
const MOST: usize = 1_000;

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<Finding>,
    /// The first of those that are not kept, or the first damage among them, and their number.
    rest: Option<(FindingKind, String, usize)>,
}

impl Findings {
    pub(super) fn push(&mut self, kind: FindingKind, path: &str, message: impl Into<String>) {
        match &mut self.rest {
            None if self.kept.len() < MOST => self.kept.push(Finding::new(kind, path, message)),
            None => self.rest = Some((kind, path.to_owned(), 1)),
            Some((first, place, count)) => {
                *count += 1;
                if kind.is_damage() && !first.is_damage() {
                    (*first, *place) = (kind, path.to_owned());
                }
            }
        }
    }

    /// All of them, with one for those that were not kept.
    pub(super) fn into_report(self) -> Vec<Finding> {
        let mut report = self.kept;
        report.extend(self.rest.map(|(kind, path, count)| {
            let message = format!("{count} more differences, this one included, are not listed");
            Finding::new(kind, &path, message)
        }));
        report
    }
}
