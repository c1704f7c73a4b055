//! Decides whether a text is an answer of the form that is asked for.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::AnswerType;
use toolwright_core::{
    Tool, ToolCall, ToolDefinition, ToolError, ToolInput,
    driver::{about_text, caught, check_answer, decode_answer, text_of},
    dynamic::DynamicTool,
    run::AnswerForm,
};

/// What a text is checked by.
#[derive(Clone)]
pub(in crate::runner) enum AnswerCheck {
    /// The type of the answer.
    Type(AnswerType),
    /// The schema that the model was sent, of a run that is resumed without its type.
    Schema(Arc<DynamicTool>),
}

impl AnswerCheck {
    /// The check of the answers of a run: by their type if that is known, or else by the schema in the log. Without the feature
    /// `jsonschema` that takes every object.
    pub(in crate::runner) fn of(
        answer: Option<AnswerType>,
        form: Option<&AnswerForm>,
    ) -> Option<Self> {
        match (answer, form) {
            (Some(answer), _) => Some(Self::Type(answer)),
            (None, Some(form)) => by_schema(form),
            _ => None,
        }
    }

    /// Checks the arguments of the tool that takes the answer.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        match self {
            Self::Type(answer) => answer.check(text),
            Self::Schema(tool) => check_by(tool, text),
        }
    }

    /// The reason why a text is no answer, in words for the model, if it is none.
    pub(in crate::runner) fn unfit(&self, text: &str) -> Option<String> {
        let error = self.check(text).err()?;
        Some(about_text(&error.message))
    }

    /// The type, if it is known.
    pub(super) fn answer_type(&self) -> Option<&AnswerType> {
        match self {
            Self::Type(answer) => Some(answer),
            Self::Schema(_) => None,
        }
    }
}

/// Reads an answer. A type whose own code panics cannot read it, and takes nothing else along.
pub(super) fn read_answer<T: ToolInput + DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    caught(|| decode_answer::<T>(text)).unwrap_or_else(|panic| {
        let log = format!("the type of the answer panicked: {}", text_of(&panic));
        let told = "arguments: the application cannot read this value";
        Err(ToolError::invalid_arguments(told).with_log(log))
    })
}

/// The check by the schema of a form. One that cannot be checked by lets all pass.
fn by_schema(form: &AnswerForm) -> Option<AnswerCheck> {
    let schema = form.schema.schema.clone();
    let definition = ToolDefinition::new("answer", "An answer.", schema);
    let tool = DynamicTool::foreign_blocking(definition, |_, _| Ok(()));
    tool.ok().map(|tool| AnswerCheck::Schema(Arc::new(tool)))
}

fn check_by(tool: &DynamicTool, text: &str) -> Result<(), ToolError> {
    check_answer(text, |text| tool.check(&ToolCall::new("", "answer", text)))
}
