//! The end of a value with brackets, in a text that comes in pieces. Each byte is looked at once.

use memchr::{memchr, memchr3};

use crate::marker::{self, Match};

/// The way in which strings are written inside of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// JSON, with the other quotes that models use in it, and comments.
    Json,
    /// Literals of Python.
    Python,
    /// JSON whose strings may also stand between two of these tokens, without escapes.
    Quoted(&'static [&'static str]),
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The text ends first.
    More,
    /// The position behind the bracket that closes the value.
    Closed(usize),
    /// A character outside of strings that no value has there.
    Odd(usize),
    /// The start of a line.
    Line(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// A string that this character ends; `true` if escapes count.
    Quotes(char, bool),
    /// A string of Python that three of these end.
    Triple(u8),
    /// A string that this token ends.
    Token(&'static str),
    Line,
    Block,
}

/// A scanner that finds where the first bracket is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Balance {
    style: Style,
    at: usize,
    depth: usize,
    inside: Option<Inside>,
    /// The last byte outside of strings that is no space.
    last: u8,
    /// True if space follows it.
    is_apart: bool,
    /// True behind the sign of a comment.
    is_comment: bool,
}

impl Balance {
    /// Starts at a position: that of the first bracket, or of a name before it.
    pub(crate) fn new(style: Style, at: usize) -> Self {
        Self {
            style,
            at,
            depth: 0,
            inside: None,
            last: b'{',
            is_apart: false,
            is_comment: false,
        }
    }

    /// The position up to which the text was read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes past a character.
    pub(crate) fn pass(&mut self, text: &str) {
        let char = text[self.at..].chars().next();
        self.at += char.map_or(0, char::len_utf8);
    }

    /// Counts from the current position, and returns it.
    pub(crate) fn rebase(&mut self) -> usize {
        std::mem::take(&mut self.at)
    }

    /// Reads on, up to the next step.
    pub(crate) fn run(&mut self, text: &str, is_end: bool) -> Step {
        while self.at < text.len() {
            let step = match self.inside {
                Some(inside) => self.inside(inside, text, is_end),
                None => self.outside(text, is_end),
            };
            if let Some(step) = step {
                return step;
            }
        }
        Step::More
    }

    fn inside(&mut self, inside: Inside, text: &str, is_end: bool) -> Option<Step> {
        let bytes = text.as_bytes();
        let rest = &bytes[self.at..];
        let end = |scanner: &mut Self, len: usize| {
            scanner.at += len;
            scanner.inside = None;
            None
        };
        match inside {
            Inside::Line => match memchr(b'\n', rest) {
                Some(found) => end(self, found + 1),
                None => Some(self.all(text)),
            },
            Inside::Block => match marker::find(text, self.at, is_end, &["*/"]) {
                Ok(found) => end(self, found.at + found.len - self.at),
                Err(next) => Some(self.wait(next, text)),
            },
            Inside::Token(token) => match marker::find(text, self.at, is_end, &[token]) {
                Ok(found) => end(self, found.at + found.len - self.at),
                Err(next) => Some(self.wait(next, text)),
            },
            Inside::Triple(quote) => match memchr3(quote, b'\\', quote, rest) {
                None => Some(self.all(text)),
                Some(found) if rest[found] == b'\\' => self.escape(found, text, is_end),
                Some(found) if rest[found..].starts_with(&[quote; 3]) => end(self, found + 3),
                Some(found) if rest.len() < found + 3 && !is_end => {
                    Some(self.wait(self.at + found, text))
                }
                Some(found) => {
                    self.at += found + 1;
                    None
                }
            },
            Inside::Quotes(quote, has_escapes) if quote.is_ascii() => {
                match memchr3(quote as u8, b'\\', b'\n', rest) {
                    None => Some(self.all(text)),
                    Some(found) if rest[found] == b'\n' => Some(self.line(found)),
                    Some(found) if rest[found] == b'\\' && has_escapes => {
                        self.escape(found, text, is_end)
                    }
                    Some(found) if rest[found] == b'\\' => {
                        self.at += found + 1;
                        None
                    }
                    Some(found) => end(self, found + 1),
                }
            }
            Inside::Quotes(quote, _) => {
                let char = text[self.at..].chars().next()?;
                if char == quote {
                    return end(self, char.len_utf8());
                }
                self.at += char.len_utf8();
                None
            }
        }
    }

    fn line(&mut self, found: usize) -> Step {
        self.at += found + 1;
        Step::Line(self.at)
    }

    fn all(&mut self, text: &str) -> Step {
        self.at = text.len();
        Step::More
    }

    fn wait(&mut self, next: usize, text: &str) -> Step {
        self.at = next.min(text.len());
        Step::More
    }

