//! Calls as a name, and an input that is a line of text: of `ReAct`, for tools with a single parameter.

use memchr::memchr;
use toolwright_json::string::quoted;

use crate::{
    attempt::{Reading, call},
    declared::Declared,
    marker::{self, Match},
};

use super::{Begins, Scan};

/// What stands before the input.
const INPUT: &str = "Action Input:";
/// What ends it, at the start of a line.
const ENDS: [&str; 4] = ["Observation:", "Thought:", "Action:", "Final Answer:"];

/// A name on a line of its own, and an input that is no object.
pub(super) fn begins(text: &str) -> Begins {
    let text = text.trim_start_matches(' ');
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let rest = text.trim_start_matches(is_name);
    if rest.len() == text.len() && !text.is_empty() {
        return Begins::No;
    }
    let rest = rest.trim_start();
    match marker::begins(rest, INPUT) {
        Match::Full(len) => match rest[len..].trim_start_matches([' ', '\t']).chars().next() {
            None => Begins::Unknown,
            Some(char) => Begins::when(!"{[`\r\n".contains(char)),
        },
        Match::Partial => Begins::Unknown,
        Match::No => Begins::No,
    }
}

/// A scan for the end of the input.
#[derive(Debug)]
pub(crate) struct LineScan(usize);

impl LineScan {
    pub(super) fn new(at: usize) -> Self {
        // The name is on the first line.
        Self(at)
    }

    pub(super) fn run(&mut self, text: &str, is_end: bool) -> Scan {
        while let Some(line) = memchr(b'\n', &text.as_bytes()[self.0..]) {
            let start = self.0 + line + 1;
            match marker::longest(&text[start..], ENDS) {
                Match::Full(_) => return Scan::End(start - 1),
                Match::Partial if !is_end => return Scan::More,
                Match::Partial | Match::No => self.0 = start,
            }
        }
        if is_end {
            return Scan::End(text.len());
        }
        self.0 = text.len();
        Scan::More
    }

    pub(super) fn at(&self) -> usize {
        self.0
    }

    /// Counts from the current position, and returns it.
    pub(super) fn rebase(&mut self) -> usize {
        std::mem::take(&mut self.0)
    }
}

pub(super) fn read(text: &str, tools: &Declared) -> Reading {
    let name = text.split_whitespace().next().unwrap_or_default();
    let input = text.trim_start()[name.len()..].trim();
    let Match::Full(len) = marker::begins(input, INPUT) else {
        return Reading::Text;
    };
    let input = input[len..].trim();
    let unquoted = input
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let input = unquoted.unwrap_or(input);
    let Some(tool) = tools.find(name) else {
        return Reading::Text;
    };
    Reading::of(call(tools, name, "", |_| match tool.single_string() {
        Some(parameter) if !input.contains('\n') => {
            Ok(format!("{{{}:{}}}", quoted(parameter), quoted(input)))
        }
        _ => Err("the input is not an object".to_owned()),
    }))
}
