//! The rules for constraints, checked while the program is compiled.
//!
//! Each function stands at one token. What another one reports it passes over, so that one mistake
//! is one error.

use super::{Constraint, Example, Form, Number, Range};
use crate::schema::{Facts, keys::contains, message::Message};

/// Checks that a type is a number, at the key `range`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_range(facts: Facts) {
    let instead = match facts.form {
        Form::Integer { .. } | Form::Number => return,
        Form::Text => "write `length(…)`",
        Form::List | Form::Set | Form::Map | Form::Array(_) => {
            "for its numbers write a type of their own, \
             `struct Score(#[tool(range(…))] u8);`; for how many there are, `length(…)`"
        }
        _ => "remove `range`",
    };
    misplaced("range", "numbers", facts.form, instead);
}

/// Checks that a type has a length, at the key `length`.
///
/// # Panics
///
/// When it has none.
#[track_caller]
pub const fn check_length(facts: Facts) {
    let instead = match facts.form {
        Form::Text | Form::List | Form::Set | Form::Map => return,
        Form::Integer { .. } | Form::Number => "write `range(…)`",
        _ => "remove `length`",
    };
    misplaced("length", "texts, lists and maps", facts.form, instead);
}

/// Checks that a type is a text, at the key `pattern`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_pattern(facts: Facts) {
    if !matches!(facts.form, Form::Text) {
        misplaced("pattern", "texts", facts.form, "remove `pattern`");
    }
}

/// Checks that a type is a text, at the key `format`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_format(facts: Facts) {
    if !matches!(facts.form, Form::Text) {
        misplaced("format", "texts", facts.form, "remove `format`");
    }
}

#[track_caller]
const fn misplaced(key: &str, of: &str, form: Form, instead: &str) {
    let message = Message::new()
        .text("`")
        .text(key)
        .text("` is for ")
        .text(of)
        .text(", this is ")
        .text(form.name())
        .text(": ")
        .text(instead);
    panic!("{}", message.as_str());
}

/// Checks a limit of a range, at the limit. The end of a half-open range may be one more than the
/// type holds.
///
/// # Panics
///
/// When the type does not hold it.
#[track_caller]
pub const fn check_limit(facts: Facts, limit: Number, is_half_open_end: bool) {
    match (facts.form, limit) {
        (Form::Integer { .. }, Number::Float(_)) => {
            panic!("the value is a whole number, so its limits are too: write them without a point")
        }
        (Form::Integer { minimum, maximum }, Number::Integer(limit)) => {
            let last = limit - is_half_open_end as i128;
            if last < minimum || last > maximum {
                let message = Message::new()
                    .text("the type holds ")
                    .integer(minimum)
                    .text(" to ")
                    .integer(maximum)
                    .text(", and ")
                    .integer(limit)
                    .text(" is outside of it: write a limit in between");
                panic!("{}", message.as_str());
            }
        }
        (Form::Number, Number::Float(limit)) if !limit.is_finite() => {
            panic!("JSON has no such number: leave the limit out")
        }
        _ => {}
    }
}

/// Checks that something is in a range, at the range.
///
/// # Panics
///
/// When nothing is.
#[track_caller]
pub const fn check_range_limits(facts: Facts, range: Range) {
    let is_empty = match (facts.form, range.start, range.end) {
        (Form::Integer { .. }, Some(Number::Integer(_)), Some(Number::Integer(_))) => {
            let (start, end) = range.integers();
            matches!((start, end), (Some(start), Some(end)) if start > end)
        }
        (Form::Number, Some(start), Some(end)) => {
            let (start, end) = (start.as_float(), end.as_float());
            start > end || (range.is_half_open && start >= end)
        }
        _ => false,
    };
    assert!(
        !is_empty,
        "no number is in this range: write the smaller limit first, and `..=` if the last one counts"
    );
}

/// Checks that a length is possible, at the limits.
///
/// # Panics
///
/// When none is.
#[track_caller]
pub const fn check_length_limits(length: super::Length) {
    if let (Some(minimum), Some(maximum)) = (length.minimum, length.maximum) {
        assert!(
            minimum <= maximum,
            "no length is in this range: write the smaller limit first, and `..=` if the last one counts"
        );
    }
}

/// Checks a variant of an enum without a tag, at its type.
///
/// # Panics
///
/// When something in it is constrained: which variant a value is would be decided by its type for
/// serde, and by its constraints for the schema.
#[track_caller]
pub const fn check_untagged(facts: Facts) {
    assert!(
        !facts.is_constrained(),
        "an `untagged` enum takes the first variant whose type fits, whether it keeps constraints or not: remove `untagged`, or the constraints inside this variant"
    );
}

