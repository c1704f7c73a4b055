//! The rules for constraints, checked while the program is compiled.
//!
//! Each function reports at one token, and skips what another one reports, so that one mistake
//! is one error.

mod value;

use super::{Constraint, Form, Number, Range};
use crate::schema::{TypeFacts, const_check::message::Message, each::each};

pub use value::{check_default, check_example};

/// Checks that a type is a number, at the key `range`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_range(facts: TypeFacts) {
    let instead = match facts.form {
        Form::Integer { .. } | Form::Number { .. } => return,
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
pub const fn check_length(facts: TypeFacts) {
    let instead = match facts.form {
        Form::Text | Form::List | Form::Set | Form::Map => return,
        Form::Integer { .. } | Form::Number { .. } => "write `range(…)`",
        _ => "remove `length`",
    };
    misplaced("length", "strings, arrays and maps", facts.form, instead);
}

/// Checks that a type is a text, at the key `pattern`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_pattern(facts: TypeFacts) {
    if !matches!(facts.form, Form::Text) {
        misplaced("pattern", "strings", facts.form, "remove `pattern`");
    }
}

/// Checks that a type is a text, at the key `format`.
///
/// # Panics
///
/// When it is not.
#[track_caller]
pub const fn check_format(facts: TypeFacts) {
    if !matches!(facts.form, Form::Text) {
        misplaced("format", "strings", facts.form, "remove `format`");
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
pub const fn check_limit(facts: TypeFacts, limit: Number, is_half_open_end: bool) {
    match (facts.form, limit) {
        (Form::Integer { .. }, Number::Float(_)) => {
            panic!("the value is a whole number, so its limits are too: write them without a point")
        }
        (Form::Integer { minimum, maximum }, Number::Integer(limit)) => {
            let last = limit - is_half_open_end as i128;
            // An empty range is reported by the check of the whole range.
            let leaves_nothing = is_half_open_end && limit == minimum;
            if (last < minimum && !leaves_nothing) || last > maximum {
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
        (Form::Number { .. }, Number::Float(limit)) if !limit.is_finite() => {
            panic!("JSON has no such number: leave the limit out")
        }
        (Form::Number { maximum }, limit) if limit.as_float().abs() > maximum => {
            panic!(
                "the type holds numbers up to 3.4028235e38, and this one is outside of it: write a smaller one, or take an `f64`"
            )
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
pub const fn check_range_limits(facts: TypeFacts, range: Range) {
    let is_empty = match (facts.form, range.start, range.end) {
        (Form::Integer { .. }, Some(Number::Float(_)), _)
        | (Form::Integer { .. }, _, Some(Number::Float(_))) => false,
        (Form::Integer { minimum, maximum }, _, _) => {
            let (start, end) = match range.integers() {
                (None, None) => (minimum, maximum),
                (Some(start), None) => (start, maximum),
                (None, Some(end)) => (minimum, end),
                (Some(start), Some(end)) => (start, end),
            };
            start > end
        }
        (Form::Number { .. }, Some(start), Some(end)) => {
            let (start, end) = (start.as_float(), end.as_float());
            start > end || (range.is_half_open && start >= end)
        }
        _ => false,
    };
    assert!(
        !is_empty,
        "no number is in this range: write the smaller limit first, and `..=` if the last one counts"
    );
    if let Form::Number { .. } = facts.form {
        each!(own in facts.kept => {
            if let Constraint::Range(kept) = *own {
                assert!(
                    range.meets(kept),
                    "no number is in this range and in the type's own: write a part of that one"
                );
            }
        });
    }
}

/// Checks that a length is possible, at the limits.
///
/// # Panics
///
/// When none is.
#[track_caller]
pub const fn check_length_limits(facts: TypeFacts, length: super::Length) {
    assert!(
        length.meets(length),
        "no length is in this range: write the smaller limit first, and `..=` if the last one counts"
    );
    each!(own in facts.kept => {
        if let Constraint::Length(kept) = *own {
            assert!(
                length.meets(kept),
                "no length is in this range and in the type's own: write a part of that one"
            );
        }
    });
}

/// Checks a variant of an enum without a tag, at its type.
///
/// # Panics
///
/// When something in it is constrained: which variant a value is would be decided by its type for
/// serde, and by its constraints for the schema.
#[track_caller]
pub const fn check_untagged(facts: TypeFacts) {
    assert!(
        !facts.is_constrained(),
        "an `untagged` enum takes the first variant whose type fits, whether it keeps constraints or not: remove `untagged`, or the constraints inside this variant"
    );
}
