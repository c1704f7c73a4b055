//! Models of every kind hand over and are handed over to.

use toolwright::{
    ModelError,
    emulation::{Emulated, ToolEmulation},
    message::Part,
    model::{Fallback, ModelErrorKind, ModelEvent},
    runner::RunEvent,
};

use super::*;

#[tokio::test]
async fn a_model_with_emulated_tools_hands_over_and_is_handed_over_to() {
    let decision =
        r#"{"tools": [{"name": "transfer_to_billing", "arguments": {"reason": "money"}}]}"#;
    let main = model([says(decision)]);
    let billing = model([says(r#"{"tools": []}"#), says("You owe nothing.")]);
    let emulated = |name: &str, model: &ScriptedModel| {
        let model = Emulated::new(model.clone(), ToolEmulation::Force);
        Runner::builder(model).system(format!("You are {name}."))
    };
    let of_billing = emulated("billing", &billing);
    let runner = emulated("main", &main).agent(agent("billing", of_billing));
    let outcome = runner
        .build()
        .expect("is sound")
        .run("What do I owe?")
        .await;
    let outcome = outcome.expect("answers");
    assert_eq!(outcome.text, "You owe nothing.");
    assert_eq!(outcome.agent.as_deref(), Some("billing"));
    for request in billing.requests() {
        let sent = format!("{request:?}");
        assert!(sent.contains("You are billing.") && !sent.contains("You are main."));
        // What was called before is shown to it in words.
        assert!(sent.contains("money"), "{sent}");
    }
}

#[tokio::test]
async fn an_agent_may_have_several_models_in_turn() {
    let main = model([to("billing")]);
    let out = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let (first, second) = (model([out]), model([says("of the second")]));
    let of_billing = Runner::builder(Fallback::new([first.clone(), second])).system("Of billing.");
    let runner = member("main", &main).agent(agent("billing", of_billing));
    let outcome = runner.build().expect("is sound").run("?").await;
    assert_eq!(outcome.expect("answers").text, "of the second");
    assert_eq!(system(&first.requests()[0]), "Of billing.");
}

#[tokio::test]
async fn each_agent_is_streamed_or_not() {
    let transfer = ToolCall::new("a", "transfer_to_billing", "{}");
    let parts = vec![Part::Text("A moment.".to_owned()), Part::Call(transfer)];
    let main = model([ModelResponse::new(parts)]);
    let billing = model([says("You owe nothing.")]);
    let of_billing = member("billing", &billing).streaming(false);
    let runner = member("main", &main).agent(agent("billing", of_billing));
    let mut handle = runner.build().expect("is sound").start("?");
    let mut streamed = String::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Delta(ModelEvent::Text(text)) = event {
            streamed.push_str(&text);
        }
    }
    assert_eq!(streamed, "A moment.");
    assert_eq!(
        handle.outcome().await.expect("answers").text,
        "You owe nothing."
    );
}
