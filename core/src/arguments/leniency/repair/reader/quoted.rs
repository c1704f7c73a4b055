//! Strings, in quotes of every kind.

use super::{Fallible, NOT_CLOSED, Reader};
use crate::tool::ChangeKind;

/// A kind of quotes: which characters open and close a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// JSON's own.
    Double,
    Single,
    TypographicDouble,
    TypographicSingle,
    Backticks,
}

impl Quotes {
    /// A string ends with the first character of the kind that it began with: models and word
    /// processors do not keep apart which one opens and which one closes.
    pub(super) fn opened_by(char: char) -> Option<Self> {
        match char {
            '"' => Some(Self::Double),
            '\'' => Some(Self::Single),
            '“' | '”' | '„' | '‟' => Some(Self::TypographicDouble),
            '‘' | '’' | '‚' | '‛' => Some(Self::TypographicSingle),
            '`' | '´' => Some(Self::Backticks),
            _ => None,
        }
    }
}

/// The number of changes of each kind in a string.
#[derive(Debug, Default)]
pub(super) struct Found {
    quotes: usize,
    control_characters: usize,
    escapes: usize,
}

/// Double quotes inside of a string in other quotes.
#[derive(Default)]
struct Inner {
    count: usize,
    /// True if one of them could be the end of the string.
    may_end: bool,
}

impl Reader<'_> {
    pub(super) fn report(&mut self, found: &Found) {
        for (kind, times) in [
            (ChangeKind::Quotes, found.quotes),
            (ChangeKind::ControlCharacter, found.control_characters),
            (ChangeKind::Escape, found.escapes),
        ] {
            (0..times).for_each(|_| self.changed(kind));
        }
    }

    /// Reads a string and writes it as JSON has it.
    pub(super) fn string(&mut self, quotes: Quotes, is_key: bool) -> Fallible<Found> {
        // The fence around what lacks its last bracket.
        if self.rest().starts_with("```") {
            return self.refuse(NOT_CLOSED);
        }
        if quotes == Quotes::Backticks && self.rest().starts_with("``") {
            return self.refuse("expected a string in quotes");
        }
        let mut found = Found {
            quotes: usize::from(quotes != Quotes::Double),
            ..Found::default()
        };
        let mut inner = Inner::default();
        self.at += self.peek().map_or(0, char::len_utf8);
        self.out.push('"');
        loop {
            let Some(next) = self.peek() else {
                return self.refuse(if is_key {
                    "the text ends inside a key"
                } else {
                    "the text ends inside a string"
                });
            };
            self.at += next.len_utf8();
            match next {
                '\\' => found.escapes += usize::from(self.escape(quotes)?),
                _ if Quotes::opened_by(next) == Some(quotes) => break,
                // The string may have ended here, with the wrong quote.
                '"' if is_key => return self.refuse("a key with two kinds of quotes"),
                '"' => {
                    inner.count += 1;
                    let behind = self.rest().trim_start_matches([' ', '\t', '\n', '\r']);
                    inner.may_end |= behind.starts_with([':', ',', '}', ']']);
                    self.out.push_str("\\\"");
                }
                '$' if quotes == Quotes::Backticks && self.peek() == Some('{') => {
                    return self.refuse("a string with an expression in it");
                }
                '\0'..='\u{1f}' => {
                    found.control_characters += 1;
                    self.escaped(next);
                }
                _ => self.out.push(next),
            }
        }
        if inner.may_end && inner.count % 2 == 1 {
            return self.refuse("a string with two kinds of quotes");
        }
        self.out.push('"');
        self.last_quotes = Some(quotes);
        if !self.all_quotes.contains(&quotes) {
            self.all_quotes.push(quotes);
        }
        Ok(found)
    }

    /// Reads the character after a backslash. Returns true if JSON does not know the escape.
    fn escape(&mut self, quotes: Quotes) -> Fallible<bool> {
        let Some(next) = self.peek() else {
            return self.refuse("the text ends inside a string");
        };
        match next {
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => {
                self.at += 1;
                self.out.push('\\');
                self.out.push(next);
                Ok(false)
            }
            'u' => self.unicode().map(|()| false),
            '\'' => {
                self.at += 1;
                self.out.push('\'');
                Ok(quotes != Quotes::Single)
            }
            '`' if quotes == Quotes::Backticks => {
                self.at += 1;
                self.out.push('`');
                Ok(false)
            }
            '\n' | '\r' => {
                self.at += 1;
                self.escaped(next);
                Ok(true)
            }
            _ => self.refuse(format!("a backslash before {next:?}")),
        }
    }

    /// `\u` and four digits, of a whole character.
    fn unicode(&mut self) -> Fallible<()> {
        let rest = self.rest();
        let unit = |at: usize| {
            let digits = rest.get(at..at + 5)?.strip_prefix('u')?;
            let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
        };
        let second = || unit(6).filter(|_| rest.as_bytes().get(5) == Some(&b'\\'));
        let length = match unit(0) {
            Some(0xd800..=0xdbff) => second()
                .filter(|unit| (0xdc00..=0xdfff).contains(unit))
                .map(|_| 11),
            Some(0xdc00..=0xdfff) | None => None,
            Some(_) => Some(5),
        };
        let Some(length) = length else {
            return self.refuse("a `\\u` escape that is not a whole character");
        };
        self.at += length;
        self.out.push('\\');
        self.out.push_str(&rest[..length]);
        Ok(())
    }

    /// Writes a control character.
    fn escaped(&mut self, char: char) {
        let json = serde_json::to_string(&char);
        let json = json.unwrap_or_else(|_| unreachable!("a character is JSON"));
        self.out.push_str(&json[1..json.len() - 1]);
    }
}
