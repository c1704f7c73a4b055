//! Settings of a request in the form of this API, and warnings about those that it does not support.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_core::{
    message::{Image, Message, Part, Turn},
    model::{ModelRequest, Warning},
    tool::ToolResult,
};

use crate::codec::tool_choice::{Offer, emulated};

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    /// The system text, with what the API has no field for.
    pub(super) system: Option<Cow<'a, str>>,
    pub(super) offer: Offer,
    /// The setting for thinking: on, off, or a level.
    pub(super) think: Option<Value>,
    pub(super) options: Map<String, Value>,
    /// Warnings about settings that are not supported, and about what is done instead.
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Settings<'a> {
    pub(super) fn of(request: &'a ModelRequest) -> Self {
        let choice = emulated(request, "Ollama");
        let settings = &request.settings;
        let mut plan = Self {
            system: choice.told(request.system.as_deref()),
            offer: choice.offer,
            think: settings.reasoning_effort.as_deref().map(think),
            options: options(request),
            warnings: choice.warnings,
        };
        plan.settle_the_rest(request);
        plan
    }

    fn settle_the_rest(&mut self, request: &ModelRequest) {
        let strict = request.tools.iter().filter(|tool| tool.strict.is_some());
        let strict = strict.count();
        if strict > 0 && self.offer != Offer::None {
            self.warnings.push(Warning::new(
                "not_strict",
                format!(
                    "Ollama enforces no schema of a tool; `strict` is not sent ({strict} tools)"
                ),
            ));
        }
        let addresses = images(request)
            .filter(|image| matches!(image, Image::Url { .. }))
            .count();
        if addresses > 0 {
            self.warnings.push(Warning::new(
                "image_not_sent",
                format!(
                    "Ollama fetches no images; the model is sent the address instead ({addresses} images)"
                ),
            ));
        }
    }
}

/// Returns the form of an effort in this API: a switch, or a level of the model's own.
fn think(effort: &str) -> Value {
    match effort {
        "none" | "false" => false.into(),
        "true" => true.into(),
        effort => effort.into(),
    }
}

fn options(request: &ModelRequest) -> Map<String, Value> {
    let settings = &request.settings;
    let stop = &settings.stop_sequences;
    let fields = [
        ("temperature", settings.temperature.map(Value::from)),
        ("num_predict", settings.max_output_tokens.map(Value::from)),
        ("stop", (!stop.is_empty()).then(|| stop.clone().into())),
        ("seed", settings.seed.map(Value::from)),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// The images that are sent with a request, in messages and in results.
fn images(request: &ModelRequest) -> impl Iterator<Item = &Image> {
    let turns = request.messages.iter().flat_map(Message::turns);
    turns.flat_map(|turn| {
        let (parts, results) = match turn {
            Turn::User(parts) => (parts, &[][..]),
            Turn::Assistant(_) => (&[][..], &[][..]),
            Turn::Results(round) => (&[][..], &round.results[..]),
        };
        let said = parts.iter().filter_map(|part| match part {
            Part::Image(image) => Some(image),
            _ => None,
        });
        said.chain(results.iter().flat_map(ToolResult::images))
    })
}
