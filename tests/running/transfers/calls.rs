//! Which tools the calls of each agent mean.

use toolwright::{ToolOutput, runner::RunOptions, toolset::ToolRegistry};

use super::*;
use crate::handwritten::{Handwritten, echo};

/// A tool that says whose it is.
fn find(of: &'static str) -> Handwritten {
    Handwritten::new("find", move |_, _| async move { Ok(ToolOutput::text(of)) })
}

#[tokio::test]
async fn of_two_tools_of_one_name_the_agents_own_is_called() {
    let main = model([calls(&["find", "transfer_to_billing"]), says("end")]);
    let billing = model([calls(&["find", "transfer_to_main"])]);
    let of_billing = member("billing", &billing).tools(set([find("of billing")]));
    let runner = member("main", &main).tools(set([find("of main")]));
    let runner = runner.agent(agent("billing", of_billing));
    runner
        .build()
        .expect("is sound")
        .run("?")
        .await
        .expect("answers");
    assert_eq!(results(&billing.requests()[0])[0], "of main");
    assert_eq!(results(&main.requests()[1])[0], "of billing");
}

#[tokio::test]
async fn a_tool_of_another_agent_is_not_there() {
    let main = model([calls(&["find"]), calls(&["transfer_to_billing"])]);
    let billing = model([
        calls(&["echo", "transfer_to_billing", "transfer_to_nobody"]),
        says("end"),
    ]);
    let of_billing = member("billing", &billing).tools(set([find("of billing")]));
    let runner = member("main", &main).tools(set([echo()]));
    let runner = runner.agent(agent("billing", of_billing));
    let outcome = runner.build().expect("is sound").run("?").await;
    let outcome = outcome.expect("answers");
    let text = &results(&main.requests()[1])[0];
    assert!(text.contains("no tool called `find`"), "{text}");
    for (text, tool) in results(&billing.requests()[1])
        .iter()
        .zip(["echo", "transfer_to_billing"])
    {
        assert!(text.contains(&format!("no tool called `{tool}`")), "{text}");
    }
    assert_eq!(outcome.agent.as_deref(), Some("billing"));
}

#[tokio::test]
async fn the_first_of_two_hand_overs_in_a_response_holds_and_other_calls_run() {
    let main = model([calls(&[
        "transfer_to_billing",
        "echo",
        "transfer_to_support",
    ])]);
    let (billing, support) = (model([says("end")]), model([says("not asked")]));
    let runner = pair(&main, &billing)
        .tools(set([echo()]))
        .agent(agent("support", member("support", &support)));
    let outcome = runner.build().expect("is sound").run("?").await;
    let outcome = outcome.expect("answers");
    assert_eq!(
        (&*outcome.text, outcome.agent.as_deref()),
        ("end", Some("billing"))
    );
    assert!(support.requests().is_empty());
    let [first, second, third] = &results(&billing.requests()[0])[..] else {
        panic!("three results")
    };
    assert_eq!(first, "`billing` goes on with the conversation.");
    assert_eq!(second, "{}");
    assert!(
        third.contains("not executed") && third.contains("`transfer_to_billing` comes first"),
        "{third}"
    );
}

#[tokio::test]
async fn a_hand_over_that_is_not_on_offer_leaves_the_one_beside_it() {
    let main = model([calls(&["transfer_to_support", "transfer_to_billing"])]);
    let (billing, support) = (model([says("end")]), model([says("not asked")]));
    let runner = pair(&main, &billing)
        .transfers_to(["billing"])
        .agent(agent("support", member("support", &support)));
    let outcome = runner.build().expect("is sound").run("?").await;
    let outcome = outcome.expect("answers");
    assert_eq!(outcome.agent.as_deref(), Some("billing"));
    let [first, second] = &results(&billing.requests()[0])[..] else {
        panic!("two results")
    };
    assert!(
        first.contains("no tool called `transfer_to_support`"),
        "{first}"
    );
    assert_eq!(second, "`billing` goes on with the conversation.");
}

