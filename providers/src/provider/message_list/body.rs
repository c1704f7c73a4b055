//! The fields of a request's body that hold a conversation.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};
use toolwright_json::{
    JsonText,
    duplicate_keys::duplicate_key,
    path::{Step, path_text},
};

use super::{
    super::{anthropic, gemini, ollama, openai_chat, openai_responses},
    ImportError, Protocol,
};
use crate::codec::transcript::{FindingKind, Transcript};

/// The names of the fields: that of the list, and that of the system text where it has one.
fn names(protocol: Protocol) -> (&'static str, Option<&'static str>) {
    match protocol {
        Protocol::OpenAiChat | Protocol::Ollama => ("messages", None),
        Protocol::OpenAiResponses => ("input", Some("instructions")),
        Protocol::Anthropic => ("messages", Some("system")),
        Protocol::Gemini => ("contents", Some("systemInstruction")),
    }
}

/// The limit on the messages of a list. Each takes more memory than the few bytes that it may have.
const MOST_MESSAGES: usize = 1_000_000;

/// The messages of a list, as far as the limit and one more.
struct Messages<'j>(Vec<&'j RawValue>);

impl<'j> Deserialize<'j> for Messages<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Reader)
    }
}

struct Reader;

impl<'j> Visitor<'j> for Reader {
    type Value = Messages<'j>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut messages = Vec::new();
        while let Some(message) = list.next_element()? {
            if messages.len() == MOST_MESSAGES {
                return Err(A::Error::custom(TOO_MANY));
            }
            messages.push(message);
        }
        Ok(Messages(messages))
    }
}

/// The beginning of the error of a list that is too long.
const TOO_MANY: &str = "too many messages";

fn list_of(
    json: &str,
    no_list: impl FnOnce(serde_json::Error) -> ImportError,
) -> Result<Vec<&RawValue>, ImportError> {
    match serde_json::from_str::<Messages<'_>>(json) {
        Ok(messages) => Ok(messages.0),
        Err(error) if error.to_string().starts_with(TOO_MANY) => Err(ImportError::TooMany {
            max_messages: MOST_MESSAGES,
        }),
        Err(error) => Err(no_list(error)),
    }
}

/// A list of messages, with the system text that stands outside of it.
#[derive(Debug)]
pub(super) struct Body<'j> {
    /// The name of the field of the list.
    name: &'static str,
    list: Vec<&'j RawValue>,
    system: Option<Value>,
    /// The field that says that the server has what came before.
    goes_on: bool,
    /// The list is one text.
    text: Option<String>,
}

impl<'j> Body<'j> {
    pub(super) fn read(protocol: Protocol, json: &'j str) -> Result<Self, ImportError> {
        let not_json = |error: serde_json::Error| ImportError::NotJson {
            message: error.to_string(),
        };
        let mut body = Self {
            name: names(protocol).0,
            list: Vec::new(),
            system: None,
            goes_on: false,
            text: None,
        };
        if json.trim_start().starts_with('[') {
            body.list = list_of(json, not_json)?;
            return Ok(body);
        }
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(json).map_err(not_json)?;
        let (list, system) = names(protocol);
        let value = |name: &str| {
            let raw = fields.get(name)?;
            toolwright_json::bounded::parse_bounded::<Value>(raw.get())
        };
        let other_form = (protocol == Protocol::Gemini).then(|| value("system_instruction"));
        let system = system.and_then(value).or(other_form.flatten());
        body.system = system.filter(|system| !system.is_null());
        body.goes_on = value("previous_response_id").is_some_and(|id| id.is_string());
        let Some(raw) = fields.get(list) else {
            return Err(ImportError::NoList { field: list });
        };
        if raw.get().starts_with('"') && protocol == Protocol::OpenAiResponses {
            body.text = value(list).and_then(|text| text.as_str().map(str::to_owned));
            return Ok(body);
        }
        body.list = list_of(raw.get(), |_| ImportError::NoList { field: list })?;
        Ok(body)
    }

    /// Checks that no message has a key twice, outside of what a model wrote.
    pub(super) fn check_keys(&self) -> Result<(), ImportError> {
        for (index, message) in self.list.iter().enumerate() {
            let steps = duplicate_key(message.get()).unwrap_or_default();
            let is_of_model = |step: &Step| matches!(step, Step::Key(key) if ["input", "args", "arguments"].contains(&key.as_str()));
            if !steps.is_empty() && !steps.iter().skip(1).any(is_of_model) {
                let path = path_text(&format!("{}[{index}]", self.name), steps.iter().rev());
                return Err(ImportError::DuplicateKey { path });
            }
        }
        Ok(())
    }

    /// Reads the messages.
    pub(super) fn read_into(self, protocol: Protocol, transcript: &mut Transcript) {
        match protocol {
            Protocol::OpenAiChat => openai_chat::message::read::read(&self.list, transcript),
            Protocol::Ollama => ollama::message::read::read(&self.list, transcript),
            Protocol::Anthropic => {
                if let Some(system) = self.system {
                    anthropic::message::read::read_system(system, transcript);
                }
                anthropic::message::read::read(&self.list, transcript);
            }
            Protocol::Gemini => {
                if let Some(system) = self.system {
                    gemini::message::read::read_system(system, transcript);
                }
                gemini::message::read::read(&self.list, transcript);
            }
            Protocol::OpenAiResponses => {
                if self.goes_on {
                    transcript.find(
                        FindingKind::LeftOut,
                        "previous_response_id",
                        "the messages before this list are on the server, and are not read",
                    );
                }
                let system = self.system.as_ref().and_then(Value::as_str);
                openai_responses::input::read::read(&self.list, system, transcript);
                if let Some(text) = self.text {
                    openai_responses::input::read::read_text(text, transcript);
                }
            }
        }
    }
}

/// The fields of a body that hold its conversation.
pub(super) fn fields_of(protocol: Protocol, body: &[u8]) -> JsonText {
    let (list, system) = names(protocol);
    let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(body).unwrap_or_default();
    let kept = system.into_iter().chain([list]);
    let kept = kept.filter_map(|name| Some(format!("\"{name}\":{}", fields.get(name)?.get())));
    let json = format!("{{{}}}", kept.collect::<Vec<_>>().join(","));
    JsonText::new(json).unwrap_or_else(|_| unreachable!("the fields of a body are JSON"))
}
