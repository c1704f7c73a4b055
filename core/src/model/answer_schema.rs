//! The schema that an answer has to fit.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::schema::Schema;

/// The JSON Schema that the text of a response has to fit. Elsewhere called a response format, or structured output.
///
/// A provider that can constrain what its model writes is asked to do so, in its own form of the schema. The text of
/// the response is JSON of [this schema](Self::schema), whatever form the provider was sent. Where the provider cannot
/// do it, or not for this schema, a [`Warning`](super::Warning) says so and the model is free: say in the messages what
/// it is to write, and check what it wrote.
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
    /// The name of what is answered, such as `weather_report`: letters, digits, `_` and `-`, at most 64 characters.
    pub name: Cow<'static, str>,
    /// A description of it, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Cow<'static, str>>,
    /// JSON Schema (2020-12) of the answer. Its root may be of any type.
    pub schema: Schema,
}

impl AnswerSchema {
    /// A schema with the name of what it describes.
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
