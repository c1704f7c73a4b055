//! An answer of a type, whichever agent gives it.

use serde::Deserialize;
use toolwright::{ToolInput, ToolOutput};

use super::*;

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
struct Price {
    /// In crowns.
    amount: u32,
}

#[tokio::test]
async fn the_agent_that_was_handed_over_to_gives_the_typed_answer() {
    let answer = r#"{"amount": 12}"#;
    let main = model([to("billing")]).with_answer_schemas();
    let billing = model([says(r#"{"amount": "a lot"}"#), says(answer)]).with_answer_schemas();
    let runner = pair(&main, &billing).build().expect("is sound");
    let given = runner
        .request("?")
        .answer_as::<Price>()
        .run()
        .await
        .expect("answers");
    assert_eq!(given.value, Price { amount: 12 });
    assert_eq!(given.outcome.agent.as_deref(), Some("billing"));
    assert!(billing.requests()[1].answer_schema.is_some());
}

/// A way that both models take.
#[tokio::test]
async fn a_model_that_takes_no_schema_is_asked_by_a_tool_and_so_is_the_other() {
    let main = model([to("billing")]).with_answer_schemas();
    let given = ToolCall::new("a", "final_answer_2", r#"{"amount": 12}"#);
    let billing = model([ModelResponse::from_calls([given])]);
    let taken =
        crate::handwritten::Handwritten::new("final_answer", async |_, _| Ok(ToolOutput::text("")));
    let of_billing = member("billing", &billing).tools(set([taken]));
    let runner = member("main", &main).agent(agent("billing", of_billing));
    let runner = runner.build().expect("is sound");
    let given = runner
        .request("?")
        .answer_as::<Price>()
        .run()
        .await
        .expect("answers");
    assert_eq!(given.value.amount, 12);
    let name = "final_answer_2";
    for request in [&main.requests()[0], &billing.requests()[0]] {
        assert!(names(request).contains(&name), "{:?}", names(request));
        assert!(request.answer_schema.is_none());
    }
}
