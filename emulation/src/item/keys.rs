//! Calls as a name, and keys and values between tags, as in GLM.

use std::collections::HashSet;

use toolwright_json::string::push_quoted;

use crate::{
    attempt::{Reading, call},
    declared::{Declared, Tool},
    marker::{self, Match},
    typed::typed,
};

use super::{Begins, Scan};

/// The tags around keys and values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyTags {
    pub(crate) key: [&'static str; 2],
    pub(crate) value: [&'static str; 2],
    /// The tag that ends a call; it is no part of the item.
    pub(crate) end: &'static str,
}

/// A name, on a line of its own or before the first key.
pub(super) fn begins(tags: &KeyTags, text: &str, is_end: bool) -> Begins {
    let text = text.trim_start();
    let Some(end) = text.find(['\n', '<']) else {
        // A name that the text cuts off is an attempt.
        return if is_end {
            let name = text.trim_end();
            Begins::when(!name.is_empty() && !name.contains(char::is_whitespace))
        } else {
            Begins::Unknown
        };
    };
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    // A value of JSON is no name.
    if name.trim().is_empty() || name.contains(['{', '[', '"']) {
        return Begins::No;
    }
    match marker::longest(rest, [tags.key[0], tags.end]) {
        Match::Full(_) => Begins::Yes,
        Match::Partial if is_end => Begins::when(rest.is_empty()),
        Match::Partial => Begins::Unknown,
        Match::No => Begins::No,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyScanState {
    Name,
    Between,
    Key,
    BeforeValue,
    Value,
}

/// A scan for the end of such a call.
#[derive(Debug)]
pub(crate) struct KeyScan {
    tags: &'static KeyTags,
    at: usize,
    /// The start of the name, key or value.
    start: usize,
    place: KeyScanState,
    /// The end of a call in the value that is being read. It is a part of the value if that has an end of its own.
    end_in_value: Option<usize>,
    name: String,
    pairs: Vec<(String, String)>,
}

impl KeyScan {
    pub(super) fn new(tags: &'static KeyTags, at: usize) -> Self {
        Self {
            tags,
            at,
            start: at,
            place: KeyScanState::Name,
            end_in_value: None,
            name: String::new(),
            pairs: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, text: &str, is_end: bool, close: &[&str]) -> Scan {
        loop {
            let [key, key_end] = self.tags.key;
            let [value, value_end] = self.tags.value;
            // A tag that may not come next ends the attempt.
            let wanted = match self.place {
                KeyScanState::Name => vec![key, self.tags.end],
                KeyScanState::Key => vec![key_end, value],
                KeyScanState::Value => vec![value_end, key, value, self.tags.end],
                KeyScanState::Between | KeyScanState::BeforeValue => {
                    let rest = text[self.at..].trim_start();
                    self.at = text.len() - rest.len();
                    let next = if self.place == KeyScanState::Between {
                        key
                    } else {
                        value
                    };
                    match (
                        marker::begins(rest, next),
                        marker::longest(rest, close.iter().copied()),
                    ) {
                        (Match::Full(len), _) => {
                            self.place = if self.place == KeyScanState::Between {
                                KeyScanState::Key
                            } else {
                                KeyScanState::Value
                            };
                            self.at += len;
                            self.start = self.at;
                            continue;
                        }
                        (Match::Partial, _) | (_, Match::Partial) if !is_end => return Scan::More,
                        (_, Match::Full(_)) if self.place == KeyScanState::Between => {
                            return Scan::End(self.at);
                        }
                        _ if rest.is_empty() => return Scan::More,
                        _ => return Scan::Failed(self.at),
                    }
                }
            };
            let found = match marker::find(text, self.at, is_end, &wanted) {
                Ok(found) => found,
                Err(next) => {
                    self.at = next;
                    return match self.end_in_value {
                        Some(end) if is_end => Scan::Failed(end),
                        _ => Scan::More,
                    };
                }
            };
            if self.place == KeyScanState::Value && found.which == 3 {
                self.end_in_value.get_or_insert(found.at);
                self.at = found.at + found.len;
                continue;
            }
            let part = &text[self.start..found.at];
            self.at = found.at + found.len;
            self.place = match self.place {
                KeyScanState::Name => {
                    self.at = found.at;
                    part.trim().clone_into(&mut self.name);
                    KeyScanState::Between
                }
                _ if found.which > 0 => {
                    return Scan::Failed(self.end_in_value.unwrap_or(found.at));
                }
                KeyScanState::Key => {
                    self.pairs.push((part.trim().to_owned(), String::new()));
                    KeyScanState::BeforeValue
                }
                _ => {
                    if let Some(pair) = self.pairs.last_mut() {
                        part.clone_into(&mut pair.1);
                    }
                    self.end_in_value = None;
                    KeyScanState::Between
                }
            };
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Counts from the current position, and returns it. What was not read by then is not kept.
    pub(super) fn rebase(&mut self) -> usize {
        self.start = 0;
        self.end_in_value = self.end_in_value.map(|_| 0);
        std::mem::take(&mut self.at)
    }

    pub(super) fn read(&self, tools: &Declared) -> Reading {
        Reading::of(call(tools, &self.name, "", |tool| {
            let mut names = HashSet::new();
            let mut json = String::from("{");
            for (name, value) in &self.pairs {
                if !names.insert(name) {
                    return Err(format!("`{name}` is given twice"));
                }
                if json.len() > 1 {
                    json.push(',');
                }
                push_quoted(&mut json, name);
                json.push(':');
                let parameter = tool.and_then(|tool| tool.parameter(name));
                json.push_str(&typed(value, parameter, tool.map(Tool::schema)));
            }
            json.push('}');
            Ok(json)
        }))
    }
}
