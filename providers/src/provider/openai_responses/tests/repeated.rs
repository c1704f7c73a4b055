//! A stream says items several times, in every order and with any of it missing: each call and each
//! text comes once.

use serde_json::{Value, json};
use toolwright_core::{ModelResponse, Part, model::ModelEvent, tool::ToolDefinitions};

use super::super::OpenAiResponsesCodec;
use crate::provider::{Codec, DecodeStream};

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("it has room") % bound
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for place in (1..all.len()).rev() {
            all.swap(place, self.below(place + 1));
        }
    }
}

/// What the ids at the end are, beside those of the stream.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ids {
    Kept,
    Changed,
    Missing,
    Repeated,
}

/// How items are numbered in the stream.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Indexes {
    Right,
    Text,
    OfTheStream,
    Negative,
    Missing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Message,
    Thought,
    Encrypted,
    Call,
    Custom,
}

/// One item of the whole reply.
#[derive(Debug, Clone)]
struct Item {
    kind: Kind,
    number: usize,
}

impl Item {
    /// Words that no other item has.
    fn words(&self) -> String {
        let n = self.number;
        match self.kind {
            Kind::Call => format!("{{\"n\": {n}, \"a\": \"<{n}>\"}}"),
            _ => format!("<{n}>a {n} b {n}"),
        }
    }

    /// The item with this much of its words.
    fn json(&self, ids: Ids, at_end: bool, words: &str) -> Value {
        let n = self.number;
        let mut item = match self.kind {
            Kind::Message => json!({"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": words, "annotations": []}]}),
            Kind::Thought => json!({"type": "reasoning",
                "summary": [{"type": "summary_text", "text": words}]}),
            Kind::Encrypted => json!({"type": "reasoning", "summary": [],
                "encrypted_content": format!("gAAA{n}")}),
            Kind::Call => json!({"type": "function_call", "name": "look", "arguments": words}),
            Kind::Custom => json!({"type": "custom_tool_call", "name": "sql", "input": words}),
        };
        let id = |what: &str| match ids {
            Ids::Kept => Some(format!("{what}_{n}")),
            Ids::Changed => Some(format!("{what}_{n}{}", if at_end { "_end" } else { "" })),
            Ids::Missing => None,
            Ids::Repeated => Some(format!("{what}_same")),
        };
        if let Some(id) = id("item") {
            item["id"] = id.into();
        }
        if matches!(self.kind, Kind::Call | Kind::Custom)
            && let Some(id) = id("call")
        {
            item["call_id"] = id.into();
        }
        item
    }

    fn delta(&self) -> &'static str {
        match self.kind {
            Kind::Message => "response.output_text.delta",
            Kind::Thought | Kind::Encrypted => "response.reasoning_summary_text.delta",
            Kind::Call => "response.function_call_arguments.delta",
            Kind::Custom => "response.custom_tool_call_input.delta",
        }
    }
}

fn decode(events: &[Value]) -> ModelResponse {
    let mut all: Vec<ModelEvent> = Vec::new();
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    for event in events {
        let event = format!("data: {event}\n\n");
        decoder.feed(event.as_bytes(), &mut all).expect("is read");
    }
    decoder.finish(&mut all).expect("is whole");
    all.into_iter().collect()
}

/// How much of an item a stream says.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Everything,
    EndAlone,
    WithoutEnd,
    PiecesAlone,
    FirstPieces,
    BeginningAlone,
}

/// The events of one item.
fn events_of(item: &Item, form: Form, ids: Ids, index: &Value, doubled: bool) -> Vec<Value> {
    let words = item.words();
    let (first, second) = words.split_at(words.len() / 2);
    let whole = item.json(ids, false, &words);
    let with = |mut event: Value| {
        if !index.is_null() {
            event["output_index"] = index.clone();
        }
        if let Some(id) = whole.get("id") {
            event["item_id"] = id.clone();
        }
        event
    };
    let is_part = |what: &str| json!({"type": format!("response.output_item.{what}")});
    let mut events = Vec::new();
    let mut item_event = |what: &str, item: Value| {
        let mut event = with(is_part(what));
        event["item"] = item;
        events.extend(std::iter::repeat_n(event.clone(), 1 + usize::from(doubled)));
        event
    };
    if !matches!(form, Form::EndAlone | Form::PiecesAlone) {
        item_event("added", item.json(ids, false, ""));
    }
    let pieces = match form {
        Form::EndAlone | Form::BeginningAlone => &[][..],
        Form::FirstPieces => &[first],
        _ => &[first, second],
    };
    for piece in pieces.iter().filter(|_| item.kind != Kind::Encrypted) {
        let mut event = with(json!({"type": item.delta(), "delta": piece}));
        if item.kind == Kind::Thought {
            event["summary_index"] = 0.into();
        }
        events.push(event);
    }
    if matches!(form, Form::Everything | Form::EndAlone) {
        let mut event = with(is_part("done"));
        event["item"] = whole;
        events.extend(std::iter::repeat_n(event, 1 + usize::from(doubled)));
    }
    events
}

