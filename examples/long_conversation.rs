//! A conversation that is longer than the context window of its model: what is sent, and what is kept.
//!
//! ```text
//! cargo run -p examples --example long_conversation
//! ```

use toolwright::{
    Conversation, Message, ModelResponse, Runner, ToolCall,
    message::text_of,
    model::ModelRequest,
    run::{ContextWindow, Record},
    runner::RunEvent,
    testing::ScriptedModel,
    tool, toolset,
};

/// Read a page of the ship's log.
#[tool(read_only)]
fn read_page(
    /// The number of the page.
    page: u32,
) -> String {
    format!("Day {page}: wind from the west, all well. ").repeat(30)
}

/// A model that reads thirty pages, one after the other, and then answers.
fn reader() -> ScriptedModel {
    let pages = (1..=30).map(|page| {
        let arguments = format!(r#"{{"page":{page}}}"#);
        ModelResponse::from_calls([ToolCall::new(
            format!("call_{page}"),
            "read_page",
            arguments,
        )])
    });
    let answer = ModelResponse::from_text("The wind came from the west on all days.");
    ScriptedModel::new(pages.chain([answer]))
}

/// A cheaper model that writes the summaries.
fn summarizer() -> ScriptedModel {
    let summary = || ModelResponse::from_text("West wind on each of the first days.");
    ScriptedModel::new(std::iter::repeat_with(summary).take(10))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = reader();
    let runner = Runner::builder(model.clone())
        .tools(toolset![read_page])
        // A small window, so that it is full soon. That of a real model is 128,000 tokens or more.
        .context_window(ContextWindow::new(3_000))
        .compact_with(summarizer())
        .build()?;

    println!("When the window is full:");
    let mut run = runner.start("Where did the wind come from?");
    while let Some(event) = run.next().await {
        if let RunEvent::Recorded { record, .. } = event {
            report(&record);
        }
    }
    let outcome = run.outcome().await?;

    println!("\nWhat was sent:");
    for (number, request) in model.requests().iter().enumerate() {
        println!("  request {:>2}: {}", number + 1, sent(request));
    }
    println!("\nThe last request began so:");
    if let Some(Message::User(first)) = model.requests().last().and_then(|r| r.messages.first()) {
        for line in text_of(&first.parts).lines() {
            println!("  {}", wrapped(line));
        }
    }
    println!("\nAnswer: {outcome}");
    println!("Kept:   {}", kept(&outcome.conversation));
    println!("\nShown: each request fits in the window, and nothing of the conversation is lost.");
    Ok(())
}

/// Says when less is sent than before.
fn report(record: &Record) {
    match record {
        Record::CompactionStarted { .. } => println!("  a summary is made"),
        Record::ContextCompacted { compaction, .. } => println!(
            "  from now on, {} pieces are left out, and {} more have their results in one line each",
            compaction.left_out,
            compaction.shortened - compaction.left_out
        ),
        _ => {}
    }
}

/// A text in lines that fit the terminal.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        if lines
            .last()
            .is_some_and(|line| line.len() + word.len() > 90)
        {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            line.push(' ');
        }
    }
    lines.join("\n  ")
}

/// The rounds in a request, and its size.
fn sent(request: &ModelRequest) -> String {
    let (mut whole, mut short) = (0, 0);
    for message in &request.messages {
        let Message::Assistant(message) = message else {
            continue;
        };
        for result in message.tool_rounds.iter().flat_map(|round| &round.results) {
            if result.to_model_text().starts_with("[result of") {
                short += 1;
            } else {
                whole += 1;
            }
        }
    }
    let bytes = format!("{:?}", request.messages).len();
    format!("{whole} results whole, {short} in short, {bytes:>6} bytes")
}

/// The rounds of a conversation, and its size.
fn kept(conversation: &Conversation) -> String {
    let rounds = conversation.messages().iter().map(|message| match message {
        Message::Assistant(message) => message.tool_rounds.len(),
        Message::User(_) => 0,
    });
    let bytes = format!("{:?}", conversation.messages()).len();
    format!("{} results whole, {bytes} bytes", rounds.sum::<usize>())
}