    /// Goes past a backslash and the character that it escapes.
    fn escape(&mut self, found: usize, text: &str, is_end: bool) -> Option<Step> {
        let slash = self.at + found;
        match text[slash + 1..].chars().next() {
            Some(char) => self.at = slash + 1 + char.len_utf8(),
            None if is_end => self.at = text.len(),
            None => return Some(self.wait(slash, text)),
        }
        None
    }

    fn outside(&mut self, text: &str, is_end: bool) -> Option<Step> {
        let rest = &text[self.at..];
        if let Style::Quoted(tokens) = self.style {
            for token in tokens {
                match marker::begins(rest, token) {
                    Match::Full(len) => return self.open(Inside::Token(token), len),
                    Match::Partial if !is_end => return Some(Step::More),
                    Match::Partial | Match::No => {}
                }
            }
        }
        let char = rest.chars().next()?;
        let before = std::mem::replace(
            &mut self.last,
            if char.is_ascii() { char as u8 } else { b'a' },
        );
        match char {
            '\n' => {
                (self.last, self.is_apart, self.is_comment) = (before, true, false);
                return Some(self.line(0));
            }
            ' ' | '\t' | '\r' => (self.last, self.is_apart) = (before, true),
            '{' | '[' | '(' => self.depth += 1,
            '}' | ']' | ')' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.at += 1;
                    return Some(Step::Closed(self.at));
                }
            }
            '"' | '\'' if self.style == Style::Python => {
                let quote = char as u8;
                if rest.len() < 3 && rest.bytes().all(|byte| byte == quote) && !is_end {
                    self.last = before;
                    return Some(Step::More);
                }
                if rest.as_bytes().starts_with(&[quote; 3]) {
                    return self.open(Inside::Triple(quote), 3);
                }
                return self.open(Inside::Quotes(char, true), 1);
            }
            '"' => return self.open(Inside::Quotes('"', true), 1),
            '\'' | '`' | '\u{2018}' | '\u{201c}' if matches!(before, b'{' | b'[' | b',' | b':') => {
                let end = match char {
                    '\u{2018}' => '\u{2019}',
                    '\u{201c}' => '\u{201d}',
                    same => same,
                };
                return self.open(Inside::Quotes(end, true), char.len_utf8());
            }
            '/' if rest.starts_with("//") => return self.open(Inside::Line, 2),
            '/' if rest.starts_with("/*") => return self.open(Inside::Block, 2),
            '/' if rest.len() == 1 && !is_end => {
                self.last = before;
                return Some(Step::More);
            }
            '#' => self.is_comment = true,
            ',' | ':' | '=' | '+' | '-' | '.' | '_' | '$' | '*' | '/' => {}
            // Two words in a row are a sentence.
            char if char.is_alphabetic()
                && before.is_ascii_alphabetic()
                && self.is_apart
                && !self.is_comment =>
            {
                self.is_apart = false;
                return Some(Step::Odd(self.at));
            }
            char if char.is_alphanumeric() => self.is_apart = false,
            _ => return Some(Step::Odd(self.at)),
        }
        self.at += char.len_utf8();
        None
    }

    fn open(&mut self, inside: Inside, len: usize) -> Option<Step> {
        (self.inside, self.last) = (Some(inside), b'"');
        self.at += len;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Balance, Step, Style};

    #[track_caller]
    fn check(style: Style, text: &str, expected: &str) {
        for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            let mut balance = Balance::new(style, 0);
            let mut run = |text: &str, is_end| {
                loop {
                    match balance.run(text, is_end) {
                        Step::Line(_) => {}
                        Step::Odd(_) => balance.pass(text),
                        step => return step,
                    }
                }
            };
            let mut step = run(&text[..cut], false);
            if step == Step::More {
                step = run(text, true);
            }
            assert_eq!(step, Step::Closed(expected.len()), "{text} {cut}");
        }
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        let json = |text| check(Style::Json, &format!("{text} }}]"), text);
        json(r#"{"a": "}\"}", 'b': '}', "c": [1, {}]}"#);
        json("{\u{201c}a\u{201d}: \u{201c}}\u{201d}, // }\n /* } */ \"b\": \"it's\"}");
        json("{\"a\": <}");
        let python = |text| check(Style::Python, &format!("{text})"), text);
        python(r#"f(a='\')', b="(", c='''it's (''', d=[1])"#);
        python("[f(x=''), g(y=\"\")]");
        let quoted = Style::Quoted(&["<|\"|>"]);
        check(
            quoted,
            "{a:<|\"|>}\\\"<|\"|>,b:\"}\"}}",
            "{a:<|\"|>}\\\"<|\"|>,b:\"}\"}",
        );
    }
}
