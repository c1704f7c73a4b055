//! Texts that are made to be slow, to be long, or to look like calls.

use std::time::{Duration, Instant};

use toolwright_json::char_boundary::floor;

use super::{in_pieces, parser};
use crate::{RefusalReason, TextCalls};

const MIB: usize = 1024 * 1024;

/// Reads a text whole and in pieces of 4 KiB, and checks that it takes no more than linear time.
#[track_caller]
fn read(text: &str) -> TextCalls {
    let parser = parser();
    let start = Instant::now();
    let whole = parser.parse(text);
    let took = start.elapsed();
    let mut rest = text;
    let pieces = std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(floor(rest, 4096));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    });
    let start = Instant::now();
    assert_eq!(in_pieces(&parser, pieces), whole);
    let cut = start.elapsed();
    // A build without optimisation reads 10 MiB in seconds. In quadratic time it would be hours.
    let most =
        Duration::from_secs(4) + Duration::from_micros(4) * u32::try_from(text.len()).unwrap();
    assert!(
        took < most && cut < most,
        "{took:?} and {cut:?} for {} bytes",
        text.len()
    );
    whole
}

#[track_caller]
fn reason(calls: &TextCalls) -> &RefusalReason {
    assert_eq!(
        (calls.calls.len(), calls.refused.len()),
        (0, 1),
        "{:?}",
        calls.calls
    );
    &calls.refused[0].reason
}

#[test]
fn endless_text_flows_and_is_not_kept() {
    let parser = parser();
    let mut stream = parser.stream();
    let piece = "Words, {braces}, [links](x) and <b>tags</b>.\n".repeat(100);
    for _ in 0..2_000 {
        let told: usize = stream.push(&piece).iter().map(super::len).sum();
        assert!(told + 64 > piece.len());
        assert!(stream.held() < 64, "{}", stream.held());
    }
    let spaces = " ".repeat(4096);
    for _ in 0..2_000 {
        stream.push(&spaces);
        assert!(stream.held() < 64);
    }
    assert_eq!(stream.finish().calls, []);
}

#[test]
fn a_bracket_in_a_sentence_holds_a_word_and_no_more() {
    for open in [
        "Set {note: ",
        "Set {",
        "Set [",
        "See [f(x=",
        "Set {\"a\": b, c: ",
    ] {
        let mut stream = parser().stream();
        stream.push(open);
        for _ in 0..100 {
            stream.push("words, and words. ");
            assert!(stream.held() < 64, "{open} {}", stream.held());
        }
    }
}

#[test]
fn a_marker_that_never_closes_is_refused_and_bounded() {
    let text = format!("<tool_call>{}", "no call ".repeat(MIB));
    for text in [text.trim(), "<tool_call>no call"] {
        assert!(
            read(text).text == text,
            "a marker that no call follows is text"
        );
    }
    for open in [
        "<tool_call>{\"name\": \"ping\", \"arguments\": {\"a\": \"",
        "[TOOL_CALLS]ping[ARGS]{\"a\": \"",
        "<tool_call>\n<function=ping>\n<parameter=a>",
        "<tool_call>ping\n<arg_key>a</arg_key><arg_value>",
        "<|tool_call_start|>[ping(a='",
        "JSON_BEGIN {\"a\": \"",
        "<|tool_call>call:ping{a:<|\"|>",
        "<|channel|>commentary to=functions.ping<|message|>{\"a\": \"",
    ] {
        let parser = parser();
        let mut stream = parser.stream();
        stream.push(open);
        for _ in 0..3_000 {
            assert_eq!(stream.push(&"x".repeat(4096)), [], "{open}");
            assert!(stream.held() < 6 * MIB, "{open}");
        }
        let end = stream.finish();
        assert_eq!((end.calls.len(), end.pieces.len()), (0, 0), "{open}");
        assert_eq!(end.refused[0].reason, RefusalReason::TooLong, "{open}");
        let cut = parser.parse(open);
        assert_eq!(cut.text, "", "{open}");
        assert_eq!(*reason(&cut), RefusalReason::CutOff, "{open}");
    }
}

#[test]
fn an_opening_marker_that_is_repeated_is_held_up_to_the_limit() {
    let parser = parser().with_max_bytes(4096);
    for open in ["<tool_call>", "<tool_call>\n", "<|tool_call_start|>"] {
        let (mut stream, mut told, mut most) = (parser.stream(), 0, 0);
        let pieces = 40_000 / open.len();
        for _ in 0..pieces {
            told += stream.push(open).iter().map(super::len).sum::<usize>();
            most = most.max(stream.held());
        }
        assert!(most < 3 * 4096, "{open} {most}");
        assert!(most > 2048, "{open} is held: {most}");
        let end = stream.finish();
        assert_eq!(end.calls, []);
        told += end.pieces.iter().map(super::len).sum::<usize>();
        // What is left at the end may be a call that is cut off.
        assert!(told + 2 * 4096 > pieces * open.len(), "{open} {told}");
    }
}

