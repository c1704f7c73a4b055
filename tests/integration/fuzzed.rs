//! The bodies of the fuzz targets, over texts that are made and damaged at random.

use std::time::{Duration, Instant};

use crate::mutation::Random;

#[path = "../../fuzz/src/bodies.rs"]
mod bodies;

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

/// Eight times the text takes about eight times the time, and not sixty-four times.
#[test]
fn time_is_in_proportion_to_the_text() {
    let union = "{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"anyOf\":[{\"type\":\"object\"},\
        {\"items\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\",\"maxLength\":1}]}}]}\n";
    let bodies: [(Body, &str); 3] = [
        (bodies::repair, ""),
        (bodies::arguments, ""),
        (bodies::coercion, union),
    ];
    for (start, piece, end) in [
        ("", "[", ""),
        ("", "{\"a\":", ""),
        ("[", "1\n", "]"),
        ("[", "\"12\",", "]"),
        ("[", "{}{}", "]"),
        ("[", "{\"a\":[\"1\"]},", "]"),
        ("{", "a:'b',", "}"),
        ("{", "\"a\":1,", "}"),
        ("{", "\"names\":{},", "}"),
        ("{'a': '", "\" ", "'}"),
        ("{\"a\": \"", "\\", "\"}"),
        ("{\"a\": \"", "[\\\"", "\"}"),
        ("", "/**/", "{}"),
        ("", "/*", "{}"),
        ("", "# \n", "{}"),
        ("", "`", "{}"),
        ("{}", "}", ""),
        ("{}", " ", "`"),
        ("{\"a\": {}", " ", ""),
        ("{", "“", "}"),
        ("{\"a\": ", "9", "}"),
    ] {
        for (body, schema) in bodies {
            let time = |bytes: usize| {
                let text = format!("{schema}{start}{}{end}", piece.repeat(bytes / piece.len()));
                let once = |_| {
                    let start = Instant::now();
                    body(&text);
                    start.elapsed()
                };
                (0..3).map(once).min().expect("was run")
            };
            let (short, long) = (time(1 << 15), time(1 << 18));
            let most = short * 32 + Duration::from_millis(100);
            assert!(long < most, "{start}{piece}…: {short:?}, then {long:?}");
        }
    }
}
