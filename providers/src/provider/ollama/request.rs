//! The body of a request.

use super::{message, settings::Settings};
use crate::codec::{body_fields::BodyFields, body_input::BodyInput};

/// Writes the body of a request.
pub(super) fn body(asked: BodyInput<'_>) -> Vec<u8> {
    let settings = Settings::of(asked.request);
    let messages = message::of_request(asked, settings.system);
    let mut body = BodyFields::new(&asked.request.settings.extra);
    body.put("model", Some(asked.model));
    body.put("messages", Some(messages));
    body.put_tools(settings.offer.of(&asked.tools.json));
    body.put("format", asked.answer.map(|answer| &answer.schema));
    body.put("think", settings.think);
    body.put_object("options", settings.options);
    // Left out it is true.
    body.put("stream", Some(asked.streamed));
    body.end()
}
