//! Decides whether a text is an answer of the form that is asked for.

use serde::de::DeserializeOwned;

use super::AnswerType;
use crate::{
    ToolError, ToolInput,
    arguments::answer::{about_text, decode_answer},
    panics::{caught, discard, text_of},
    run::AnswerForm,
};

/// What a text is checked by.
#[derive(Clone)]
pub(in crate::runner) enum AnswerCheck {
    /// The type of the answer.
    Type(AnswerType),
    /// The schema that the model was told, of a run that goes on without its type.
    #[cfg(feature = "jsonschema")]
    Schema(std::sync::Arc<crate::dynamic::DynamicTool>),
}

impl AnswerCheck {
    /// The check of the answers of a run: by their type if that is known, or else by the schema in the log. There is none
    /// without a validator.
    pub(in crate::runner) fn of(
        answer: Option<AnswerType>,
        form: Option<&AnswerForm>,
    ) -> Option<Self> {
        match (answer, form) {
            (Some(answer), _) => Some(Self::Type(answer)),
            #[cfg(feature = "jsonschema")]
            (None, Some(form)) => by_schema(form),
            _ => None,
        }
    }

    /// Checks the arguments of the tool that takes the answer.
    pub(super) fn check(&self, text: &str) -> Result<(), ToolError> {
        match self {
            Self::Type(answer) => answer.check(text),
            #[cfg(feature = "jsonschema")]
            Self::Schema(tool) => check_by(tool, text),
        }
    }

    /// The reason why a text is no answer, in words for the model, if it is none.
    pub(in crate::runner) fn unfit(&self, text: &str) -> Option<String> {
        let error = self.check(text).err()?;
        Some(about_text(&error.message))
    }

    /// The type, if it is known.
    #[cfg_attr(
        not(feature = "jsonschema"),
        expect(
            clippy::unnecessary_wraps,
            reason = "with a validator it may not be known"
        )
    )]
    pub(super) fn answer_type(&self) -> Option<&AnswerType> {
        match self {
            Self::Type(answer) => Some(answer),
            #[cfg(feature = "jsonschema")]
            Self::Schema(_) => None,
        }
    }
}

/// Reads an answer. A type whose own code panics cannot read it, and takes nothing else along.
pub(super) fn read_answer<T: ToolInput + DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    caught(|| decode_answer::<T>(text)).unwrap_or_else(|panic| {
        let log = format!("the type of the answer panicked: {}", text_of(&panic));
        discard(panic);
        let told = "arguments: the application cannot read this value";
        Err(ToolError::invalid_arguments(told).with_log(log))
    })
}

/// The check by the schema of a form. One that cannot be checked by lets all pass.
#[cfg(feature = "jsonschema")]
fn by_schema(form: &AnswerForm) -> Option<AnswerCheck> {
    use crate::{ToolDefinition, dynamic::DynamicTool};

    let schema = form.schema.schema.clone();
    let definition = ToolDefinition::new("answer", "An answer.", schema);
    let tool = DynamicTool::foreign_blocking(definition, |_, _| Ok(()));
    tool.ok()
        .map(|tool| AnswerCheck::Schema(std::sync::Arc::new(tool)))
}

#[cfg(feature = "jsonschema")]
fn check_by(tool: &crate::dynamic::DynamicTool, text: &str) -> Result<(), ToolError> {
    use crate::{Tool, ToolCall, arguments::answer::check_answer};

    check_answer(text, |text| tool.check(&ToolCall::new("", "answer", text)))
}
