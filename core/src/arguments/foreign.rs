//! Types of other crates in arguments, which are marked `#[tool(schemars)]`: their parameters, and
//! what is wrong with their text.

use std::marker::PhantomData;

use toolwright_json::integer::integers;

use crate::{
    arguments::{
        decode::{
            parameter::{ByValue, Never, NoSlot, Parameter, SlotFor},
            slot::Owned,
        },
        explain::{fault::Fault, refused},
    },
    schema::{Foreign, ForeignInput, Schemars},
};

/// Checks JSON text, and gives what is to be decoded instead: if the type does not take it as it is,
/// whole numbers that were written as floats are written as integers.
pub(super) fn rewrite(foreign: Foreign, text: &str) -> Result<Option<(&str, String)>, Fault> {
    let Err(error) = (foreign.check)(text) else {
        return Ok(None);
    };
    let new = integers(text);
    match (foreign.check)(&new) {
        Ok(()) => Ok(Some((text, new))),
        // What is wrong now is wrong for another reason, and may stand in another place.
        Err(_) if new == text => Err(refused::part(text, &error)),
        Err(error) => Err(refused::part(&new, &error)),
    }
}

/// Describes a parameter: the one place that asks anything of its type.
pub const fn foreign_parameter<T: ForeignInput, const DEPTH: u16>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    Parameter::described::<Schemars<T, DEPTH>>(name, description, has_default)
}

/// Makes the slot of a parameter, for every type: [`SlotFor`] is found first if the type can be one.
#[derive(Debug)]
pub struct ForeignProbe<T>(PhantomData<fn() -> T>);

impl<T> ForeignProbe<T> {
    /// The one of the type that a function takes.
    pub fn of(_: fn(T)) -> Self {
        Self(PhantomData)
    }
}

impl<T: ForeignInput> SlotFor<'_, ByValue> for ForeignProbe<T> {
    type Value = T;
    type Slot = Owned<T>;

    fn slot(self, default: Option<fn() -> T>) -> Owned<T> {
        Owned::new(default)
    }
}

impl<T> NoSlot for ForeignProbe<T> {
    type Value = T;

    fn slot(&self, _: Option<fn() -> T>) -> Never<T> {
        unreachable!("`foreign_parameter` does not compile for this type")
    }
}
