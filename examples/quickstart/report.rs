//! Prints a run as it goes: what was called, with what, how long it took, and the answer.

use std::{collections::HashMap, time::Instant};

use toolwright::{
    run::{Record, RunError},
    runner::{RunEvent, RunHandle},
};

pub(crate) async fn show(question: &str, mut run: RunHandle) -> Result<(), RunError> {
    println!("You: {question}");
    let mut began = HashMap::new();
    let mut rounds = 0;
    while let Some(event) = run.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        match record {
            Record::Replied { response, .. } if response.requires_tool_execution() => {
                rounds += 1;
                println!("\nRound {rounds}");
                for call in response.tool_calls {
                    println!(
                        "  call    {}",
                        short(&format!("{}({})", call.name, call.arguments))
                    );
                }
            }
            Record::CallStarted { call, .. } => {
                began.insert(call, Instant::now());
            }
            Record::CallFinished { call, result } => {
                // The run knows what was called. A call that was refused has never begun.
                let name = run.call(call).map_or("?", |call| &call.name);
                let took = began
                    .get(&call)
                    .map_or(0, |began| began.elapsed().as_millis());
                println!(
                    "  result  {name} after {took} ms: {}",
                    result.to_model_text()
                );
            }
            _ => {}
        }
    }
    let outcome = run.outcome().await?;
    println!("\nModel: {}", outcome.text);
    println!(
        "\n{:?}. Rounds: {}, model calls: {}, tokens: {} in, {} out.",
        outcome.finish,
        outcome.rounds,
        outcome.model_calls,
        outcome.usage.input_tokens,
        outcome.usage.output_tokens
    );
    Ok(())
}

/// The beginning of a text, for a line of the terminal.
fn short(text: &str) -> String {
    const LONGEST: usize = 85;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
