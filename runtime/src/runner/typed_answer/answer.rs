//! An answer that is a value of a type.

use serde::de::DeserializeOwned;

use toolwright_core::{
    ToolInput,
    run::RunOutcome,
    schema::{Ends, Start},
};

/// A type that an answer can be a value of: one that derives [`ToolInput`] and `serde::Deserialize`, a number, a string, a
/// list. See [`RunRequest::answer_as`](crate::RunRequest::answer_as).
///
/// An answer has at most 10 levels. `cargo build` refuses a type with more; `cargo check` does not, because it evaluates no
/// constant of a generic function. Both refuse a type that contains itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of an answer",
    label = "the answer of a model cannot be read as this type",
    note = "derive `serde::Deserialize` and `toolwright::ToolInput` for `{Self}`, and let it own what it holds",
    note = "an answer ends: where `{Self}` contains itself, take a flat `Vec` whose entries name each other"
)]
pub trait TypedAnswer: ToolInput + DeserializeOwned + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T> TypedAnswer for T
where
    T: ToolInput + DeserializeOwned + Send + 'static,
    T::Body<Start>: Ends,
{
}

/// An answer that is a value of a type, and the run that gave it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// The outcome of the run. Its text is the answer as the model wrote it.
    pub outcome: RunOutcome,
}

impl<T> Answer<T> {
    pub(in crate::runner) fn new(value: T, outcome: RunOutcome) -> Self {
        Self { value, outcome }
    }
}
