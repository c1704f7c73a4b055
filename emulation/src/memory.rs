//! What is learnt about a model from its responses.

use std::fmt;

use toolwright_core::driver::Mutex;

use serde::{Deserialize, Serialize};

/// The form in which a model calls tools.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallForm {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// The model calls natively: its provider returns calls.
    Native,
    /// The provider offers the tools, and the model writes its calls as text, which the provider does not read.
    Text {
        /// The name of the format that was seen first, such as `hermes`.
        format: String,
    },
    /// The model does not call: the provider refuses tools, or it answered where a call was needed.
    None,
}

/// What is known of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ModelFacts {
    /// The form in which it calls tools.
    pub calls: CallForm,
    /// True if its provider refused a request that had an [answer schema](toolwright_core::model::AnswerSchema).
    pub refuses_answer_schema: bool,
    /// True if its last response began with reasoning whose start was not marked, since its template writes that. The
    /// text of a streamed response is held back until such reasoning has ended, or the response has.
    pub opens_reasoning: bool,
}

/// The storage for the facts that an [`Emulated`](crate::Emulated) model has learnt, for one model.
///
/// Implement it to store the facts longer than a process lives. It is read before each response, so it has to be
/// fast.
pub trait ModelMemory: fmt::Debug + Send + Sync + 'static {
    /// Returns what is known.
    fn facts(&self) -> ModelFacts;

    /// Keeps what is known now.
    fn learn(&self, facts: ModelFacts);
}

/// A memory that ends with the process. It is the default.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<ModelFacts>);

impl InMemory {
    /// A memory that begins with these facts.
    pub fn new(facts: ModelFacts) -> Self {
        Self(Mutex::new(facts))
    }
}

impl ModelFacts {
    /// Sets the form in which the model calls tools.
    pub fn with_calls(mut self, calls: CallForm) -> Self {
        self.calls = calls;
        self
    }
}

impl ModelMemory for InMemory {
    fn facts(&self) -> ModelFacts {
        let facts = self.0.lock();
        facts.clone()
    }

    fn learn(&self, facts: ModelFacts) {
        *self.0.lock() = facts;
    }
}