/// Checks an example, at its value.
///
/// # Panics
///
/// When it is not a value of the type, or does not keep the other constraints.
#[track_caller]
pub const fn check_example(facts: Facts, constraints: &[Constraint], example: Example) {
    if !is_of(facts.form, facts.item, example) {
        let message = Message::new()
            .text("the example is ")
            .text(name(example))
            .text(", the value is ")
            .text(facts.form.name());
        let message = match facts.form {
            Form::Choice(names) if matches!(example, Example::Text(_)) => Message::new()
                .text("the example is none of the texts that the type knows: ")
                .list(names),
            Form::Object | Form::Map | Form::Tuple | Form::Other => {
                message.text(": an example is a text, a number, a boolean, or a list of these")
            }
            Form::Integer { minimum, maximum } if matches!(example, Example::Number(_)) => {
                Message::new()
                    .text("the example is not in the range of the value, ")
                    .integer(minimum)
                    .text(" to ")
                    .integer(maximum)
            }
            _ => message,
        };
        panic!("{}", message.as_str());
    }
    within("example", constraints, example);
}

/// Checks a default, at its value. Its type is the parameter's, so that is not asked for.
///
/// # Panics
///
/// When it does not keep the constraints.
#[track_caller]
pub const fn check_default(constraints: &[Constraint], default: Example) {
    within("default", constraints, default);
}

#[track_caller]
const fn within(what: &str, constraints: &[Constraint], value: Example) {
    let mut index = 0;
    while index < constraints.len() {
        let kept = match (constraints[index], value) {
            (Constraint::Range(range), Example::Number(Number::Integer(number))) => {
                match (range.start, range.end) {
                    (Some(Number::Float(_)), _) | (_, Some(Number::Float(_))) => {
                        range.has_float(Number::Integer(number).as_float())
                    }
                    _ => range.has_integer(number),
                }
            }
            (Constraint::Range(range), Example::Number(number)) => {
                range.has_float(number.as_float())
            }
            (Constraint::Length(length), Example::Text(text)) => {
                length.has(crate::schema::check::count_chars(text))
            }
            (Constraint::Length(length), Example::List(items)) => length.has(items.len()),
            _ => true,
        };
        if !kept {
            let key = if let Constraint::Range(_) = constraints[index] {
                "range"
            } else {
                "length"
            };
            let message = Message::new()
                .text("the ")
                .text(what)
                .text(" does not keep `")
                .text(key)
                .text("`: change one of them");
            panic!("{}", message.as_str());
        }
        index += 1;
    }
}

const fn is_of(form: Form, item: Option<Form>, example: Example) -> bool {
    match (form, example) {
        (Form::Text, Example::Text(_) | Example::Character(_))
        | (Form::Character, Example::Character(_))
        | (Form::Number, Example::Number(_))
        | (Form::Boolean, Example::Boolean(_)) => true,
        (Form::Character, Example::Text(text)) => crate::schema::check::count_chars(text) == 1,
        (Form::Choice(names), Example::Text(text)) => contains(names, text),
        (Form::Integer { minimum, maximum }, Example::Number(Number::Integer(number))) => {
            number >= minimum && number <= maximum
        }
        (Form::List | Form::Set | Form::Array(_), Example::List(items)) => {
            if let Form::Array(length) = form
                && items.len() != length
            {
                return false;
            }
            let mut index = 0;
            while index < items.len() {
                // What the items of an item are is not kept.
                let fits = match item {
                    Some(form) => is_of(form, None, items[index]),
                    None => false,
                };
                if !fits {
                    return false;
                }
                index += 1;
            }
            true
        }
        _ => false,
    }
}

const fn name(example: Example) -> &'static str {
    match example {
        Example::Text(_) | Example::Character(_) => "a text",
        Example::Number(Number::Integer(_)) => "an integer",
        Example::Number(Number::Float(_)) => "a number with a fraction",
        Example::Boolean(_) => "a boolean",
        Example::List(_) => "a list whose items or length do not fit",
    }
}

impl Message {
    /// Adds texts in quotes.
    const fn list(mut self, names: &[&str]) -> Self {
        let mut index = 0;
        while index < names.len() {
            self = self.text(if index == 0 { "`" } else { "`, `" });
            self = self.text(names[index]);
            index += 1;
        }
        self.text("`")
    }
}
