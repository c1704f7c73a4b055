//! Images in a question and in the result of a tool, by their bytes and by an address; what each provider
//! is sent of them, and which say that they cannot do it.
//!
//! ```text
//! cargo run -p examples --example images
//! ```

use serde_json::Value;
use toolwright::{
    ModelResponse, Runner, ToolCall, ToolOutput,
    message::{Image, Part, UserMessage},
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    testing::ScriptedModel,
    tool, toolset,
};

/// A picture of two by two pixels, all green. Yours comes from a file: `std::fs::read("lawn.png")`.
const LAWN: &[u8] =
    b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\
    \x00\x02\x08\x02\x00\x00\x00\xfd\xd4\x9a\x73\x00\x00\x00\x10\x49\x44\x41\x54\x78\x9c\x63\
    \x30\x98\x60\x00\x44\x0c\x10\x0a\x00\x1a\x4e\x03\xc1\xb4\xec\xab\x1b\x00\x00\x00\x00\x49\
    \x45\x4e\x44\xae\x42\x60\x82";

/// Take a photo of the lawn as it is now.
#[tool(read_only)]
async fn take_photo() -> ToolOutput {
    ToolOutput::text("The lawn at noon:").with_image(Image::from_bytes("image/png", LAWN))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("c1", "take_photo", "{}")]),
        ModelResponse::from_text("It is as green as in spring."),
    ]);
    let runner = Runner::builder(model).tools(toolset![take_photo]).build()?;
    let question = UserMessage::new([
        Part::Text("Is the lawn as green as it was in spring, and in this book?".into()),
        Part::Image(Image::from_bytes("image/png", LAWN)),
        Part::Image(Image::from_url("https://example.com/book.jpg")),
    ]);
    let outcome = runner.run(question).await?;
    println!("answer   {outcome}");

    // The conversation holds the images in one form. Each codec has its own.
    let request = outcome.conversation.request();
    show(
        "OpenAI Chat Completions: results are text, so that their images follow as a message",
        &OpenAiChatCodec::new(),
        EncodeInput::new("gpt-5.1-mini", &request),
    )?;
    show(
        "OpenAI Responses",
        &OpenAiResponsesCodec::new(),
        EncodeInput::new("gpt-5.1-mini", &request),
    )?;
    show(
        "Anthropic Messages",
        &AnthropicCodec::new(),
        EncodeInput::new("claude-sonnet-4-6", &request),
    )?;
    show(
        "Gemini 3: images of a result stand in it",
        &GeminiCodec::new(),
        EncodeInput::new("gemini-3-flash-preview", &request),
    )?;
    show(
        "Gemini 2.5: they follow it",
        &GeminiCodec::new(),
        EncodeInput::new("gemini-2.5-flash", &request),
    )?;
    show(
        "Ollama: it fetches nothing, so that the model is told the address",
        &OllamaCodec::new(),
        EncodeInput::new("qwen3-vl:4b", &request),
    )?;
    println!(
        "\nShown: one form of an image in the conversation, and where each provider wants it."
    );
    Ok(())
}

/// Prints where a provider gets the images of the conversation.
fn show(
    provider: &str,
    codec: &impl Codec,
    input: EncodeInput<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    println!("\n{provider}");
    show_images(&serde_json::from_slice(&codec.encode(input)?)?, "");
    for warning in codec.warnings(input.request) {
        println!("  warning: {}", warning.code);
    }
    Ok(())
}

/// Prints every image in a value: the way to it, and how it begins.
fn show_images(value: &Value, way: &str) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                show_images(member, &format!("{way}/{name}"));
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                show_images(item, &format!("{way}/{place}"));
            }
        }
        Value::String(text)
            if ["iVBOR", "data:", "https:"]
                .iter()
                .any(|a| text.contains(a)) =>
        {
            println!(
                "  {way}  {}",
                text.replace('\n', " ").chars().take(32).collect::<String>()
            );
        }
        _ => {}
    }
}
