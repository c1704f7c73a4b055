//! The ways in which a call is written: where it begins, where it ends, and what it says.

pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod line;
pub(crate) mod named;
pub(crate) mod python;
pub(crate) mod quoted;
pub(crate) mod tags;

use toolwright_json::char_boundary::floor;

use crate::{
    attempt::Reading,
    balance::{Balance, Step, Style},
    declared::Declared,
    marker::{self, Match},
};
use keys::{KeyScan, KeyTags};
use line::LineScan;
use named::Header;
use tags::TagScan;

/// The number of bytes that are looked at to tell what begins: names and keys are shorter.
const LOOKAHEAD: usize = 256;

/// A way in which a call is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item {
    /// An object, or a list of them.
    Json,
    /// A name, then an object with the arguments.
    Named(Header),
    /// XML with a tag for each argument: `<function=f><parameter=a>1</parameter></function>`.
    Tags,
    /// A name, then keys and values between tags.
    Keys(&'static KeyTags),
    /// A name, then a line of text.
    Line,
    /// Calls of Python, one or a list.
    Python,
    /// `call:f{a:1}`, with strings between these tokens.
    Quoted(&'static [&'static str]),
}

/// Tells if an item begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    Yes,
    No,
    /// A longer text decides it.
    Unknown,
}

impl Begins {
    pub(crate) fn when(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}

/// The state of a scan for the end of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scan {
    /// The text ends first.
    More,
    /// The position behind the item.
    End(usize),
    /// The position where the item goes wrong.
    Failed(usize),
}

/// A scanner for the end of an item.
#[derive(Debug)]
pub(crate) enum Scanner {
    Brackets {
        balance: Balance,
        /// The start of a line, or an odd character, at which a closing marker may begin.
        to_check: Option<Step>,
    },
    Tags(TagScan),
    Keys(KeyScan),
    Line(LineScan),
}

impl Item {
    /// Tells if an item begins here.
    pub(crate) fn begins(self, text: &str, is_end: bool) -> Begins {
        let start = &text[..floor(text, LOOKAHEAD)];
        let (is_whole, text) = (start.len() == text.len(), start);
        let is_end = is_end && is_whole;
        let begins = match self {
            Self::Json => json_begins(text),
            Self::Named(header) => named::begins(header, text),
            Self::Tags => tags::begins(text),
            Self::Keys(tags) => keys::begins(tags, text, is_end),
            Self::Line => line::begins(text),
            Self::Python => python::begins(text),
            Self::Quoted(_) => match marker::begins(text, "call:") {
                Match::Full(_) => Begins::Yes,
                Match::Partial => Begins::Unknown,
                Match::No => Begins::No,
            },
        };
        match begins {
            Begins::Unknown if is_end || !is_whole => Begins::No,
            begins => begins,
        }
    }

    /// Returns true for what could be a line of any code.
    pub(crate) fn is_code(self, text: &str) -> bool {
        matches!(self, Self::Python) && !text.starts_with('[')
    }

    /// Starts to scan an item that begins at a position.
    pub(crate) fn scanner(self, text: &str, at: usize) -> Scanner {
        let (style, at) = match self {
            Self::Json => (Style::Json, at),
            Self::Named(_) => {
                let brace = text[at..].find('{').unwrap_or_default();
                (Style::Json, at + brace)
            }
            Self::Python => (Style::Python, at),
            Self::Quoted(tokens) => (Style::Quoted(tokens), at),
            Self::Line => return Scanner::Line(LineScan::new(at)),
            Self::Tags => return Scanner::Tags(TagScan::new(at)),
            Self::Keys(tags) => return Scanner::Keys(KeyScan::new(tags, at)),
        };
        Scanner::Brackets {
            balance: Balance::new(style, at),
            to_check: None,
        }
    }

    /// Reads an item that has ended.
    pub(crate) fn read(
        self,
        scanner: &Scanner,
        text: &str,
        tools: &Declared,
        is_marked: bool,
    ) -> Reading {
        match (self, scanner) {
            (_, Scanner::Tags(scan)) => scan.read(tools),
            (_, Scanner::Keys(scan)) => scan.read(tools),
            (_, Scanner::Line(_)) => line::read(text, tools),
            (Self::Named(header), _) => named::read(header, text, tools),
            (Self::Python, _) => python::read(text, tools, is_marked),
            (Self::Quoted(tokens), _) => quoted::read(tokens, text, tools),
            (Self::Json | Self::Tags | Self::Keys(_) | Self::Line, _) => {
                json::read(text, tools, is_marked)
            }
        }
    }
}

