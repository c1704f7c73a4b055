//! Questions of calls to people, as a front end takes them.

use serde::Serialize;
use toolwright_core::tool::Question;
use toolwright_json::JsonText;

/// A question of a call to a person. Its texts and its schema may come from a stranger: show them as plain text, with the
/// name of the tool, and open no address before the person does.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct QuestionData {
    /// The text for the person.
    pub message: String,
    /// The schema of the form, if it is answered by one: of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<JsonText>,
    /// The address to open otherwise. The answer is `{}` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl From<&Question> for QuestionData {
    fn from(question: &Question) -> Self {
        let form = question.schema();
        Self {
            message: question.message.clone(),
            form: form.and_then(|form| JsonText::new(form.as_str()).ok()),
            url: question.address().map(str::to_owned),
        }
    }
}
