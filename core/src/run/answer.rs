//! The form that the answer of a run has to have.

mod as_json_string;

use serde::{Deserialize, Serialize};

use crate::{
    model::AnswerSchema,
    tool::{ToolDefinition, ToolHints},
};

/// The required form of a run's answer, and how the model is asked for it.
///
/// The driver of the run decides if an answer fits, and reports it in [`Signal::Replied`](super::Signal::Replied). If
/// it does not fit, the model reads the reason and is asked again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnswerForm {
    /// The schema of the answer. Its stored form is a string with the schema as JSON.
    #[serde(with = "as_json_string")]
    pub schema: AnswerSchema,
    /// The way in which the model is asked for it.
    pub means: AnswerMeans,
    /// The number of new requests in a run because an answer does not fit; 2 by default. After that the run fails: see
    /// [`Failure::AnswerUnfit`](super::Failure::AnswerUnfit).
    #[serde(default = "corrections")]
    pub corrections: u32,
}

/// The way in which a model is asked for an answer of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerMeans {
    /// The provider receives the schema, and enforces it for the text of the response:
    /// [`ModelRequest::answer_schema`](crate::ModelRequest::answer_schema).
    Schema,
    /// A tool of this name is offered, whose arguments are the answer. A text that fits is an answer as well.
    Tool(String),
    /// A message shows the model the schema.
    Text,
}

fn corrections() -> u32 {
    AnswerForm::CORRECTIONS
}

impl AnswerForm {
    /// The default number of corrections.
    pub const CORRECTIONS: u32 = 2;

    /// Creates a form of this schema, requested by these means.
    pub fn new(schema: AnswerSchema, means: AnswerMeans) -> Self {
        Self {
            schema,
            means,
            corrections: Self::CORRECTIONS,
        }
    }

    /// Sets how often an answer that does not fit is asked for again.
    pub fn with_corrections(mut self, corrections: u32) -> Self {
        self.corrections = corrections;
        self
    }

    /// Returns the definition of the tool that takes the answer, if there is one: add it to the tools of the requests.
    /// A call that [ends the run](crate::ToolPolicy::ends_run) is the answer.
    pub fn tool(&self) -> Option<ToolDefinition> {
        let AnswerMeans::Tool(name) = &self.means else {
            return None;
        };
        let mut description = TAKES_THE_ANSWER.to_owned();
        if let Some(about) = &self.schema.description {
            description.push_str("\n\n");
            description.push_str(about);
        }
        let tool = ToolDefinition::new(name.clone(), description, self.schema.schema.clone());
        Some(ToolDefinition {
            hints: ToolHints::NONE.with_read_only(true),
            ..tool
        })
    }

    /// Returns true if the tool of this name takes the answer.
    pub(super) fn takes(&self, name: &str) -> bool {
        matches!(&self.means, AnswerMeans::Tool(tool) if tool == name)
    }

    /// The words that ask for the answer as text.
    pub(super) fn in_words(&self) -> String {
        let schema = self.schema.schema.as_str();
        format!("in JSON of this schema and nothing else: {schema}")
    }
}

/// The description of the tool that takes the answer.
const TAKES_THE_ANSWER: &str = "Gives the final answer, as arguments. Call it once, when you know all that the answer \
     needs: that ends the task. An answer in text does not count.";
