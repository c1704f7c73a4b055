//! Which types a form can show to a person: an object of fields without anything inside.

use super::message::Message;
use crate::schema::{Form, Kind};

/// The place of a type in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flat {
    /// It is a form: an object of fields, or nothing.
    Fields,
    /// It is the value of a field: a string, a number, a boolean, one of several strings, or a list of these.
    Field,
    /// A form cannot show it.
    No,
}

impl Flat {
    /// A value of this kind, without parts.
    pub(crate) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::Fields,
            Kind::Any => Self::No,
            _ => Self::Field,
        }
    }

    /// A list of this.
    pub(crate) const fn list(item: Form, takes_null: bool) -> Self {
        match item {
            Form::Choice(_) if !takes_null => Self::Field,
            _ => Self::No,
        }
    }

    /// The fields of this, among those of another one.
    pub(crate) const fn flattened(self) -> Self {
        match self {
            Self::Fields => Self::Field,
            _ => Self::No,
        }
    }

    /// This, or nothing.
    pub(crate) const fn or_null(self) -> Self {
        match self {
            Self::Field => Self::Field,
            _ => Self::No,
        }
    }
}

/// Checks the type of a form.
#[track_caller]
pub(crate) const fn check_form(flat: Flat) {
    if !matches!(flat, Flat::Fields) {
        let message = Message::new().text(
            "this type cannot be asked for in a form: take a struct whose fields are strings, numbers, booleans, enums without data, lists of such enums, or an `Option` of one of these",
        );
        panic!("{}", message.as_str());
    }
}
