//! The body of a request.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, value::RawValue};

use super::{
    message::{self, Message},
    settings::{Offer, Settings},
};
use crate::{
    json_text::JsonText,
    wire::{body_fields::BodyFields, protocol::Asked},
};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: Asked<'a>,
    settings: Settings<'a>,
    messages: Vec<Message<'a>>,
    /// The fields of the user's own; of `options`, which both sides fill, all.
    extra: Cow<'a, Map<String, Value>>,
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: Asked<'a>) -> Self {
        let mut settings = Settings::of(asked.request);
        let system = settings.system.take();
        let mut extra = Cow::Borrowed(&asked.request.settings.extra);
        if let Some(Value::Object(theirs)) = extra.get("options") {
            let mut options = std::mem::take(&mut settings.options);
            options.extend(theirs.clone());
            extra.to_mut().insert("options".to_owned(), options.into());
        }
        Self {
            asked,
            settings,
            messages: message::of_request(asked, system),
            extra,
        }
    }

    /// The tools that are offered; `None` for none.
    fn tools(&self) -> Option<JsonText> {
        let all = &self.asked.tools.json;
        match self.settings.offer {
            Offer::None => None,
            Offer::All => Some(all.clone()),
            Offer::One(position) => Some(only(all, position)),
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = &self.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &self.extra);
        body.put("model", Some(self.asked.model))?;
        body.put("messages", Some(&self.messages))?;
        body.put("tools", self.tools())?;
        body.put("think", settings.think)?;
        let options = &settings.options;
        body.put("options", (!options.is_empty()).then_some(options))?;
        // Left out it is true.
        body.put("stream", Some(self.asked.streamed))?;
        body.end()
    }
}

/// The list with one of its tools alone.
fn only(all: &JsonText, position: usize) -> JsonText {
    let list: Vec<&RawValue> = serde_json::from_str(all.as_str()).unwrap_or_default();
    let one = list.get(position).map(|tool| JsonText::of(&[tool]));
    one.and_then(Result::ok).unwrap_or_else(|| all.clone())
}
