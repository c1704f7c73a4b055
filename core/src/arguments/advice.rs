//! Bounds that [`parameter`] sets on types of a kind which cannot be an argument: the same bound, each with a message
//! that suits the kind.

use crate::arguments::decode::parameter::{Argument, Parameter, parameter};

/// The bound for a parameter with an integer of 128 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "integers in arguments have at most 64 bits: take `u64` or `i64`, or a `String` of digits"
)]
pub trait WideArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> WideArgument<'de, K> for T {}

/// [`parameter`], for a type that has an integer of 128 bits.
pub const fn wide_parameter<'de, T: WideArgument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}

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

/// The bound for a parameter with a long tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "a tuple in arguments has at most 16 parts: take a struct that derives both `serde::Deserialize` and `toolwright::ToolInput`, whose fields have names"
)]
pub trait TupleArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> TupleArgument<'de, K> for T {}

/// [`parameter`], for a type that has a long tuple.
pub const fn tuple_parameter<'de, T: TupleArgument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}

/// The bound for a parameter with a map of other keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "the keys of a map are strings in JSON: take `String` for the keys, or a `Vec` of a struct that has the key as a field"
)]
pub trait MapArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> MapArgument<'de, K> for T {}

/// [`parameter`], for a type that has a map of other keys.
pub const fn map_parameter<'de, T: MapArgument<'de, K>, K>(
    name: &'static str,
    description: &'static str,
    has_default: bool,
) -> Parameter {
    parameter::<T, K>(name, description, has_default)
}

/// The bound for a parameter with a type that needs a feature.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot supply a value of this type",
    note = "types of `uuid`, `url`, `chrono`, `jiff`, `rust_decimal` and `bytes` can be arguments with the feature of this name: write `features = [\"uuid\"]` or the like for `toolwright` in Cargo.toml"
)]
pub trait FeatureArgument<'de, K>: Argument<'de, K> {}

#[diagnostic::do_not_recommend]
impl<'de, T: Argument<'de, K>, K> FeatureArgument<'de, K> for T {}

/// [`parameter`], for a type that has a type that needs a feature.
pub const fn feature_parameter<'de, T: FeatureArgument<'de, K>, K>(
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
