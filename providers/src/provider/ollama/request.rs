//! The body of a request.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::{
    message::{self, Message},
    settings::Settings,
};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: BodyInput<'a>,
    settings: Settings<'a>,
    messages: Vec<Message<'a>>,
    /// The fields of the user's own; of `options`, which both sides fill, all.
    extra: Cow<'a, Map<String, Value>>,
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: BodyInput<'a>) -> Self {
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
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = &self.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &self.extra);
        body.put("model", Some(self.asked.model))?;
        body.put("messages", Some(&self.messages))?;
        body.put("tools", settings.offer.of(&self.asked.tools.json))?;
        body.put("think", settings.think)?;
        let options = &settings.options;
        body.put("options", (!options.is_empty()).then_some(options))?;
        // Left out it is true.
        body.put("stream", Some(self.asked.streamed))?;
        body.end()
    }
}
