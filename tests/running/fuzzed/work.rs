//! Memory in proportion to what came: eight times the bytes take about eight times the allocations, and
//! not sixty-four times, of which none is counted twice for having been copied.
//!
//! Time is not counted here, since it is another on every machine: `benches/proportion.rs` does.

use allocation_counter::{AllocationInfo, measure};

use super::{bodies, codecs, growing};

/// How many bytes the short text has; the long one has eight times as many.
const SHORT: usize = 1 << 12;
/// What eight times the bytes may take at most, as times of what they take once. It is more than eight
/// for lists, which grow in steps.
const MOST: u64 = 16;
/// What anything may take.
const ROOM: u64 = 1 << 16;

/// What is counted.
type Count = fn(&AllocationInfo) -> u64;

fn check(name: &str, mut work: impl FnMut(usize)) {
    // What is made once, such as a rendering of tools, is none of it.
    work(SHORT);
    let short = measure(|| work(SHORT));
    let long = measure(|| work(8 * SHORT));
    let counts: [(&str, Count); 3] = [
        ("allocations", |info| info.count_total),
        ("bytes in all", |info| info.bytes_total),
        ("bytes at once", |info| info.bytes_max),
    ];
    for (what, count) in counts {
        let (short, long) = (count(&short), count(&long));
        assert!(
            long <= MOST * short + ROOM,
            "{name}: {short} {what}, then {long}"
        );
    }
}

#[test]
fn texts_of_models() {
    type Body = fn(&str);
    let bodies: [(Body, &str); 3] = [
        (bodies::repair, ""),
        (bodies::arguments, ""),
        (bodies::coercion, growing::UNION),
    ];
    for shape in growing::TEXTS {
        for (body, schema) in bodies {
            check(&format!("{shape:?}"), |bytes| {
                body(&format!("{schema}{}", growing::grown(shape, bytes)));
            });
        }
    }
}

#[test]
fn streams_of_any_codec() {
    for (name, event) in growing::streams() {
        let codec = codecs::codec(name);
        check(&format!("{name}: {}", event(1)), |bytes| {
            let stream = growing::numbered("", event, "", bytes);
            codecs::check(codec, 3, stream.as_bytes());
        });
    }
}

#[test]
fn answers_of_any_codec() {
    for codec in &codecs::CODECS {
        for shape in growing::ANSWERS {
            check(&format!("{}: {shape:?}", codec.name), |bytes| {
                codecs::check(codec, 3, growing::grown(shape, bytes).as_bytes());
            });
        }
        check(&format!("{}: unknown fields", codec.name), |bytes| {
            let field = |n| format!(",\"b{n}\":[{n}]");
            let answer = growing::numbered("{\"a\":1", field, "}", bytes);
            codecs::check(codec, 3, answer.as_bytes());
        });
    }
}

#[test]
fn long_conversations() {
    use toolwright::{Conversation, ModelResponse, ToolCall, ToolResult};
    let ids: [fn(usize) -> String; 4] = [
        |_| String::new(),
        |_| "a".to_owned(),
        |n| format!("call{:05}", n + 1),
        |n| format!("call{:05}", (n % 50) * 10_007),
    ];
    for id in ids {
        check(&format!("calls by ids such as {}", id(3)), |bytes| {
            let mut conversation = Conversation::new();
            conversation.push_user("Go on.");
            for n in 0..bytes / 128 {
                let calls = [
                    ToolCall::new(id(2 * n), "a", "{}"),
                    ToolCall::new(id(2 * n + 1), "a", "{}"),
                ];
                let results = calls
                    .clone()
                    .map(|call| ToolResult::success(call.id, "done"));
                conversation.push_response(ModelResponse::from_calls(calls));
                conversation
                    .push_results(results)
                    .expect("one for each call");
            }
            codecs::check_request(&conversation.request());
        });
    }
}
