//! Schemas of types: their JSON for the model, the tree behind it, and its checks.
//!
//! [`ToolInput`](crate::ToolInput) gives a type its schema.

pub use toolwright_core::schema::{
    Choice, Constrained, Constraint, Constraints, DefaultJson, Describe, Example, Exhausted,
    FlattenInput, Form, Format, Fuel, Full, Keys, Kind, Length, Link, MAX_DEPTH,
    MAX_DESCRIPTION_CHARS, MIN_DESCRIPTION_CHARS, Named, Node, Number, Part, Path, Paths, Pattern,
    Place, Property, Range, Schema, Spelling, Start, Steps, Tagging, TypeFacts, Variant,
};
#[cfg(feature = "schemars")]
pub use toolwright_core::schema::{Foreign, ForeignInput, Schemars};
