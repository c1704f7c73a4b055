//! Bounds that [`parameter`] sets on types of a kind which cannot be an argument: the same bound, each with a message
//! that suits the kind.

use crate::arguments::decode::parameter::{Argument, Parameter, parameter};

/// The bound for a parameter with a long array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "serde reads arrays of at most 32 items: take a `Vec`, with `#[tool(length(…))]` for its length"
)]
pub trait ArrayArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> ArrayArgument<'de, K> for T {}

/// [`parameter`], for a type that has a long array.
pub const fn array_parameter<'de, T: ArrayArgument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}

/// The bound for a parameter with a type `I` inside, which may be the reason if it does not fit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "`{I}` is inside of it: derive both `serde::Deserialize` and `toolwright::ToolInput` for `{I}`, or mark the parameter `#[tool(schemars)]` if that is a type of another crate",
    note = "a value that comes from the program instead is marked `#[context]`"
)]
pub trait InnerArgument<'de, K, I: ?Sized>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K, I: ?Sized> InnerArgument<'de, K, I> for T {}

/// [`parameter`], for a type with another inside.
pub const fn inner_parameter<'de, T: InnerArgument<'de, K, I>, K, I: ?Sized>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}
