//! Results of calls, and the calls that they belong to.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};
use toolwright_core::{
    ErrorCategory, ToolError,
    tool::{OutputPart, ToolCall, ToolOutput, ToolResult},
};

/// A result in a list.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The id of the call; empty where the protocol has none.
    pub(crate) id: String,
    /// The name of the tool; empty where the protocol has none.
    pub(crate) name: String,
    pub(crate) outcome: Result<ToolOutput, ToolError>,
    /// The form in which it came, if ours is another.
    pub(crate) form: Map<String, Value>,
}

/// The calls of the response just before, which results are looked for.
#[derive(Debug)]
pub(super) struct OpenRound {
    by_id: HashMap<String, VecDeque<usize>>,
    by_name: HashMap<String, VecDeque<usize>>,
    is_answered: Vec<bool>,
    /// The first call without a result.
    next: usize,
}

impl OpenRound {
    pub(super) fn of(calls: &[ToolCall]) -> Self {
        let mut round = Self {
            by_id: HashMap::new(),
            by_name: HashMap::new(),
            is_answered: vec![false; calls.len()],
            next: 0,
        };
        for (number, call) in calls.iter().enumerate() {
            round
                .by_id
                .entry(call.id.clone())
                .or_default()
                .push_back(number);
            round
                .by_name
                .entry(call.name.clone())
                .or_default()
                .push_back(number);
        }
        round
    }

    /// The number of the call that a result answers, and whether it comes in the order of the calls.
    pub(super) fn take(&mut self, answer: &Answer) -> Option<(usize, bool)> {
        let number = if !answer.id.is_empty() {
            first(self.by_id.get_mut(&answer.id)?, &self.is_answered)?
        } else if !answer.name.is_empty() {
            first(self.by_name.get_mut(&answer.name)?, &self.is_answered)?
        } else {
            (self.next < self.is_answered.len()).then_some(self.next)?
        };
        let in_order = number == self.next;
        self.is_answered[number] = true;
        while self.is_answered.get(self.next) == Some(&true) {
            self.next += 1;
        }
        Some((number, in_order))
    }
}

/// The first call of a queue that has no result.
fn first(queue: &mut VecDeque<usize>, is_answered: &[bool]) -> Option<usize> {
    loop {
        let number = queue.pop_front()?;
        if !is_answered[number] {
            return Some(number);
        }
    }
}

/// Results that do not follow their calls.
#[derive(Debug, Default)]
pub(super) struct Strays(Vec<(String, Answer)>);

/// Where the call of a result stands.
#[derive(Debug, Clone, Copy)]
pub(super) enum CallPosition {
    /// The number of the item, and that of the call.
    At(usize, usize),
    /// The call has a result.
    Answered,
    Nowhere,
}

impl Strays {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn push(&mut self, path: &str, answer: Answer) {
        self.0.push((path.to_owned(), answer));
    }

    /// Each result with the place of its call. The calls come with the number of their item, their own, and
    /// whether they wait.
    pub(super) fn placed<'c>(
        self,
        calls: impl Iterator<Item = (usize, usize, &'c ToolCall, bool)>,
    ) -> Vec<(String, Answer, CallPosition)> {
        let mut waiting: HashMap<(bool, String), VecDeque<(usize, usize)>> = HashMap::new();
        for (at, number, call, waits) in calls {
            for key in [(true, call.id.clone()), (false, call.name.clone())] {
                let queue = waiting.entry(key).or_default();
                if waits {
                    queue.push_back((at, number));
                }
            }
        }
        let mut taken = std::collections::HashSet::new();
        let placed = self.0.into_iter().map(|(path, answer)| {
            let key = match answer.id.as_str() {
                "" => (false, answer.name.clone()),
                id => (true, id.to_owned()),
            };
            let place = match waiting.get_mut(&key) {
                None => CallPosition::Nowhere,
                Some(_) if key.1.is_empty() => CallPosition::Nowhere,
                Some(queue) => loop {
                    match queue.pop_front() {
                        None => break CallPosition::Answered,
                        Some(at) if taken.insert(at) => break CallPosition::At(at.0, at.1),
                        Some(_) => {}
                    }
                },
            };
            (path, answer, place)
        });
        placed.collect()
    }
}

/// What came of a call whose result is a text, for a protocol that does not tell errors apart.
pub(crate) fn outcome_of_text(text: String) -> Result<ToolOutput, ToolError> {
    own_error(&text).map_or_else(|| Ok(ToolOutput::text(text)), Err)
}

/// The text of a result, without the line that counts its images and files where they stand beside it.
pub(crate) fn without_media_note<'t>(text: &'t str, media: &[OutputPart]) -> &'t str {
    if media.is_empty() {
        return text;
    }
    let parts = media.to_vec();
    let alone = ToolResult::new("", Ok(ToolOutput { parts }));
    let before = text.strip_suffix(&*alone.to_model_text());
    before.map_or(text, |before| before.strip_suffix('\n').unwrap_or(before))
}

/// The error of a result that is one, and whether its text is not in the form in which we write errors.
pub(crate) fn error_of_text(text: &str) -> (ToolError, bool) {
    match own_error(text) {
        Some(error) => (error, false),
        None => (ToolError::new(ErrorCategory::Unknown, text), true),
    }
}

/// An error that this crate has written as text.
fn own_error(text: &str) -> Option<ToolError> {
    let rest = text.strip_prefix("Tool execution failed (")?;
    let (category, message) = rest.split_once("): ")?;
    let category = ErrorCategory::ALL
        .into_iter()
        .find(|known| known.as_str() == category)?;
    Some(ToolError::new(category, message))
}
