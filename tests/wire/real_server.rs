//! A real inference server, opt-in by its address: the quickstart's question, plain and streamed, in the
//! three protocols that it speaks.
//!
//! The model need not be clever. It has to call tools and to end: a small one that always calls a tool
//! first and answers after the results will do.

mod answers;

use std::time::Instant;

use libtest_mimic::Trial;
use toolwright::{
    Anthropic, ChatModel, OpenAiChat, OpenAiResponses, Runner,
    emulation::{Emulated, ToolEmulation},
    model::ToolChoice,
    run::{Finish, Limits},
    tool, toolset,
};

/// The base URL of the server, such as `http://127.0.0.1:18102/v1`.
const VARIABLE: &str = "TOOLWRIGHT_LLAMA_URL";

/// Get the weather in a city as it is now.
#[tool]
async fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("4 degrees and rain in {city}")
}

/// Say what to wear for each of several places, from their weather.
#[tool]
fn suggest_clothes(
    /// The weather of each place.
    places: Vec<String>,
) -> Vec<String> {
    places
        .into_iter()
        .map(|place| format!("{place}: a raincoat"))
        .collect()
}

/// A model of the server, by its base URL.
type Model = fn(&str) -> Box<dyn ChatModel>;

/// The protocols that the server speaks.
const PROTOCOLS: [(&str, Model); 3] = [
    ("chat", |url| {
        Box::new(OpenAiChat::new("m", "").with_base_url(url))
    }),
    ("responses", |url| {
        Box::new(OpenAiResponses::new("m", "").with_base_url(url))
    }),
    ("anthropic", |url| {
        let url = url.trim_end_matches('/').trim_end_matches("/v1");
        Box::new(Anthropic::new("m", "").with_base_url(url))
    }),
];

pub(crate) fn trials() -> Vec<Trial> {
    let url = std::env::var(VARIABLE).ok();
    let mut trials = Vec::new();
    for (protocol, model) in PROTOCOLS {
        for (way, streaming) in [("plain", false), ("streamed", true)] {
            let is_ignored = url.is_none();
            let url = url.clone().unwrap_or_default();
            let name = format!("real-server::{protocol}_{way}");
            let line = name.clone();
            let ask = move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                runtime.block_on(ask(&line, model(&url), streaming));
                Ok(())
            };
            trials.push(Trial::test(name, ask).with_ignored_flag(is_ignored));
        }
    }
    // The one protocol in which this server reads the schema of an answer.
    trials.extend(answers::trials(url.as_deref()));
    let is_ignored = url.is_none();
    let url = url.unwrap_or_default();
    let emulated = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(decide(&url));
        Ok(())
    };
    let name = "real-server::chat_emulated";
    trials.push(Trial::test(name, emulated).with_ignored_flag(is_ignored));
    trials
}

/// The grammar that the server makes of the schema of a decision binds: without tools the supplied model writes "All
/// done." otherwise. The call fits, since the tool runs; then the decision is that no tool is called.
async fn decide(url: &str) {
    let model = OpenAiChat::new("m", "").with_base_url(url);
    let model = Emulated::new(model, ToolEmulation::Force);
    let runner = Runner::builder(model.clone())
        .tools(toolset![get_weather, suggest_clothes])
        .tool_choice(ToolChoice::Required)
        .limits(Limits::chat())
        .build()
        .expect("is consistent");
    let outcome = runner.run("What should I wear today in Oslo?").await;
    let outcome = outcome.expect("the server answers");
    assert!(!model.facts().refuses_answer_schema, "it takes the schema");
    assert!(outcome.rounds > 0, "the model calls a tool");
    // A decision that is not usable would have been asked for once more, and the answer takes two.
    assert_eq!(outcome.requests, outcome.rounds + 2);
    for round in outcome.tool_rounds() {
        for (call, result) in round.answered_calls() {
            assert!(result.outcome.is_ok(), "{call:?}: {result:?}");
        }
    }
    assert_eq!(outcome.finish, Finish::Answered);
    assert!(!outcome.text.is_empty());
    eprintln!(
        "real-server::chat_emulated: {} rounds, {} requests: {:?}",
        outcome.rounds, outcome.requests, outcome.text
    );
}

async fn ask(name: &str, model: Box<dyn ChatModel>, streaming: bool) {
    let runner = Runner::builder(model)
        .system("Look the weather up. Ask for several cities at once. Be brief.")
        .tools(toolset![get_weather, suggest_clothes])
        .limits(Limits::chat())
        .streaming(streaming)
        .build()
        .expect("is consistent");
    let start = Instant::now();
    let outcome = runner
        .run("What should I wear today in Oslo, Cairo and Lima?")
        .await;
    let outcome = outcome.expect("the server answers");
    assert!(outcome.rounds > 0, "the model calls a tool");
    assert_eq!(outcome.finish, Finish::Answered);
    assert!(!outcome.text.is_empty());
    assert!(outcome.usage.input_tokens > 0 && outcome.usage.output_tokens > 0);
    eprintln!(
        "{name}: {} rounds, {} model calls, {} tokens in, {} out, {} ms: {:?}",
        outcome.rounds,
        outcome.model_calls,
        outcome.usage.input_tokens,
        outcome.usage.output_tokens,
        start.elapsed().as_millis(),
        outcome.text
    );
}
