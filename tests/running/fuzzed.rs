//! The bodies of the fuzz targets, over texts that are made and damaged at random.

pub(crate) mod answers;
#[path = "../../fuzz/src/bodies.rs"]
mod bodies;
#[path = "../../fuzz/src/codecs.rs"]
mod codecs;
#[path = "../../fuzz/src/conversations.rs"]
mod conversations;
#[path = "../../fuzz/src/framing.rs"]
mod framing;
#[path = "../../fuzz/src/growing.rs"]
mod growing;
#[path = "../../fuzz/src/lists.rs"]
mod lists;
#[path = "../../fuzz/src/requests.rs"]
pub(crate) mod requests;
#[path = "../../fuzz/src/tool_text.rs"]
mod tool_text;
mod work;

use crate::mutation::{Random, damage};

/// How many texts each body is given.
const ROUNDS: usize = 20_000;

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "’",
    "\\",
    "\\u",
    "d83e",
    "\\n",
    "/*",
    "*/",
    "//",
    "#",
    " ",
    "\n",
    "\u{a0}",
    "\0",
    "```",
    "```json\n",
    "1",
    "-",
    ".",
    "e9",
    "0x",
    "1e999",
    "true",
    "None",
    "NaN",
    "a",
    "é",
    "\u{1f980}",
    "key",
    "\"a\":",
    "'b': ",
    "c: ",
    "{}",
    "[1,",
    "\"x\"",
    ";",
    "shape",
    "\"Circle\"",
    "radius",
    "names",
    "times",
    "\"type\":\"integer\"",
    "\"$ref\":\"#\"",
    "\"anyOf\":[",
    "\"properties\":{",
    "\"items\":{",
    "\"enum\":[1,\"2\"]",
    "\"required\":[\"a\"]",
];

const SEEDS: &[&str] = &[
    r#"{"shape":{"Circle":{"radius":1.5}},"names":{"a":["b","c"]},"times":3}"#,
    "```json\n{'a': [True, None, .5], // b\n c: \"d\ne\",}\n```",
    "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"array\",\
     \"items\":{\"$ref\":\"#\"}}]},\"b\":{\"type\":[\"boolean\",\"null\"]}}}\n{\"a\":\"1\",\"b\":\"true\"}",
    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}\n\
     {\"a\":1,\"b\":\"[1]\",\"c\":\"{'a'\"}",
];

/// A text of pieces, or a seed in which pieces stand instead of some of its characters.
fn text(random: &mut Random) -> String {
    let piece = |random: &mut Random| PIECES[random.below(PIECES.len())];
    if random.below(3) == 0 {
        return (0..random.below(24)).map(|_| piece(random)).collect();
    }
    let mut text: Vec<String> = SEEDS[random.below(SEEDS.len())]
        .chars()
        .map(String::from)
        .collect();
    for _ in 0..=random.below(3) {
        let at = random.below(text.len());
        let end = (at + random.below(4)).min(text.len());
        text.splice(at..end, [piece(random).to_owned()]);
    }
    if random.below(4) == 0 {
        text.truncate(random.below(text.len()));
    }
    text.concat()
}

/// What is done with a text.
type Body = fn(&str);

fn check(body: Body, rounds: usize) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for seed in SEEDS {
        body(seed);
    }
    for _ in 0..rounds {
        body(&text(&mut random));
    }
}

#[test]
fn arguments_of_any_text() {
    check(bodies::arguments, ROUNDS / 4);
}

#[test]
fn repair_of_any_text() {
    check(bodies::repair, ROUNDS);
}

#[test]
fn coercion_of_any_text_by_any_schema() {
    check(bodies::coercion, ROUNDS);
}

#[test]
fn loading_of_any_schema() {
    check(bodies::schema, ROUNDS);
}

