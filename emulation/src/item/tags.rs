//! Calls as XML with a tag for each argument.
//!
//! `<function=f><parameter=a>1</parameter></function>`, or with the names in attributes:
//! `<invoke name="f"><parameter name="a">1</parameter></invoke>`. Some formats write a namespace before each name.

use std::collections::HashSet;

use toolwright_json::string::{push_quoted, quoted};

use crate::{
    attempt::{Reading, call},
    declared::{Declared, Tool},
    marker::{self, Match},
    typed::typed,
};

use super::{Begins, LOOKAHEAD, Scan};

/// The namespaces of tags.
const NAMESPACES: [&str; 5] = ["", "antml:", "steptml:", "|DSML|", "minimax:"];
/// The tags of calls.
const CALLS: [&str; 2] = ["function", "invoke"];

/// An opening tag: `<parameter=city>`, `<parameter name="city" string="true">`.
struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    len: usize,
}

/// Compares the beginning of a text with an opening tag. `Full` is the length up to the name.
fn opens(text: &str, tag: &str) -> Match {
    match marker::begins(text, tag) {
        Match::Full(len) => match text[len..].chars().next() {
            None => Match::Partial,
            Some('=' | ' ' | '>' | '\n') => Match::Full(len),
            Some(_) => Match::No,
        },
        other => other,
    }
}

/// Reads an opening tag up to its end; `None` if the text ends first.
fn tag(text: &str, len: usize) -> Option<Tag<'_>> {
    let rest = &text[len..];
    let attribute = rest.trim_start();
    let value = attribute.strip_prefix("name").map(str::trim_start);
    let value = value
        .and_then(|rest| rest.strip_prefix('='))
        .map(str::trim_start);
    let name_quote = value.and_then(|value| {
        Some((
            value,
            value.chars().next().filter(|char| "\"'".contains(*char))?,
        ))
    });
    if let Some((value, quote)) = name_quote {
        let (name, after) = value[1..].split_once(quote)?;
        let end = after.find('>')?;
        return Some(Tag {
            name,
            attributes: &after[..end],
            len: text.len() - after.len() + end + 1,
        });
    }
    let end = rest.find('>')?;
    let name = rest[..end].strip_prefix('=').unwrap_or_default();
    Some(Tag {
        name: name.trim().trim_matches(['"', '\'']),
        attributes: "",
        len: len + end + 1,
    })
}

/// An opening tag of a call, which an argument or the end follows. `{` follows that of another format.
pub(super) fn begins(text: &str) -> Begins {
    let mut is_partial = false;
    for opening in openings() {
        match opens(text, &opening) {
            Match::Full(len) => {
                let Some(tag) = tag(text, len) else {
                    return Begins::Unknown;
                };
                return match text[tag.len..].trim_start().chars().next() {
                    None => Begins::Unknown,
                    Some(char) => Begins::when(char == '<'),
                };
            }
            Match::Partial => is_partial = true,
            Match::No => {}
        }
    }
    if is_partial {
        Begins::Unknown
    } else {
        Begins::No
    }
}

fn openings() -> impl Iterator<Item = String> {
    CALLS.iter().flat_map(|call| {
        NAMESPACES
            .iter()
            .map(move |namespace| format!("<{namespace}{call}"))
    })
}

/// A scan for the end of such a call.
#[derive(Debug)]
pub(crate) struct TagScan {
    at: usize,
    /// The name of the tool, when its tag was read.
    name: Option<String>,
    /// The start of a value that is being read.
    value: Option<usize>,
    open: String,
    close: String,
    end: String,
    arguments: Vec<Argument>,
}

#[derive(Debug)]
struct Argument {
    name: String,
    /// What the tag says of its type.
    is_string: Option<bool>,
    value: String,
}

