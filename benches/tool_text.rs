//! What it costs to look for calls in text, beside a plain `str::find` over the same text.
//!
//! `cargo bench -p toolwright-benches --bench tool_text`

use std::{env, hint::black_box, time::Instant};

use toolwright::{ToolDefinition, emulation::ToolText, schema::Schema, tool::ToolDefinitions};

/// The size of each text.
const BYTES: usize = 1024 * 1024;

const PROSE: &str = "The weather in Oslo is mild for the season, and it will stay so until the weekend. Rain is \
    likely on Saturday (about 4 mm), so take a coat; on Sunday the sun comes back. “Dress in layers,” as they say.\n\n";
const MARKDOWN: &str = "## Steps\n\n1. **Open** the `settings` page, and read [the guide](https://example.com/a).\n\
    2. Choose a name, such as `my_tool`, and press *Save*.\n\n```rust\nfn main() {\n    let all = vec![1, 2, 3];\n    \
    println!(\"{}\", all.len());\n}\n```\n\nThat is all: see {this} and [that].\n\n";
const HTML: &str = "<div class=\"card\"><h2>Oslo</h2><p>It is <b>mild</b>, 12 °C.</p><ul><li>rain</li></ul></div>\n";
const CHINESE: &str =
    "奥斯陆的天气很温和，周末之前都会这样。星期六可能下雨，所以带上外套；星期天太阳又会出来。\n";
const CALL: &str =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>\n";

fn main() {
    let rounds = env::args().find_map(|argument| argument.strip_prefix("rounds=")?.parse().ok());
    let rounds = rounds.unwrap_or(25);
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tool = ToolDefinition::new("get_weather", "The weather.", schema);
    let parser = ToolText::new(&ToolDefinitions::from(vec![tool]));

    println!(
        "| text of 1 MiB | `str::find`, ms | whole, ms | ratio | in pieces of 16 bytes, ms | ratio |"
    );
    println!("| --- | --: | --: | --: | --: | --: |");
    for (name, part) in [
        ("prose", PROSE),
        ("Markdown with code", MARKDOWN),
        ("HTML", HTML),
        ("Chinese", CHINESE),
        ("calls", CALL),
    ] {
        let text = part.repeat(BYTES / part.len());
        let pieces: Vec<&str> = pieces(&text);
        let find = || {
            black_box(black_box(text.as_str()).find("<tool_call>\u{0}"));
        };
        let whole = || {
            black_box(parser.parse(&text));
        };
        let in_pieces = || {
            let mut stream = parser.stream();
            for piece in &pieces {
                black_box(stream.push(piece));
            }
            black_box(stream.finish());
        };
        let (find, whole, in_pieces) = (
            time(rounds, &find),
            time(rounds, &whole),
            time(rounds, &in_pieces),
        );
        println!(
            "| {name} | {find:.3} | {whole:.3} | {:.1} | {in_pieces:.3} | {:.1} |",
            whole / find,
            in_pieces / find
        );
    }
}

/// A text in pieces as a model streams it.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let end = (rest.len().min(16)..=rest.len()).find(|&at| rest.is_char_boundary(at));
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// The median time in milliseconds.
fn time(rounds: usize, work: &dyn Fn()) -> f64 {
    let mut times: Vec<_> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}