#[test]
fn calls_in_any_text() {
    const TEXTS: &[&str] = &[
        "<think>x</think>A.\n<tool_call>\n{\"name\": \"ping\", \"arguments\": {}}\n</tool_call>",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>get_weather\n<arg_key>days</arg_key>\n<arg_value>3</arg_value></tool_call>B.",
        "[TOOL_CALLS]get_weather[CALL_ID]1[ARGS]{\"city\": \"Oslo\"}[TOOL_CALLS]ping[ARGS]{}",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>commentary to=functions.ping<|message|>{}<|call|>",
        "A [get_weather(city='Oslo', days=3), ping()] B <|tool_call_start|>[ping()]<|tool_call_end|>",
        "<|tool_call>call:get_weather{city:<|\"|>Oslo<|\"|>,days:3}<tool_call|>",
        "JSON_BEGIN\n{\"tools\": [{\"tool\": \"ping\", \"arguments\": null}]}\nJSON_END",
        "A `x` B\n```json\n{\"name\": \"ping\", \"arguments\": {}}\n```\n```rust\nfn f() {}\n```\n",
        "Action: ping\nAction Input: {}\nObservation: pong",
        "get_weather(city='Oslo', days=3);\nprint(ping())<|eot_id|><|start_header_id|>user<|end_header_id|>",
        "ping\n{}\n>>>get_weather\n{\"city\": \"Oslo\"}\n>>>all\nA",
        "to=functions.ping<|channel|>commentary json<|message|>{}<|call|>",
        "A <think>\nx</think>B\n<tool_response>\n{\"name\": \"ping\"}\n</tool_response>\nC",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for text in TEXTS {
        tool_text::any(text);
        for _ in 0..ROUNDS / 10 {
            let mut bytes = text.as_bytes().to_vec();
            damage(&mut bytes, &mut random);
            tool_text::any(&String::from_utf8_lossy(&bytes));
        }
    }
    check(tool_text::any, ROUNDS);
}

/// What the codecs are given: answers, whole and damaged.
fn check_answers(name: &str, own: &[&str]) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for answer in own.iter().chain(answers::ANY) {
        let answer = answer.as_bytes();
        for _ in 0..ROUNDS / 20 {
            let mut body = answer.to_vec();
            damage(&mut body, &mut random);
            codecs::check(codecs::codec(name), choice(&mut random), &body);
        }
        for choice in 0..30 {
            codecs::check(codecs::codec(name), choice, answer);
        }
    }
}

fn choice(random: &mut Random) -> u16 {
    u16::try_from(random.below(1 << 16)).expect("is below")
}

#[test]
fn any_answer_of_chat_completions() {
    check_answers("openai_chat", answers::CHAT);
}

#[test]
fn any_answer_of_responses() {
    check_answers("openai_responses", answers::RESPONSES);
}

#[test]
fn any_answer_of_anthropic() {
    check_answers("anthropic", answers::ANTHROPIC);
}

#[test]
fn any_answer_of_gemini() {
    check_answers("gemini", answers::GEMINI);
}

#[test]
fn any_answer_of_ollama() {
    check_answers("ollama", answers::OLLAMA);
}

#[test]
fn any_stream() {
    const PIECES: &[&[u8]] = &[
        b"data:",
        b"data: ",
        b"event:",
        b"event: a",
        b"id: 1",
        b":",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\xEF\xBB\xBF",
        b"\xFF",
        b"x",
        b"xxxxxxxxxxxxxxxxxxxxxxx",
        b"data",
        b"retry: 3",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..ROUNDS {
        let pieces = (0..random.below(24)).map(|_| PIECES[random.below(PIECES.len())]);
        let stream = pieces.collect::<Vec<_>>().concat();
        framing::check(choice(&mut random), &stream);
    }
}

#[test]
fn any_list_of_messages() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for list in answers::LISTS {
        lists::check(list.as_bytes());
        for _ in 0..ROUNDS / 40 {
            let mut bytes = list.as_bytes().to_vec();
            damage(&mut bytes, &mut random);
            lists::check(&bytes);
        }
    }
}

#[test]
fn any_conversation() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..ROUNDS / 20 {
        let length = random.below(120);
        let choices = (0..length).map(|_| random.below(256).to_le_bytes()[0]);
        conversations::check(&choices.collect::<Vec<_>>());
    }
}
