//! Types that a model can supply.

use super::{Describe, Fuel};

/// A type that a model can supply, as an argument or inside one.
///
/// `#[derive(ToolInput)]` writes it for structs with named fields and for enums without data. Write
/// it by hand for a type that is sent like another one, and decoded accordingly:
///
/// ```
/// use toolwright_runtime::schema::{Fuel, ToolInput};
///
/// #[derive(serde::Deserialize)]
/// #[serde(transparent)]
/// struct City(String);
///
/// impl ToolInput for City {
///     type Body<F: Fuel> = <String as ToolInput>::Body<F>;
/// }
/// ```
///
/// Implemented for `bool`, integers up to 64 bits, floats, `char`, `String`, and for `Option`,
/// `Box`, `Vec`, `HashMap` and `BTreeMap` with `String` keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "the schema of this type is not known",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for `{Self}`, or take a type that has them"
)]
pub trait ToolInput {
    /// The description of the type. `F` says how many more types may be entered: it is what makes
    /// a type that contains itself an error that can be read.
    type Body<F: Fuel>: Describe;
}
