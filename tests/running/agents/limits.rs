//! The limits of a run hold for its sub-agents.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::stream;
use toolwright::{
    ChatModel, Dispatch as _, Runner, ToolCall, ToolOutput,
    approval::{ApprovalPolicy, ApprovalRequest, Decision},
    dispatch::CallOptions,
    model::{ModelRequest, ModelStream, ToolChoice, Usage},
    run::{Cost, Finish, Limit, Limits, OnLimit, Price, PriceTable, RunOutcome},
    runner::SubAgent,
    tool::ToolPolicy,
};

use super::{agent, asks, builder, calls, runner, says};
use crate::handwritten::{Handwritten, echo, hang};

/// A model that calls for as long as it may, and says something then.
#[derive(Clone, Default)]
struct Endless(Arc<AtomicUsize>);

impl ChatModel for Endless {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        let mut response = match request.tool_choice {
            ToolChoice::None => says("so far"),
            _ => calls([("echo", &*format!(r#"{{"n": {number}}}"#))]),
        };
        response.model = Some("priced".to_owned());
        Box::pin(stream::iter(response.into_events().into_iter().map(Ok)))
    }
}

/// An agent that would go on for ever, and its requests.
fn endless(name: &str) -> (SubAgent, Arc<AtomicUsize>) {
    let model = Endless::default();
    let inner = Runner::builder(model.clone()).tools(super::set([echo()]));
    (agent(&inner.build().expect("builds"), name), model.0)
}

async fn limited(limits: Limits) -> (RunOutcome, usize) {
    let (inner, model) = endless("look_up");
    let outer = builder([asks("look_up"), says("end"), says("end")], [inner]);
    let prices = PriceTable::new().with("priced", Price::per_million(1e6, 1e6));
    let outer = outer.limits(limits).prices(prices).build().expect("builds");
    let outcome = outer.run("?").await.expect("ends");
    (outcome, model.load(Ordering::SeqCst))
}

#[tokio::test]
async fn tokens_hold_for_both() {
    // The first request took 100, and 100 are kept for the answer.
    for (max, most) in [(400, 2), (600, 4), (1_000, 8)] {
        let (outcome, requests) = limited(Limits::default().with_max_tokens(max)).await;
        let limit = Limit::Tokens { max };
        assert!(
            matches!(outcome.finish, Finish::Limit { limit: reached, .. } if reached == limit),
            "{outcome:?}"
        );
        assert!(requests <= most, "{requests} requests within {max} tokens");
        let used = outcome.usage.input_tokens + outcome.usage.output_tokens;
        assert!(used <= max, "{used} of {max}");
    }
}

#[tokio::test]
async fn tool_calls_hold_for_both() {
    let limits = Limits::default()
        .with_max_tool_calls(4)
        .with_on_limit(OnLimit::Stop);
    let (outcome, _) = limited(limits).await;
    assert_eq!(outcome.tool_calls, 4);
    assert!(matches!(
        outcome.finish,
        Finish::Limit {
            limit: Limit::ToolCalls { max: 4 },
            ..
        } | Finish::Answered
    ));
}

#[tokio::test]
async fn cost_holds_for_both() {
    let (inner, _) = endless("look_up");
    let outer = builder([asks("look_up"), says("end")], [inner]);
    let prices = PriceTable::new().with("priced", Price::per_million(1e6, 1e6));
    let limits = Limits::default().with_max_cost(Cost::new(350.0));
    let outer = outer.limits(limits).prices(prices).build().expect("builds");
    let outcome = outer.run("?").await.expect("ends");
    // Three requests of 100 are below it, the fourth reaches it, and the sub-agent sums up once.
    assert_eq!(outcome.cost, Some(Cost::new(500.0)));
    assert!(matches!(
        outcome.finish,
        Finish::Limit {
            limit: Limit::Cost { .. },
            ..
        }
    ));
}

/// Two at once share what is left: neither has it for itself.
#[tokio::test]
async fn two_at_once_share_one_limit() {
    let ((one, first), (other, second)) = (endless("one"), endless("other"));
    let task = r#"{"task": "Go on."}"#;
    let outer = builder(
        [calls([("one", task), ("other", task)]), says("end")],
        [one, other],
    );
    let max = 2_000;
    let limits = Limits::default().with_max_tokens(max);
    let outer = outer.limits(limits).build().expect("builds");
    let outcome = outer.run("?").await.expect("ends");
    let (first, second) = (first.load(Ordering::SeqCst), second.load(Ordering::SeqCst));
    assert!(first > 3 && second > 3, "{first} and {second}");
    let used = outcome.usage.input_tokens + outcome.usage.output_tokens;
    // Each may exceed it by one reply.
    assert!(used <= max + 2 * 100, "{used}");
    assert_eq!(used, 100 * u64::from(outcome.model_calls));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_run_ends_its_sub_agents() {
    let inner = runner([calls([("hang", "{}")])], [hang()]);
    let outer = builder([asks("look_up"), says("late")], [agent(&inner, "look_up")]);
    let outer = outer
        .max_time(Duration::from_secs(5))
        .build()
        .expect("builds");
    let outcome = outer.run("?").await.expect("ends");
    assert_eq!(outcome.text, "late");
    let round = outcome.tool_rounds().next().expect("there is a round");
    let text = round.results[0].to_model_text();
    assert!(
        text.contains("the agent `look_up` was cancelled; it may have taken effect"),
        "{text}"
    );
    assert_eq!(
        outcome.usage,
        Usage::new(180, 120),
        "with what the sub-agent spent"
    );
}

/// Longer than a call may take as a rule.
#[tokio::test(start_paused = true)]
async fn a_sub_agent_has_no_time_limit_of_its_own_unless_it_is_set() {
    for (timeout, is_cut) in [(None, false), (Some(Duration::from_secs(60)), true)] {
        let slow = toolwright::dynamic::DynamicTool::builder("slow", "Takes its time.")
            .policy(ToolPolicy::default().with_timeout(Duration::from_hours(2)))
            .build(async |_: ToolCall, _| {
                tokio::time::sleep(Duration::from_hours(1)).await;
                Ok::<_, toolwright::ToolError>("at last")
            });
        let inner = builder(
            [calls([("slow", "{}")]), says("summary")],
            [slow.expect("is a tool")],
        );
        let inner = inner.max_time(None).build().expect("builds");
        let mut policy = ToolPolicy::default();
        policy.timeout = timeout;
        let inner = agent(&inner, "look_up").with_policy(policy);
        let outer = builder([asks("look_up"), says("end")], [inner]).max_time(None);
        let outcome = outer.build().expect("builds").run("?").await.expect("ends");
        let round = outcome.tool_rounds().next().expect("there is a round");
        let text = round.results[0].to_model_text();
        assert!(text.starts_with("summary"), "{text}");
        assert_eq!(text.contains("was cut off"), is_cut, "{text}");
    }
}

/// The run above waits for nothing but people either.
#[tokio::test(start_paused = true)]
async fn people_who_decide_below_take_no_time_of_the_runs_above() {
    let day = Duration::from_hours(24);
    let approver = move |_: ApprovalRequest| async move {
        tokio::time::sleep(day).await;
        Decision::Approve
    };
    let asked = CallOptions::new()
        .with_approvals(ApprovalPolicy::All)
        .with_approver(approver);
    let inner = builder([calls([("echo", "{}")]), says("found")], [echo()]);
    let inner = inner.calls(asked).build().expect("builds");
    let outer = runner([asks("look_up"), says("end")], [agent(&inner, "look_up")]);
    let begun = tokio::time::Instant::now();
    let outcome = outer.run("?").await.expect("ends");
    assert_eq!((outcome.finish, &*outcome.text), (Finish::Answered, "end"));
    assert!(begun.elapsed() >= day);
}

const DAY: Duration = Duration::from_hours(24);

/// An agent that works for a time, or whose call a person decides about after a time.
fn busy_agent(name: &str, (work, decision): (Duration, Duration)) -> SubAgent {
    let calls_it = [calls([("work", "{}")]), says("found")];
    let untimed = ToolPolicy::default().with_timeout(Duration::MAX);
    let tool = Handwritten::new("work", move |_, _| async move {
        tokio::time::sleep(work).await;
        Ok(ToolOutput::text("worked"))
    });
    let mut asked = CallOptions::new().with_approver(move |_: ApprovalRequest| async move {
        tokio::time::sleep(decision).await;
        Decision::Approve
    });
    if !decision.is_zero() {
        asked = asked.with_approvals(ApprovalPolicy::All);
    }
    let inner = builder(calls_it, [tool.with_policy(untimed)]).max_time(None);
    agent(&inner.calls(asked).build().expect("builds"), name)
}

/// A tool that has two agents at work in one call, each in a task of its own or both in that of the call.
fn both(agents: [SubAgent; 2], spawns: bool) -> Handwritten {
    let agents = super::set(agents);
    let both = Handwritten::new("both", move |_, cx| {
        let agents = agents.clone();
        async move {
            let run = |name: &'static str| {
                let (agents, cx) = (agents.clone(), cx.clone());
                async move {
                    let call = ToolCall::new("", name, r#"{"task": "Look it up."}"#);
                    agents.call(&call, &cx).await.to_model_text().into_owned()
                }
            };
            let (one, other) = (run("one"), run("other"));
            let (one, other) = if spawns {
                let (one, other) = (tokio::spawn(one), tokio::spawn(other));
                (one.await.expect("ends"), other.await.expect("ends"))
            } else {
                tokio::join!(one, other)
            };
            Ok(ToolOutput::text(format!("{one}, {other}")))
        }
    });
    both.with_policy(ToolPolicy::default().with_timeout(Duration::MAX))
}

#[tokio::test(start_paused = true)]
async fn time_counts_while_one_of_two_agents_of_a_call_works() {
    let (no_time, minutes) = (Duration::ZERO, Duration::from_mins(10));
    for (one, other, in_time) in [
        ((no_time, DAY), (no_time, DAY / 2), true),
        ((no_time, DAY), (minutes, DAY / 2), true),
        ((minutes * 2, DAY), (minutes, no_time), true),
        ((no_time, DAY), (DAY / 2, no_time), false),
        ((no_time, DAY / 2), (DAY, no_time), false),
        ((DAY / 2, DAY), (no_time, DAY), false),
    ] {
        for spawns in [false, true] {
            let case = format!("{one:?} and {other:?}, spawned: {spawns}");
            let agents = [busy_agent("one", one), busy_agent("other", other)];
            let outer = runner(
                [calls([("both", "{}")]), says("end")],
                [both(agents, spawns)],
            );
            let outcome = outer.run("?").await.expect("ends");
            let limit = Limit::Time {
                max: Limits::default().max_time.expect("is one"),
            };
            let late = Finish::Limit {
                limit,
                summarized: true,
            };
            let expected = if in_time { Finish::Answered } else { late };
            assert_eq!(outcome.finish, expected, "{case}");
            let round = outcome.tool_rounds().next().expect("there is a round");
            let text = round.results[0].to_model_text();
            assert_eq!(text == "found, found", in_time, "{case}: {text}");
        }
    }
}
