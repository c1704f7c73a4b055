//! Which types a form can show to a person: an object of fields without anything inside.

use super::message::Message;
use crate::schema::{Form, Kind, TypeFacts, each::any};

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
    pub(crate) const fn list(item: TypeFacts) -> Self {
        match item.form {
            Form::Choice(_) if !item.takes_null => Self::Field,
            _ => Self::No,
        }
    }

    /// An object of these fields.
    pub(crate) const fn object(fields: &[TypeFacts]) -> Self {
        if any!(fields, |field| !matches!(field.flat, Self::Field)) {
            Self::No
        } else {
            Self::Fields
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
pub(crate) const fn check_form(facts: TypeFacts) {
    if !matches!(facts.flat, Flat::Fields) {
        let message = Message::new().text(
            "this type cannot be asked for in a form: take a struct whose fields are strings, numbers, booleans, enums without data, lists of such enums, or an `Option` of one of these",
        );
        panic!("{}", message.as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::Flat;
    use crate::schema::{Kind, TypeFacts};

    #[test]
    fn a_form_is_an_object_of_simple_values() {
        let scalar = TypeFacts::of(Kind::String);
        let choice = TypeFacts::choice(&["a", "b"]);
        let object = TypeFacts::object(&[scalar, choice, TypeFacts::list(choice)]);
        for (facts, expected) in [
            (scalar, Flat::Field),
            (scalar.or_null(), Flat::Field),
            (TypeFacts::list(scalar), Flat::No),
            (TypeFacts::list(choice), Flat::Field),
            (TypeFacts::list(choice.or_null()), Flat::No),
            (TypeFacts::map(scalar), Flat::No),
            (TypeFacts::map(choice), Flat::No),
            (TypeFacts::tuple(&[scalar]), Flat::No),
            (TypeFacts::any_of(&[scalar]), Flat::No),
            (TypeFacts::of(Kind::Any), Flat::No),
            (TypeFacts::of(Kind::Null), Flat::Fields),
            (TypeFacts::object(&[]), Flat::Fields),
            (object, Flat::Fields),
            (object.or_null(), Flat::No),
            (TypeFacts::object(&[object]), Flat::No),
            (
                TypeFacts::object(&[TypeFacts::flattened(object)]),
                Flat::Fields,
            ),
            (
                TypeFacts::object(&[TypeFacts::flattened(TypeFacts::map(scalar))]),
                Flat::No,
            ),
            (TypeFacts::object(&[TypeFacts::any_of(&[object])]), Flat::No),
        ] {
            assert_eq!(facts.flat, expected, "{facts:?}");
        }
    }
}
