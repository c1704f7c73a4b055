//! Messages as this API takes them: user and model in turn, each a list of blocks.

mod block;
pub(in crate::provider) mod read;
mod results;
mod run_by_provider;

use std::borrow::Cow;

use serde::Serialize;
use toolwright_core::{
    message::{Opaque, Part},
    tool::ToolCall,
};
use toolwright_json::raw::RawJson;

use super::{
    PROVIDER,
    opaque::{TEXT, THINKING, TOOL_USE, kind_of},
};
use crate::{
    codec::{
        body_input::BodyInput,
        cache_control::CacheControl,
        encoded_round::Messages,
        exchange::{BEGINNING, EMPTY, Exchange, spoken},
        imported::{self, ResultForms},
        media::{Media, of_response_in_words},
        opaque_fields::OpaqueFields,
        tool_list::ToolList,
    },
    wire::sendable_name,
};
pub(super) use block::{Block, is_sent, marked};
use block::{Kind, RESERVED, as_it_came, image, media, text, told};
pub(super) use results::of_results;
use run_by_provider::{Answered, without_lost_tools};

/// One message.
#[derive(Debug, Serialize)]
pub(super) struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

/// The messages of a request. With `caching` the last block is marked.
pub(super) fn of_request(
    asked: BodyInput<'_>,
    caching: Option<CacheControl>,
) -> Messages<Message<'_>> {
    let mut messages = Messages::new();
    let answered = Answered::of(asked);
    let mut all = spoken(&asked.request.messages, is_id)
        .enumerate()
        .peekable();
    while let Some((number, said)) = all.next() {
        match said {
            Exchange::User(parts) => add(&mut messages, "user", of_user(parts, asked.provider)),
            Exchange::Model(reply) => {
                if messages.is_empty() {
                    add(&mut messages, "user", vec![text(BEGINNING)]);
                }
                let both = || {
                    let is_over = reply.round.is_none() && answered.is_over(number);
                    let parts = reply.parts.iter();
                    let parts = parts.filter(|part| !is_over || answered.is_sent(part, asked));
                    let mut content = of_assistant(parts, reply.parts, &reply.ids, asked);
                    // The API refuses a response that ends in its reasoning, as one that was cut off does.
                    while is_over && content.last().is_some_and(Block::is_thinking) {
                        content.pop();
                    }
                    let forms = ResultForms::of(reply.parts, asked.provider);
                    let results = of_results(reply.results, reply.ids.iter().cloned(), forms);
                    [("assistant", content), ("user", results)]
                };
                let follows_model = messages.last_mut().is_some_and(|last| last.role != "user");
                // Nothing is added to what comes between two responses with calls.
                let next = all.peek();
                let is_between =
                    matches!(next, Some((_, Exchange::Model(next))) if next.round.is_some());
                if !follows_model && is_between {
                    messages.push_response(&reply, asked, || {
                        let both = both().into_iter();
                        let both = both.filter(|(_, content)| !content.is_empty());
                        both.map(|(role, content)| Message { role, content })
                            .collect()
                    });
                } else {
                    for (role, content) in both() {
                        add(&mut messages, role, content);
                    }
                }
            }
        }
    }
    // "final assistant content cannot end with trailing whitespace" (<https://github.com/anomalyco/opencode/issues/1295>)
    let last = messages.last_mut().filter(|last| last.role == "assistant");
    if let Some(block) = last.and_then(|last| last.content.last_mut()) {
        block.trim_end();
    }
    let last = messages.last_mut().and_then(|last| last.content.last_mut());
    if let Some(block) = last.filter(|block| block.may_be_marked()) {
        block.cache_control = caching;
    }
    messages
}

/// Returns true if a part is reasoning that is sent back.
pub(super) fn is_thinking(part: &Part) -> bool {
    matches!(part, Part::Opaque(Opaque { provider, data })
        if provider.starts_with(PROVIDER)
            && matches!(kind_of(data), THINKING | "redacted_thinking"))
}

/// Adds blocks to a message of a role: to the last one, if it is of that role.
fn add<'a>(messages: &mut Messages<Message<'a>>, role: &'static str, content: Vec<Block<'a>>) {
    match messages.last_mut() {
        _ if content.is_empty() => {}
        Some(last) if last.role == role => last.content.extend(content),
        _ => messages.push(Message { role, content }),
    }
}

/// Returns true if the API accepts an id of a call. Ids of other servers may have other forms.
fn is_id(id: &str) -> bool {
    id.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn of_user<'a>(parts: &'a [Part], provider: &str) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::with_capacity(parts.len());
    for part in parts {
        if let Some(fields) = imported::fields_of(part, provider) {
            if let Some(last) = blocks.last_mut() {
                last.take_imported(fields);
            }
            continue;
        }
        blocks.extend(match part {
            Part::Text(words) if !words.trim().is_empty() => Some(text(words)),
            Part::Image(picture) => Some(image(picture)),
            Part::Document(_) | Part::Audio(_) => Media::of_part(part).map(media),
            // What a program writes for this API, such as a document, is for each of its servers.
            Part::Opaque(opaque) if opaque.provider == provider || opaque.provider == PROVIDER => {
                as_it_came(opaque)
            }
            _ => None,
        });
    }
    if blocks.is_empty() {
        blocks.push(text(EMPTY));
    }
    blocks
}

/// Parts of a response as they go back, with one id for each call; without ids its calls are left out.
fn of_assistant<'a>(
    parts: impl Iterator<Item = &'a Part>,
    response: &'a [Part],
    ids: &[Cow<'a, str>],
    asked: BodyInput<'a>,
) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut ids = ids.iter();
    // Reasoning whose signature has not been met yet.
    let mut words = Cow::Borrowed("");
    // The last part made the last block.
    let mut made = false;
    for part in parts {
        if let Part::Reasoning(more) = part {
            words += more.as_str();
            continue;
        }
        let thinking = std::mem::take(&mut words);
        let own = match part {
            Part::Opaque(opaque) if opaque.provider == asked.provider => Some(opaque),
            _ => None,
        };
        let block = match part {
            Part::Text(words) => (!words.trim().is_empty()).then(|| text(words)),
            Part::Call(call) => ids.next().map(|id| of_call(call, id.clone(), asked.tools)),
            Part::Image(_) | Part::Document(_) | Part::Audio(_) => {
                let words = of_response_in_words(part, response);
                words.map(told)
            }
            _ => own.and_then(|opaque| match kind_of(&opaque.data) {
                THINKING => Some(Block::of(Kind::Thinking {
                    thinking,
                    fields: OpaqueFields::of(opaque, RESERVED),
                })),
                TEXT | TOOL_USE => {
                    if let Some(last) = blocks.last_mut().filter(|_| made) {
                        last.take_fields(opaque);
                    }
                    None
                }
                "tool_search_tool_result" => {
                    let block = without_lost_tools(&opaque.data, asked);
                    Some(Block::of(Kind::Opaque(block)))
                }
                _ => as_it_came(opaque),
            }),
        };
        made = block.is_some();
        blocks.extend(block);
    }
    blocks
}

fn of_call<'a>(call: &'a ToolCall, id: Cow<'a, str>, tools: &ToolList) -> Block<'a> {
    Block::of(Kind::ToolUse {
        id,
        name: sendable_name(&call.name),
        input: RawJson(tools.sendable_arguments(call)),
        fields: OpaqueFields::default(),
    })
}
