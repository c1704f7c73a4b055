//! The type of the arguments of a sub-agent.

use serde::de::DeserializeOwned;

use toolwright_core::{
    ToolInput,
    schema::{Ends, Start},
};

/// A type that the arguments of a sub-agent can be a value of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arguments of a sub-agent",
    label = "the arguments of a call cannot be read as this type",
    note = "derive `serde::Deserialize` and `toolwright::ToolInput` for `{Self}`, and let it own what it holds",
    note = "arguments end: where `{Self}` contains itself, take a flat `Vec` whose entries name each other"
)]
pub trait TypedInput: ToolInput + DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T> TypedInput for T
where
    T: ToolInput + DeserializeOwned,
    T::Body<Start>: Ends,
{
}
