//! What stands on the line of a place, before it and behind it.

use memchr::memrchr;
use toolwright_json::char_boundary::ceil;

use crate::rules::{Mark, Surroundings};

/// The maximum number of bytes before what stands at the start of a line.
pub(super) const MAX_INDENT: usize = 64;
/// The width of space that makes what follows it code, or a part of a list.
const INDENT: usize = 2;
/// The width of a tab.
const TAB: usize = 4;

/// The beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Space, of so many bytes and such a width, and the signs of a quotation.
    Blank {
        bytes: usize,
        width: usize,
        is_quoted: bool,
    },
    /// Digits, which may number an item of a list.
    Number,
    /// What is the sign of an item of a list, if space follows it.
    Sign,
    /// The sign of an item of a list, and space.
    Item,
    /// Words, in an item of a list or not, and whether space follows them.
    Words { is_item: bool, is_spaced: bool },
}

impl Line {
    pub(super) const START: Self = Self::Blank {
        bytes: 0,
        width: 0,
        is_quoted: false,
    };

    /// The line behind a text that begins on this one.
    pub(super) fn after(self, text: &str) -> Self {
        let (mut line, last) = match memrchr(b'\n', text.as_bytes()) {
            Some(end) => (Self::START, &text[end + 1..]),
            None => (self, text),
        };
        for char in last.chars() {
            line = line.and(char);
            if let Self::Words { is_item, .. } = line {
                let is_spaced = last.ends_with(char::is_whitespace);
                return Self::Words { is_item, is_spaced };
            }
        }
        line
    }

    /// The line behind a text, by a few bytes before its end; `None` if more than these stand on it.
    pub(super) fn near_end(self, text: &str) -> Option<Self> {
        let last = &text[ceil(text, text.len().saturating_sub(MAX_INDENT + 1))..];
        let is_whole = last.len() == text.len() || last.contains('\n');
        is_whole.then(|| self.after(last))
    }

    /// Returns true if nothing but space and the signs of a quotation stand behind a text on its line.
    pub(super) fn is_blank_after(self, text: &str) -> bool {
        self.near_end(text).is_some_and(Self::is_blank)
    }

    fn and(self, char: char) -> Self {
        match (self, char) {
            (
                Self::Blank {
                    bytes,
                    width,
                    is_quoted,
                },
                char,
            ) if (char.is_whitespace() || char == '>') && bytes + char.len_utf8() <= MAX_INDENT => {
                Self::Blank {
                    bytes: bytes + char.len_utf8(),
                    width: width + if char == '\t' { TAB } else { 1 },
                    is_quoted: is_quoted || char == '>',
                }
            }
            (Self::Blank { .. } | Self::Number, '0'..='9') => Self::Number,
            (Self::Blank { .. }, '-' | '*' | '+') | (Self::Number, '.' | ')') => Self::Sign,
            (Self::Blank { .. }, '\u{2022}') | (Self::Sign | Self::Item, ' ' | '\t') => Self::Item,
            _ => Self::Words {
                is_item: matches!(self, Self::Item | Self::Words { is_item: true, .. }),
                is_spaced: char.is_whitespace(),
            },
        }
    }

    /// Returns true if nothing but space and the signs of a quotation stand here.
    pub(super) fn is_blank(self) -> bool {
        matches!(self, Self::Blank { .. })
    }
}

/// What follows a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// The text ends, or what follows is no text.
    Nothing,
    /// Text on another line.
    Line,
    /// Text on the same line, which begins so. Space may stand before it.
    Words { first: char, is_spaced: bool },
}

/// What stands around a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallContext {
    pub(super) line: Line,
    /// The last character of the text before, other than space.
    pub(super) last: Option<char>,
    /// True if there is other text before.
    pub(super) has_text: bool,
    pub(super) behind: Behind,
    /// For a code block, whether only calls are in it.
    pub(super) block: Option<bool>,
    /// True for calls with a marker in a code block that no format asks for.
    pub(super) is_shown: bool,
}

impl CallContext {
    /// The place of calls with such a marker or none.
    pub(super) fn place(self, mark: Mark) -> Surroundings {
        if matches!(
            self.line,
            Line::Blank {
                is_quoted: true,
                ..
            }
        ) {
            return Surroundings::Quoted;
        }
        if matches!(self.line, Line::Blank { width, .. } if width >= INDENT) {
            return Surroundings::Indented;
        }
        let has_behind = self.behind != Behind::Nothing;
        if let Some(is_whole) = self.block
            && (!is_whole
                || self.has_text && has_behind
                || self.is_shown && (self.has_text || has_behind))
        {
            return Surroundings::Block;
        }
        let has_words = !self.line.is_blank();
        let goes_on = matches!(self.behind, Behind::Words { .. });
        match (has_words, goes_on) {
            (true, _) | (_, true) if mark == Mark::None || self.is_in_sentence(mark) => {
                Surroundings::Sentence
            }
            (true, _) | (_, true) => Surroundings::Beside,
            _ if self.has_text || has_behind => Surroundings::Lines,
            _ => Surroundings::Whole,
        }
    }

    fn has_colon(self) -> bool {
        matches!(self.last, Some(':' | '\u{ff1a}'))
    }

    /// Returns true if a sentence goes on behind the calls. Where one ends before them and another one begins behind
    /// them, models write calls. Formats with tokens have no line break before these: a last line may be any, unless it
    /// has words that go on.
    fn is_in_sentence(self, mark: Mark) -> bool {
        let is_last = mark == Mark::Token && self.behind == Behind::Nothing;
        let is_begun = match self.line {
            Line::Blank { .. } => false,
            Line::Number | Line::Sign | Line::Item => return true,
            // A list of formats has a colon before each.
            Line::Words { is_item: true, .. } if !is_last || self.has_colon() => return true,
            Line::Words { .. } if is_last && self.last.is_some_and(may_end_text) => false,
            // What follows a word without space is no part of its sentence, where words have space between them.
            Line::Words { is_spaced, .. } => !self
                .last
                .is_some_and(|last| ends_sentence(last) || !is_spaced && has_spaces(last)),
        };
        let announces = !self.line.is_blank() && self.has_colon();
        let is_in_word = matches!(
            self.line,
            Line::Words {
                is_spaced: false,
                ..
            }
        ) && self.last.is_some_and(has_spaces);
        let goes_on = match self.behind {
            Behind::Words { first, is_spaced } => {
                first.is_ascii_punctuation() && first != '<'
                    || (is_spaced || is_in_word) && first.is_lowercase()
            }
            Behind::Nothing | Behind::Line => false,
        };
        is_begun || goes_on || announces && self.behind != Behind::Nothing
    }
}

/// Returns true for the letters of a script that has space between its words, and for digits.
fn has_spaces(char: char) -> bool {
    char.is_lowercase() || char.is_uppercase() || char.is_ascii_digit()
}

/// Returns true for what may end a text without a sign that says so: brackets, code, and letters without case.
fn may_end_text(last: char) -> bool {
    matches!(last, ')' | '\u{ff09}' | '`') || last.is_alphabetic() && !has_spaces(last)
}

/// Returns true for the signs that end a sentence or announce what follows, and for pictures.
pub(super) fn ends_sentence(char: char) -> bool {
    matches!(
        char,
        '.' | '!' | '?' | ':' | ';' | '\u{2026}' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' | '\u{ff1a}'
            | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'
    )
}
