//! Rules of each provider for the definition of a tool, and the mapping of its arguments back to the tool.
//!
//! The schema of a tool describes its arguments exactly. Each provider accepts another part of JSON
//! Schema. A [`Profile`] describes that part, and [`Profile::render`] writes the schema in it: without
//! losses, or with a list of every [`Loss`]. A constraint that a provider refuses is written into the
//! description of its place. A part whose meaning would change is written in another form, and an
//! [`ArgumentMapping`] turns the arguments of a call back into those of the tool. A part that has no
//! other form is a [`Refusal`].
//!
//! ```
//! use toolwright::{ToolDefinition, profile::Profile, schema::Schema};
//!
//! let schema = r#"{"type":"object","properties":{
//!     "query":{"type":"string","minLength":3},
//!     "labels":{"type":"object","additionalProperties":{"type":"integer"}},
//!     "limit":{"type":"integer"}
//! },"required":["query","labels"],"additionalProperties":false}"#;
//! let search = ToolDefinition::new("search", "Search the archive.", Schema::from_text(schema)?);
//!
//! let sent = Profile::openai_strict().render(&search)?;
//! assert_eq!(sent.losses[0].to_string(), "search: arguments.query: `minLength` is moved into the description");
//!
//! // A map comes as pairs, and what is left out as null.
//! let arguments = r#"{"query":"cats","labels":[{"key":"a","value":1}],"limit":null}"#;
//! assert_eq!(sent.mapping.to_tool(arguments), r#"{"query":"cats","labels":{"a":1}}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Profiles are data: limits change, and every number of a profile can be set. A schema that is
//! rendered a second time gives the same bytes, because providers use them as the key of a cache.
//! Arguments are checked against the tool's own schema.
//!
//! Rendering has limits of its own: 96 nested arrays and objects of JSON, 40 nested schemas with
//! references written out, 20,000 schemas and 4 MiB in all, and 400 bytes for a value that is written
//! into a description: a longer one is a loss only. The time grows with the size of the result.
//! Nothing is fetched: a reference to another document is a refusal.

mod budget;
mod loss;
mod names;
mod prompt_lock;
mod providers;
mod render;
mod restore;
mod set;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use crate::profile::restore::{ArgumentMapping, TooManyParts};
pub use budget::{Budget, Cost};
pub use loss::{Loss, LossKind, Reason, Refusal};
pub use names::Names;
pub use render::Rendered;
pub use set::{Fallback, RenderedSet};

/// The rules of a provider for the definition of a tool.
///
/// Create one with the constructor of the provider, and change the fields in which your server
/// differs: an older version, a gateway, a new limit.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[non_exhaustive]
pub struct Profile {
    /// Its name, for messages.
    pub name: Cow<'static, str>,
    /// True if the tool is sent with `strict: true`, so that the provider enforces the schema.
    pub strict: bool,
    /// The profile for a tool of a set that this profile refuses or has no more room for.
    pub fallback: Option<Box<Profile>>,
    /// Names of tools.
    pub tool_names: Names,
    /// Names of members at the top of the arguments.
    pub parameter_names: Names,
    /// The longest description of a tool, in characters; a longer one is cut.
    pub max_description_chars: Option<usize>,
    /// True if the provider accepts any schema below the root. Everything below the root is then sent
    /// unchecked.
    pub any_schema: bool,
    /// Keywords that are sent besides those of structure: constraints and remarks. Others are written
    /// into the description.
    pub keywords: Vec<Cow<'static, str>>,
    /// Values of `format` that are sent.
    pub formats: Vec<Cow<'static, str>>,
    /// Patterns that are sent, if `pattern` is among the keywords.
    pub patterns: PatternSupport,
    /// The greatest length or count that is sent.
    pub max_bound: Option<u64>,
    /// The greatest `minItems` that is sent.
    pub max_min_items: Option<u64>,
    /// True if ranges are sent for integers only, with whole bounds.
    pub integer_ranges_only: bool,
    /// True if one constraint on the same is enforced: of a string `pattern`, else `format`, else the lengths; of a number
    /// `minimum` before `exclusiveMinimum`, and `maximum` before `exclusiveMaximum`.
    pub one_constraint: bool,
    /// The form of a member that may be left out.
    pub optional: Optional,
    /// The rule for sending `additionalProperties`.
    pub closing: Closing,
    /// The form of an object that may have any keys.
    pub maps: Maps,
    /// The form of an array whose items have a type for each position.
    pub tuples: Tuples,
    /// The form of a schema without a type.
    pub untyped: Untyped,
    /// The form of a value that may be null.
    pub nulls: Nulls,
    /// The values that an `enum` may hold. Other values are written as strings.
    pub enums: Enums,
    /// True if an `enum` may hold an empty string.
    pub empty_texts_in_enums: bool,
    /// True if `const` is sent. Otherwise it becomes an `enum` of one value.
    pub constants: bool,
    /// True if `oneOf` is sent. Otherwise it becomes `anyOf`.
    pub one_of: bool,
    /// True if `$ref` is sent. Otherwise the schema is written out in its place.
    pub references: bool,
    /// The treatment of a schema that contains itself.
    pub recursion: Recursion,
    /// True if the schema of a tool without parameters is left out. An object without members below it is
    /// then sent as the string `{}`.
    pub omit_empty: bool,
    /// The maximum number of levels of objects.
    pub max_levels: Option<usize>,
    /// An `enum` of more values than the first has at most the second number of characters.
    pub large_enum: Option<(usize, usize)>,
    /// The limits of a request.
    pub budget: Budget,
}

/// The patterns that are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternSupport {
    /// Any.
    All,
    /// Those without lookaround, back references and word boundaries.
    Plain,
    /// Those from `^` to `$` that llama.cpp makes a grammar of, written in the form that it reads: `\d` as `[0-9]`.
    /// Patterns that match a quotation mark, a backslash or a control character are not among them.
    Grammar,
}

/// The form of a member that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Optional {
    /// It is not required.
    LeftOut,
    /// It is not required and cannot be null: leaving it out means the same.
    NeverNull,
    /// It is required and may be null.
    Null,
}

/// The rule for sending `additionalProperties`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Closing {
    /// As it is.
    AsWritten,
    /// Always, and false.
    Always,
    /// Only where it is true. False is implied.
    OnlyOpen,
    /// Never.
    Never,
}

/// The form of an object that may have any keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Maps {
    /// With `additionalProperties`.
    AsIs,
    /// As an array of objects with `key` and `value`.
    Pairs,
    /// As an object, with the schema of the values in the description.
    Described,
}

/// The form of an array whose items have a type for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tuples {
    /// With `prefixItems`.
    AsIs,
    /// As an object with the keys `0`, `1` and so on.
    Object,
    /// As an array of any of the types, with the order in the description.
    Items,
}

/// The form of a schema without a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Untyped {
    /// As it is.
    AsIs,
    /// As a string that holds JSON.
    JsonString,
}

/// The form of a value that may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nulls {
    /// As one of several types.
    Union,
    /// With the keyword `nullable`, as `OpenAPI` has it.
    Keyword,
}

/// The values that an `enum` may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Enums {
    /// Any.
    All,
    /// Strings, numbers and booleans.
    Primitives,
    /// Strings and numbers.
    StringsAndNumbers,
    /// Strings.
    Strings,
}

/// The treatment of a schema that contains itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Recursion {
    /// It is sent.
    AsIs,
    /// Sent below an optional member, and refused elsewhere.
    BelowOptional,
    /// It is refused.
    Refused,
}