#[tokio::test]
async fn a_hand_over_with_other_arguments_than_its_own_is_none() {
    let call = |arguments| {
        let name = "transfer_to_billing";
        ModelResponse::from_calls([ToolCall::new("a", name, arguments)])
    };
    let main = model([
        call(r#"{"to": "x"}"#),
        call(r#"{"reason": 7}"#),
        call(r#"{"reason": "money"}"#),
    ]);
    let billing = model([says("end")]);
    let outcome = pair(&main, &billing)
        .build()
        .expect("is sound")
        .run("?")
        .await;
    assert_eq!(outcome.expect("answers").text, "end");
    let requests = main.requests();
    assert!(
        results(&requests[1])[0].contains("to"),
        "{:?}",
        results(&requests[1])
    );
    assert!(
        results(&requests[2])[0].contains("reason"),
        "{:?}",
        results(&requests[2])
    );
}

#[tokio::test]
async fn an_agent_hands_over_only_to_those_that_it_may() {
    let main = model([to("support"), to("billing")]);
    let billing = model([to("main"), says("end")]);
    let support = model([says("not asked")]);
    let of_billing = agent("billing", member("billing", &billing)).transfers_to(["support"]);
    let runner = member("main", &main)
        .transfers_to(["billing"])
        .agent(of_billing)
        .agent(agent("support", member("support", &support)));
    let outcome = runner.build().expect("is sound").run("?").await;
    assert_eq!(outcome.expect("answers").agent.as_deref(), Some("billing"));
    assert_eq!(names(&main.requests()[0]), ["transfer_to_billing"]);
    assert_eq!(names(&billing.requests()[0]), ["transfer_to_support"]);
    let text = &results(&billing.requests()[1])[0];
    assert!(text.contains("no tool called `transfer_to_main`"), "{text}");
}

/// The tools that hand over are chosen by name as those of a registry are.
#[tokio::test]
async fn an_agent_with_some_tools_of_a_registry_hands_over_as_well() {
    let registry = ToolRegistry::new();
    for tool in [find("it"), echo()] {
        registry.replace(tool).expect("is one");
    }
    let main = model([to("billing"), says("end")]);
    let billing = model([to("main")]);
    let of_billing = member("billing", &billing).registry(registry);
    let runner = member("main", &main)
        .agent(agent("billing", of_billing))
        .build()
        .expect("is sound");
    let options = ["find", "transfer_to_billing", "transfer_to_main"];
    let options = RunOptions::new().with_tools(options);
    let outcome = runner.request("?").with(options).run().await;
    assert_eq!(outcome.expect("answers").text, "end");
    assert_eq!(names(&billing.requests()[0]), ["find", "transfer_to_main"]);
}

#[tokio::test]
async fn tools_of_a_registry_stand_beside_those_that_hand_over() {
    let registry = ToolRegistry::new();
    let main = model([to("billing"), says("end")]);
    let billing = model([calls(&["find", "transfer_to_main"])]);
    let of_billing = member("billing", &billing).registry(registry.clone());
    let runner = member("main", &main).registry(registry.clone());
    let runner = runner
        .agent(agent("billing", of_billing))
        .build()
        .expect("is sound");
    let forged = Handwritten::new("transfer_to_main", async |_, _| {
        Ok(ToolOutput::text("mine"))
    });
    for tool in [find("of both"), forged] {
        registry.replace(tool).expect("is one");
    }
    let outcome = runner.run("?").await.expect("answers");
    assert_eq!(outcome.agent.as_deref(), Some("main"));
    assert_eq!(names(&main.requests()[0]), ["find", "transfer_to_billing"]);
    assert_eq!(names(&billing.requests()[0]), ["find", "transfer_to_main"]);
    let texts = results(&main.requests()[1]);
    assert_eq!(texts, ["of both", "`main` goes on with the conversation."]);
}
