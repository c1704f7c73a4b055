//! What generated code says about a parameter, and what makes a wrong type one error.

use std::marker::PhantomData;

use serde::{Deserializer, de::DeserializeOwned};

use super::slot::{Owned, Slot};
use crate::schema::{Describe, Facts, Path, Property, Start, ToolInput, check::check_parameter};

/// What may be a parameter of a tool that is not marked `#[context]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for `{Self}`",
    note = "a value that comes from the program instead is marked `#[context]`"
)]
pub trait Argument: Sized {
    /// The slot of an argument of this type.
    type Slot;
    /// What the checks read.
    const FACTS: Facts;
    /// The way to the deepest place.
    const PATH: Option<&'static Path>;
    /// The schema.
    const NODE: crate::schema::Link;

    /// A slot, with what to put in when the argument is left out.
    fn slot(default: Option<fn() -> Self>) -> Self::Slot;
}

#[diagnostic::do_not_recommend]
impl<T: ToolInput + DeserializeOwned + Send> Argument for T {
    type Slot = Owned<T>;
    const FACTS: Facts = <T::Body<Start> as Describe>::FACTS;
    const PATH: Option<&'static Path> = <T::Body<Start> as Describe>::PATH;
    const NODE: crate::schema::Link = <T::Body<Start> as Describe>::node;

    fn slot(default: Option<fn() -> T>) -> Owned<T> {
        Owned::new(default)
    }
}

/// A parameter, as the schema and the checks see it.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The key of the arguments object.
    pub property: Property,
    facts: Facts,
    path: Option<&'static Path>,
}

/// Describes a parameter: the one place that asks anything of its type.
pub const fn parameter<T: Argument>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    Parameter {
        property: Property {
            name,
            aliases: &[],
            is_flattened: false,
            description,
            has_default,
            node: T::NODE,
        },
        facts: T::FACTS,
        path: T::PATH,
    }
}

impl Parameter {
    /// A parameter that `B` describes.
    #[cfg(feature = "schemars")]
    pub(super) const fn described<B: Describe>(
        name: &'static str,
        description: &'static str,
        has_default: bool,
    ) -> Self {
        Self {
            property: Property {
                name,
                aliases: &[],
                is_flattened: false,
                description,
                has_default,
                node: B::node,
            },
            facts: B::FACTS,
            path: B::PATH,
        }
    }

    /// Checks the depth of the type, and that it ends.
    ///
    /// # Panics
    ///
    /// When it is too deep or contains itself; this fails the compilation.
    #[track_caller]
    pub const fn check(self) {
        check_parameter(self.property.name, self.facts, self.path);
    }
}

/// Makes the slot of a parameter. It resolves for every type, so that a wrong one is reported by
/// [`parameter`] and by nothing else: [`SlotFor`] is found first if the type is an [`Argument`],
/// else [`NoSlot`], which takes a reference more.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The only one.
    pub const NEW: Self = Self(PhantomData);
}

/// Makes the slot of an argument.
pub trait SlotFor {
    /// The type of the parameter.
    type Value;
    /// The slot.
    type Slot;

    /// A slot, with what to put in when the argument is left out.
    fn slot(self, default: Option<fn() -> Self::Value>) -> Self::Slot;
}

impl<T: Argument> SlotFor for Probe<T> {
    type Value = T;
    type Slot = T::Slot;

    fn slot(self, default: Option<fn() -> T>) -> T::Slot {
        T::slot(default)
    }
}

/// Makes a slot for a type that cannot be an argument.
pub trait NoSlot {
    /// The type of the parameter.
    type Value;

    /// A slot that is never used, because the program does not compile.
    fn slot(&self, default: Option<fn() -> Self::Value>) -> Never<Self::Value>;
}

impl<T> NoSlot for Probe<T> {
    type Value = T;

    fn slot(&self, _: Option<fn() -> T>) -> Never<T> {
        unreachable!("`parameter` does not compile for this type")
    }
}

/// The slot of a type that cannot be an argument.
#[derive(Debug)]
pub struct Never<T>(PhantomData<fn() -> T>);

impl<'de, T> Slot<'de> for Never<T> {
    type Value = T;

    fn decode<D: Deserializer<'de>>(&mut self, _: D) -> Result<(), D::Error> {
        unreachable!("`parameter` does not compile for this type")
    }

    fn fill(&mut self) -> bool {
        unreachable!("`parameter` does not compile for this type")
    }

    fn into_value(self) -> T {
        unreachable!("`parameter` does not compile for this type")
    }
}

/// What `#[tool(default)]` asks of a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default",
    label = "`#[tool(default)]` needs `{Self}: Default`",
    note = "implement `Default` for `{Self}`, write `#[tool(default = …)]`, or take an `Option`"
)]
pub trait DefaultValue {
    /// The default.
    fn default_value() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultValue for T {
    fn default_value() -> T {
        T::default()
    }
}
