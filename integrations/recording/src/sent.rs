//! A request in the form in which it is written and compared.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::redaction::Redaction;
use toolwright_core::{
    message::{Message, Part, Turn},
    model::ModelRequest,
    tool::ToolResult,
};

/// The members of a request apart from its messages.
pub(super) const FIELDS: [&str; 6] = [
    "system",
    "tools",
    ALLOWED_TOOLS,
    "tool_choice",
    "answer_schema",
    "settings",
];

/// The member that older files do not have. It is `null` there.
pub(super) const ALLOWED_TOOLS: &str = "allowed_tools";

/// A request, redacted: the JSON text of each of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// In the order of [`FIELDS`].
    pub(super) fields: [Arc<str>; FIELDS.len()],
    /// The messages as a provider is sent them, oldest first.
    pub(super) messages: Vec<Arc<str>>,
}

/// A message as a provider is sent it.
#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum SentMessage<'a> {
    User { parts: &'a [Part] },
    Assistant { parts: &'a [Part] },
    Tool { results: Vec<ToolResult> },
}

impl Sent {
    /// The form of a request.
    ///
    /// # Errors
    ///
    /// When it cannot be written or redacted, with the reason.
    pub(super) fn of(request: &ModelRequest, redaction: &Redaction) -> Result<Self, String> {
        let ModelRequest {
            system,
            messages,
            tools,
            allowed_tools,
            tool_choice,
            answer_schema,
            settings,
            // Notes are among the messages.
            ..
        } = request;
        let turns = messages.iter().flat_map(Message::turns);
        Ok(Self {
            fields: [
                text(system, redaction)?,
                text(tools, redaction)?,
                text(allowed_tools, redaction)?,
                text(tool_choice, redaction)?,
                text(answer_schema, redaction)?,
                text(settings, redaction)?,
            ],
            messages: turns
                .map(|turn| text(&sent(turn), redaction))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Returns true if the text of the response had to fit a schema.
    pub(super) fn has_answer_schema(&self) -> bool {
        let mut fields = FIELDS.iter().zip(&self.fields);
        fields.any(|(name, text)| *name == "answer_schema" && **text != *"null")
    }

    /// Returns true if the definitions of tools were left to the search of the provider.
    pub(super) fn has_deferred_tools(&self) -> bool {
        #[derive(Deserialize)]
        struct Tool {
            #[serde(default)]
            deferred: bool,
        }
        let mut fields = FIELDS.iter().zip(&self.fields);
        let tools = fields.find(|(name, _)| **name == "tools");
        let tools = tools.and_then(|(_, text)| serde_json::from_str::<Vec<Tool>>(text).ok());
        tools.is_some_and(|tools| tools.iter().any(|tool| tool.deferred))
    }

    /// Returns true if the request listed the tools that the model may call.
    pub(super) fn has_allowed_tools(&self) -> bool {
        let mut fields = FIELDS.iter().zip(&self.fields);
        fields.any(|(name, text)| *name == ALLOWED_TOOLS && **text != *"null")
    }

    /// The same with more taken out.
    ///
    /// # Errors
    ///
    /// When a redaction panicked.
    pub(super) fn redacted(&self, redaction: &Redaction) -> Result<Self, String> {
        let again = |text: &Arc<str>| hidden(text.to_string(), redaction);
        let mut fields = self.fields.clone();
        for field in &mut fields {
            *field = again(field)?;
        }
        let messages = self.messages.iter().map(again).collect::<Result<_, _>>()?;
        Ok(Self { fields, messages })
    }

    /// Returns the number of messages at the beginning that are those of another request.
    pub(super) fn shared_with(&self, other: &Self) -> usize {
        let pairs = self.messages.iter().zip(&other.messages);
        pairs.take_while(|(one, other)| one == other).count()
    }
}

fn sent(turn: Turn<'_>) -> SentMessage<'_> {
    match turn {
        Turn::User(parts) => SentMessage::User { parts },
        Turn::Assistant(parts) => SentMessage::Assistant { parts },
        Turn::Results(round) => SentMessage::Tool {
            results: round.results.iter().map(as_sent).collect(),
        },
    }
}

/// A result without its text for the log, which no model reads.
fn as_sent(result: &ToolResult) -> ToolResult {
    let mut result = result.clone();
    if let Err(error) = &mut result.outcome {
        error.log = None;
    }
    result
}

/// A value as JSON text that may be seen.
///
/// # Errors
///
/// When it cannot be written or redacted, with the reason.
pub(super) fn text(value: &impl Serialize, redaction: &Redaction) -> Result<Arc<str>, String> {
    let json = serde_json::to_string(value).map_err(|error| error.to_string())?;
    hidden(json, redaction)
}

fn hidden(json: String, redaction: &Redaction) -> Result<Arc<str>, String> {
    let hidden = redaction.json(json).ok_or("a redaction panicked")?;
    Ok(hidden.into())
}

#[cfg(test)]
mod tests {
    use serde::{
        de::{Deserializer, Visitor, value::Error},
        forward_to_deserialize_any,
    };

    use super::*;

    /// Fails with the names of the fields of a struct that is read.
    struct Names;

    impl<'de> Deserializer<'de> for Names {
        type Error = Error;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Error> {
            Err(serde::de::Error::custom(fields.join(" ")))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(serde::de::Error::custom("this is no struct"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    #[test]
    fn every_field_of_a_request_is_compared() {
        let names = ModelRequest::deserialize(Names).unwrap_err().to_string();
        let mut names: Vec<_> = names.split(' ').collect();
        let mut compared = [&FIELDS[..], &["messages"]].concat();
        names.sort_unstable();
        compared.sort_unstable();
        assert_eq!(names, compared);
    }
}