impl TagScan {
    pub(super) fn new(at: usize) -> Self {
        Self {
            at,
            name: None,
            value: None,
            open: String::new(),
            close: String::new(),
            end: String::new(),
            arguments: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, text: &str, is_end: bool, close: &[&str]) -> Scan {
        if self.name.is_none() && !self.open_call(text) {
            return Scan::Failed(self.at);
        }
        loop {
            if let Some(start) = self.value {
                match marker::find(text, self.at, is_end, &[&self.close, &self.open]) {
                    // A tag that opens within a value, where the one before may lack its end.
                    Ok(found) if found.which > 0 => match opens(&text[found.at..], &self.open) {
                        Match::Full(_) => return Scan::Failed(found.at),
                        Match::Partial if !is_end => {
                            self.at = found.at;
                            return Scan::More;
                        }
                        Match::Partial | Match::No => {
                            self.at = found.at + found.len;
                            continue;
                        }
                    },
                    Ok(found) => {
                        if let Some(last) = self.arguments.last_mut() {
                            text[start..found.at].clone_into(&mut last.value);
                        }
                        (self.value, self.at) = (None, found.at + found.len);
                    }
                    Err(next) => {
                        self.at = next;
                        return Scan::More;
                    }
                }
            }
            let rest = text[self.at..].trim_start();
            self.at = text.len() - rest.len();
            match (opens(rest, &self.open), marker::begins(rest, &self.end)) {
                (Match::Full(len), _) => {
                    let Some(tag) = tag(rest, len) else {
                        let is_long = is_end || rest.len() > LOOKAHEAD;
                        return if is_long {
                            Scan::Failed(self.at)
                        } else {
                            Scan::More
                        };
                    };
                    self.arguments.push(Argument {
                        name: tag.name.to_owned(),
                        is_string: is_string(tag.attributes),
                        value: String::new(),
                    });
                    self.at += tag.len;
                    self.value = Some(self.at);
                }
                (_, Match::Full(len)) => return Scan::End(self.at + len),
                (Match::Partial, _) | (_, Match::Partial) if !is_end => return Scan::More,
                _ if rest.is_empty() => return Scan::More,
                _ => {
                    return match marker::longest(rest, close.iter().copied()) {
                        // The tag around the call is closed, and that of the call was forgotten.
                        Match::Full(_) if !self.arguments.is_empty() => Scan::End(self.at),
                        Match::Partial if !is_end => Scan::More,
                        _ => Scan::Failed(self.at),
                    };
                }
            }
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Counts from the current position, and returns it. What was not read by then is not kept.
    pub(super) fn rebase(&mut self) -> usize {
        self.value = self.value.map(|_| 0);
        std::mem::take(&mut self.at)
    }

    /// Reads the tag of the call.
    fn open_call(&mut self, text: &str) -> bool {
        let rest = &text[self.at..];
        for namespace in NAMESPACES {
            for call in CALLS {
                if let Match::Full(len) = opens(rest, &format!("<{namespace}{call}"))
                    && let Some(tag) = tag(rest, len)
                {
                    self.name = Some(tag.name.to_owned());
                    self.open = format!("<{namespace}parameter");
                    self.close = format!("</{namespace}parameter>");
                    self.end = format!("</{namespace}{call}>");
                    self.at += tag.len;
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn read(&self, tools: &Declared) -> Reading {
        let name = self.name.as_deref().unwrap_or_default();
        if name.is_empty() {
            return Reading::malformed(None, "the name of the tool is missing");
        }
        Reading::of(call(tools, name, "", |tool| {
            let mut names = HashSet::new();
            let mut json = String::from("{");
            for argument in &self.arguments {
                let name = &argument.name;
                if name.is_empty() || !names.insert(name) {
                    return Err(format!(
                        "an argument has no name, or `{name}` is given twice"
                    ));
                }
                if json.len() > 1 {
                    json.push(',');
                }
                push_quoted(&mut json, name);
                json.push(':');
                let (value, root) = (&argument.value, tool.map(Tool::schema));
                json.push_str(&match argument.is_string {
                    Some(true) => quoted(value),
                    Some(false) => typed(value, None, root),
                    None => typed(value, tool.and_then(|tool| tool.parameter(name)), root),
                });
            }
            json.push('}');
            Ok(json)
        }))
    }
}

/// The attribute `string` of `DeepSeek` V3.2.
fn is_string(attributes: &str) -> Option<bool> {
    let value = attributes.split_once("string=")?.1;
    Some(value.trim_start_matches(['"', '\'']).starts_with("true"))
}
