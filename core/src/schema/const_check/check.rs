//! The rules that only constants and the type system can see, checked while the program is
//! compiled.
//!
//! Generated code calls each from a free `const _: () = …;` with the user's span on every token, so
//! that the error is at the mistake and `cargo check` finds it.

use super::{
    keys::{Clash, contains, equal},
    message::Message,
};
use crate::schema::{Path, Place, TypeFacts, each::each, visible::count_visible};

/// The greatest number of levels in the arguments of a tool. The arguments object is the first.
pub const MAX_DEPTH: u16 = 10;
/// The least number of characters in a tool's description.
pub const MIN_DESCRIPTION_CHARS: usize = 10;
/// The greatest number of characters in a tool's description.
pub const MAX_DESCRIPTION_CHARS: usize = 500;

/// Checks the length of a tool's description, in characters, without the white space around it.
///
/// # Panics
///
/// When it is too short or too long.
#[track_caller]
pub const fn check_description(text: &str) {
    let chars = count_chars(text.trim_ascii());
    let seen = count_visible(text);
    assert!(
        seen > 0,
        "the description is empty: tell the model what the tool does and when to call it, in 10 to 500 characters"
    );
    if seen < MIN_DESCRIPTION_CHARS {
        let found = Message::new().text("the description has ").number(seen);
        let message = found.text(if seen == 1 {
            " character"
        } else {
            " characters"
        });
        let message = message.text(if seen < chars {
            " that can be seen"
        } else {
            ""
        });
        let message = message.text(
            ", at least 10 are needed: tell the model what the tool does and when to call it",
        );
        panic!("{}", message.as_str());
    }
    if chars > MAX_DESCRIPTION_CHARS {
        let found = Message::new().text("the description has ").number(chars);
        let message = found.text(
            " characters, at most 500 are allowed: keep what the model needs to choose the tool, and tell the rest at its parameters",
        );
        panic!("{}", message.as_str());
    }
}

/// Checks the type of a parameter.
///
/// # Panics
///
/// When it contains itself or has too many levels.
#[track_caller]
pub(crate) const fn check_parameter(name: &str, facts: TypeFacts, path: Option<&Path>) {
    check_parameter_within(name, facts, path, MAX_DEPTH);
}

/// Checks an input as the function above does, with another limit.
#[track_caller]
pub(crate) const fn check_parameter_within(
    name: &str,
    facts: TypeFacts,
    path: Option<&Path>,
    max_depth: u16,
) {
    // The arguments object around the parameter is a level too.
    let depth = facts.depth + 1;
    check_levels(Whole::Parameter(name), facts, depth, path, max_depth);
}

/// Checks the type of the arguments object.
///
/// # Panics
///
/// When it contains itself or has too many levels.
#[track_caller]
pub(crate) const fn check_arguments_within(facts: TypeFacts, path: Option<&Path>, max_depth: u16) {
    check_levels(Whole::Arguments, facts, facts.depth, path, max_depth);
}

/// Checks the type of an answer.
///
/// # Panics
///
/// When it contains itself or has too many levels.
#[track_caller]
pub(crate) const fn check_answer(facts: TypeFacts, path: Option<&Path>) {
    check_levels(Whole::Answer, facts, facts.depth, path, MAX_DEPTH);
}

/// What a checked type is the type of.
#[derive(Clone, Copy)]
pub(crate) enum Whole<'n> {
    /// The arguments object.
    Arguments,
    /// One of the arguments, of this name.
    Parameter(&'n str),
    /// The answer of a model.
    Answer,
}

#[track_caller]
const fn check_levels(
    whole: Whole<'_>,
    facts: TypeFacts,
    depth: u16,
    path: Option<&Path>,
    max_depth: u16,
) {
    if facts.exhausted {
        let message = match repeated(path) {
            Some((owner, steps)) => Message::new()
                .text("`")
                .text(owner)
                .text("` contains itself: `")
                .path(whole, path, steps)
                .text("` is a `")
                .text(owner)
                .text(match whole {
                    Whole::Answer => "` again; an answer must end",
                    _ => "` again; arguments must end",
                })
                .text(", so take a flat `Vec` whose entries name each other"),
            None => Message::new()
                .text("this type has more than 32 types inside each other: `")
                .path(whole, path, MAX_DEPTH as usize)
                .text("` goes on; flatten it"),
        };
        panic!("{}", message.as_str());
    }
    if let Some(clash) = facts.clash {
        let message = Message::new().text("in `").path(whole, None, 0);
        let message = message.text(match clash {
            Clash::Constrained => "` a type with constraints ",
            _ => "` a flattened type ",
        });
        panic!("{}", clash.message(message).as_str());
    }
    if depth > max_depth {
        let message = Message::new()
            .text(match whole {
                Whole::Answer => "the answer has ",
                _ => "the arguments have ",
            })
            .number(depth as usize)
            .text(" levels, at most ")
            .number(max_depth as usize)
            .text(if max_depth == MAX_DEPTH {
                " are allowed: `"
            } else {
                " are allowed by `max_depth`: `"
            })
            .path(whole, path, usize::MAX)
            .text("` is the deepest; flatten the types on the way");
        panic!("{}", message.as_str());
    }
}

