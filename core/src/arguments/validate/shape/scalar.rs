//! Values that are looked at as a whole: numbers, texts and what other crates read.

use std::borrow::Cow;

use toolwright_json::{integer::whole, raw::Raw, string::string_of};

use super::Fit;
use crate::{
    arguments::explain::{expectation, fault::Fault, refused},
    schema::Kind,
};

impl<'t> Fit<'t> {
    /// Checks a value without parts that are looked into. False if it is of another kind.
    pub(super) fn scalar(&mut self, kind: Kind, value: Raw<'t>) -> Result<bool, Fault> {
        let text = value.get();
        Ok(match kind {
            Kind::Null => value.is_null(),
            Kind::Any => true,
            Kind::Boolean => matches!(text, "true" | "false"),
            Kind::Integer { minimum, maximum } => match integer(text) {
                Some((number, written)) if in_range(number, minimum, maximum) => {
                    if !written {
                        self.edits.push((text, number.to_string()));
                    }
                    true
                }
                Some((number, _)) if keeps_told(number, minimum, maximum) => {
                    return Err(Fault::expected(expectation::of_integer(minimum, maximum)));
                }
                _ => false,
            },
            Kind::Number => {
                let is_number =
                    text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
                if is_number && serde_json::from_str::<f64>(text).is_err() {
                    return Err(Fault::expected("a number that a 64-bit float can hold"));
                }
                is_number
            }
            Kind::String => {
                string(value)?;
                true
            }
            Kind::Character => is_string(text) && string(value)?.chars().count() == 1,
            #[cfg(feature = "schemars")]
            Kind::Foreign(foreign) => {
                self.edits
                    .extend(crate::arguments::foreign::rewrite(foreign, text)?);
                true
            }
            Kind::Formatted(form) => match (form.check)(text) {
                Ok(()) => true,
                Err(error) => return Err(refused::of_form(form.expected, text, &error)),
            },
            Kind::Choice(choices) => {
                is_string(text) && {
                    let name = string(value)?;
                    choices.iter().any(|choice| choice.is_called(&name))
                }
            }
            // A list or an object was expected.
            _ => false,
        })
    }
}

pub(super) fn is_string(text: &str) -> bool {
    text.starts_with('"')
}

/// The text of a string. Well-formed JSON may still name half a character.
pub(super) fn string(value: Raw<'_>) -> Result<Cow<'_, str>, Fault> {
    string_of(value).ok_or_else(|| {
        Fault::expected(if is_string(value.get()) {
            "a string of whole characters"
        } else {
            "a string"
        })
    })
}

/// A whole number, and whether it is written as an integer: to the decoder `1.0` and `-0` are floats.
fn integer(text: &str) -> Option<(i128, bool)> {
    let written = text != "-0" && !text.contains(['.', 'e', 'E']);
    whole(text).map(|number| (number, written))
}

/// Returns true if a number is within the limits of the schema.
fn keeps_told(number: i128, minimum: Option<i64>, maximum: Option<u64>) -> bool {
    minimum.is_none_or(|minimum| number >= minimum.into())
        && maximum.is_none_or(|maximum| number <= maximum.into())
}

/// Returns true if a number is in a range. Limits that are not given are those of 64 bits.
fn in_range(number: i128, minimum: Option<i64>, maximum: Option<u64>) -> bool {
    let unsigned = minimum.is_some_and(|minimum| minimum >= 0);
    let greatest = if unsigned {
        u64::MAX.into()
    } else {
        i64::MAX.into()
    };
    number >= minimum.unwrap_or(i64::MIN).into() && number <= maximum.map_or(greatest, i128::from)
}
