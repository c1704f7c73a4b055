//! Types of other crates, which have `schemars::JsonSchema` and not [`ToolInput`](super::ToolInput).
//!
//! Their schema is known at run time only. When the program is compiled they count as many levels as
//! is stated; whether that is true is found out when the schema is written.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::{Describe, Ends, Kind, LeftOut, Node, TypeFacts};

/// A type of another crate.
#[derive(Debug, Clone, Copy)]
pub struct Foreign {
    /// The name of the type.
    pub name: fn() -> Cow<'static, str>,
    /// The schema of the type, whose references point to the definitions of the generator.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// The number of levels that it counts as.
    pub depth: u16,
    /// The function that returns true if a field of it may be missing.
    pub may_be_left_out: fn() -> bool,
    /// Decodes JSON text, and says what is wrong with it.
    pub check: fn(&str) -> Result<(), serde_json::Error>,
}

/// The description of `T`, a type of another crate, which counts as `DEPTH` levels.
#[derive(Debug)]
pub struct Schemars<T, const DEPTH: u16>(PhantomData<T>);

/// The bound of `#[tool(schemars)]` on a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema of schemars",
    label = "`#[tool(schemars)]` needs `schemars::JsonSchema` and `serde::Deserialize` for this type",
    note = "if the type is yours, derive both `serde::Deserialize` and `toolwright::ToolInput`, and remove `#[tool(schemars)]`"
)]
pub trait ForeignInput: JsonSchema + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + DeserializeOwned> ForeignInput for T {}

impl<T: ForeignInput, const DEPTH: u16> Ends for Schemars<T, DEPTH> {}

impl<T: ForeignInput, const DEPTH: u16> Describe for Schemars<T, DEPTH> {
    const FACTS: TypeFacts = TypeFacts::levels(DEPTH);

    fn node() -> &'static Node {
        const {
            &Node::new(Kind::Foreign(Foreign {
                name: T::schema_name,
                schema: SchemaGenerator::subschema_for::<T>,
                depth: DEPTH,
                may_be_left_out: || T::deserialize(LeftOut).is_ok(),
                check: |json| serde_json::from_str::<T>(json).map(drop),
            }))
        }
    }
}
