//! A real inference server, opt-in by its address: the quickstart's question, plain and streamed, in the
//! three protocols that it speaks.
//!
//! The model need not be clever. It has to call tools and to end: a small one that always calls a tool
//! first and answers after the results will do.

use std::time::Instant;

use libtest_mimic::Trial;
use toolwright::{
    Anthropic, ChatModel, OpenAiChat, OpenAiResponses, Runner,
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
    trials
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
