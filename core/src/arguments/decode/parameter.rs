//! Checks of a parameter for generated code, which make a wrong type one error.

use std::{borrow::Cow, marker::PhantomData};

use serde::{Deserialize, Deserializer};
use toolwright_json::string::Text;

use super::{
    borrowed::{Borrowable, Borrowed},
    slot::{Lend, Owned, Slot},
};
use crate::schema::{
    Constraints, DefaultJson, Describe, Kind, Node, Paths, Property, Start, ToolInput, TypeFacts,
    const_check::{check::check_parameter, strict::Rules},
};

/// A type that may be a parameter of a tool that is not marked `#[context]`, when the call lives for `'de`.
///
/// `K` is [`ByValue`] or `ByRef`, and follows from the type: no type is both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for your own type here, or mark a type of another crate `#[tool(schemars)]`",
    note = "a value that comes from the program instead is marked `#[context]`"
)]
pub trait Argument<'de, K>: Sized {
    /// The slot of an argument of this type.
    type Slot;
    /// The facts that the checks read.
    const FACTS: TypeFacts;
    /// The ways to the places that the checks show.
    const PATHS: Paths;
    /// The schema.
    const NODE: crate::schema::Link;

    /// A slot, with what to put in when the argument is left out.
    fn slot(default: Option<fn() -> Self>) -> Self::Slot;
}

/// The kind of an argument whose value the function takes.
#[derive(Debug)]
pub struct ByValue;

/// The kind of an argument whose value the function borrows.
#[derive(Debug)]
pub struct ByRef;

macro_rules! describes {
    ($ty:ty) => {
        const FACTS: TypeFacts = <<$ty as ToolInput>::Body<Start> as Describe>::FACTS;
        const PATHS: Paths = <<$ty as ToolInput>::Body<Start> as Describe>::PATHS;
        const NODE: crate::schema::Link = <<$ty as ToolInput>::Body<Start> as Describe>::node;
    };
}

#[diagnostic::do_not_recommend]
impl<'de, T: ToolInput + Deserialize<'de>> Argument<'de, ByValue> for T {
    type Slot = Owned<T>;
    describes!(T);

    fn slot(default: Option<fn() -> T>) -> Owned<T> {
        Owned::new(default)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, U: Borrowable<'de> + ?Sized> Argument<'de, ByRef> for &U {
    type Slot = Borrowed<U::Decoded, Self>;
    describes!(U::Input);

    fn slot(default: Option<fn() -> Self>) -> Self::Slot {
        Borrowed::new(default)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, U: Borrowable<'de> + ?Sized> Argument<'de, ByRef> for Option<&U> {
    type Slot = Borrowed<Option<U::Decoded>, Self>;
    describes!(Option<U::Input>);

    fn slot(default: Option<fn() -> Self>) -> Self::Slot {
        Borrowed::new(default)
    }
}

/// A parameter, as the schema and the checks see it.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The key of the arguments object.
    pub property: Property,
    facts: TypeFacts,
    paths: Paths,
    /// The facts of the type without the constraints of the parameter.
    bare: TypeFacts,
}

/// Describes a parameter: the one place that asks anything of its type.
pub const fn parameter<'de, T: Argument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    let property = Property::new(name, description, has_default, T::NODE);
    Parameter::of(property, T::FACTS, T::PATHS)
}

/// Describes a parameter under constraints.
pub const fn constrained_parameter<'de, T: Argument<'de, K>, K, C: Constraints>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    let bare = parameter::<T, K>(name, description, has_default);
    Parameter {
        property: Property {
            node: constrained_node::<'de, T, K, C>,
            ..bare.property
        },
        facts: bare.facts.constrained(C::ALL),
        ..bare
    }
}

fn constrained_node<'de, T: Argument<'de, K>, K, C: Constraints>() -> &'static Node {
    const {
        &Node {
            is_constrained: T::FACTS.constrained(C::ALL).is_constrained(),
            allows_unknown_keys: T::FACTS.allows_unknown_keys(),
            ..Node::new(Kind::Constrained {
                node: T::NODE,
                constraints: C::ALL,
            })
        }
    }
}

/// The bound that [`parameter`] sets on a type in which a `&` is written: the same bound, with a message that suits
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "`&str`, `&T`, `&[T]`, and an `Option` of these, borrow the whole argument: derive both `serde::Deserialize` and `toolwright::ToolInput` for `T`",
    note = "inside another type nothing is borrowed: take `String` for `&str` there",
    note = "a value that comes from the program instead is marked `#[context]`"
)]
pub trait BorrowingArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> BorrowingArgument<'de, K> for T {}

