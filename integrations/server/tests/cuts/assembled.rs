//! What a client has of a run in the end.

use serde_json::Value;

/// What a client has of a run.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Assembled {
    pub(crate) steps: Vec<Step>,
}

/// A reply of the model, with its calls and their results.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) reasoning: String,
    pub(crate) text: String,
    /// The name, the arguments and the result of each call, which is text if it is an error.
    pub(crate) calls: Vec<(String, Value, Value)>,
}
