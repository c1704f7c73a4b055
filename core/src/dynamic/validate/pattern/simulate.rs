//! Follows all states of a pattern at once: one visit for each state and position at most.

use regex_syntax::hir::Look;

use super::program::{Part, Program, Step};

/// Matches a text at every place. Returns the result and the number of visited states: at most each one at each
/// position.
pub(super) fn is_match(program: &Program, chars: &[char]) -> (bool, usize) {
    let mut known: Vec<Vec<bool>> = Vec::new();
    let mut visits = 0;
    for (index, part) in program.parts.iter().enumerate() {
        let is_last = index + 1 == program.parts.len();
        let ends = ends(part, chars, &known, is_last, &mut visits);
        if is_last {
            return (ends.into_iter().any(|ends| ends), visits);
        }
        known.push(ends);
    }
    (false, visits)
}

/// At which positions a part that began anywhere ends. `is_enough` asks for one of them.
fn ends(
    part: &Part,
    chars: &[char],
    known: &[Vec<bool>],
    is_enough: bool,
    visits: &mut usize,
) -> Vec<bool> {
    let mut ends = vec![false; chars.len() + 1];
    let mut states = States {
        part,
        chars,
        known,
        seen: vec![usize::MAX; part.steps.len()],
        at: Vec::new(),
        open: Vec::new(),
        visits,
    };
    let mut next = Vec::new();
    for step in 0..=chars.len() {
        let position = if part.is_backward {
            chars.len() - step
        } else {
            step
        };
        states.at.clear();
        for state in next.drain(..) {
            states.enter(state, position, step);
        }
        states.enter(0, position, step);
        let char = if part.is_backward {
            position.checked_sub(1).map(|before| chars[before])
        } else {
            chars.get(position).copied()
        };
        for state in &states.at {
            match &part.steps[*state] {
                Step::End => ends[position] = true,
                Step::Char(ranges) if char.is_some_and(|char| has(ranges, char)) => {
                    next.push(*state + 1);
                }
                _ => {}
            }
        }
        if is_enough && ends[position] {
            break;
        }
    }
    ends
}

struct States<'p> {
    part: &'p Part,
    chars: &'p [char],
    known: &'p [Vec<bool>],
    /// At which step each state was entered last.
    seen: Vec<usize>,
    /// The states that take a character, or that end.
    at: Vec<usize>,
    open: Vec<usize>,
    visits: &'p mut usize,
}

impl States<'_> {
    /// Enters a state and all that follow it without taking a character.
    fn enter(&mut self, state: usize, position: usize, step: usize) {
        self.open.push(state);
        while let Some(state) = self.open.pop() {
            if self.seen[state] == step {
                continue;
            }
            self.seen[state] = step;
            *self.visits += 1;
            match self.part.steps[state] {
                Step::Char(_) | Step::End => self.at.push(state),
                Step::Split(first, second) => self.open.extend([second, first]),
                Step::Again { to, .. } => self.open.extend([state + 1, to]),
                Step::Jump(to) => self.open.push(to),
                Step::Save(_) => self.open.push(state + 1),
                Step::Around { part, holds } => {
                    if self.known[part][position] == holds {
                        self.open.push(state + 1);
                    }
                }
                Step::At(look) => {
                    if is_at(look, self.chars, position) {
                        self.open.push(state + 1);
                    }
                }
                // Such a pattern is followed one way at a time.
                Step::Reference(_) => {}
            }
        }
    }
}

/// Returns true if ranges in ascending order have a character.
pub(super) fn has(ranges: &[(char, char)], char: char) -> bool {
    let after = ranges.partition_point(|(_, last)| *last < char);
    ranges.get(after).is_some_and(|(first, _)| *first <= char)
}

/// Returns true if a position meets an assertion.
pub(super) fn is_at(look: Look, chars: &[char], position: usize) -> bool {
    let before = position.checked_sub(1).map(|before| chars[before]);
    let after = chars.get(position).copied();
    let is_ascii =
        |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric() || char == '_');
    let is_word =
        |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => before.is_none_or(|char| char == '\n'),
        Look::EndLF => after.is_none_or(|char| char == '\n'),
        Look::StartCRLF => {
            before.is_none_or(|char| char == '\n' || (char == '\r' && after != Some('\n')))
        }
        Look::EndCRLF => {
            after.is_none_or(|char| char == '\r' || (char == '\n' && before != Some('\r')))
        }
        Look::WordAscii => is_ascii(before) != is_ascii(after),
        Look::WordAsciiNegate => is_ascii(before) == is_ascii(after),
        Look::WordUnicode => is_word(before) != is_word(after),
        Look::WordUnicodeNegate => is_word(before) == is_word(after),
        Look::WordStartAscii => !is_ascii(before) && is_ascii(after),
        Look::WordEndAscii => is_ascii(before) && !is_ascii(after),
        Look::WordStartUnicode => !is_word(before) && is_word(after),
        Look::WordEndUnicode => is_word(before) && !is_word(after),
        Look::WordStartHalfAscii => !is_ascii(before),
        Look::WordEndHalfAscii => !is_ascii(after),
        Look::WordStartHalfUnicode => !is_word(before),
        Look::WordEndHalfUnicode => !is_word(after),
    }
}