/// [`parameter`], for a type in which a `&` is written.
pub const fn borrowing_parameter<'de, T: BorrowingArgument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}

impl Parameter {
    /// A parameter that `B` describes.
    #[cfg(feature = "schemars")]
    pub(crate) const fn described<B: Describe>(
        name: &'static str,
        description: &'static str,
        has_default: bool,
    ) -> Self {
        let property = Property::new(name, description, has_default, B::node);
        Self::of(property, B::FACTS, B::PATHS)
    }

    const fn of(property: Property, facts: TypeFacts, paths: Paths) -> Self {
        Self {
            property,
            facts,
            paths,
            bare: facts,
        }
    }

    /// Checks the depth of the type, and that it ends.
    ///
    /// # Panics
    ///
    /// When it is too deep or contains itself; this fails the compilation.
    #[track_caller]
    pub const fn check(self) {
        check_parameter(self.property.name, self.facts, self.paths.deepest);
    }

    /// Checks the same, and what the tool asks for beyond.
    ///
    /// # Panics
    ///
    /// When the type breaks a rule; this fails the compilation.
    #[track_caller]
    pub const fn check_by(self, rules: Rules) {
        rules.check_parameter(self.property.name, self.facts, self.paths);
    }

    /// Adds the value that it has when it is left out.
    #[must_use]
    pub const fn with_default(self, default: DefaultJson) -> Self {
        Self {
            property: self.property.with_default(default),
            ..self
        }
    }

    /// Returns the facts that the checks of its constraints read.
    pub const fn bare(self) -> TypeFacts {
        self.bare
    }

    /// Returns the facts that the checks of its type read.
    pub const fn facts(self) -> TypeFacts {
        self.facts
    }

    /// Returns the facts that are checked when a call arrives, for all of these parameters together.
    pub const fn facts_of(parameters: &[Self]) -> TypeFacts {
        let mut facts = TypeFacts::SCALAR;
        let mut index = 0;
        while index < parameters.len() {
            facts = facts.looked_at_with(parameters[index].facts);
            index += 1;
        }
        facts
    }
}

/// Makes the slot of a parameter. It resolves for every type, so that a wrong one is reported by
/// [`parameter`] and by nothing else: [`SlotFor`] is found first if the type is an [`Argument`],
/// else [`NoSlot`], which takes a reference more.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The one of the type that a function takes.
    pub fn of(_: fn(T)) -> Self {
        Self(PhantomData)
    }
}

/// Makes the slot of an argument.
pub trait SlotFor<'de, K> {
    /// The type of the parameter.
    type Value;
    /// The slot.
    type Slot;

    /// A slot, with what to put in when the argument is left out.
    fn slot(self, default: Option<fn() -> Self::Value>) -> Self::Slot;
}

impl<'de, T: Argument<'de, K>, K> SlotFor<'de, K> for Probe<T> {
    type Value = T;
    type Slot = T::Slot;

    fn slot(self, default: Option<fn() -> T>) -> T::Slot {
        T::slot(default)
    }
}

/// serde copies into a `Cow`. One that is the parameter itself borrows from the call: these are found
/// before [`SlotFor`].
macro_rules! borrowing {
    ($($ty:ty as $decoded:ty),*) => {$(
        impl<'de> Probe<$ty> {
            /// A slot, with what to put in when the argument is left out.
            pub fn slot(self, default: Option<fn() -> $ty>) -> Owned<$ty, $decoded> {
                Owned::new(default)
            }
        }
    )*};
}

borrowing!(Cow<'de, str> as Text<'de>, Option<Cow<'de, str>> as Option<Text<'de>>);

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
    fn decode<D: Deserializer<'de>>(&mut self, _: D) -> Result<(), D::Error> {
        unreachable!("`parameter` does not compile for this type")
    }

    fn fill(&mut self) -> bool {
        unreachable!("`parameter` does not compile for this type")
    }
}

impl<T> Lend for Never<T> {
    type Value<'s>
        = T
    where
        Self: 's;

    fn lend(&mut self) -> T {
        unreachable!("`parameter` does not compile for this type")
    }
}

/// The bound of `#[tool(default)]` on a type.
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
