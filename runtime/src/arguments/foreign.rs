//! Parameters of types of other crates, which are marked `#[tool(schemars)]`.

use std::marker::PhantomData;

use super::{
    parameter::{Never, NoSlot, Parameter, SlotFor, Taken},
    slot::Owned,
};
use crate::schema::{ForeignInput, Schemars};

/// Describes a parameter: the one place that asks anything of its type.
pub const fn foreign_parameter<T: ForeignInput + Send, const DEPTH: u16>(
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
    /// The only one.
    pub const NEW: Self = Self(PhantomData);
}

impl<T: ForeignInput + Send> SlotFor<'_, Taken> for ForeignProbe<T> {
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
