//! Prints a run as it goes: what was called, with what, how long it took, and the answer.

use std::{collections::HashMap, time::Instant};

use toolwright::{Record, RunError, RunEvent, RunHandle};

pub(crate) async fn show(question: &str, mut run: RunHandle) -> Result<(), RunError> {
    println!("You: {question}");
    let mut calls = HashMap::new();
    let mut rounds = 0;
    while let Some(event) = run.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        match record {
            Record::Replied { response, .. } if response.requires_tool_execution() => {
                println!("\nRound {}", rounds + 1);
                for (call, index) in response.tool_calls.into_iter().zip(0..) {
                    println!(
                        "  call    {}",
                        short(&format!("{}({})", call.name, call.arguments))
                    );
                    calls.insert((rounds, index), (call, Instant::now()));
                }
                rounds += 1;
            }
            Record::CallStarted { call, .. } => {
                if let Some((_, started)) = calls.get_mut(&(call.round, call.index)) {
                    *started = Instant::now();
                }
            }
            Record::CallFinished { call, result } => {
                let (asked, started) = &calls[&(call.round, call.index)];
                let took = started.elapsed().as_millis();
                println!(
                    "  result  {} after {took} ms: {}",
                    asked.name,
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
