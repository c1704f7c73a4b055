//! The schema of a tool's arguments: a tree that the type system writes.
//!
//! [`ToolInput`] gives a type its tree of [`Node`]s. The links between nodes are functions, and the
//! constants that the compile-time checks read are a few numbers and paths, so that no constant
//! contains a graph: constants that do make incremental builds exponential in shared types.
//! [`Schema`] is the tree as JSON Schema (2020-12).

pub(crate) mod const_check;
pub(crate) mod constraint;
mod container;
pub(crate) mod description;
mod each;
#[cfg(feature = "schemars")]
mod foreign;
mod formatted;
mod input;
#[cfg(feature = "schemars")]
pub(crate) mod json_schema;
mod left_out;
mod members;
mod render;
mod scalar;
mod text;
mod tuple;
pub(crate) mod unsupported_type;
pub(crate) mod untagged;
mod visible;
pub(crate) mod wrapped_answer;

pub use const_check::check::{MAX_DEPTH, MAX_DESCRIPTION_CHARS, MIN_DESCRIPTION_CHARS};
pub use const_check::facts::{Describe, Ends, Path, Place, TypeFacts};
pub use const_check::fuel::{Exhausted, Fuel, Full, Start};
pub use const_check::keys::Keys;
pub use const_check::paths::{Paths, Steps};
pub use constraint::{
    Constrained, Constraint, Constraints, Example, Form, Format, Length, Number, Pattern, Range,
};
#[cfg(feature = "schemars")]
pub use foreign::{Foreign, ForeignInput, Schemars};
pub use formatted::Spelling;
pub(crate) use input::Flattened;
pub use input::{FlattenInput, Part, ToolInput};
pub(crate) use left_out::LeftOut;
pub(crate) use members::Members;
pub use text::Schema;
pub(crate) use wrapped_answer::{AnswerRoot, WrappedAnswer};

/// The way from one node to another.
pub type Link = fn() -> &'static Node;

/// A place in the schema: the values that the model may send there.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The type that this is, if it has a name of its own. Types that are met twice in one schema
    /// are written once.
    pub named: Option<Named>,
    /// The description of the type for the model; empty for none.
    pub description: &'static str,
    /// The kind of the value.
    pub kind: Kind,
    /// True if the value, or one inside it, is checked when a call arrives.
    pub is_constrained: bool,
    /// True if the value, or one inside it, may have keys that no type knows. These keys are then checked for
    /// duplicates.
    pub allows_unknown_keys: bool,
}

/// The names of a type.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// The last part: `Range`.
    pub short: &'static str,
    /// Gives the whole name, by which types with the same short name differ.
    pub full: fn() -> &'static str,
}

/// The kind of value that a node describes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Kind {
    /// Nothing but `null`.
    Null,
    /// Any JSON value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer {
        /// The least, if the type has one.
        minimum: Option<i64>,
        /// The greatest, if the type has one that is worth telling.
        maximum: Option<u64>,
    },
    /// Any number.
    Number,
    /// A text.
    String,
    /// A text of one character.
    Character,
    /// A text of a known form.
    Formatted(Spelling),
    /// A value that schemars describes.
    #[cfg(feature = "schemars")]
    Foreign(Foreign),
    /// The value of another node, under a description of its own.
    Same {
        /// The other node.
        node: Link,
        /// True if it may be left out where the other may. serde allows that for `transparent` types only.
        is_transparent: bool,
    },
    /// The value of another node, if it also satisfies these constraints.
    Constrained {
        /// The other node: a number, a text, a list or a map, or one of these or nothing.
        node: Link,
        /// The constraints of the value.
        constraints: &'static [Constraint],
    },
    /// The value of another node, or `null`, or nothing.
    Optional(Link),
    /// A list of values.
    List(Link),
    /// A list of values, none of which comes twice.
    Set(Link),
    /// A list of so many values.
    Array {
        /// The node of each value.
        item: Link,
        /// The number of values.
        length: usize,
    },
    /// A list of one value for each of these.
    Tuple(&'static [Link]),
    /// An object of any keys.
    Map(Link),
    /// An object of known keys.
    Object {
        /// The keys, in order.
        properties: &'static [Property],
        /// True if other keys are refused.
        closed: bool,
    },
    /// One of several strings.
    Choice(&'static [Choice]),
    /// One of several values, some with data.
    Union {
        /// The representation that distinguishes them.
        tagging: Tagging,
        /// The values.
        variants: &'static [Variant],
    },
}

/// The representation of the variants of a [`Union`](Kind::Union): one of serde's four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tagging {
    /// The only key of an object, or a string if there is no data.
    External,
    /// A key in the same object as the data.
    Internal {
        /// The key.
        tag: &'static str,
    },
    /// A key; the data is under another key.
    Adjacent {
        /// The key of the name.
        tag: &'static str,
        /// The key of the data.
        content: &'static str,
    },
    /// No name: the first variant that fits.
    Untagged,
}

