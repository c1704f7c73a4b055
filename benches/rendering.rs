//! What the tools of all corpora cost to write in each profile, beside reading the same schemas with
//! `serde_json`; what a set allocates when it is asked for again; what fingerprints cost.
//!
//! `cargo bench -p toolwright-benches --bench rendering`
//!
//! It reads `../shared/corpora` and says so where there is none.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(dead_code, clippy::all)]
mod alloc;

use std::{collections::BTreeMap, fs, hint::black_box, path::Path, time::Instant};

use serde_json::{Value, value::RawValue};
use toolwright::{
    ToolDefinition, ToolError, Toolset,
    dynamic::DynamicTool,
    profile::Profile,
    provider::{Codec, OpenAiChatCodec},
    schema::Schema,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

const ROUNDS: usize = 15;

fn main() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let read = |name: &str| fs::read_to_string(corpora.join(name)).unwrap_or_default();
    let mut tools: Vec<_> = read("mcp-schemas-dev.jsonl").lines().map(server).collect();
    tools.extend(read("bfcl-dev.jsonl").lines().flat_map(benchmark));
    if tools.is_empty() {
        println!("There are no corpora in {}.", corpora.display());
        return;
    }
    let bytes = |tool: &ToolDefinition| tool.input_schema.as_str().len();
    let all: usize = tools.iter().map(bytes).sum();
    println!("{} tools, {all} bytes of schemas.\n", tools.len());

    println!("| | ms | ratio | allocations for a tool | refused |");
    println!("| --- | --: | --: | --: | --: |");
    let parse = || {
        for tool in &tools {
            let value: Value = serde_json::from_str(tool.input_schema.as_str()).expect("is JSON");
            black_box(value);
        }
    };
    let row = |name: &str, work: &dyn Fn(), refused: usize| {
        let (ms, ratio) = race(&parse, work);
        let each = alloc::count(work).calls as f64 / tools.len() as f64;
        println!("| {name} | {ms:.2} | {ratio:.2} | {each:.0} | {refused} |");
    };
    row("`serde_json::from_str::<Value>`", &parse, 0);
    for profile in profiles() {
        let refused = tools.iter().filter(|tool| profile.render(tool).is_err());
        let refused = refused.count();
        let work = || {
            for tool in &tools {
                let _ = black_box(profile.render(tool));
            }
        };
        row(&profile.name, &work, refused);
    }
    let work = || {
        for tool in &tools {
            black_box(tool.fingerprint());
        }
    };
    row("`ToolDefinition::fingerprint`", &work, 0);

    let set = set(&tools);
    println!("\n| | allocations | bytes |\n| --- | --: | --: |");
    for profile in [Profile::openai(), Profile::openai_strict()] {
        for time in ["first", "later"] {
            let dialect = OpenAiChatCodec::new().with_profile(profile.clone());
            let counted = alloc::count(|| {
                black_box(dialect.tools(&set));
            });
            let (name, tools) = (&profile.name, set.len());
            println!(
                "| a set of {tools} in `{name}`, {time} | {} | {} |",
                counted.calls, counted.bytes
            );
        }
    }
}

/// The median time of the second in milliseconds, and the median of its ratios to the first.
fn race(first: &dyn Fn(), second: &dyn Fn()) -> (f64, f64) {
    let time = |work: &dyn Fn()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    let rounds = (0..ROUNDS).map(|_| (time(first), time(second)));
    let (mut times, mut ratios): (Vec<_>, Vec<_>) = rounds
        .map(|(first, second)| (second, second / first))
        .unzip();
    for all in [&mut times, &mut ratios] {
        all.sort_by(f64::total_cmp);
    }
    (times[ROUNDS / 2], ratios[ROUNDS / 2])
}

fn profiles() -> [Profile; 12] {
    [
        Profile::openai(),
        Profile::openai_strict(),
        Profile::anthropic(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::mistral(),
        Profile::groq(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ]
}

/// Those that can be in one set: names that come twice are left out.
fn set(tools: &[ToolDefinition]) -> Toolset {
    tools.iter().fold(Toolset::new(), |set, tool| {
        let tool = DynamicTool::foreign(tool.clone(), async |_, _| Ok::<_, ToolError>(()));
        match tool.map(|tool| set.clone().with(tool)) {
            Ok(Ok(more)) => more,
            _ => set,
        }
    })
}

/// The tool of a server.
fn server(line: &str) -> ToolDefinition {
    let record: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).expect("is an object");
    let text =
        |key: &str| -> String { serde_json::from_str(record[key].get()).unwrap_or_default() };
    let schema = Schema::from_text(record["input_schema"].get()).expect("is JSON");
    ToolDefinition::new(text("name"), text("description"), schema)
}

/// The tools of a task of the benchmark.
fn benchmark(line: &str) -> Vec<ToolDefinition> {
    let record: Value = serde_json::from_str(line).expect("is an object");
    let tools = record["tools"].as_array().expect("is a list").iter();
    let tool = |tool: &Value| {
        let text = |key: &str| tool[key].as_str().unwrap_or_default().to_owned();
        let schema = Schema::from_value(&tool["parameters"]);
        ToolDefinition::new(text("name").replace('.', "_"), text("description"), schema)
    };
    tools.map(tool).collect()
}
