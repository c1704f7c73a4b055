//! A run as a stream: text as the model writes it, calls as they start and finish, and a cancel.
//!
//! ```text
//! cargo run --example streaming
//! ```

use std::io::Write;

use toolwright::{
    ModelEvent, ModelResponse, Part, Record, RunEvent, Runner, ToolCall, ToolContext,
    testing::ScriptedModel, tool, toolset,
};

/// Count the words of a text.
#[tool]
async fn count_words(
    /// The text to count.
    text: String,
) -> usize {
    text.split_whitespace().count()
}

/// Wait until somebody cancels.
#[tool]
async fn wait_for_cancel(#[context] cx: &ToolContext) -> String {
    cx.cancelled().await;
    "cancelled".into()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::new(vec![
            Part::Text("Let me count. ".into()),
            Part::Call(ToolCall::new(
                "a",
                "count_words",
                r#"{"text":"to be or not to be"}"#,
            )),
        ]),
        ModelResponse::from_text("There are six words in it."),
        ModelResponse::from_calls([ToolCall::new("b", "wait_for_cancel", "{}")]),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![count_words, wait_for_cancel])
        .build()?;

    for question in ["How many words has \"to be or not to be\"?", "Now wait."] {
        println!("You: {question}");
        let mut run = runner.start(question);
        while let Some(event) = run.next().await {
            match event {
                RunEvent::Delta(ModelEvent::Text(text)) => {
                    print!("{text}");
                    std::io::stdout().flush()?;
                }
                RunEvent::Recorded {
                    record: Record::CallStarted { call },
                    ..
                } => {
                    println!("[call {call} starts]");
                    if question == "Now wait." {
                        run.cancel();
                    }
                }
                RunEvent::Recorded {
                    record: Record::CallFinished { call, result },
                    ..
                } => {
                    println!("[call {call}: {}]", result.to_model_text());
                }
                _ => {}
            }
        }
        println!("\n=> {:?}\n", run.outcome().await?.finish);
    }
    Ok(())
}
