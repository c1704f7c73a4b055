//! Calls of the second agent wait for people, and the run goes on with it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use toolwright::{
    ToolOutput,
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    run::{Failure, Finish, PendingCall, ResumeError, StoredRun},
    tool::ToolPolicy,
};

use super::*;
use crate::handwritten::Handwritten;

/// A tool that needs an approval, with a word of whom it pays, and how often it ran.
fn pay(whom: &'static str) -> (Toolset, Arc<AtomicUsize>) {
    let ran = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&ran);
    let pay = Handwritten::new("pay", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { Ok(ToolOutput::text(whom)) }
    });
    let pay = pay.with_policy(ToolPolicy::default().with_approval());
    (set([pay]), ran)
}

#[tokio::test]
async fn a_call_of_the_second_agent_that_was_suspended_goes_on_with_its_tool() {
    let main = model([to("billing"), says("end")]);
    let billing = model([calls(&["pay"]), to("main")]);
    let ((of_main, never), (of_billing, once)) = (pay("main"), pay("billing"));
    let runner = || {
        let of_billing = member("billing", &billing)
            .tools(of_billing.clone())
            .suspends();
        let runner = member("main", &main).tools(of_main.clone()).suspends();
        let runner = runner.agent(agent("billing", of_billing));
        runner.build().expect("is sound")
    };
    let outcome = runner().run("?").await.expect("is suspended");
    assert_eq!(
        (outcome.finish, outcome.agent.as_deref()),
        (Finish::Suspended, Some("billing"))
    );
    assert_eq!(outcome.conversation.agent(), Some("billing"));
    let text = serde_json::to_string(&outcome.suspended).expect("is stored");
    let stored: StoredRun = serde_json::from_str(&text).expect("is read");
    let approved: Vec<_> = stored.pending().iter().map(PendingCall::approve).collect();
    assert_eq!(approved.len(), 1);
    let handle = runner()
        .resume(stored)
        .decide(approved)
        .start()
        .await
        .expect("goes on");
    let outcome = handle.outcome().await.expect("answers");
    assert_eq!(
        (&*outcome.text, outcome.agent.as_deref()),
        ("end", Some("main"))
    );
    assert_eq!(
        (never.load(Ordering::SeqCst), once.load(Ordering::SeqCst)),
        (0, 1)
    );
    assert_eq!(results(&billing.requests()[1]), ["billing"]);
}

/// The tool of the other agent is another one, though it has the name.
#[tokio::test]
async fn an_approval_holds_for_no_tool_of_another_agent() {
    let main = model([to("billing")]);
    let billing = model([calls(&["pay"])]);
    let ((of_main, _), (of_billing, _)) = (pay("main"), pay("billing"));
    let main_runner = || member("main", &main).tools(of_main.clone()).suspends();
    let with = |tools| {
        agent(
            "billing",
            member("billing", &billing).tools(tools).suspends(),
        )
    };
    let runner = main_runner()
        .agent(with(of_billing))
        .build()
        .expect("is sound");
    let outcome = runner.run("?").await.expect("is suspended");
    let stored = outcome.suspended.expect("is suspended");
    let approved: Vec<_> = stored.pending().iter().map(PendingCall::approve).collect();
    // The agent has it no more, and the first still has.
    let runner = main_runner()
        .agent(with(Toolset::new()))
        .build()
        .expect("is sound");
    let refused = runner.resume(stored).decide(approved).start().await.err();
    assert!(
        matches!(refused, Some(ResumeError::ToolChanged { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_run_whose_agent_is_gone_says_so() {
    let main = model([to("billing")]);
    let billing = model([calls(&["pay"])]);
    let (tools, ran) = pay("billing");
    let of_billing = member("billing", &billing).tools(tools).suspends();
    let runner = member("main", &main)
        .suspends()
        .agent(agent("billing", of_billing));
    let outcome = runner.build().expect("is sound").run("?").await;
    let stored = outcome
        .expect("is suspended")
        .suspended
        .expect("is suspended");
    let denied: Vec<_> = stored
        .pending()
        .iter()
        .map(|call| call.deny("no"))
        .collect();
    let runner = member("main", &main).suspends().build().expect("is sound");
    let handle = runner
        .resume(stored)
        .decide(denied)
        .start()
        .await
        .expect("goes on");
    let error = handle.outcome().await.expect_err("fails");
    let Failure::Model(error) = &error.failure else {
        panic!("{error}")
    };
    assert!(error.to_string().contains("the agent `billing`"), "{error}");
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_approver_of_an_agent_decides_and_else_that_of_the_run() {
    for has_own in [true, false] {
        let main = model([to("billing")]);
        let billing = model([calls(&["pay"]), says("end")]);
        let asked = Arc::<AtomicUsize>::default();
        let approver = |adds: usize| {
            let asked = Arc::clone(&asked);
            CallOptions::new().with_approver(move |request: ApprovalRequest| {
                assert_eq!(request.call.name, "pay");
                asked.fetch_add(adds, Ordering::SeqCst);
                async { Decision::Approve }
            })
        };
        let (tools, ran) = pay("billing");
        let of_billing = member("billing", &billing).tools(tools);
        let of_billing = if has_own {
            of_billing.calls(approver(1))
        } else {
            of_billing.suspends()
        };
        let runner = member("main", &main).calls(approver(10));
        let runner = runner.agent(agent("billing", of_billing));
        runner
            .build()
            .expect("is sound")
            .run("?")
            .await
            .expect("answers");
        let expected = if has_own { 1 } else { 10 };
        assert_eq!(
            (asked.load(Ordering::SeqCst), ran.load(Ordering::SeqCst)),
            (expected, 1)
        );
    }
}
