//! Forms of types, which determine the constraints that a type can have.

use super::{Constraint, Format, Number};
use crate::schema::{Kind, each::each};

/// The form of a value, in the terms that constraints need.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Form {
    /// A whole number of a range.
    Integer {
        /// The least.
        minimum: i128,
        /// The greatest.
        maximum: i128,
    },
    /// Any number that the type holds.
    Number {
        /// The greatest; the least is as far from 0.
        maximum: f64,
    },
    /// A text.
    Text,
    /// A text of a form that the type itself decides, and the format if it has a name.
    Spelled(Option<Format>),
    /// A text of one character.
    Character,
    /// `true` or `false`.
    Boolean,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// A list.
    List,
    /// A list without repetition.
    Set,
    /// A list of so many values.
    Array(usize),
    /// A list of one value for each place.
    Tuple,
    /// An object of any keys.
    Map,
    /// An object of known keys, or an enum with data.
    Object,
    /// `null`.
    Null,
    /// Any value at all.
    Any,
    /// Another kind of value.
    Other,
}

impl Form {
    pub(in crate::schema) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Boolean => Self::Boolean,
            Kind::Integer { minimum, maximum } => {
                let least = match minimum {
                    Some(minimum) => minimum,
                    None => i64::MIN,
                };
                let greatest = match maximum {
                    Some(maximum) => maximum,
                    // Missing limits are those of 64 bits.
                    None if least >= 0 => u64::MAX,
                    None => i64::MAX as u64,
                };
                Self::Integer {
                    minimum: least as i128,
                    maximum: greatest as i128,
                }
            }
            Kind::Number => Self::Number { maximum: f64::MAX },
            Kind::String => Self::Text,
            Kind::Character => Self::Character,
            Kind::Null => Self::Null,
            Kind::Any => Self::Any,
            Kind::Formatted(spelling) => Self::Spelled(match spelling.format {
                Some(name) => Format::named(name),
                None => None,
            }),
            _ => Self::Other,
        }
    }

    /// Returns the name of the form for people.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Integer { .. } => "an integer",
            Self::Number { .. } => "a number",
            Self::Text => "a string",
            Self::Spelled(_) => "a string of a form of its own",
            Self::Character => "a string of one character",
            Self::Boolean => "a boolean",
            Self::Choice(_) => "one of a few strings",
            Self::List | Self::Set => "an array",
            Self::Array(_) | Self::Tuple => "an array of a fixed length",
            Self::Map => "a map",
            Self::Object => "an object or an enum",
            Self::Null | Self::Any | Self::Other => "a value of another kind",
        }
    }
}

/// The form of a value under constraints: a range inside another counts from the narrower one.
pub(in crate::schema) const fn narrowed(mut form: Form, constraints: &[Constraint]) -> Form {
    each!(constraint in constraints => {
        if let (Form::Integer { minimum, maximum }, Constraint::Range(range)) = (form, *constraint) {
            let (least, greatest) = range.integers();
            form = Form::Integer {
                minimum: match least {
                    Some(least) if least > minimum => least,
                    _ => minimum,
                },
                maximum: match greatest {
                    Some(greatest) if greatest < maximum => greatest,
                    _ => maximum,
                },
            };
        }
    });
    form
}

impl Number {
    pub(crate) const fn as_float(self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss, reason = "a float has no more precision")]
            Self::Integer(number) => number as f64,
            Self::Float(number) => number,
        }
    }
}
