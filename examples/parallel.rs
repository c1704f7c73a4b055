//! Calls of one response run side by side, and their results keep the order of the calls.
//!
//! ```text
//! cargo run -p examples --example parallel
//! ```

use std::{
    num::NonZeroUsize,
    time::{Duration, Instant},
};

use toolwright::{
    Dispatch, ToolCall,
    dispatch::{CallOptions, DispatchOptions},
    tool, toolset,
};

/// Wait for a while, then say which call this was.
#[tool]
async fn wait(
    /// The number of the call.
    number: u32,
    /// How many milliseconds to wait.
    milliseconds: u64,
) -> String {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    format!("call {number} waited {milliseconds} ms")
}

#[tokio::main]
async fn main() {
    let tools = toolset![wait];
    // The later a call stands, the sooner it is done.
    let calls: Vec<_> = (0..8_u32)
        .map(|i| {
            let arguments = format!(r#"{{"number": {i}, "milliseconds": {}}}"#, 240 - i * 30);
            ToolCall::new(format!("call_{i}"), "wait", arguments)
        })
        .collect();

    for concurrency in [1, 2, 8] {
        let bound = NonZeroUsize::new(concurrency).expect("is not 0");
        let options = DispatchOptions::from(CallOptions::new().with_concurrency(bound));
        let start = Instant::now();
        let results = tools.dispatch_with(&calls, &options).await;
        println!(
            "{} calls, {concurrency} at once: {} ms",
            calls.len(),
            start.elapsed().as_millis()
        );
        for result in results {
            println!("  {}", result.to_model_text());
        }
    }
    println!("\nShown: the later a call stands the sooner it ends, and the order stays.");
}
