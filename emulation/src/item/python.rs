//! Calls as in Python: `f(a=1)`, or `[f(a=1), g()]`.

use crate::{
    attempt::{Attempt, Reading, Refusal, call},
    declared::Declared,
    literal::{Fault, Literals},
};

use super::Begins;

/// Calls begin with a name, a bracket, and the name of an argument; or with an empty list.
pub(super) fn begins(text: &str) -> Begins {
    let mut rest = text;
    if let Some(items) = rest.strip_prefix('[') {
        rest = items.trim_start();
        if rest.starts_with(']') {
            return Begins::Yes;
        }
    }
    rest = rest.strip_prefix("print(").unwrap_or(rest);
    let Some(rest) = after_name(rest) else {
        return Begins::No;
    };
    let Some(rest) = after_name_char(rest, '(') else {
        return begins_unless(rest);
    };
    if rest.is_empty() {
        return Begins::Unknown;
    }
    if rest.starts_with(')') {
        return Begins::Yes;
    }
    let Some(rest) = after_name(rest) else {
        return Begins::No;
    };
    match after_name_char(rest, '=') {
        None => begins_unless(rest),
        Some("") => Begins::Unknown,
        Some(rest) => Begins::when(!rest.starts_with('=')),
    }
}

fn begins_unless(rest: &str) -> Begins {
    if rest.trim_start().is_empty() {
        Begins::Unknown
    } else {
        Begins::No
    }
}

/// What follows a name; `None` if none is here.
fn after_name(text: &str) -> Option<&str> {
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-');
    let rest = text.trim_start_matches(is_name);
    (text.is_empty() || rest.len() < text.len()).then_some(rest)
}

fn after_name_char(text: &str, char: char) -> Option<&str> {
    Some(text.trim_start().strip_prefix(char)?.trim_start())
}

/// Reads calls. Those that are neither marked nor in a list may be any code.
pub(super) fn read(text: &str, tools: &Declared, is_marked: bool) -> Reading {
    match calls(text, tools) {
        Ok(calls) if calls.is_empty() && is_marked => Reading::NoTool,
        Ok(calls) if calls.is_empty() => Reading::Text,
        // Code that calls something else.
        Ok(calls) if !is_marked && !text.starts_with('[') && calls.iter().any(Result::is_err) => {
            Reading::Text
        }
        Ok(calls) => Reading::Attempts(calls),
        Err((name, fault)) if is_marked || tools.find(&name).is_some() => {
            Reading::of(Err(Refusal::malformed(
                Some(&name)
                    .filter(|name| !name.is_empty())
                    .map(String::as_str),
                fault,
            )))
        }
        Err(_) => Reading::Text,
    }
}

fn calls(text: &str, tools: &Declared) -> Result<Vec<Attempt>, (String, Fault)> {
    let mut literals = Literals::new(text, &[]);
    let is_list = literals.take('[');
    let mut calls = Vec::new();
    while !(literals.is_end() || is_list && literals.take(']')) {
        calls.push(one(&mut literals, tools)?);
        if !is_list {
            break;
        }
        literals.take(',');
    }
    if literals.is_end() {
        return Ok(calls);
    }
    Err((String::new(), "text follows the call"))
}

fn one(literals: &mut Literals<'_>, tools: &Declared) -> Result<Attempt, (String, Fault)> {
    let mut name = literals.name();
    let is_open = literals.take('(');
    let is_printed = name == "print" && tools.find(name).is_none();
    if is_printed {
        name = literals.name();
        literals.take('(');
    }
    if name.is_empty() || !is_open {
        return Err((
            name.to_owned(),
            "a call has a name, and its arguments in brackets",
        ));
    }
    // The tools that are built into Llama 3.1 are objects with one method.
    let name = match name.strip_suffix(".call") {
        Some(object) if tools.find(name).is_none() => object,
        _ => name,
    };
    let mut json = String::new();
    let fault = |fault| (name.to_owned(), fault);
    literals.members('=', ')', &mut json).map_err(fault)?;
    if is_printed && !literals.take(')') {
        return Err(fault("a closing bracket is missing"));
    }
    Ok(call(tools, name, "", |_| Ok(json)))
}
