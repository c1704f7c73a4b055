//! Names that a provider accepts.

use std::{borrow::Cow, fmt};

/// The names that a provider accepts: ASCII letters, digits, and some other characters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Names {
    /// The allowed characters other than letters and digits. `None` allows every character.
    pub punctuation: Option<Cow<'static, str>>,
    /// True if the first character must be a letter or `_`.
    pub letter_first: bool,
    /// The maximum length, in characters.
    pub max_chars: usize,
}

impl Names {
    /// Accepts every name.
    pub const ANY: Self = Self {
        punctuation: None,
        letter_first: false,
        max_chars: usize::MAX,
    };

    pub(super) const fn of(punctuation: &'static str, max_chars: usize) -> Self {
        Self {
            punctuation: Some(Cow::Borrowed(punctuation)),
            letter_first: false,
            max_chars,
        }
    }

    pub(super) const fn letter_first(mut self) -> Self {
        self.letter_first = true;
        self
    }

    /// Returns true if the provider accepts a name.
    pub fn accepts(&self, name: &str) -> bool {
        let Some(punctuation) = &self.punctuation else {
            return name.chars().count() <= self.max_chars;
        };
        let first = name.as_bytes().first();
        let first = first
            .is_some_and(|&byte| !self.letter_first || byte.is_ascii_alphabetic() || byte == b'_');
        let taken = |c: char| c.is_ascii_alphanumeric() || punctuation.contains(c);
        first && name.len() <= self.max_chars && name.chars().all(taken)
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(punctuation) = &self.punctuation else {
            return write!(f, ".{{1,{}}}", self.max_chars);
        };
        if self.letter_first {
            let max = self.max_chars.saturating_sub(1);
            return write!(f, "[a-zA-Z_][a-zA-Z0-9{punctuation}]{{0,{max}}}");
        }
        write!(f, "[a-zA-Z0-9{punctuation}]{{1,{}}}", self.max_chars)
    }
}
