//! A question of a tool to a person.

mod as_json_string;

use serde::{Deserialize, Serialize};

use crate::{ErrorCategory, Schema, ToolError};

/// A question of a call to a person. A tool asks it by [`ToolContext::ask`](crate::ToolContext::ask), and a server of the Model
/// Context Protocol within a call of its tools: show who asks.
///
/// The answer is a [`Decision`](super::Decision): [`ApproveWith`](super::Decision::ApproveWith) has the filled form as a JSON object,
/// an empty one (`{}`) says that the address was opened, and [`Deny`](super::Decision::Deny) says no.
/// [`Approve`](super::Decision::Approve) answers no question: who approves a call may not know that it asks.
#[doc(alias("elicitation", "input_required", "interrupt", "human in the loop"))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Question {
    /// The text for the person.
    pub message: String,
    /// How it is answered.
    #[serde(flatten)]
    pub way: QuestionWay,
}

/// How a person answers a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuestionWay {
    /// By a form: a JSON object of this schema. Let its members be strings, numbers, booleans and choices: clients of the Model
    /// Context Protocol can show no others, and the question is denied there. Its stored form is a string with the schema as JSON.
    Form(#[serde(with = "as_json_string")] Schema),
    /// At this address (`http` or `https`), which a person opens; what is entered there does not come back with the answer.
    Url(String),
}

impl Question {
    /// A question that is answered by a form: a JSON object of this schema.
    pub fn form(message: impl Into<String>, schema: Schema) -> Self {
        let (message, way) = (message.into(), QuestionWay::Form(schema));
        Self { message, way }
    }

    /// A question that is answered at an address.
    pub fn url(message: impl Into<String>, address: impl Into<String>) -> Self {
        let (message, way) = (message.into(), QuestionWay::Url(address.into()));
        Self { message, way }
    }

    /// The address to open, if it is answered there.
    pub fn address(&self) -> Option<&str> {
        match &self.way {
            QuestionWay::Form(_) => None,
            QuestionWay::Url(address) => Some(address),
        }
    }

    /// The number of bytes of its texts.
    pub(crate) fn len(&self) -> usize {
        let way = match &self.way {
            QuestionWay::Form(schema) => schema.as_str(),
            QuestionWay::Url(address) => address,
        };
        self.message.len() + way.len()
    }

    /// The schema of the form, if it is answered by one.
    pub fn schema(&self) -> Option<&Schema> {
        match &self.way {
            QuestionWay::Form(schema) => Some(schema),
            QuestionWay::Url(_) => None,
        }
    }
}

/// A question that was not asked, or has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unasked {
    /// Nobody can be asked: there is no approver, and the run does not [suspend](crate::Finish::Suspended).
    #[error("nobody can be asked here")]
    Nobody,
    /// The call has asked as many questions as it may.
    #[error("the call has asked {0} questions, and may ask no more")]
    TooMany(usize),
    /// The question is too long.
    #[error("the question has {0} bytes, and may have 65536")]
    TooLong(usize),
    /// The schema is none of an object, or the address is not of the web.
    #[error("the question cannot be asked: {0}")]
    Invalid(String),
    /// The one who was to ask has failed.
    #[error("the question was not asked: {0}")]
    Failed(String),
}

/// The model reads that nobody was asked, and the log why.
impl From<Unasked> for ToolError {
    fn from(unasked: Unasked) -> Self {
        match unasked {
            Unasked::Nobody => {
                let message = "the tool has a question for a person, and nobody can be asked here";
                Self::new(ErrorCategory::PermissionDenied, message)
            }
            unasked => Self::internal(unasked.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_form_is_read_within_other_data() {
        let schema = Schema::from_text(r#"{"type":"object","properties":{}}"#).expect("is JSON");
        for (question, stored) in [
            (
                Question::form("Which?", schema),
                r#"{"message":"Which?","form":"{\"type\":\"object\",\"properties\":{}}"}"#,
            ),
            (
                Question::url("Sign in.", "https://example.com"),
                r#"{"message":"Sign in.","url":"https://example.com"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&question).expect("is stored"), stored);
            let read: serde_json::Value = serde_json::from_str(stored).expect("is JSON");
            assert_eq!(
                serde_json::from_value::<Question>(read).ok(),
                Some(question)
            );
        }
    }
}
