//! Long streams of two protocols, from bytes to the message, read in pieces of several sizes.
//!
//! `cargo bench -p toolwright-benches --bench streaming`; `-- read=64` is one of the sizes.

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

use sse::{Json, Msg};
use toolwright::{
    ModelResponse,
    model::{Assembler, ModelEvent},
    provider::{self, DecodeStream},
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
    stream: Vec<u8>,
    message: Msg,
    floor: fn(&mut sse::Assembler, &[u8], Json),
    decode: fn(&[u8], usize) -> ModelResponse,
}

fn decode<D: DecodeStream + Default>(stream: &[u8], read: usize) -> ModelResponse {
    let mut decoder = D::default();
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

fn by_hand(protocol: &Protocol, read: usize) -> sse::Assembler {
    let mut lines = sse::Lines::default();
    let mut assembler = sse::Assembler::default();
    for bytes in protocol.stream.chunks(read) {
        lines.push(bytes, &mut |data| {
            (protocol.floor)(&mut assembler, data, Json::Serde);
        });
    }
    assembler
}

/// Both sides must agree on the message.
fn check(protocol: &Protocol, read: usize) -> usize {
    let floor = by_hand(protocol, read);
    assert_eq!(floor.msg, protocol.message);
    let ours = (protocol.decode)(&protocol.stream, read);
    assert_eq!(ours.text, protocol.message.text);
    assert_eq!(ours.tool_calls.len(), protocol.message.calls.len());
    for (call, expected) in ours.tool_calls.iter().zip(&protocol.message.calls) {
        assert_eq!((&call.id, &call.name), (&expected.id, &expected.name));
        assert_eq!(call.arguments, expected.args);
    }
    floor.seen
}

fn main() {
    let rounds = harness::arg("rounds", 31);
    let only = harness::arg("read", 0);
    let runtime = harness::current_thread();
    let (openai, openai_message) = sse::openai(CHUNKS, CALLS);
    let (anthropic, anthropic_message) = sse::anthropic(CHUNKS, CALLS);
    let protocols = [
        Protocol {
            name: "OpenAI",
            stream: openai,
            message: openai_message,
            floor: sse::Assembler::openai,
            decode: decode::<provider::openai_chat::StreamDecoder>,
        },
        Protocol {
            name: "Anthropic",
            stream: anthropic,
            message: anthropic_message,
            floor: sse::Assembler::anthropic,
            decode: decode::<provider::anthropic::StreamDecoder>,
        },
    ];
    for protocol in &protocols {
        for read in READS.into_iter().filter(|read| [*read, 0].contains(&only)) {
            let events = check(protocol, read);
            let contestants = [
                harness::c("by hand", |n| async move {
                    for _ in 0..n {
                        black_box(by_hand(protocol, read).msg.calls.len());
                    }
                }),
                harness::c("`StreamDecoder`", |n| async move {
                    for _ in 0..n {
                        black_box((protocol.decode)(&protocol.stream, read));
                    }
                }),
            ];
            let rows = harness::race(&runtime, &contestants, rounds, 1, 1);
            let name = protocol.name;
            let title = format!("{name}, {events} events, reads of {read}, for each event");
            #[allow(clippy::cast_precision_loss)]
            harness::print("streaming", &title, &rows, events as f64);
        }
        let message = &protocol.message;
        let text = message.text.len()
            + message
                .calls
                .iter()
                .map(|call| call.args.len())
                .sum::<usize>();
        let reply = (protocol.decode)(&protocol.stream, READS[3]);
        let held = alloc::count(|| drop(black_box(reply.clone()))).peak;
        println!(
            "bytes of the stream: {}, of the message: {text}, of the reply, which says it in two ways: {held}",
            protocol.stream.len()
        );
    }
}
