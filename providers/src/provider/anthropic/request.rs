//! The body of a request.

use serde::{Serialize, Serializer};

use super::{
    cache::{self, CacheControl},
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
    caching: Option<CacheControl>,
}

/// The system text, in the only form that can be marked.
#[derive(Serialize)]
struct System<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    effort: &'a str,
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: BodyInput<'a>) -> Self {
        let caching = asked.request.settings.prompt_caching.map(CacheControl::of);
        Self {
            asked,
            settings: Settings::of(asked.request),
            messages: message::of_request(asked, caching),
            caching,
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let BodyInput { request, tools, .. } = self.asked;
        let settings = &self.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &request.settings.extra);
        body.put("model", Some(self.asked.model))?;
        body.put("max_tokens", Some(settings.max_tokens))?;
        let system = request.system.as_deref();
        // An empty text is refused.
        let system = system.filter(|text| !text.trim().is_empty());
        let system = system.map(|text| {
            [System {
                r#type: "text",
                text,
                cache_control: self.caching,
            }]
        });
        body.put("system", system)?;
        body.put("messages", Some(&self.messages))?;
        if !request.tools.is_empty() {
            let caching = request.settings.prompt_caching;
            body.put("tools", Some(cache::tools(tools, caching)))?;
        }
        body.put("tool_choice", settings.choice.as_ref())?;
        body.put("temperature", settings.temperature)?;
        let stop = &settings.stop_sequences;
        body.put("stop_sequences", (!stop.is_empty()).then_some(stop))?;
        body.put("thinking", settings.thinking)?;
        let effort = settings.effort.map(|effort| OutputConfig { effort });
        body.put("output_config", effort)?;
        body.put("stream", self.asked.streamed.then_some(true))?;
        body.end()
    }
}
