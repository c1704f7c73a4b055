//! An event that says nothing, between any two others, changes nothing.
//!
//! Nothing of an event is read by what stood before it. That is compared over the recordings, and over mutations
//! of them in which events come again, nearly as they were.

use std::path::Path;

use libtest_mimic::Trial;
use toolwright::{
    ModelError,
    model::ModelEvent,
    provider::{
        AnthropicCodec, Codec, DecodeStream, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    tool::ToolDefinitions,
};

use crate::{mutation::Random, record::Record};

/// How many mutations of a recording are tried, and changes in each.
const MUTATIONS: usize = 40;
const CHANGES: usize = 12;

/// What came of a stream.
type Told = (Vec<ModelEvent>, Option<ModelError>);

struct Protocol {
    folder: &'static str,
    /// What stands between two events.
    separator: &'static str,
    /// An event that says nothing.
    silent: &'static str,
    decode: fn(&[u8]) -> Told,
}

fn decode<C: Codec + Default>(body: &[u8]) -> Told {
    let mut events = Vec::new();
    let mut decoder = C::default().stream_decoder(&ToolDefinitions::default());
    let fed = decoder.feed(body, &mut events);
    let error = fed.and_then(|()| decoder.finish(&mut events)).err();
    (events, error)
}

const PROTOCOLS: &[Protocol] = &[
    Protocol {
        folder: "anthropic",
        separator: "\n\n",
        silent: "event: ping\ndata: {\"type\": \"ping\"}",
        decode: decode::<AnthropicCodec>,
    },
    Protocol {
        folder: "gemini",
        separator: "\n\n",
        silent: "data: {}",
        decode: decode::<GeminiCodec>,
    },
    Protocol {
        folder: "ollama",
        separator: "\n",
        silent: "{}",
        decode: decode::<OllamaCodec>,
    },
    Protocol {
        folder: "openai-chat",
        separator: "\n\n",
        silent: "data: {}",
        decode: decode::<OpenAiChatCodec>,
    },
    Protocol {
        folder: "openai-responses",
        separator: "\n\n",
        silent: "data: {\"type\": \"ping\"}",
        decode: decode::<OpenAiResponsesCodec>,
    },
];

pub(crate) fn trials(recordings: &Path) -> Vec<Trial> {
    PROTOCOLS
        .iter()
        .map(|protocol| {
            let folder = recordings.join(protocol.folder);
            let absent = !folder.exists();
            Trial::test(format!("{}::silent_events", protocol.folder), move || {
                check(protocol, &folder);
                Ok(())
            })
            .with_ignored_flag(absent)
        })
        .collect()
}

fn check(protocol: &Protocol, folder: &Path) {
    let mut streams = 0;
    for record in Record::read_all(folder) {
        let body = record.response.body.replace("\r\n", "\n");
        // Gemini's streams without `alt=sse` are one list.
        if record.kind == "json" || record.response.status >= 400 || body.starts_with('[') {
            continue;
        }
        streams += 1;
        let events: Vec<_> = body.trim_end().split(protocol.separator).collect();
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for mutation in 0..=MUTATIONS {
            let mut events: Vec<_> = events
                .iter()
                .map(|event| event.as_bytes().to_vec())
                .collect();
            if mutation > 0 {
                (0..CHANGES).for_each(|_| change(&mut random, &mut events));
            }
            let plain = (protocol.decode)(&joined(protocol, &events, true));
            let short = (protocol.decode)(&joined(protocol, &events, false));
            if short != plain {
                let name = &record.id;
                let stream = joined(protocol, &events, false);
                let stream = String::from_utf8_lossy(&stream);
                panic!("{name}, mutation {mutation}\n{stream}\n{short:#?}\n{plain:#?}");
            }
        }
    }
    assert!(streams > 0, "there are streams among the recordings");
}

fn joined(protocol: &Protocol, events: &[Vec<u8>], apart: bool) -> Vec<u8> {
    let silent = format!("{}{}", protocol.silent, protocol.separator);
    let mut body = Vec::new();
    for (number, event) in events.iter().enumerate() {
        if apart && number > 0 {
            body.extend_from_slice(silent.as_bytes());
        }
        body.extend_from_slice(event);
        body.extend_from_slice(protocol.separator.as_bytes());
    }
    body
}

/// Lets an event come again, nearly as it was, or removes or moves one.
fn change(random: &mut Random, events: &mut Vec<Vec<u8>>) {
    let place = random.below(events.len());
    match random.below(6) {
        0 if events.len() > 2 => {
            events.remove(place);
        }
        1 => {
            let other = random.below(events.len());
            events.swap(place, other);
        }
        _ => {
            for _ in 0..=random.below(3) {
                let mut again = events[place].clone();
                (0..random.below(3)).for_each(|_| edit(random, &mut again));
                events.insert(place + 1, again);
            }
        }
    }
}

/// Changes, removes or adds a byte. What a line is stays as it is.
fn edit(random: &mut Random, event: &mut Vec<u8>) {
    const BYTES: &[u8] = b"\"\\{}[]:,0189a.-eun \x01\xff";
    let data = event.iter().rposition(|byte| *byte == b'\n');
    let data = data.map_or(0, |end| end + 1);
    // Past `data:`, where there is one.
    let from = data
        + if event[data..].starts_with(b"data:") {
            6
        } else {
            0
        };
    if from >= event.len() {
        return;
    }
    let place = from + random.below(event.len() - from);
    let byte = BYTES[random.below(BYTES.len())];
    match random.below(3) {
        0 => event[place] = byte,
        1 => event.insert(place, byte),
        _ => {
            event.remove(place);
        }
    }
}
