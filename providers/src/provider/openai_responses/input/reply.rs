//! A response of the model as it goes back.

use std::{borrow::Cow, collections::HashMap};

use serde_json::Value;
use toolwright_core::{
    message::{Image, Opaque, Part},
    tool::ToolCall,
};

use super::{
    super::item::{
        CUSTOM_CALL, FUNCTION_CALL, IMAGE, MESSAGE, REASONING, RESULT, RUN_BY_SERVER,
        is_commentary, kind_of, says,
    },
    Arguments, Item, as_it_came,
};
use crate::{
    codec::{
        body_input::BodyInput, media::of_response_in_words, opaque_fields::OpaqueFields,
        tool_list::ToolList,
    },
    wire::sendable_name,
};

/// The fields of an item that are written from other parts. Opaque parts must not set them.
const RESERVED: &[&str] = &[
    "type",
    "role",
    "content",
    "id",
    "status",
    "call_id",
    "name",
    "arguments",
    "input",
    "output",
];

/// The fields that opaque parts must not set where the server stores responses, and knows the ids of its items.
const RESERVED_OF_STORED: &[&str] = &[
    "type",
    "role",
    "content",
    "call_id",
    "name",
    "arguments",
    "input",
    "output",
];

/// A response of the model.
#[derive(Debug)]
pub(super) struct Reply<'a> {
    parts: &'a [Part],
    tools: &'a ToolList,
    provider: &'a str,
    /// The server sends reasoning after what it led to, and takes it back so.
    takes_last_reasoning: bool,
    /// The user asks the server to store responses, so that an id says enough of one.
    stored: bool,
    /// The opaque parts of calls, by the provider's id of the call.
    of_calls: HashMap<&'a str, &'a Opaque>,
    /// The items of reasoning, in order.
    reasoning: Vec<&'a Value>,
}

/// A response while its items are written.
#[derive(Debug)]
struct Writing<'a, 'w> {
    items: &'w mut Vec<Item<'a>>,
    /// A text that no opaque part refers to yet.
    text: Option<&'a str>,
    /// An image that no opaque part refers to yet.
    image: Option<&'a Part>,
    /// Reasoning that waits for what it led to: the API takes none without.
    waiting: Vec<&'a Value>,
    /// The number of reasoning items that have been written.
    written: usize,
    /// The number of reasoning items that have been met.
    met: usize,
    /// The number of reasoning items that have been compared with words before them.
    compared: usize,
}

impl<'a> Reply<'a> {
    pub(super) fn new(asked: BodyInput<'a>, parts: &'a [Part]) -> Self {
        let mut reply = Self {
            parts,
            tools: asked.tools,
            provider: asked.provider,
            takes_last_reasoning: asked.quirks.reasoning_last,
            stored: asked.is_stored(),
            of_calls: HashMap::new(),
            reasoning: Vec::new(),
        };
        for part in parts {
            let Some(opaque) = reply.own(part) else {
                continue;
            };
            match kind_of(&opaque.data) {
                REASONING => reply.reasoning.push(&opaque.data),
                FUNCTION_CALL | CUSTOM_CALL => {
                    let id = opaque.data["call_id"].as_str().unwrap_or_default();
                    reply.of_calls.insert(id, opaque);
                }
                _ => {}
            }
        }
        reply
    }

