//! Types that a model can supply.

use super::{Describe, Fuel};

/// A type that a model can supply, as an argument or inside one.
///
/// `#[derive(ToolInput)]` writes it for structs and enums. Write it by hand for a type that is sent
/// like another one, and decoded accordingly:
///
/// ```
/// use toolwright::{ToolInput, schema::Fuel};
///
/// #[derive(serde::Deserialize)]
/// #[serde(try_from = "String")]
/// struct Code(String);
///
/// impl TryFrom<String> for Code {
///     type Error = &'static str;
///     fn try_from(text: String) -> Result<Self, Self::Error> {
///         if text.len() == 6 { Ok(Self(text)) } else { Err("a code has six characters") }
///     }
/// }
///
/// impl ToolInput for Code {
///     type Body<F: Fuel> = <String as ToolInput>::Body<F>;
/// }
/// ```
///
/// | Types | JSON |
/// | --- | --- |
/// | `bool` | a boolean |
/// | integers up to 64 bits, `NonZero` ones | an integer in their range, not 0; `1.0` is one too |
/// | `f32`, `f64` | a number |
/// | `String`, `Box<str>`, `Cow<str>`, `PathBuf` | a string |
/// | `char` | a string of one character |
/// | `Option<T>` | a `T` or `null`, and it may be left out |
/// | `Box<T>` | a `T` |
/// | `Vec<T>`, `Box<[T]>`, `VecDeque<T>` | a list |
/// | `BTreeSet<T>`, `HashSet<T>` | a list that the model is asked to keep free of repetition; a repeated value is read once |
/// | `[T; N]`, tuples up to 16 | a list of that length |
/// | `BTreeMap<String, T>`, `HashMap<String, T>` | an object of any keys |
/// | `serde_json::Value`, `serde_json::Map` | any value, any object |
/// | `()` | `null` |
/// | `uuid::Uuid`, `url::Url` | a string of format `uuid`, `uri` |
/// | chrono's `DateTime`, jiff's `Timestamp` | a string of format `date-time`, which has an offset |
/// | chrono's `NaiveDate`, jiff's `civil::Date` | a string of format `date` |
/// | chrono's `NaiveTime` and `NaiveDateTime`, jiff's `civil::Time` and `civil::DateTime` | a string of a pattern, without an offset |
/// | jiff's `Zoned` | a string of a pattern, with the name of the time zone |
/// | jiff's `Span`, `SignedDuration` | a string of format `duration`, one of a pattern without days |
/// | `rust_decimal::Decimal` | a string of digits; a number is read too |
/// | `bytes::Bytes` | a list of integers from 0 to 255; a string is read as its UTF-8 bytes |
///
/// Types of other crates need the feature of the crate's name.
///
/// Integers of 128 bits are not among them: serde does not read them inside enums with an internal tag
/// or without a tag.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "the schema of this type is not known",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for your own type here, or mark a type of another crate `#[tool(schemars)]`; of std's types, integers have at most 64 bits, tuples at most 16 parts, and maps `String` keys; those of `uuid`, `url`, `chrono`, `jiff`, `rust_decimal` and `bytes` need the feature of this name"
)]
pub trait ToolInput {
    /// The description of the type. `F` says how many more types may be entered: it is what makes
    /// a type that contains itself an error that can be read.
    type Body<F: Fuel>: Describe;
}

/// A type whose keys may stand among those of another: in a field with `#[serde(flatten)]`, or
/// beside the tag of an enum.
///
/// `#[derive(ToolInput)]` writes it for structs with named fields. Maps with `String` keys have it.
#[diagnostic::on_unimplemented(
    message = "the keys of `{Self}` cannot stand among those of another type",
    label = "this is not known to be an object",
    note = "take a struct with named fields that derives `ToolInput`, or a map with `String` keys"
)]
pub trait FlattenInput {}

/// The bound of generated code on a type that is flattened: [`FlattenInput`], without a list of all types that have
/// it.
#[diagnostic::on_unimplemented(
    message = "the keys of `{Self}` cannot stand among those of another type",
    label = "this is not known to be an object",
    note = "take a struct with named fields that derives `ToolInput`, or a map with `String` keys"
)]
pub trait Flattened {}

#[diagnostic::do_not_recommend]
impl<T: FlattenInput + ?Sized> Flattened for T {}

/// The bound of a type on those inside it: [`ToolInput`], without a list of all types that have it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a tool's arguments",
    label = "the schema of this type is not known",
    note = "derive both `serde::Deserialize` and `toolwright::ToolInput` for your own type here, or mark a type of another crate `#[tool(schemars)]`; of std's types, integers have at most 64 bits, tuples at most 16 parts, and maps `String` keys; those of `uuid`, `url`, `chrono`, `jiff`, `rust_decimal` and `bytes` need the feature of this name"
)]
pub trait Part: ToolInput {}

#[diagnostic::do_not_recommend]
impl<T: ToolInput> Part for T {}
