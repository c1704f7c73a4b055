//! The body of a request.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{
    message::{self, Message},
    tools::Form,
};
use crate::{
    model::{ModelRequest, ToolChoice},
    wire::{body_fields::BodyFields, sent_tools::SentTools},
};

/// The body of a request.
#[derive(Debug)]
pub(super) struct Body<'a> {
    model: &'a str,
    request: &'a ModelRequest,
    messages: Vec<Message<'a>>,
    tools: Arc<SentTools>,
    stream: bool,
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
    /// `provider` names the opaque parts that go along.
    pub(super) fn new(model: &'a str, request: &'a ModelRequest, provider: &str) -> Self {
        let tools = SentTools::of::<Form>(&request.tools);
        Self {
            model,
            request,
            messages: message::of_request(request, &tools, provider),
            tools,
            stream: false,
        }
    }

    pub(super) fn streamed(mut self) -> Self {
        self.stream = true;
        self
    }

    pub(super) fn into_json(self) -> Vec<u8> {
        serde_json::to_vec(&self).unwrap_or_else(|_| {
            unreachable!("every key of the body is text, and so are the keys of JSON values")
        })
    }
}

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = &self.request.settings;
        let mut body = BodyFields::new(serializer.serialize_map(None)?, &settings.extra);
        body.put("model", Some(self.model))?;
        body.put("messages", Some(&self.messages))?;
        if !self.request.tools.is_empty() {
            body.put("tools", Some(&self.tools.json))?;
            body.put("tool_choice", choice(&self.request.tool_choice))?;
            body.put("parallel_tool_calls", settings.parallel_tool_calls)?;
        }
        body.put("temperature", settings.temperature)?;
        body.put("max_completion_tokens", settings.max_output_tokens)?;
        let stop = &settings.stop_sequences;
        body.put("stop", (!stop.is_empty()).then_some(stop))?;
        body.put("seed", settings.seed)?;
        body.put("reasoning_effort", settings.reasoning_effort.as_ref())?;
        if self.stream {
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
