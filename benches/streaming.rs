//! Long streams of two protocols in four forms, from bytes to the message, read in pieces of several sizes.
//!
//! `cargo bench -p toolwright-benches --bench streaming`; `-- read=64` is one of the sizes, `form=1` one of the forms
//! (1 to 4), and `protocol=1` one of the protocols (1, 2).

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[rustfmt::skip]
#[path = "measure/sse.rs"]
#[allow(dead_code, clippy::all)]
mod sse;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::hint::black_box;

use sse::{Form, Json, Msg};
use toolwright::{
    ModelResponse,
    model::{Assembler, ModelEvent},
    provider::{AnthropicCodec, Codec, DecodeStream, OpenAiChatCodec},
    tool::ToolDefinitions,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// How many deltas a stream has, and of how many calls.
const CHUNKS: usize = 10_000;
const CALLS: usize = 4;

/// How many bytes a read gives.
const READS: [usize; 4] = [1, 64, 1_500, 64 * 1024];

/// One protocol: by hand, and ours.
struct Protocol {
    name: &'static str,
    stream: fn(usize, usize, Form) -> (Vec<u8>, Msg),
    floor: fn(&mut sse::Assembler, &[u8], Json),
    decode: fn(&[u8], usize) -> ModelResponse,
}

const PROTOCOLS: [Protocol; 2] = [
    Protocol {
        name: "OpenAI",
        stream: sse::openai_form,
        floor: sse::Assembler::openai,
        decode: decode::<OpenAiChatCodec>,
    },
    Protocol {
        name: "Anthropic",
        stream: sse::anthropic_form,
        floor: sse::Assembler::anthropic,
        decode: decode::<AnthropicCodec>,
    },
];

fn decode<C: Codec + Default>(stream: &[u8], read: usize) -> ModelResponse {
    let mut decoder = C::default().stream_decoder(&ToolDefinitions::default());
    let mut assembler = Assembler::new();
    let mut events: Vec<ModelEvent> = Vec::new();
    for bytes in stream.chunks(read) {
        decoder.feed(bytes, &mut events).expect("is a stream");
        for event in events.drain(..) {
            assembler.push(event);
        }
    }
    decoder.finish(&mut events).expect("is whole");
    for event in events {
        assembler.push(event);
    }
    assembler.finish()
}

fn by_hand(protocol: &Protocol, stream: &[u8], read: usize) -> sse::Assembler {
    let mut lines = sse::Lines::default();
    let mut assembler = sse::Assembler::default();
    for bytes in stream.chunks(read) {
        lines.push(bytes, &mut |data| {
            (protocol.floor)(&mut assembler, data, Json::Serde);
        });
    }
    assembler
}

/// Both sides must agree on the message. Returns the number of events.
fn check(protocol: &Protocol, stream: &[u8], message: &Msg, read: usize) -> usize {
    let floor = by_hand(protocol, stream, read);
    assert_eq!(floor.msg, *message);
    let ours = (protocol.decode)(stream, read);
    assert_eq!(ours.text, message.text);
    assert_eq!(ours.tool_calls.len(), message.calls.len());
    for (call, expected) in ours.tool_calls.iter().zip(&message.calls) {
        assert_eq!((&call.id, &call.name), (&expected.id, &expected.name));
        assert_eq!(call.arguments, expected.args);
    }
    floor.seen
}

/// The numbers up to `last` that an argument asks for: the one it names, or all.
fn chosen(name: &str, last: usize) -> impl Iterator<Item = usize> + use<> {
    let only = harness::arg(name, 0);
    (0..last).filter(move |number| [number + 1, 0].contains(&only))
}

fn main() {
    let rounds = harness::arg("rounds", 31);
    let only_read = harness::arg("read", 0);
    let runtime = harness::current_thread();
    for (protocol, form) in chosen("protocol", 2).flat_map(|protocol| {
        chosen("form", 4).map(move |form| (&PROTOCOLS[protocol], Form::ALL[form]))
    }) {
        let (stream, message) = (protocol.stream)(CHUNKS, CALLS, form);
        let (stream, message) = (&stream, &message);
        for read in READS
            .into_iter()
            .filter(|read| [*read, 0].contains(&only_read))
        {
            let events = check(protocol, stream, message, read);
            let contestants = [
                harness::c("by hand", |n| async move {
                    for _ in 0..n {
                        black_box(by_hand(protocol, stream, read).msg.calls.len());
                    }
                }),
                harness::c("`StreamDecoder`", |n| async move {
                    for _ in 0..n {
                        black_box((protocol.decode)(stream, read));
                    }
                }),
            ];
            let rows = harness::race(&runtime, &contestants, rounds, 1, 1);
            let (name, form) = (protocol.name, form.name());
            let title = format!("{name}, {form}, {events} events, reads of {read}, for each event");
            #[allow(clippy::cast_precision_loss)]
            harness::print("streaming", &title, &rows, events as f64);
        }
        let arguments = message.calls.iter().map(|call| call.args.len());
        let text = message.text.len() + arguments.sum::<usize>();
        let reply = (protocol.decode)(stream, READS[3]);
        let held = alloc::count(|| drop(black_box(reply.clone()))).peak;
        println!(
            "bytes of the stream: {}, of the message: {text}, of the reply: {held}",
            stream.len()
        );
    }
}
