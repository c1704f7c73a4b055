//! What a request costs with 500 tools, all of them sent or looked up, and how often the search finds the right one.
//!
//! `cargo bench -p toolwright-benches --bench tool_search`
//!
//! It reads `../shared/corpora` and says so where there is none. The questions are those of BFCL, word for word; a model
//! writes a shorter text with less that is beside the point. Tokens are counted as four bytes each.

use std::{fs, path::Path, time::Instant};

use serde_json::Value;
use sha2::{Digest, Sha256};
use toolwright::{
    Message, ModelResponse, Runner, ToolCall, ToolDefinition, ToolError, Toolset,
    dynamic::DynamicTool,
    model::ModelRequest,
    provider::{AnthropicCodec, Codec, EncodeInput, OpenAiChatCodec},
    schema::Schema,
    testing::ScriptedModel,
};

const TOOLS: usize = 500;

/// Stands between the name of a tool and the number of one that is the same in other words, and as right.
const VARIANT: &str = "__variant_";

/// A question, and the names of the tools that answer it.
struct Question {
    text: String,
    right: Vec<String>,
}

fn main() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpora");
    let read = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(corpora.join(name)).unwrap_or_default();
        let records = text.lines().map(serde_json::from_str);
        records.collect::<Result<_, _>>().expect("is JSON")
    };
    let (servers, leaderboard) = (read("mcp-schemas-dev.jsonl"), read("bfcl-dev.jsonl"));
    if servers.is_empty() || leaderboard.is_empty() {
        println!("There are no corpora in {}.", corpora.display());
        return;
    }
    let questions: Vec<_> = leaderboard.iter().filter_map(question).collect();
    let texts = read("tooltext-dev.jsonl");
    let tools = tools(&[&servers, &leaderboard, &texts]);
    assert_eq!(tools.len(), TOOLS);

    requests(&tools);
    searches(&tools, &questions);
}

/// The tools of the servers and of the questions, then those of other records, then the same tools in other words until
/// there are enough.
fn tools(records: &[&[Value]; 3]) -> Toolset {
    let [servers, leaderboard, texts] = records;
    let of_server = servers.iter().map(|tool| definition(tool, "input_schema"));
    let listed = leaderboard.iter().chain(*texts);
    let listed = listed
        .flat_map(|record| record["tools"].as_array())
        .flatten();
    let listed: Vec<_> = listed.map(|tool| definition(tool, "parameters")).collect();
    let mut set = Toolset::new();
    for round in 1.. {
        for tool in of_server.clone().chain(listed.iter().cloned()) {
            let mut tool = tool;
            if round > 1 {
                let first = set.find(&tool.name).map(|tool| tool.definition().clone());
                if first.is_none_or(|first| first == tool) {
                    continue;
                }
                tool.name = format!("{}{VARIANT}{round}", tool.name).into();
            }
            let tool = DynamicTool::foreign(tool, async |_, _| Ok::<_, ToolError>(()));
            // Names that come twice are left out, and what is no tool.
            if let Ok(Ok(more)) = tool.map(|tool| set.clone().with(tool)) {
                set = more;
            }
            if set.len() == TOOLS {
                return set;
            }
        }
    }
    set
}

fn definition(tool: &Value, schema: &str) -> ToolDefinition {
    let text = |key: &str| tool[key].as_str().unwrap_or_default().to_owned();
    let schema = Schema::from_value(&tool[schema]);
    ToolDefinition::new(text("name").replace('.', "_"), text("description"), schema)
}

fn question(record: &Value) -> Option<Question> {
    let calls = record["ground_truth"]
        .as_array()
        .filter(|_| record["expect"] == "calls")?;
    let name = |call: &Value| call["name"].as_str().unwrap_or_default().replace('.', "_");
    let mut right: Vec<_> = calls.iter().map(name).collect();
    right.sort();
    right.dedup();
    let said = record["question"].as_array()?.iter();
    let said = said.filter(|message| message["role"] == "user");
    let text: Vec<_> = said
        .filter_map(|message| message["content"].as_str())
        .collect();
    Some(Question {
        text: text.join("\n"),
        right,
    })
}