/// Checks the type of a value in `Json`.
///
/// # Panics
///
/// When it never ends, or serde writes it otherwise than it reads it.
#[track_caller]
pub(crate) const fn check_output(facts: TypeFacts, path: Option<&Path>) {
    if facts.exhausted {
        let message = match repeated(path) {
            Some((owner, _)) => Message::new()
                .text("`")
                .text(owner)
                .text("` contains itself, and has no schema: "),
            None => Message::new()
                .text("this type has more than 32 types inside each other, and no schema: "),
        };
        let message = message.text("return the value without `Json`");
        panic!("{}", message.as_str());
    }
    if let Some(clash) = facts.clash {
        let message = Message::new().text("in `Json` a flattened type ");
        panic!("{}", clash.message(message).as_str());
    }
    assert!(
        !facts.written_otherwise,
        "serde writes this type otherwise than it reads it, which its schema cannot show: remove what is for one direction only, such as `rename(serialize = …)`, `skip_serializing` or the `tag` of a struct, add `default` to `skip_serializing_if`, or return the value without `Json`"
    );
}

/// Checks the description of something inside of the arguments.
///
/// # Panics
///
/// When nothing of it can be seen.
#[track_caller]
pub const fn check_visible(text: &str) {
    assert!(
        count_visible(text) > 0,
        "nothing of this description can be seen: write what the model is to send, or remove it"
    );
}

/// Checks the name of a tool against those before it in the set.
///
/// # Panics
///
/// When one of them has the same name.
#[track_caller]
pub const fn check_tool_names(name: &str, before: &[&str]) {
    if contains(before, name) {
        let message = Message::new()
            .text("two tools of this set are called `")
            .text(name)
            .text("`: remove one, or rename it with `#[tool(name = \"…\")]`");
        panic!("{}", message.as_str());
    }
}

impl Message {
    /// Adds the path of what is checked, and the first steps into it.
    pub(crate) const fn path(self, whole: Whole<'_>, path: Option<&Path>, steps: usize) -> Self {
        let mut message = match whole {
            Whole::Parameter(name) if !name.is_empty() => self.text("arguments.").text(name),
            Whole::Answer => self.text("answer"),
            _ => self.text("arguments"),
        };
        let (mut next, mut taken) = (path, 0);
        while let Some(step) = next
            && taken < steps
        {
            message = match step.place {
                Place::Field(name) => message.text(".").text(name),
                Place::Item => message.text("[]"),
                Place::Value => message.text(".*"),
                Place::Here => message,
                Place::FieldOf(outer, name) => message.text(".").text(outer).text(".").text(name),
                Place::ItemOf(outer) => message.text(".").text(outer).text("[]"),
            };
            next = step.next;
            taken += 1;
        }
        message
    }
}

/// The first type that is met a second time, and the steps until there.
const fn repeated(path: Option<&Path>) -> Option<(&str, usize)> {
    let (mut next, mut steps) = (path, 0);
    while let Some(step) = next {
        let (mut earlier, mut before) = (path, 0);
        while let Some(other) = earlier
            && before < steps
        {
            if !step.owner.is_empty() && equal(other.owner, step.owner) {
                return Some((step.owner, steps));
            }
            earlier = other.next;
            before += 1;
        }
        next = step.next;
        steps += 1;
    }
    None
}

/// Returns the number of Unicode scalar values.
pub(crate) const fn count_chars(text: &str) -> usize {
    let mut chars = 0;
    each!(byte in text.as_bytes() => {
        // Every character has one byte that does not continue another.
        chars += (*byte & 0b1100_0000 != 0b1000_0000) as usize;
    });
    chars
}
