//! The body of a request.

use serde::{Serialize, Serializer};

use super::{
    message::{self, Content, Sent},
    settings::Settings,
};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

/// The body of a request. The model, and whether the response is streamed, stand in its address.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: BodyInput<'a>,
    settings: Settings,
    contents: Vec<Content<'a>>,
}

#[derive(Serialize)]
struct System<'a> {
    parts: [Sent<'a>; 1],
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: BodyInput<'a>) -> Self {
        Self {
            asked,
            settings: Settings::of(asked),
            contents: message::of_request(asked),
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let BodyInput { request, tools, .. } = self.asked;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &request.settings.extra);
        let system = request.system.as_deref();
        // An empty text is refused.
        let system = system.filter(|text| !text.trim().is_empty());
        let system = system.map(|text| System {
            parts: [Sent::text(text)],
        });
        body.put("systemInstruction", system)?;
        body.put("contents", Some(&self.contents))?;
        if !request.tools.is_empty() {
            body.put("tools", Some(&tools.json))?;
        }
        body.put_object("toolConfig", &self.settings.tools)?;
        body.put_object("generationConfig", &self.settings.generation)?;
        body.end()
    }
}
