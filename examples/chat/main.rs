//! A chat in the terminal: a conversation that goes on, answers as they are written, progress, calls
//! that a person approves, and a file that keeps it all.
//!
//! ```text
//! cargo run -p examples --example chat                              offline; plays a person if nobody types
//! cargo run -p examples --example chat -- --file trip.json          goes on with what the file keeps
//! OPENAI_API_KEY=… cargo run -p examples --example chat -- --live   OpenAI; sends what is typed
//! ```
//!
//! `person.rs` is the terminal, `travel_model.rs` the model of a machine without a network.

mod person;
mod store;
mod travel_model;

use std::{sync::Arc, time::Duration};

use person::Person;
use store::Store;
use toolwright::{
    Conversation, OpenAiChat, Runner,
    approval::{ApprovalRequest, Decision, visible_line},
    dispatch::CallOptions,
    run::{Finish, RunError},
    runner::Printer,
    tool,
    tool::Progress,
    toolset,
};
use travel_model::TravelModel;

/// List the trains that leave for a city today.
#[tool(read_only)]
async fn find_trains(
    /// The city, for example "Bergen".
    city: String,
) -> Vec<String> {
    ["08:25", "12:03", "15:43"]
        .map(|time| format!("{time} to {city}"))
        .into()
}

/// Book a seat on a train.
#[tool(approval)]
async fn book_seat(
    /// The train, as `find_trains` lists it.
    train: String,
    #[context] progress: Progress,
) -> String {
    for (step, what) in [
        (1, "asking for a seat"),
        (2, "paying"),
        (3, "printing the ticket"),
    ] {
        progress.step(step, 3, what);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    format!("seat 14 on the {train}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Arc::new(Person::at_the_terminal());
    let store = Store::from_arguments();
    let runner = runner(&person)?;

    let mut conversation = store.load()?;
    println!(
        "{} messages so far. An empty line ends.",
        conversation.messages().len()
    );
    while let Some(line) = person.says("You: ").await {
        match answer(&runner, conversation.clone(), line).await {
            Ok(longer) => conversation = longer,
            // The run failed. What it had done by then is part of the conversation all the same.
            Err(error) => {
                println!("({})", error.failure);
                conversation = error.outcome.conversation;
            }
        }
        store.save(&conversation)?;
    }
    println!(
        "\nShown: {} messages are kept in {store}.",
        conversation.messages().len()
    );
    Ok(())
}

fn runner(person: &Arc<Person>) -> Result<Runner, Box<dyn std::error::Error>> {
    let asked = Arc::clone(person);
    // The run waits for the answer, and the calls beside this one go on.
    let approver = move |request: ApprovalRequest| {
        let person = Arc::clone(&asked);
        async move {
            let call = &request.call;
            // Models write what a terminal shows in another order, or not at all.
            let (name, arguments) = (visible_line(&call.name), visible_line(&call.arguments));
            let question = format!("  May {name}({arguments}) run? [y/n] ");
            match person.says(&question).await.as_deref() {
                Some("y" | "yes") => Decision::Approve,
                _ => Decision::deny("the user said no"),
            }
        }
    };
    let builder = if std::env::args().any(|argument| argument == "--live") {
        Runner::builder(OpenAiChat::from_env("gpt-5.1-mini")?)
    } else {
        Runner::builder(TravelModel)
    };
    Ok(builder
        .system("You book trains. Find them before you book one. Be brief.")
        .tools(toolset![find_trains, book_seat])
        .calls(CallOptions::new().with_approver(approver))
        .build()?)
}

/// Asks, shows what happens, and gives the conversation with all that was added.
async fn answer(
    runner: &Runner,
    conversation: Conversation,
    line: String,
) -> Result<Conversation, RunError> {
    let mut printer = Printer::stdout().with_progress();
    let mut run = runner.request(line).within(conversation).start();
    while let Some(event) = run.next().await {
        printer.print(&event).ok();
    }
    let outcome = run.outcome().await?;
    if outcome.finish != Finish::Answered {
        println!("({:?})", outcome.finish);
    }
    Ok(outcome.conversation)
}
