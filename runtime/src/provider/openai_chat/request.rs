//! The body of a request.

use serde::{Serialize, Serializer};

use super::message::{self, Message};
use crate::{
    model::ToolChoice,
    wire::{body_fields::BodyFields, protocol::Asked},
};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    asked: Asked<'a>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Named {
        r#type: &'static str,
        function: Named<'a>,
    },
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

impl<'a> Body<'a> {
    pub(super) fn new(asked: Asked<'a>) -> Self {
        Self {
            asked,
            messages: message::of_request(asked),
        }
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Asked { request, tools, .. } = self.asked;
        let settings = &request.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &settings.extra);
        body.put("model", Some(self.asked.model))?;
        body.put("messages", Some(&self.messages))?;
        if !request.tools.is_empty() {
            body.put("tools", Some(&tools.json))?;
            body.put("tool_choice", choice(&request.tool_choice))?;
            body.put("parallel_tool_calls", settings.parallel_tool_calls)?;
        }
        body.put("temperature", settings.temperature)?;
        body.put("max_completion_tokens", settings.max_output_tokens)?;
        let stop = &settings.stop_sequences;
        body.put("stop", (!stop.is_empty()).then_some(stop))?;
        body.put("seed", settings.seed)?;
        body.put("reasoning_effort", settings.reasoning_effort.as_ref())?;
        if self.asked.streamed {
            body.put("stream", Some(true))?;
            let options = StreamOptions {
                include_usage: true,
            };
            body.put("stream_options", Some(options))?;
        }
        body.end()
    }
}

/// `auto` is what every server does by itself, and some do not know the word.
fn choice(choice: &ToolChoice) -> Option<Choice<'_>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Word("none")),
        ToolChoice::Required => Some(Choice::Word("required")),
        ToolChoice::Tool(name) => Some(Choice::Named {
            r#type: "function",
            function: Named { name },
        }),
    }
}
