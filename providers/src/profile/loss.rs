//! Losses of a definition that a provider is sent, and definitions that it cannot be sent at all.

use std::{borrow::Cow, fmt};

/// A part of a definition that is not sent to a provider unchanged.
///
/// Reversible rewrites are not losses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// The tool.
    pub tool: Cow<'static, str>,
    /// The place in the arguments, such as `arguments.range.start`.
    pub path: String,
    /// The keyword of the schema.
    pub keyword: String,
    /// The treatment of the keyword.
    pub kind: LossKind,
}

/// The treatment of a keyword that a provider does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// Written into the description of the place, in words. The model reads it; nothing enforces it
    /// before the call arrives.
    InDescription,
    /// Left out: the model does not see it.
    Dropped,
    /// Left out: readers expect an object without other members anyhow.
    ImpliedClosed,
    /// Null means that a member is left out, and an explicit null cannot be sent. For an `Option` both
    /// are the same.
    NullAsAbsent,
    /// Left to the model: a value that it sends for one variant of a union may be read as another,
    /// because the provider has no form that distinguishes them.
    AmbiguousVariant,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            path,
            keyword,
            kind,
        } = self;
        write!(f, "{tool}: {path}: ")?;
        match kind {
            LossKind::InDescription => write!(f, "`{keyword}` is moved into the description"),
            LossKind::Dropped if keyword == "additionalProperties" => {
                f.write_str("members that the schema does not declare cannot be sent")
            }
            LossKind::Dropped if keyword == "oneOf" => f.write_str(
                "`oneOf` is sent as `anyOf`, which also accepts what fits more than one form",
            ),
            LossKind::ImpliedClosed => f.write_str("that other members are forbidden is not sent"),
            LossKind::Dropped => write!(f, "`{keyword}` is not sent"),
            LossKind::AmbiguousVariant => {
                f.write_str("a value may be read as another variant of the union than intended")
            }
            LossKind::NullAsAbsent => {
                f.write_str("null cannot be distinguished from an absent member")
            }
        }
    }
}

/// A definition that a provider cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{tool}` cannot be sent to {profile}: {path}: {reason}")]
#[non_exhaustive]
pub struct Refusal {
    /// The tool.
    pub tool: Cow<'static, str>,
    /// The name of the profile.
    pub profile: Cow<'static, str>,
    /// The place, such as `arguments.range.start`, or `name`.
    pub path: String,
    /// The reason for the refusal.
    pub reason: Reason,
}

/// The reason why a definition cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// A name that the provider does not accept.
    #[error("the name `{name}` is not allowed ({allowed}); choose another")]
    Name {
        /// The name.
        name: String,
        /// The allowed names, as a pattern.
        allowed: String,
    },
    /// A type that contains itself, where the provider expands all references.
    #[error("the schema is recursive at `{reference}`; end the recursion")]
    Recursion {
        /// The reference.
        reference: String,
    },
    /// A reference to an anchor.
    #[error(
        "`{reference}` is an anchor, which is not supported; write a pointer such as `#/$defs/A`"
    )]
    Anchor {
        /// The reference.
        reference: String,
    },
    /// A reference to another document, or to nothing. Nothing is fetched.
    #[error("`{reference}` has no target in this schema; define it under `$defs`")]
    Reference {
        /// The reference.
        reference: String,
    },
    /// Schemas nested too deep to be read at all.
    #[error("schemas are nested more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A string of the schema holds half a character, which no Rust string can hold.
    #[error("a string has a lone surrogate, such as `\\ud800`; write the whole character")]
    HalfCharacter,
    /// A schema that is too large, written out.
    #[error("the schema has more than {limit} nodes, with references expanded")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// A schema that is too long, written out.
    #[error("the schema takes more than {limit} bytes, with references expanded")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// More levels of objects than the provider accepts.
    #[error("objects are nested more than {limit} deep; flatten them")]
    Levels {
        /// The limit.
        limit: usize,
    },
    /// Members of an `allOf` that have no common form.
    #[error("the members of `allOf` cannot be merged into one schema because of `{keyword}`")]
    AllOf {
        /// The keyword that prevents it.
        keyword: String,
    },
    /// A schema that nothing fits.
    #[error("no value fits; leave the member out")]
    Nothing,
    /// An `enum` whose values have too many characters.
    #[error("too many values in an `enum`; {limit} characters are the limit for this many")]
    LargeEnum {
        /// The limit.
        limit: usize,
    },
    /// Values that become the same string.
    #[error("two values of the `enum` are the same when written as strings")]
    EnumTexts,
    /// The tool alone exceeds a limit of a request.
    #[error("a request has room for {limit} {what}, and this tool alone needs more")]
    TooMuch {
        /// The name of the exceeded limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The tool and those before it together exceed a limit of a request.
    #[error("a request has room for {limit} {what}, and the tools before it leave too few")]
    Budget {
        /// The name of the exceeded limit.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}
