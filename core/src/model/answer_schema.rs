//! The schema that an answer has to fit.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::schema::Schema;

/// The JSON Schema that the text of a response has to fit. Elsewhere called a response format, or structured output.
///
/// A provider that can constrain the text of a response receives the schema in its own form. The text of the response
/// fits [this schema](Self::schema), whatever form was sent. If the provider cannot enforce it, the response has a
/// [`Warning`](super::Warning) and any text: describe the answer in the messages as well, and check the response.
///
/// ```
/// use toolwright::{Message, model::{AnswerSchema, ModelRequest}, schema::Schema};
///
/// let schema = Schema::from_text(r#"{
///     "type": "object",
///     "properties": {"city": {"type": "string"}},
///     "required": ["city"],
///     "additionalProperties": false
/// }"#)?;
/// let question = Message::User("Which city? Answer in JSON.".into());
/// let request = ModelRequest::new([question]).with_answer_schema(AnswerSchema::new("place", schema));
/// assert_eq!(request.answer_schema.map(|answer| answer.name), Some("place".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnswerSchema {
    /// The name of the answer, such as `weather_report`: letters, digits, `_` and `-`, at most 64 characters.
    pub name: Cow<'static, str>,
    /// A description of it, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Cow<'static, str>>,
    /// JSON Schema (2020-12) of the answer. Its root may be of any type.
    pub schema: Schema,
}

impl AnswerSchema {
    /// Creates a schema with its name.
    pub fn new(name: impl Into<Cow<'static, str>>, schema: Schema) -> Self {
        Self {
            name: name.into(),
            description: None,
            schema,
        }
    }

    /// Sets the description.
    pub fn with_description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = Some(description.into());
        self
    }
}
