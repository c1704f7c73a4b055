//! The result is the same wherever a text is cut.

use toolwright_json::char_boundary::floor;

use super::{in_pieces, parser};
use crate::{TextSource, ToolText};

/// Pieces of all formats, and of what looks like them.
const PARTS: [&str; 125] = [
    "<div class=\"card\">",
    "</div></li>",
    "<p>It is <b>8</b>",
    "<h2>",
    "[the guide](https://a_b)",
    "zZ^@8",
    "~~~~\n",
    "```rust\nlet a = [1];\n```\n",
    "The weather in Oslo is mild for the season, and it will stay so until the end of the week. ",
    "~~~\n",
    "\n~~~json\n",
    "~",
    "<tool_call  >",
    "</tool_call >",
    "<|channel|>analysis<|message|>",
    "<|im_start|>user",
    "<|im_end|>",
    "ping(",
    "to=functions.ping",
    "Action Input: Oslo",
    "Action: search\n",
    "<thinking>",
    "</thinking>",
    "<tool_response>",
    "</tool_response>",
    "<｜tool▁output▁begin｜>",
    "[e~[",
    "<xml>",
    "\r\n",
    "````",
    "``",
    ">>>>",
    "                                                              ",
    "<tool_call>",
    "</tool_call>",
    "{\"name\": \"ping\", \"arguments\": {}}",
    "\n",
    " ",
    "text",
    "```",
    "```json\n",
    "`",
    "<think>",
    "</think>",
    "<function=ping>",
    "</function>",
    "<parameter=city>",
    "</parameter>",
    "[TOOL_CALLS]",
    "ping",
    "[ARGS]",
    "{}",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "JSON_BEGIN",
    "JSON_END",
    "**",
    "{\"tools\": [",
    "]}",
    ",",
    "<｜tool▁calls▁begin｜>",
    "<|tool_call_begin|>",
    "function<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<|tool_call_argument_begin|>",
    "<|channel|>",
    "commentary to=functions.ping",
    "analysis",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "Action: ping\n",
    "Action Input: {}",
    "Observation: x\n",
    ">>>",
    "functools",
    "[ping()]",
    "get_weather(city=\"Oslo\")",
    "<|tool_call_start|>",
    "<|tool_call_end|>",
    "<arg_key>city</arg_key>",
    "<arg_value>Oslo</arg_value>",
    "call:ping{}",
    "<|tool_call>",
    "<tool_call|>",
    "<|\"|>",
    "<escape>",
    "\\",
    "\u{201c}",
    "é",
    "🦀",
    "<invoke name=\"ping\">",
    "</invoke>",
    "<function_calls>",
    "</function_calls>",
    "```tool_code\n",
    "> ",
    "//",
    "/*",
    "<response>",
    "</response>",
    ";",
    "<",
    "<|python_tag|>",
    "<|tool_calls_section_begin|>",
    "functions.ping:0",
    "<|tool_call_end|>",
    "<｜DSML｜invoke name=\"ping\">",
    "<seed:tool_call>",
    "[ping(",
    ")]",
    "city='",
    "a=1",
    "<|eot_id|>",
    "<|START_ACTION|>",
    "<|END_ACTION|>",
    "  ",
    "\n\n",
    "<TOOLCALL>",
    "print(",
];

#[test]
fn the_result_does_not_depend_on_where_a_text_is_cut() {
    check(&parser(), 20_000, 12);
}

/// Most of a long text is looked at in blocks, and little of a piece.
#[test]
fn nor_does_it_in_long_texts() {
    check(&parser(), 2_000, 60);
}

#[test]
fn nor_does_it_in_an_answer() {
    check(&parser().with_source(TextSource::Answer), 10_000, 12);
}

#[test]
fn nor_does_it_with_a_limit() {
    for limit in [20, 40, 70, 150] {
        check(&parser().with_max_bytes(limit), 10_000, 28);
    }
}

/// Reads texts of so many parts at most, whole and in pieces.
fn check(parser: &ToolText, texts: usize, parts: usize) {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or_default() % below
    };
    for _ in 0..texts {
        let text: String = (0..=random(parts))
            .map(|_| PARTS[random(PARTS.len())])
            .collect();
        let whole = parser.parse(&text);
        let single = text
            .char_indices()
            .map(|(at, char)| &text[at..at + char.len_utf8()]);
        assert_eq!(in_pieces(parser, single), whole, "{text:?}");
        let cut = floor(&text, random(text.len() + 1));
        let halves = [&text[..cut], &text[cut..]];
        assert_eq!(
            in_pieces(parser, halves.into_iter()),
            whole,
            "{text:?} at {cut}"
        );
        let mut rest = text.as_str();
        let pieces = std::iter::from_fn(|| {
            let len = (random(24) + 1..rest.len()).find(|&at| rest.is_char_boundary(at));
            let (piece, after) = rest.split_at(len.unwrap_or(rest.len()));
            rest = after;
            (!piece.is_empty()).then_some(piece)
        });
        let pieces: Vec<_> = pieces.collect();
        let read = in_pieces(parser, pieces.iter().copied());
        assert_eq!(read, whole, "{pieces:?}");
    }
}