    /// Adds the items of the response, with one id for each call; without ids its calls are left out.
    pub(super) fn add_to(&self, items: &mut Vec<Item<'a>>, ids: &[Cow<'a, str>]) {
        let mut ids = ids.iter();
        let mut writing = Writing {
            items,
            text: None,
            image: None,
            waiting: Vec::new(),
            written: 0,
            met: 0,
            compared: 0,
        };
        for part in self.parts {
            if !matches!(part, Part::Opaque(_) | Part::Activity(_)) {
                self.end_image(&mut writing);
            }
            match part {
                Part::Text(text) => {
                    writing.end_text(OpaqueFields::default());
                    writing.text = Some(text);
                }
                Part::Reasoning(words) => self.add_words(words, &mut writing),
                Part::Call(call) => {
                    if let Some(id) = ids.next() {
                        writing.push(self.of_call(call, id.clone()));
                    }
                }
                Part::Image(_) => writing.image = Some(part),
                part if part.is_media() => self.tell(part, &mut writing),
                _ => {
                    if let Some(opaque) = self.own(part) {
                        self.add_opaque(opaque, &mut writing);
                    }
                }
            }
        }
        self.end_image(&mut writing);
        writing.end_text(OpaqueFields::default());
        if self.takes_last_reasoning {
            writing.end_reasoning();
        }
    }

    /// Returns the opaque data of each call.
    pub(super) fn of_calls(&self) -> impl Iterator<Item = Option<&'a Value>> {
        let calls = toolwright_core::message::calls_of(self.parts);
        calls.map(|call| Some(&self.of_calls.get(call.id.as_str())?.data))
    }

    /// Words mark the place of the item that they are from: some servers tell the item itself after what
    /// it led to.
    fn add_words(&self, words: &str, writing: &mut Writing<'a, '_>) {
        let next = writing.met;
        // An item is compared once: a mismatch leaves it where it is.
        if writing.written == next && writing.compared <= next {
            writing.compared = next + 1;
            if let Some(item) = self.reasoning.get(next).filter(|item| says(item, words)) {
                self.add_reasoning(item, writing);
                writing.written += 1;
            }
        }
    }

    fn add_opaque(&self, opaque: &'a Opaque, writing: &mut Writing<'a, '_>) {
        let item = &opaque.data;
        match kind_of(item) {
            MESSAGE => {
                let is_whole = item["role"] == "assistant" && item["content"].is_array();
                let is_text = is_whole && says(item, writing.text.unwrap_or_default());
                if is_text {
                    writing.text = None;
                }
                if is_text || (is_whole && is_commentary(item)) {
                    writing.push(Item::Opaque(item));
                } else {
                    writing.end_text(OpaqueFields::of(opaque, self.reserved()));
                }
            }
            REASONING => {
                if writing.written == writing.met {
                    self.add_reasoning(item, writing);
                    writing.written += 1;
                }
                writing.met += 1;
            }
            IMAGE => {
                let is_whole = item.get(RESULT).is_some();
                match writing.image.take() {
                    Some(Part::Image(Image::Base64 { data, .. })) if !is_whole => {
                        writing.push(Item::Image {
                            result: data,
                            fields: OpaqueFields::of(opaque, &[RESULT]),
                        });
                    }
                    other => {
                        if let Some(image) = other {
                            self.tell(image, writing);
                        }
                        // One that failed.
                        if is_whole {
                            writing.push(Item::Opaque(item));
                        }
                    }
                }
            }
            CUSTOM_CALL => {
                let id = item["call_id"].as_str().unwrap_or_default();
                if id.starts_with(RUN_BY_SERVER) {
                    writing.push(Item::Opaque(item));
                }
            }
            _ => {
                if let Some(item) = as_it_came(opaque) {
                    writing.push(item);
                }
            }
        }
    }

    /// Adds an image of another provider, which the API does not take.
    fn end_image(&self, writing: &mut Writing<'a, '_>) {
        if let Some(image) = writing.image.take() {
            self.tell(image, writing);
        }
    }

    /// Tells in words what the model made: the API takes no image, document or sound of it.
    fn tell(&self, part: &Part, writing: &mut Writing<'a, '_>) {
        if let Some(words) = of_response_in_words(part, self.parts) {
            writing.push(Item::of_model(words.into(), OpaqueFields::default()));
        }
    }

    /// Adds reasoning that says by itself what it is: a server that stores nothing knows no ids.
    fn add_reasoning(&self, item: &'a Value, writing: &mut Writing<'a, '_>) {
        let encrypted = item["encrypted_content"].as_str().unwrap_or_default();
        let words = item["content"].as_array().map(Vec::len).unwrap_or_default();
        writing.end_text(OpaqueFields::default());
        if self.stored || !encrypted.is_empty() || words > 0 {
            writing.waiting.push(item);
        }
    }

    fn of_call(&self, call: &'a ToolCall, call_id: Cow<'a, str>) -> Item<'a> {
        let own = self.of_calls.get(call.id.as_str()).copied();
        let is_custom = own.is_some_and(|own| kind_of(&own.data) == CUSTOM_CALL);
        let (r#type, arguments) = if is_custom {
            (CUSTOM_CALL, Arguments::Input(self.tools.to_text(call)))
        } else {
            let arguments = self.tools.sendable_arguments(call);
            (FUNCTION_CALL, Arguments::Arguments(arguments))
        };
        Item::Call {
            r#type,
            call_id,
            name: sendable_name(&call.name),
            arguments,
            fields: own.map_or_else(OpaqueFields::default, |own| {
                OpaqueFields::of(own, self.reserved())
            }),
        }
    }

    fn reserved(&self) -> &'static [&'static str] {
        if self.stored {
            RESERVED_OF_STORED
        } else {
            RESERVED
        }
    }

    /// The opaque part that a part is, if it is one of this server.
    fn own(&self, part: &'a Part) -> Option<&'a Opaque> {
        match part {
            Part::Opaque(opaque) if opaque.provider == self.provider => Some(opaque),
            _ => None,
        }
    }
}

impl<'a> Writing<'a, '_> {
    /// Adds an item after the text and the reasoning before it.
    fn push(&mut self, item: Item<'a>) {
        self.end_text(OpaqueFields::default());
        self.end_reasoning();
        self.items.push(item);
    }

    /// Adds the reasoning that waits.
    fn end_reasoning(&mut self) {
        self.items.extend(self.waiting.drain(..).map(Item::Opaque));
    }

    /// Adds the text that waits, with what an opaque part says of it.
    fn end_text(&mut self, fields: OpaqueFields<'a>) {
        if let Some(text) = self.text.take().filter(|text| !text.is_empty()) {
            self.push(Item::of_model(Cow::Borrowed(text), fields));
        }
    }
}
