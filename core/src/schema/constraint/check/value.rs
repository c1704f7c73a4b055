//! The rules for examples and defaults: values that are known while the program is compiled.

use super::super::{Constraint, Example, Form, Format, Number, Range};
use crate::schema::{
    TypeFacts,
    const_check::{check::count_chars, facts::Item, keys::contains, message::Message},
    each::{any, each},
};

/// Checks an example, at its value.
///
/// # Panics
///
/// When it is not a value of the type, or violates the other constraints.
#[track_caller]
pub const fn check_example(facts: TypeFacts, constraints: &[Constraint], example: Example) {
    assert!(
        has_json(example),
        "the example is no number that JSON has: write a finite one"
    );
    if !is_of(facts.form, facts.item, example) {
        let message = Message::new()
            .text("the example is ")
            .text(name(example))
            .text(", the value is ")
            .text(facts.form.name());
        let message = match facts.form {
            Form::Choice(names) if matches!(example, Example::Text(_)) => Message::new()
                .text("the example is none of the strings of the type: write one of ")
                .list(names),
            Form::Object | Form::Map | Form::Tuple | Form::Null | Form::Any | Form::Other => {
                message.text(": write a string, a number, a boolean, or an array of these, or remove the example")
            }
            Form::Integer { minimum, maximum } if matches!(example, Example::Number(_)) => {
                Message::new()
                    .text("the example is not in the range of the value: write a number from ")
                    .integer(minimum)
                    .text(" to ")
                    .integer(maximum)
            }
            Form::Number { .. } if matches!(example, Example::Number(_)) => Message::new()
                .text("the example is not in the range of the value: write a number up to 3.4028235e38"),
            Form::List | Form::Set | Form::Array(_) if matches!(example, Example::List(_)) => {
                Message::new().text("the example is an array of other items, or of another length: write the items of the type")
            }
            form => message.text(": write ").text(form.name()),
        };
        panic!("{}", message.as_str());
    }
    within("example", facts, constraints, example);
}

/// Checks the value of a default. Its type is the type of the parameter, so it needs no check.
///
/// # Panics
///
/// When it violates the constraints.
#[track_caller]
pub const fn check_default(facts: TypeFacts, constraints: &[Constraint], default: Option<Example>) {
    if let Some(default) = default {
        within("default", facts, constraints, default);
    }
}

/// Checks a value by the constraints of its place, and by those of its type.
#[track_caller]
const fn within(what: &str, facts: TypeFacts, constraints: &[Constraint], value: Example) {
    all_kept(what, constraints, value);
    all_kept(what, facts.kept, value);
    if let Form::Spelled(Some(format)) = facts.form {
        all_kept(what, &[Constraint::Format(format)], value);
    }
    if let (Some(item), Example::List(items)) = (facts.item, value) {
        each!(one in items => {
            all_kept(what, item.kept, *one);
            if let Form::Spelled(Some(format)) = item.form {
                all_kept(what, &[Constraint::Format(format)], *one);
            }
        });
    }
}

#[track_caller]
const fn all_kept(what: &str, constraints: &[Constraint], value: Example) {
    each!(constraint in constraints => {
        let constraint = *constraint;
        if !is_kept(constraint, value) {
            let message = Message::new()
                .text("the ")
                .text(what)
                .text(" does not keep `")
                .text(key(constraint))
                .text("`: ");
            let message = match constraint {
                Constraint::Format(format) => message
                    .text("write one such as `")
                    .text(format.sample())
                    .text("`"),
                Constraint::NotZero => message.text("write a number that is not 0"),
                _ => message.text("change one of them"),
            };
            panic!("{}", message.as_str());
        }
    });
}

const fn key(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::Range(_) => "range",
        Constraint::Length(_) => "length",
        Constraint::Pattern(_) => "pattern",
        Constraint::Format(_) => "format",
        Constraint::NotZero => "NonZero",
        Constraint::Example(_) => "example",
    }
}

/// Returns true if a value meets a constraint. The macro checks patterns, because no constant can match one.
const fn is_kept(constraint: Constraint, value: Example) -> bool {
    match (constraint, value) {
        (Constraint::Range(range), Example::Number(number)) => is_in(range, number),
        (Constraint::Length(length), Example::Text(text)) => length.has(count_chars(text)),
        (Constraint::Length(length), Example::Character(_)) => length.has(1),
        (Constraint::Length(length), Example::List(items)) => length.has(items.len()),
        (Constraint::Format(format), Example::Text(text)) => format.fits(text),
        (Constraint::Format(format), Example::Character(character)) => {
            fits_character(format, character)
        }
        (Constraint::NotZero, Example::Number(Number::Integer(number))) => number != 0,
        _ => true,
    }
}

const fn fits_character(format: Format, character: char) -> bool {
    let mut buffer = [0; 4];
    format.fits(character.encode_utf8(&mut buffer))
}

const fn is_in(range: Range, number: Number) -> bool {
    match (range.start, range.end, number) {
        (Some(Number::Float(_)), _, _)
        | (_, Some(Number::Float(_)), _)
        | (_, _, Number::Float(_)) => range.has_float(number.as_float()),
        (_, _, Number::Integer(number)) => range.has_integer(number),
    }
}

/// Returns true if it can be written as JSON.
const fn has_json(example: Example) -> bool {
    match example {
        Example::Number(Number::Float(number)) => number.is_finite(),
        Example::List(items) => !any!(items, |item| !has_json(*item)),
        _ => true,
    }
}

const fn is_of(form: Form, item: Option<Item>, example: Example) -> bool {
    match (form, example) {
        (Form::Text | Form::Spelled(_), Example::Text(_) | Example::Character(_))
        | (Form::Character, Example::Character(_))
        | (Form::Boolean, Example::Boolean(_)) => true,
        (Form::Character, Example::Text(text)) => count_chars(text) == 1,
        (Form::Choice(names), Example::Text(text)) => contains(names, text),
        (Form::Integer { minimum, maximum }, Example::Number(Number::Integer(number))) => {
            number >= minimum && number <= maximum
        }
        (Form::Number { maximum }, Example::Number(number)) => number.as_float().abs() <= maximum,
        (Form::List | Form::Set | Form::Array(_), Example::List(items)) => {
            let other_length = matches!(form, Form::Array(length) if length != items.len());
            // What the items of an item are is not kept.
            !other_length
                && !any!(items, |one| match item {
                    Some(item) => !is_of(item.form, None, *one),
                    None => true,
                })
        }
        _ => false,
    }
}

const fn name(example: Example) -> &'static str {
    match example {
        Example::Text(_) | Example::Character(_) => "a string",
        Example::Number(Number::Integer(_)) => "an integer",
        Example::Number(Number::Float(_)) => "a number with a fraction",
        Example::Boolean(_) => "a boolean",
        Example::List(_) => "an array",
    }
}

impl Message {
    /// Adds texts in quotes.
    const fn list(mut self, names: &[&str]) -> Self {
        let mut before = "`";
        each!(name in names => {
            self = self.text(before).text(name);
            before = "`, `";
        });
        self.text("`")
    }
}