/// One of several values.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// The name.
    pub name: &'static str,
    /// Other names that are read too.
    pub aliases: &'static [&'static str],
    /// The description for the model; empty for none.
    pub description: &'static str,
    /// The data, if there is any.
    pub content: Option<Link>,
}

/// A key of an object.
#[derive(Debug, Clone, Copy)]
pub struct Property {
    /// The key.
    pub name: &'static str,
    /// The description for the model; empty for none.
    pub description: &'static str,
    /// Other keys that are accepted and are not in the schema.
    pub aliases: &'static [&'static str],
    /// True if the keys of the value are flattened into this object. The name then has no meaning.
    pub is_flattened: bool,
    /// True if there is a value when the key is left out.
    pub has_default: bool,
    /// The default as JSON, where it can be made and written: for [`testing::check`](crate::testing::check).
    pub default: Option<DefaultJson>,
    /// The node of the value.
    pub node: Link,
}

/// Makes a default, and writes it as JSON if its type can be written.
pub type DefaultJson = fn() -> Option<String>;

/// One of several strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The text.
    pub name: &'static str,
    /// Other strings that are accepted and are not in the schema.
    pub aliases: &'static [&'static str],
    /// The description for the model; empty for none.
    pub description: &'static str,
}

impl Node {
    /// A node of a kind, without a name.
    pub const fn new(kind: Kind) -> Self {
        Self {
            named: None,
            description: "",
            kind,
            is_constrained: false,
            allows_unknown_keys: false,
        }
    }

    /// Returns the node with the checks that the facts ask for when a call arrives.
    pub(crate) const fn knowing(self, facts: TypeFacts) -> Self {
        Self {
            is_constrained: facts.is_constrained(),
            allows_unknown_keys: facts.allows_unknown_keys(),
            ..self
        }
    }

    /// The arguments object of a function: closed, because nothing would read another key.
    /// The facts are those of all of them together.
    pub const fn arguments(properties: &'static [Property], facts: TypeFacts) -> Self {
        Self::new(Kind::Object {
            properties,
            closed: true,
        })
        .knowing(facts)
    }

    /// The node of the value that constraints are about.
    pub(crate) fn base(&self) -> &Self {
        match self.kind {
            Kind::Constrained { node, .. } | Kind::Same { node, .. } | Kind::Optional(node) => {
                node().base()
            }
            _ => self,
        }
    }

    /// Returns true if a value of it may be left out.
    pub(crate) fn is_optional(&self) -> bool {
        match self.kind {
            Kind::Optional(_) => true,
            Kind::Constrained { node, .. } => node().is_optional(),
            Kind::Same {
                node,
                is_transparent,
            } => is_transparent && node().is_optional(),
            #[cfg(feature = "schemars")]
            Kind::Foreign(foreign) => (foreign.may_be_left_out)(),
            _ => false,
        }
    }

    /// The tree from here on as JSON Schema.
    pub fn to_schema(&self) -> Schema {
        render::render(self)
    }
}

impl Property {
    /// A key that is not flattened, without aliases.
    pub(crate) const fn new(
        name: &'static str,
        description: &'static str,
        has_default: bool,
        node: Link,
    ) -> Self {
        Self {
            name,
            description,
            aliases: &[],
            is_flattened: false,
            has_default,
            default: None,
            node,
        }
    }

    /// Returns the property with the value that it has when it is left out.
    #[must_use]
    pub const fn with_default(self, default: DefaultJson) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }

    /// Returns true if the key must be there: it has no default and is not optional by its type.
    pub fn is_required(&self) -> bool {
        !self.has_default && !(self.node)().is_optional()
    }

    /// Returns true if a key is that of the property.
    pub(crate) fn is_called(&self, key: &str) -> bool {
        self.name == key || self.aliases.contains(&key)
    }
}

impl Variant {
    /// Returns true if a name is that of the variant.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

impl Choice {
    /// Returns true if a name is that of the choice.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}