/// What has no marker is given back, however long it is, and nothing in it is a call.
#[test]
fn what_never_closes_and_has_no_marker_is_text() {
    for open in [
        "{\"tools\": [{\"tool\": \"ping\", \"arguments\": {\"a\": \"",
        "```json\n{\"tool\": \"ping\", \"arguments\": {\"a\": \"",
        "[ping(a='",
    ] {
        let text = format!("{open}{}", "\n[ping()]\nx".repeat(MIB / 2));
        let whole = read(&text);
        assert_eq!(whole.calls, [], "{open}");
        assert!(whole.text == text, "{open}");
    }
}

#[test]
fn a_call_of_ten_mebibytes_is_refused_and_what_follows_is_read() {
    let content = "a \\\"quoted\\\" line\\n".repeat(10 * MIB / 18);
    for (before, after) in [
        (
            "<tool_call>{\"name\": \"write_file\", \"arguments\": {\"content\": \"",
            "\"}}</tool_call>",
        ),
        ("[TOOL_CALLS]write_file[ARGS]{\"content\": \"", "\"}"),
        (
            "{\"name\": \"write_file\", \"arguments\": {\"content\": \"",
            "\"}}",
        ),
        (
            "<tool_call>\n<function=write_file>\n<parameter=content>",
            "</parameter>\n</function>\n</tool_call>",
        ),
        (
            "<tool_call>write_file\n<arg_key>content</arg_key><arg_value>",
            "</arg_value></tool_call>",
        ),
        (
            "<|tool_call_start|>[write_file(content=\"",
            "\")]<|tool_call_end|>",
        ),
    ] {
        let next = "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>";
        let calls = read(&format!("{before}{content}{after}\nAnd then.\n{next}"));
        let names: Vec<_> = calls.calls.iter().map(|call| &call.name).collect();
        assert_eq!(names, ["ping"], "{before}");
        if before.starts_with('{') {
            let text = format!("{before}{content}{after}\nAnd then.");
            assert!(calls.text == text, "{before}");
        } else {
            assert_eq!(calls.text, "And then.", "{before}");
            assert_eq!(calls.refused[0].reason, RefusalReason::TooLong, "{before}");
        }
    }
}

#[test]
fn ten_thousand_calls_are_read_in_linear_time() {
    for call in [
        "<tool_call>{\"name\": \"ping\", \"arguments\": {}}</tool_call>\n",
        "{\"name\": \"ping\", \"arguments\": {}}\n",
        "[TOOL_CALLS]ping[ARGS]{}",
        "<tool_call>\n<function=ping>\n</function>\n</tool_call>",
        "<|tool_call_start|>[ping()]<|tool_call_end|>",
    ] {
        let calls = read(&call.repeat(10_000));
        assert_eq!(
            (calls.calls.len(), calls.refused.len()),
            (10_000, 0),
            "{call}"
        );
        assert_eq!(calls.text, "", "{call}");
    }
    let list = format!(
        "JSON_BEGIN [{}{{}}]",
        "{\"tool\": \"ping\"},".repeat(10_000)
    );
    assert_eq!(read(&list).calls.len(), 10_000);
    let broken = read(&"<tool_call>no</tool_call>".repeat(10_000));
    assert_eq!((broken.calls.len(), broken.refused.len()), (0, 1_000));
}

#[test]
fn nested_and_repeated_openings_end_quickly() {
    for open in [
        "<tool_call>",
        "JSON_BEGIN ",
        "{",
        "[",
        "{\"a\":",
        "[{\"a\":",
        "```json\n",
        "<think>",
        "<|channel|>",
        "`",
        "<function=ping>",
        "<｜tool▁calls▁begin｜>",
        "[TOOL_CALLS]",
        "Action: ping\n",
        "{\"",
        "[ping(",
        "<|tool_call>call:",
        "<tool_call>ping\n<arg_key>",
        "\"",
        "<response>",
        "</think>",
        "<",
        "functools[",
        "```json\n{\"a\":",
        "'''",
        "{'",
        "{/*",
        "ping(",
        "` <tool_call>",
        "``x` ",
        "` {",
        "search(query='",
        "print(",
        "to=functions.",
        "<tool_response>\n",
        "Action: search\nAction Input: x",
    ] {
        let calls = read(&open.repeat(200_000 / open.len()));
        assert_eq!(calls.calls, [], "{open}");
    }
}

#[test]
fn single_characters_without_end_take_linear_time() {
    for text in [
        "`", ">", " ", "<", "{", "[", "\n", "_", "\u{ff5c}", "A", "```", "``` ", "> `",
    ] {
        let (mut stream, start) = (parser().stream(), Instant::now());
        let text = format!("ping\n{}", text.repeat(100_000));
        for at in 0..text.len() {
            stream.push(text.get(at..=at).unwrap_or("x"));
        }
        assert_eq!(stream.finish().calls, []);
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            &text[..3]
        );
    }
}

/// A limit under which not even the first character of a text fits.
#[test]
fn no_limit_is_too_small() {
    for limit in 0..8 {
        let parser = parser().with_max_bytes(limit);
        for text in [
            "{\"name\": \"ping\"}",
            "[{\"städte\": 1}] and é",
            "{\"é\": 1}",
            "[ping()]",
            "<tool_call>{\"name\": \"ping\"}</tool_call>",
        ] {
            let read = parser.parse(text);
            assert_eq!(read.calls, [], "{limit} {text}");
            let pieces = text.split_inclusive(|_: char| true);
            assert_eq!(in_pieces(&parser, pieces), read, "{limit} {text}");
        }
    }
}
