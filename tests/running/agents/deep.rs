//! Agents of agents.

use toolwright::{ErrorCategory, ModelResponse, Runner};

use super::{NONE, agent, asks, runner, says};

/// A runner with an agent in it, which has an agent in it, and so on. Each asks the next one once.
fn nested(depth: usize) -> Runner {
    let last = runner([says("found at the bottom")], NONE);
    (0..depth).rev().fold(last, |inner, level| {
        let name = format!("agent_{level}");
        let script: [ModelResponse; 2] = [asks(&name), says("passed on")];
        runner(script, [agent(&inner, &name)])
    })
}

#[tokio::test]
async fn five_deep_is_run_and_its_spending_counts_at_the_top() {
    let outcome = nested(5).run("?").await.expect("ends");
    assert_eq!(outcome.text, "passed on");
    // Two requests at each of five levels, and one at the bottom.
    assert_eq!(outcome.model_calls, 11);
    assert_eq!(outcome.usage.output_tokens, 11 * 40);
    assert_eq!(outcome.tool_calls, 5);
}

/// Also of a program that is not optimised, on a thread with a small stack.
#[test]
fn five_deep_needs_little_of_the_stack() {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let outcome = runtime.expect("starts").block_on(nested(5).run("?"));
        outcome.expect("ends").text
    };
    let thread = std::thread::Builder::new().stack_size(768 * 1024);
    let thread = thread.spawn(run).expect("starts");
    assert_eq!(thread.join().expect("does not panic"), "passed on");
}

#[tokio::test]
async fn a_hundred_deep_is_refused_at_the_sixth() {
    for depth in [6, 100] {
        let outcome = nested(depth).run("?").await.expect("ends");
        // Two requests in each run of the depths 0 to 5.
        assert_eq!(outcome.model_calls, 12, "{depth}");
        assert_eq!(outcome.tool_calls, 6, "{depth}");
    }
    let last = agent(&nested(0), "agent_x");
    let inner = runner([asks("agent_x"), says("refused")], [last]);
    let mut deepest = inner;
    for level in (0..5).rev() {
        let name = format!("agent_{level}");
        let script = [asks(&name), says("passed on")];
        deepest = runner(script, [agent(&deepest, &name)]);
    }
    let mut handle = deepest.start("?");
    while handle.next().await.is_some() {}
    let outcome = handle.outcome().await.expect("ends");
    assert_eq!(outcome.model_calls, 12);
}

/// What the model is told that asks for one more.
#[tokio::test]
async fn the_refusal_names_the_chain() {
    let bottom = toolwright::testing::ScriptedModel::new([asks("agent_x"), says("refused")]);
    let never = runner([says("never")], NONE);
    let mut inner = Runner::builder(bottom.clone())
        .tools(super::set([agent(&never, "agent_x")]))
        .build()
        .expect("builds");
    for level in (0..5).rev() {
        let name = format!("agent_{level}");
        inner = runner([asks(&name), says("passed on")], [agent(&inner, &name)]);
    }
    inner.run("?").await.expect("ends");
    let requests = bottom.requests();
    let told = format!("{:?}", requests[1].messages);
    let chain = "agent_0 > agent_1 > agent_2 > agent_3 > agent_4";
    assert!(told.contains(chain), "{told}");
    assert!(
        told.contains(&format!("{:?}", ErrorCategory::PermissionDenied)),
        "{told}"
    );
}
