//! Models of your own, in two ways: a protocol that nobody else speaks, with its
//! [`Codec`](toolwright::provider::Codec); and a server that speaks OpenAI's protocol at an address of
//! yours, for which no code is needed.
//!
//! ```text
//! cargo run -p examples --example custom_provider
//! ```
//!
//! Both servers are played on loopback. `lantern.rs` is the codec, `encode.rs` and `decode.rs` are its
//! halves. None of them does I/O: `HttpModel` does.

mod decode;
mod encode;
mod lantern;
mod server;

use toolwright::{
    ChatModel, ModelError, OpenAiChat, Runner,
    model::{ModelEvent, ModelSettings, ToolChoice},
    profile::Profile,
    provider::{HttpModel, HttpOptions, Vendor},
    runner::RunEvent,
    tool, toolset,
};

use lantern::Lantern;

/// Find the shelf that a book stands on.
#[tool(read_only)]
async fn find_shelf(
    /// The title of the book.
    title: &str,
) -> String {
    format!("{title}: shelf {}", title.len())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("A protocol of our own");
    let model = HttpModel::new(Lantern, "lantern-2", "our key");
    ask(model.with_base_url(server::lantern().await?)).await?;

    println!("\nOpenAI's protocol, at an address of our own");
    ask(compatible(&server::openai().await?)?).await?;
    println!(
        "\nShown: a protocol of one's own takes a codec; a server of one's own takes a row of data."
    );
    Ok(())
}

/// A server that speaks OpenAI's protocol is data: a row made from that of the vendor whose ways it
/// shares. Of vLLM that is `max_tokens`, and that it needs no key.
const HOUSE: Vendor = Vendor::VLLM
    .with_name("our server")
    .with_base_url("https://llm.library.example/v1")
    .with_variables("OUR_SERVER_KEY", "OUR_SERVER_URL")
    // What it takes of a schema, if that is not what its vendor takes.
    .with_profile(Profile::grammar);

fn compatible(base_url: &str) -> Result<OpenAiChat, ModelError> {
    let model = OpenAiChat::vendor(HOUSE, "house-70b")?;
    Ok(model
        .with_base_url(base_url)
        .with_http(HttpOptions::new().with_header("x-team", "library")))
}

/// The same run for both.
async fn ask(model: impl ChatModel) -> Result<(), Box<dyn std::error::Error>> {
    let settings = ModelSettings::new()
        .with_max_output_tokens(500)
        .with_seed(1);
    let runner = Runner::builder(model)
        .system("You know the library.")
        .tools(toolset![find_shelf])
        .tool_choice(ToolChoice::Tool("find_shelf".to_owned()))
        .settings(settings)
        .streaming(true)
        .build()?;
    let mut run = runner.start("Where are Emma and Dracula?");
    while let Some(event) = run.next().await {
        if let RunEvent::Delta(ModelEvent::Text(piece)) = event {
            println!("  piece    {piece:?}");
        }
    }
    let outcome = run.outcome().await?;
    for round in outcome.tool_rounds() {
        for (call, result) in round.answered_calls() {
            let (name, arguments) = (&call.name, &call.arguments);
            println!(
                "  call     {name}({arguments}) -> {}",
                result.to_model_text()
            );
        }
    }
    println!("  answer   {outcome}");
    let usage = outcome.usage;
    println!(
        "  usage    {} tokens in, {} out",
        usage.input_tokens, usage.output_tokens
    );
    for warning in outcome.warnings {
        println!("  warning  {}", warning.code);
    }
    Ok(())
}