/// The size of the first request of a run, of the one after a search, and of one with all tools.
fn requests(tools: &Toolset) {
    let call = ToolCall::new(
        "a",
        "search_tools",
        r#"{"query":"create an issue in a repository"}"#,
    );
    let sent = |tools: Toolset| -> Vec<ModelRequest> {
        let model = ScriptedModel::new([
            ModelResponse::from_calls([call.clone()]),
            ModelResponse::from_text("Done."),
        ]);
        let runner = Runner::builder(model.clone())
            .tools(tools)
            .build()
            .expect("is consistent");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let run = runner.run("Create an issue.");
        runtime
            .expect("tokio is there")
            .block_on(run)
            .expect("answers");
        model.requests()
    };
    let all = sent(tools.clone());
    let found = sent(tools.clone().deferred(|_| true));
    let native = ModelRequest::new([Message::user("Create an issue.")])
        .with_tools(tools.clone().deferred(|_| true).definitions().cloned());
    println!(
        "| a request of OpenAI Chat | tools | bytes | tokens, about |\n| --- | --: | --: | --: |"
    );
    for (name, request) in [
        ("all definitions are sent", &all[0]),
        ("none is loaded", &found[0]),
        ("after a search", &found[1]),
    ] {
        let bytes = OpenAiChatCodec::new()
            .encode(EncodeInput::new("m", request))
            .expect("can be sent")
            .len();
        println!(
            "| {name} | {} | {bytes} | {} |",
            request.tools.len(),
            bytes / 4
        );
    }
    let bytes = AnthropicCodec::new()
        .encode(EncodeInput::new("m", &native))
        .expect("can be sent")
        .len();
    println!(
        "\nWith the search of Anthropic all definitions are sent, {bytes} bytes, and read when they are found.\n"
    );
}

/// Returns true for the half of the questions by which the weights of the search were chosen. The other half was not
/// looked at.
fn is_tuned_on(question: &Question) -> bool {
    Sha256::digest(&question.text)[31] % 2 == 0
}

/// How often the right tools are among the first ones.
fn searches(tools: &Toolset, questions: &[Question]) {
    let start = Instant::now();
    tools.search("index", 1);
    let index = start.elapsed();
    println!("The index takes {index:.1?}.\n");
    for (half, is_tuned) in [
        ("the half it was tuned on", true),
        ("the other half", false),
    ] {
        let all = questions
            .iter()
            .filter(|question| is_tuned_on(question) == is_tuned);
        let is_there =
            |question: &&Question| question.right.iter().all(|name| tools.find(name).is_some());
        println!("Questions of {half}:");
        ranks(tools, &all.filter(is_there).collect::<Vec<_>>());
    }
}

fn ranks(tools: &Toolset, all: &[&Question]) {
    let pairs: usize = all.iter().map(|question| question.right.len()).sum();
    println!(
        "{} tools, {} questions, {pairs} tools to find.\n",
        tools.len(),
        all.len()
    );
    println!(
        "| found among the first | tools | questions with all of theirs |\n| --- | --: | --: |"
    );
    let start = Instant::now();
    for limit in [1, 3, 5, 10] {
        let (mut found_tools, mut found_questions) = (0, 0);
        for question in all {
            let found = tools.search(&question.text, limit);
            let is_found = |name: &&String| {
                let mut names = found.iter().map(|tool| tool.name.split(VARIANT).next());
                names.any(|found| found == Some(name.as_str()))
            };
            let count = question.right.iter().filter(is_found).count();
            found_tools += count;
            found_questions += usize::from(count == question.right.len());
            if limit == 5 && count < question.right.len() && std::env::var_os("MISSES").is_some() {
                let found: Vec<_> = found.iter().map(|tool| &*tool.name).collect();
                println!("{:?} {:?} {found:?}", question.text, question.right);
            }
        }
        let percent = |count: usize, of: usize| 100.0 * count as f64 / of as f64;
        let tools = percent(found_tools, pairs);
        println!(
            "| {limit} | {tools:.1} % | {:.1} % |",
            percent(found_questions, all.len())
        );
    }
    let each = start.elapsed() / u32::try_from(4 * all.len()).expect("there are few");
    println!("\nA search takes {each:.1?}.\n");
}
