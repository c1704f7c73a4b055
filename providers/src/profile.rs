//! What each provider takes of a tool, and the way back.
//!
//! The schema of a tool says exactly what its arguments are. Providers take parts of JSON Schema,
//! each another one. A [`Profile`] says which, and [`Profile::render`] writes the schema in that
//! form: with nothing lost, or with a list of every [`Loss`]. What a provider refuses is told in the
//! description of its place. What would change the meaning is written in another form, and an
//! [`ArgumentMapping`] turns the arguments that come back into the tool's own; or it is a [`Refusal`].
//!
//! ```
//! use toolwright::{Schema, ToolDefinition, profile::Profile};
//!
//! let schema = r#"{"type":"object","properties":{
//!     "query":{"type":"string","minLength":3},
//!     "labels":{"type":"object","additionalProperties":{"type":"integer"}},
//!     "limit":{"type":"integer"}
//! },"required":["query","labels"],"additionalProperties":false}"#;
//! let search = ToolDefinition::new("search", "Search the archive.", Schema::from_text(schema)?);
//!
//! let sent = Profile::openai_strict().render(&search)?;
//! assert_eq!(sent.losses[0].to_string(), "search: arguments.query: `minLength` is told in the description");
//!
//! // A map comes as pairs, and what is left out as null.
//! let arguments = r#"{"query":"cats","labels":[{"key":"a","value":1}],"limit":null}"#;
//! assert_eq!(sent.mapping.to_tool(arguments), r#"{"query":"cats","labels":{"a":1}}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Profiles are data: limits change, and every number of a profile can be set. A schema that is met
//! a second time is written the same, byte for byte, because providers cache by it. The schema that
//! arguments are checked against stays the tool's own.
//!
//! These limits are the reader's: 96 lists and objects of JSON inside each other, 40 schemas inside
//! each other with references written out, 20,000 schemas and 4 MiB in all, and 400 bytes for a value
//! that is told in a description: a longer one is listed and not told. The time that it takes grows
//! with what is written. Nothing is fetched: a reference to another document is a refusal.

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

/// What a provider takes of a tool.
///
/// Make one with the constructor of the provider and change the fields that are different where you
/// are: an older server, a gateway, a new limit.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[non_exhaustive]
pub struct Profile {
    /// Its name, for messages.
    pub name: Cow<'static, str>,
    /// Whether the tool is sent with `strict: true`, so that the provider enforces the schema.
    pub strict: bool,
    /// What a tool of a set is sent as when this profile refuses it or has no more room.
    pub fallback: Option<Box<Profile>>,
    /// Names of tools.
    pub tool_names: Names,
    /// Names of members at the top of the arguments.
    pub parameter_names: Names,
    /// The longest description of a tool, in characters; a longer one is cut.
    pub max_description_chars: Option<usize>,
    /// Whether any schema is taken below the root: everything below is not looked at then.
    pub any_schema: bool,
    /// Keywords besides those of structure that are sent: constraints and remarks. The others are
    /// told in the description.
    pub keywords: Vec<Cow<'static, str>>,
    /// Values of `format` that are sent.
    pub formats: Vec<Cow<'static, str>>,
    /// Patterns that are sent, if `pattern` is among the keywords.
    pub patterns: PatternSupport,
    /// The greatest length or count that is sent.
    pub max_bound: Option<u64>,
    /// The greatest `minItems` that is sent.
    pub max_min_items: Option<u64>,
    /// Whether ranges are sent for integers only.
    pub integer_ranges_only: bool,
    /// How a member is sent that may be left out.
    pub optional: Optional,
    /// When `additionalProperties` is sent.
    pub closing: Closing,
    /// How an object of any keys is sent.
    pub maps: Maps,
    /// How a list with a type for each place is sent.
    pub tuples: Tuples,
    /// How a place without a type is sent.
    pub untyped: Untyped,
    /// How it is sent that a value may be null.
    pub nulls: Nulls,
    /// Which values an `enum` may hold; others are written as texts.
    pub enums: Enums,
    /// Whether an `enum` may hold an empty text.
    pub empty_texts_in_enums: bool,
    /// Whether `const` is sent; else it is an `enum` of one value.
    pub constants: bool,
    /// Whether `oneOf` is sent; else it is `anyOf`.
    pub one_of: bool,
    /// Whether `$ref` is sent; else the schema is written out in its place.
    pub references: bool,
    /// What is done about a schema that contains itself.
    pub recursion: Recursion,
    /// Whether the schema of a tool without parameters is left out, and an object without members
    /// below it is the text `{}`.
    pub omit_empty: bool,
    /// How many levels of objects there may be.
    pub max_levels: Option<usize>,
    /// An `enum` of more values than the first has at most the second number of characters.
    pub large_enum: Option<(usize, usize)>,
    /// What a request has room for.
    pub budget: Budget,
}

/// Which patterns are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternSupport {
    /// Any.
    All,
    /// Those without lookaround, back references and word boundaries.
    Plain,
    /// Plain ones that begin with `^` and end with `$`.
    Anchored,
}

/// How a member is sent that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Optional {
    /// It is not required.
    LeftOut,
    /// It is not required, and not null either: being left out says it already.
    NeverNull,
    /// It is required and may be null.
    Null,
}

/// When `additionalProperties` is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Closing {
    /// As it is.
    AsWritten,
    /// Always, and false.
    Always,
    /// Only where it is true: false goes without saying.
    OnlyOpen,
    /// Never.
    Never,
}

/// How an object of any keys is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Maps {
    /// With `additionalProperties`.
    AsIs,
    /// As a list of objects with `key` and `value`.
    Pairs,
    /// As an object, with the schema of the values in the description.
    Described,
}

/// How a list with a type for each place is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tuples {
    /// With `prefixItems`.
    AsIs,
    /// As an object with the keys `0`, `1` and so on.
    Object,
    /// As a list of any of the types, with the order in the description.
    Items,
}

/// How a place without a type is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Untyped {
    /// As it is.
    AsIs,
    /// As a text that holds JSON.
    JsonString,
}

/// How it is sent that a value may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nulls {
    /// As one of several types.
    Union,
    /// With the keyword `nullable`, as `OpenAPI` has it.
    Keyword,
}

/// Which values an `enum` may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Enums {
    /// Any.
    All,
    /// Texts, numbers and booleans.
    Primitives,
    /// Texts and numbers.
    StringsAndNumbers,
    /// Texts.
    Strings,
}

/// What is done about a schema that contains itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Recursion {
    /// It is sent.
    AsIs,
    /// It is sent where it stands below a member that may be left out, and refused elsewhere.
    BelowOptional,
    /// It is refused.
    Refused,
}
