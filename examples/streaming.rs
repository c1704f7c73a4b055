//! A run as a stream: text as the model writes it, calls as they start and finish.
//!
//! ```text
//! cargo run -p examples --example streaming
//! ```

use std::time::Duration;

use futures_util::{StreamExt, stream};
use toolwright::{
    ChatModel, ModelResponse, Runner, ToolCall,
    message::Part,
    model::{ModelEvent, ModelRequest, ModelStream},
    runner::Printer,
    testing::ScriptedModel,
    tool, toolset,
};

/// Count the words of a text.
#[tool]
async fn count_words(
    /// The text to count.
    text: String,
) -> usize {
    tokio::time::sleep(Duration::from_millis(500)).await;
    text.split_whitespace().count()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = ToolCall::new("a", "count_words", r#"{"text":"to be or not to be"}"#);
    let model = SlowWriter(ScriptedModel::new([
        ModelResponse::new(vec![
            Part::Text("Let me count them one by one.".into()),
            Part::Call(count),
        ]),
        ModelResponse::from_text("There are six words in it, and only four different ones."),
    ]));
    let runner = Runner::builder(model)
        .tools(toolset![count_words])
        .build()?;

    let question = "How many words has \"to be or not to be\"?";
    println!("You: {question}");
    // Your own display reads the events itself: `while let Some(event) = run.next().await`.
    Printer::stdout().run(runner.start(question)).await?;
    println!("\nShown: each word was printed when the model wrote it, and the call when it ran.");
    Ok(())
}

/// A model that writes a word every 60 ms, so that you can see the stream.
struct SlowWriter(ScriptedModel);

impl ChatModel for SlowWriter {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let words = self.0.stream(request).flat_map(|event| {
            let events = match event {
                Ok(ModelEvent::Text(text)) => text
                    .split_inclusive(' ')
                    .map(|word| Ok(ModelEvent::Text(word.to_owned())))
                    .collect(),
                other => vec![other],
            };
            stream::iter(events)
        });
        Box::pin(words.then(async |event| {
            tokio::time::sleep(Duration::from_millis(60)).await;
            event
        }))
    }
}
