//! The next run of a conversation goes on with the agent that it is with.

use toolwright::{
    Conversation,
    run::ContextWindow,
    runner::{RunOptions, SharedConversation},
    store::{ConversationId, MemoryStore},
};

use super::*;

#[tokio::test]
async fn the_next_run_begins_with_the_agent_that_answered_last() {
    let main = model([to("billing"), says("of main")]);
    let billing = model([says("of billing"), says("again"), to("main")]);
    let runner = || pair(&main, &billing).build().expect("is sound");
    let mut conversation = Conversation::new();
    for (question, answer) in [("1", "of billing"), ("2", "again"), ("3", "of main")] {
        // Also with another runner, and read from a text.
        let stored = serde_json::to_string(&conversation).expect("is stored");
        conversation = serde_json::from_str(&stored).expect("is read");
        let outcome = runner()
            .request(question)
            .within(&mut conversation)
            .run()
            .await;
        assert_eq!(outcome.expect("answers").text, answer);
    }
    assert_eq!(conversation.agent(), Some("main"));
    assert_eq!((main.requests().len(), billing.requests().len()), (2, 3));
}

#[tokio::test]
async fn a_conversation_of_a_store_keeps_its_agent_also_when_less_of_it_is_sent() {
    let long = "x".repeat(4_000);
    let main = model([to("billing")]);
    let script: Vec<_> = (0..6).map(|_| says(&long)).collect();
    let billing = model(script);
    let store = MemoryStore::new();
    for turn in 0..6 {
        let runner = pair(&main, &billing)
            .store("tests", store.clone())
            .context_window(ContextWindow::new(4_000).with_reserve(500))
            .build()
            .expect("is sound");
        let request = runner.request(format!("Question {turn}?"));
        let outcome = request.within(ConversationId::new("talk")).run().await;
        let outcome = outcome.expect("answers");
        assert_eq!(outcome.agent.as_deref(), Some("billing"));
    }
    let requests = billing.requests();
    let sent = requests.iter().map(|request| request.messages.len());
    let sent: Vec<_> = sent.collect();
    assert!(
        sent.last() < sent.iter().max(),
        "{sent:?} messages are sent"
    );
    assert!(
        requests
            .iter()
            .all(|request| system(request) == "You are billing.")
    );
}

#[tokio::test]
async fn options_name_the_agent_that_a_run_begins_with() {
    let main = model([says("of main")]);
    let billing = model([says("of billing"), says("again")]);
    let runner = pair(&main, &billing).build().expect("is sound");
    let with = |agent: &str| {
        let options = RunOptions::new().with_agent(agent);
        runner.request("?").with(options)
    };
    let mut conversation = Conversation::new();
    let outcome = with("billing").within(&mut conversation).run().await;
    assert_eq!(outcome.expect("answers").text, "of billing");
    // The conversation stays with it.
    let outcome = runner.request("?").within(&mut conversation).run().await;
    assert_eq!(outcome.expect("answers").text, "again");
    let outcome = with("main").within(&mut conversation).run().await;
    assert_eq!(outcome.expect("answers").text, "of main");
    assert_eq!(conversation.agent(), Some("main"));
}

#[tokio::test]
async fn an_agent_that_a_runner_does_not_have_is_its_own() {
    let main = model([says("of main")]);
    let runner = pair(&main, &model([says("not asked")]))
        .build()
        .expect("is sound");
    let mut conversation = Conversation::new().with_agent("sales");
    let outcome = runner.request("?").within(&mut conversation).run().await;
    assert_eq!(outcome.expect("answers").text, "of main");
    assert_eq!(conversation.agent(), Some("main"));
}

#[tokio::test]
async fn a_shared_conversation_goes_on_with_its_agent() {
    let main = model([to("billing")]);
    let billing = model([says("first"), says("second")]);
    let runner = pair(&main, &billing).build().expect("is sound");
    let shared = SharedConversation::new(Conversation::new());
    for answer in ["first", "second"] {
        let mut turn = shared.turn().await;
        let outcome = runner
            .request("?")
            .within(&mut turn)
            .run()
            .await
            .expect("answers");
        assert_eq!(outcome.text, answer);
    }
}