fn check(seed: u64) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        numbers.below(2);
    }
    let ids = [Ids::Kept, Ids::Changed, Ids::Missing, Ids::Repeated][numbers.below(4)];
    let indexes = [
        Indexes::Right,
        Indexes::Text,
        Indexes::OfTheStream,
        Indexes::Negative,
        Indexes::Missing,
    ][numbers.below(5)];
    let kinds = [
        Kind::Message,
        Kind::Thought,
        Kind::Encrypted,
        Kind::Call,
        Kind::Custom,
    ];
    let count = 1 + numbers.below(5);
    let items: Vec<_> = (0..count)
        .map(|number| Item {
            kind: kinds[numbers.below(kinds.len())],
            number,
        })
        .collect();
    let has_index = !matches!(indexes, Indexes::Negative | Indexes::Missing);
    let mut at_end: Vec<_> = items.iter().filter(|_| numbers.below(4) > 0).collect();
    let mut streamed: Vec<_> = items.iter().filter(|_| numbers.below(3) > 0).collect();
    if numbers.below(3) == 0 {
        numbers.shuffle(&mut streamed);
    }
    if numbers.below(4) == 0 {
        numbers.shuffle(&mut at_end);
    }
    if ids == Ids::Repeated {
        // What has the id of another and is the only one of it is that other.
        streamed.retain(|item| at_end.iter().any(|last| last.number == item.number));
    }
    let doubled = numbers.below(4) == 0 && has_index;
    let mut events = Vec::new();
    let mut forms = Vec::new();
    for (place, item) in streamed.iter().enumerate() {
        let comes_again = at_end.iter().any(|last| last.number == item.number);
        let index = match indexes {
            Indexes::Right => item.number.into(),
            Indexes::Text => item.number.to_string().into(),
            Indexes::OfTheStream => place.into(),
            Indexes::Negative => (-1).into(),
            Indexes::Missing => Value::Null,
        };
        let form = match numbers.below(6) {
            1 => Form::EndAlone,
            // Only a place, or the end, tells where a message without an end ends.
            2 if has_index => Form::WithoutEnd,
            3 if comes_again && has_index => Form::PiecesAlone,
            4 if comes_again && has_index => Form::FirstPieces,
            5 if comes_again && has_index && ids != Ids::Repeated => Form::BeginningAlone,
            _ => Form::Everything,
        };
        forms.push((item.number, form));
        events.extend(events_of(item, form, ids, &index, doubled));
    }
    let output: Vec<_> = at_end
        .iter()
        .map(|item| item.json(ids, true, &item.words()))
        .collect();
    let status = ["completed", "incomplete"][usize::from(numbers.below(5) == 0)];
    events.push(json!({"type": format!("response.{status}"),
        "response": {"status": status, "output": output}}));
    let reply = decode(&events);
    let shown = {
        let events: Vec<_> = events.iter().map(|event| format!("{event}\n")).collect();
        format!(
            "{seed}: {ids:?} {indexes:?} {forms:?}\n{}{:#?}",
            events.concat(),
            reply.parts
        )
    };
    let at_end: Vec<_> = at_end.iter().map(|item| item.number).collect();
    assert_once(&items, &forms, &at_end, &reply, &shown);
    if ids == Ids::Kept {
        assert_thoughts(&items, &forms, &at_end, &reply, &shown);
    }
}

/// Checks that each item that came is there once. `forms` are those that were streamed.
fn assert_once(
    items: &[Item],
    forms: &[(usize, Form)],
    at_end: &[usize],
    reply: &ModelResponse,
    shown: &str,
) {
    let has_come = |n: usize| at_end.contains(&n) || forms.iter().any(|form| form.0 == n);
    let words = reply.parts.iter().map(|part| match part {
        Part::Text(words) | Part::Reasoning(words) => words.as_str(),
        _ => "",
    });
    let words: String = words.collect();
    let mut calls = 0;
    for item in items {
        let n = item.number;
        let times = usize::from(has_come(n));
        match item.kind {
            Kind::Message | Kind::Thought => {
                assert_eq!(
                    words.matches(&format!("<{n}>")).count(),
                    times,
                    "{n} of {shown}"
                );
                assert_eq!(
                    words.matches(&format!(" b {n}")).count(),
                    times,
                    "{n} of {shown}"
                );
            }
            Kind::Call | Kind::Custom => {
                calls += times;
                let same = reply.tool_calls.iter();
                let same =
                    same.filter(|call| call.arguments == item.words() && !call.name.is_empty());
                assert_eq!(same.count(), times, "{n} of {shown}");
            }
            Kind::Encrypted => {}
        }
    }
    assert_eq!(reply.tool_calls.len(), calls, "{shown}");
}

/// Checks that each whole item of reasoning is kept once.
fn assert_thoughts(
    items: &[Item],
    forms: &[(usize, Form)],
    at_end: &[usize],
    reply: &ModelResponse,
    shown: &str,
) {
    let is_whole = |form: &(usize, Form)| matches!(form.1, Form::Everything | Form::EndAlone);
    let has_ended =
        |n: usize| at_end.contains(&n) || forms.iter().any(|form| form.0 == n && is_whole(form));
    let thoughts = items.iter().filter(|item| {
        matches!(item.kind, Kind::Thought | Kind::Encrypted) && has_ended(item.number)
    });
    let kept = reply
        .parts
        .iter()
        .filter(|part| matches!(part, Part::Opaque(opaque) if opaque.data["type"] == "reasoning"));
    assert_eq!(kept.count(), thoughts.count(), "{shown}");
}

#[test]
fn each_call_and_each_text_comes_once() {
    for seed in 1..2_000 {
        check(seed);
    }
}
