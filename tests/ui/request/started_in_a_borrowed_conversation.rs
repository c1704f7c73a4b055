use toolwright::{Conversation, Runner};

async fn ask(runner: &Runner, conversation: &mut Conversation) {
    let handle = runner.request("Who am I?").within(conversation).start();
    let _ = handle.outcome().await;
}

fn main() {}
