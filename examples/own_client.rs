//! Tools without our runner or transport: you have a client for the provider, we give you the tools as
//! its JSON, read its calls, run them under the bounds that you set, and give you the messages to send
//! back.
//!
//! ```text
//! cargo run --example own_client
//! ```

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::{
    ApprovalRequest, CancellationToken, Capabilities, Decision, DispatchEvent, DispatchOptions,
    Leniency, Next, Overflow, Progress, Secrets, ToolCall, ToolContext, ToolError, Toolset,
    middleware, provider::openai_chat, tool, toolset,
};

/// Look a word up in the dictionary.
#[tool(read_only, rate_limit = "2/s")]
async fn look_up(
    /// One word, in lower case.
    word: String,
) -> String {
    format!("{word}: see under words")
}

/// Show the headers that the server got.
#[tool(read_only, requires(network))]
async fn show_headers() -> Value {
    json!({"host": "example.com", "authorization": "Bearer sk-4711"})
}

/// Read the log of the server.
#[tool(read_only)]
async fn read_log() -> String {
    "all is well\n".repeat(1_000)
}

/// Send a mail for the user.
#[tool(approval, requires(network))]
async fn send_mail(to: String, text: String) -> String {
    format!("sent {} characters to {to}", text.len())
}

/// Run a program.
#[tool(requires(shell))]
async fn run_program(path: String) -> Result<(), ToolError> {
    Err(ToolError::not_found(format!("there is no {path}")))
}

/// Copy all files of the user, which takes long.
#[tool]
async fn copy_files(#[context] cx: &ToolContext, #[context] progress: Progress) -> String {
    for number in 1..=100 {
        progress.step(number, 100, format!("file {number}"));
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
            () = cx.cancelled() => return format!("stopped after {number} files"),
        }
    }
    "copied 100 files".to_owned()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let timed = middleware::around(async |call: ToolCall, cx: ToolContext, next: Next| {
        let (name, start) = (call.name.clone(), Instant::now());
        let outcome = next.run(call, cx).await;
        println!("  {name} took {} ms", start.elapsed().as_millis());
        outcome
    });
    let tools = toolset![
        look_up,
        show_headers,
        read_log,
        send_mail,
        run_program,
        copy_files
    ];
    // The model is shown what is granted, and no more.
    let tools = tools.layer(timed).granted(Capabilities::NETWORK);

    let stop = CancellationToken::new();
    let options = DispatchOptions::new()
        .with_granted(Capabilities::NETWORK)
        .with_context(ToolContext::default().with_cancellation(stop.clone()))
        .with_leniency(Leniency::On)
        .with_approver(ask_the_user)
        .with_redaction(Secrets::new(["sk-4711"]))
        .with_max_output(200)
        .with_overflow(keep);

    let mut messages = vec![json!({"role": "user", "content": "Tidy up for me, and tell Ada."})];
    loop {
        let body = json!({
            "model": "gpt-5.1-mini",
            "messages": messages,
            "tools": openai_chat::tools(&tools),
        });
        let reply = your_client(&body);
        let calls = openai_chat::calls(&reply)?;
        messages.push(reply["choices"][0]["message"].clone());
        if calls.is_empty() {
            println!("answer: {}", reply["choices"][0]["message"]["content"]);
            return Ok(());
        }
        messages.extend(run(&tools, &calls, &options, &stop).await);
    }
}

/// Runs the calls of a reply, and shows what happens. The results are messages to send back.
async fn run(
    tools: &Toolset,
    calls: &[ToolCall],
    options: &DispatchOptions,
    stop: &CancellationToken,
) -> Vec<Value> {
    println!("{} calls", calls.len());
    let mut stream = tools.dispatch_stream(calls, options);
    while let Some(event) = stream.next().await {
        match event {
            DispatchEvent::Delayed { index, why } => {
                println!("  {} waits: {why:?}", calls[index].name);
            }
            DispatchEvent::Update { .. } => {
                println!("  it takes too long: the user cancels");
                stop.cancel();
            }
            DispatchEvent::Finished { index, result } => {
                println!("  {} -> {}", calls[index].name, result.to_model_text());
                for change in &result.changes {
                    println!("    ({change})");
                }
            }
            _ => {}
        }
    }
    openai_chat::results(&stream.results().await)
}

/// Stands for a person who reads the arguments, and changes them.
async fn ask_the_user(request: ApprovalRequest) -> Decision {
    println!(
        "  may {} run with {}?",
        request.call.name, request.call.arguments
    );
    Decision::approve_with(r#"{"to": "ada@example.com", "text": "All is tidy."}"#)
}

/// Stands for a place where whole outputs are kept, for whoever asks for them.
async fn keep(overflow: Overflow) -> Option<String> {
    let bytes = overflow.result.to_model_text().len();
    println!("  kept {bytes} bytes of {}", overflow.tool);
    Some(format!("{}.txt", overflow.tool))
}

/// Stands for your own client: takes the body of a request and gives the body of the reply.
fn your_client(body: &Value) -> Value {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let replies = messages
        .iter()
        .filter(|message| message["role"] == "assistant");
    let message = match replies.count() {
        0 => calls(&[
            ("look_up", r#"{"word": "tidy"}"#),
            // Not quite JSON.
            ("look_up", r"{'word': 'clean'}"),
            ("look_up", r#"{"word": "neat"}"#),
            ("look_up", r#"{"word": 7.5, "words": []}"#),
            ("show_headers", "{}"),
            ("read_log", ""),
            ("send_mail", r#"{"to": "all@example.com", "text": "Tidy!"}"#),
            ("run_program", r#"{"path": "/bin/sh"}"#),
        ]),
        1 => calls(&[("copy_files", "{}")]),
        _ => json!({"role": "assistant", "content": "I looked around, and told Ada."}),
    };
    json!({"object": "chat.completion", "model": "gpt-5.1-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

fn calls(calls: &[(&str, &str)]) -> Value {
    let calls = calls.iter().enumerate().map(|(number, (name, arguments))| {
        json!({"id": format!("call_{number}"), "type": "function",
            "function": {"name": name, "arguments": arguments}})
    });
    json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()})
}
