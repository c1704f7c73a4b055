//! The same run against every protocol: a question, two tools whose calls run side by side, an answer,
//! streamed.
//!
//! ```text
//! cargo run -p examples --example providers                     offline, no key
//! cargo run -p examples --example providers -- --live           every provider whose key is in the environment
//! ```
//!
//! Offline, a server on loopback plays each provider with what stands in `traffic/`, in that provider's
//! own form. Transport and codecs are the real ones, and what they send is printed. The traffic is made
//! up, the answers in it too: only the calls and their results happen. Nothing is sent to anybody
//! without `--live`.

mod loopback;
mod provider;
mod report;

use std::process::ExitCode;

use provider::Provider;
use report::{Report, Requests};
use toolwright::{
    ChatModel, Runner, ToolError,
    model::{ModelErrorKind, ModelSettings, ToolChoice},
    run::RunError,
    runner::RunEvent,
    tool, toolset,
};

const QUESTION: &str = "Do I need a coat in Oslo, and what time is it in Lima?";

/// Get the weather in a city as it is now.
#[tool(read_only)]
async fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> Result<String, ToolError> {
    match city.as_str() {
        "Oslo" => Ok("rain, 4 °C".to_owned()),
        "Lima" => Ok("clouds, 19 °C".to_owned()),
        _ => Err(ToolError::not_found(format!("no station in {city}"))),
    }
}

/// Get the local time in a city.
#[tool(read_only)]
async fn get_time(
    /// The city, for example "Oslo".
    city: String,
) -> Result<String, ToolError> {
    match city.as_str() {
        "Oslo" => Ok("13:30".to_owned()),
        "Lima" => Ok("07:30".to_owned()),
        _ => Err(ToolError::not_found(format!("no clock in {city}"))),
    }
}

/// The run, which knows nothing of the provider.
async fn ask(model: Box<dyn ChatModel>) -> Result<Report, RunError> {
    let runner = Runner::builder(model)
        .system("Look everything up, all at once. Be brief.")
        .tools(toolset![get_weather, get_time])
        // Not every server takes these two: see the warnings.
        .tool_choice(ToolChoice::Required)
        .settings(ModelSettings::new().with_seed(7))
        .streaming(true)
        .build()
        .expect("the tools have different names, and require nothing");
    let mut run = runner.start(QUESTION);
    let mut pieces = 0;
    while let Some(event) = run.next().await {
        pieces += usize::from(matches!(event, RunEvent::Delta(_)));
    }
    let outcome = run.outcome().await?;
    Ok(Report { outcome, pieces })
}

#[tokio::main]
async fn main() -> ExitCode {
    let live = std::env::args().any(|argument| argument == "--live");
    println!("You: {QUESTION}");
    let mut failed = false;
    for provider in provider::all() {
        println!("\n{}", provider.name);
        let done = if live {
            ask_live(&provider).await
        } else {
            ask_offline(&provider).await
        };
        if let Err(error) = done {
            println!("  failed   {error}");
            failed = true;
        }
    }
    if live {
        println!("\nShown: the providers whose keys are set, asked by one function.");
    } else {
        println!(
            "\nShown: one function asks every provider; with --live, those whose keys are set."
        );
    }
    ExitCode::from(u8::from(failed))
}

async fn ask_offline(provider: &Provider) -> Result<(), Box<dyn std::error::Error>> {
    let server = loopback::serve(&provider.traffic).await?;
    let report = ask((provider.offline)(server.base_url())).await?;
    report.show(&server.requests());
    Ok(())
}

async fn ask_live(provider: &Provider) -> Result<(), Box<dyn std::error::Error>> {
    match (provider.live)() {
        Ok(model) => ask(model).await?.show(&Requests::default()),
        Err(error) if error.kind == ModelErrorKind::Authentication => {
            println!("  skipped  {}", error.message);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