impl Scanner {
    /// Reads on. `close` are the markers that end what the item stands in. A strict scan fails where no value has
    /// such a character.
    pub(crate) fn run(
        &mut self,
        text: &str,
        is_end: bool,
        close: &[&str],
        is_strict: bool,
    ) -> Scan {
        let (balance, to_check) = match self {
            Self::Tags(scan) => return scan.run(text, is_end, close),
            Self::Keys(scan) => return scan.run(text, is_end, close),
            Self::Line(scan) => return scan.run(text, is_end),
            Self::Brackets { balance, to_check } => (balance, to_check),
        };
        loop {
            let step = to_check.take().unwrap_or_else(|| balance.run(text, is_end));
            let (place, is_odd) = match step {
                Step::More => return Scan::More,
                Step::Closed(end) => return Scan::End(end),
                Step::Odd(place) => (place, true),
                Step::Line(place) => (place, false),
            };
            match marker::longest(&text[place..], close.iter().copied()) {
                Match::Full(_) => return Scan::Failed(place),
                Match::Partial if !is_end => {
                    *to_check = Some(step);
                    return Scan::More;
                }
                _ if is_odd && is_strict => return Scan::Failed(place),
                _ if is_odd => balance.pass(text),
                _ => {}
            }
        }
    }
}

impl Scanner {
    /// Reads on in a text that is not kept.
    ///
    /// # Errors
    ///
    /// Returns the position from which the text is needed again.
    pub(crate) fn skip(
        &mut self,
        text: &str,
        is_end: bool,
        close: &[&str],
        is_strict: bool,
    ) -> Result<usize, usize> {
        match self.run(text, is_end, close, is_strict) {
            Scan::End(end) | Scan::Failed(end) => Ok(end),
            Scan::More => Err(self.rebase()),
        }
    }

    /// The position up to which the text was read.
    pub(crate) fn at(&self) -> usize {
        match self {
            Self::Brackets { balance, .. } => balance.at(),
            Self::Tags(scan) => scan.at(),
            Self::Keys(scan) => scan.at(),
            Self::Line(scan) => scan.at(),
        }
    }

    /// Counts from where the scan has come to, and returns that position.
    fn rebase(&mut self) -> usize {
        match self {
            Self::Brackets { balance, to_check } => {
                let by = balance.rebase();
                if let Some(Step::Odd(place) | Step::Line(place)) = to_check {
                    *place -= by;
                }
                by
            }
            Self::Tags(scan) => scan.rebase(),
            Self::Keys(scan) => scan.rebase(),
            Self::Line(scan) => scan.rebase(),
        }
    }
}

/// An object with a key, or a list of objects; or an empty one.
fn json_begins(text: &str) -> Begins {
    let mut rest = text;
    if let Some(items) = rest.strip_prefix('[') {
        rest = items.trim_start();
        if rest.starts_with(']') {
            return Begins::Yes;
        }
    }
    match rest.chars().next() {
        None => Begins::Unknown,
        Some('{') => key_begins(&rest[1..]),
        Some(_) => Begins::No,
    }
}

fn key_begins(text: &str) -> Begins {
    let mut rest = text.trim_start();
    loop {
        let comment_end = match (rest.starts_with("//"), rest.starts_with("/*")) {
            (true, _) => rest.find('\n').map(|end| end + 1),
            (_, true) => rest.find("*/").map(|end| end + 2),
            _ => break,
        };
        match comment_end {
            Some(end) => rest = rest[end..].trim_start(),
            None => return Begins::Unknown,
        }
    }
    let Some(first) = rest.chars().next() else {
        return Begins::Unknown;
    };
    let end = match first {
        '"' | '\'' | '`' => first,
        '\u{201c}' => '\u{201d}',
        '\u{2018}' => '\u{2019}',
        '/' if rest.len() == 1 => return Begins::Unknown,
        '}' => return Begins::Yes,
        char if char.is_alphabetic() || char == '_' => {
            let is_key = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
            return colon_follows(rest.trim_start_matches(is_key));
        }
        _ => return Begins::No,
    };
    match rest[first.len_utf8()..].split_once(end) {
        Some((_, rest)) => colon_follows(rest),
        None => Begins::Unknown,
    }
}

fn colon_follows(text: &str) -> Begins {
    match text.trim_start().chars().next() {
        None => Begins::Unknown,
        Some(char) => Begins::when(char == ':'),
    }
}
