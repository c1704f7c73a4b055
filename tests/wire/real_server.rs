//! A real inference server, opt-in by its address: the quickstart's question, plain and streamed.
//!
//! The model need not be clever. It has to call tools and to end: a small one that always calls a tool
//! first and answers after the results will do.

use std::time::Instant;

use libtest_mimic::Trial;
use toolwright::{Finish, Limits, OpenAiChat, Runner, tool, toolset};

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

pub(crate) fn trials() -> Vec<Trial> {
    let url = std::env::var(VARIABLE).ok();
    [("plain", false), ("streamed", true)]
        .into_iter()
        .map(|(name, streaming)| {
            let ignored = url.is_none();
            let url = url.clone().unwrap_or_default();
            let ask = move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                runtime.block_on(ask(&url, streaming));
                Ok(())
            };
            Trial::test(format!("real-server::{name}"), ask).with_ignored_flag(ignored)
        })
        .collect()
}

async fn ask(url: &str, streaming: bool) {
    let runner = Runner::builder(OpenAiChat::new("m", "").with_base_url(url))
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
        "real server, streamed: {streaming}: {} rounds, {} model calls, {} tokens in, {} out, {} ms: {:?}",
        outcome.rounds,
        outcome.model_calls,
        outcome.usage.input_tokens,
        outcome.usage.output_tokens,
        start.elapsed().as_millis(),
        outcome.text
    );
}
