//! A document and a recording in a question, and a document in the result of a tool; what each provider is sent of them,
//! and which say that they cannot take one.
//!
//! ```text
//! cargo run -p examples --example documents
//! ```

use toolwright::{
    ModelError, ModelResponse, Runner, ToolCall, ToolOutput,
    message::{Audio, Document, Part, UserMessage},
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    testing::ScriptedModel,
    tool, toolset,
};

/// Read the price list of this year.
#[tool(read_only)]
async fn read_prices() -> ToolOutput {
    let prices = Document::from_bytes("text/csv", b"item,euros\nlawn mower,199\n");
    ToolOutput::text("The prices:").with_document(prices.with_name("prices.csv"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("c1", "read_prices", "{}")]),
        ModelResponse::from_text("The offer is 20 euros above the list."),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![read_prices])
        .build()?;
    // Yours come from files: `std::fs::read("offer.pdf")`.
    let offer = Document::from_bytes("application/pdf", b"%PDF-1.7 (an offer)");
    let voice = Audio::from_bytes("audio/wav", b"RIFF (somebody asks for the price)");
    let question = UserMessage::new([
        Part::Text("Is this offer as cheap as the list, as I ask here?".into()),
        Part::Document(offer.with_name("offer.pdf")),
        Part::Audio(voice),
    ]);
    let outcome = runner.run(question).await?;
    println!("answer   {outcome}\n");

    // The conversation holds each file in one form. Each codec has its own.
    let request = outcome.conversation.request();
    println!("provider                  offer    voice    prices");
    print_row(
        "OpenAI Chat Completions",
        &OpenAiChatCodec::new(),
        EncodeInput::new("gpt-5.1-mini", &request),
    )?;
    print_row(
        "OpenAI Responses",
        &OpenAiResponsesCodec::new(),
        EncodeInput::new("gpt-5.1-mini", &request),
    )?;
    print_row(
        "Anthropic Messages",
        &AnthropicCodec::new(),
        EncodeInput::new("claude-sonnet-4-6", &request),
    )?;
    print_row(
        "Gemini",
        &GeminiCodec::new(),
        EncodeInput::new("gemini-3-flash-preview", &request),
    )?;
    print_row(
        "Ollama",
        &OllamaCodec::new(),
        EncodeInput::new("qwen3-vl:4b", &request),
    )?;
    println!("\nShown: files in a conversation, and what each provider takes of them.");
    Ok(())
}

/// Prints what a provider is sent of the files.
fn print_row(provider: &str, codec: &impl Codec, input: EncodeInput<'_>) -> Result<(), ModelError> {
    let body = String::from_utf8_lossy(&codec.encode(input)?).into_owned();
    let has = |text: &str| {
        if body.contains(text) {
            "sent"
        } else {
            "told of"
        }
    };
    // The first bytes of the files, in base64; the text of the price list.
    let (offer, voice) = (has("JVBERi0xLjcg"), has("UklGRiAo"));
    let prices = if body.contains("lawn mower,199") {
        "as text"
    } else {
        has("aXRlbSxldXJvcw")
    };
    println!("{provider:<25} {offer:<8} {voice:<8} {prices}");
    for warning in codec.warnings(input.request) {
        println!("  {}", warning.code);
    }
    Ok(())
}
