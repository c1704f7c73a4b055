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
    ChatModel, Runner,
    model::{ModelRequest, ModelStream, ToolChoice, Usage},
    run::{Cost, Finish, Limit, Limits, OnLimit, Price, PriceTable, RunOutcome},
    runner::SubAgent,
};

use super::{agent, asks, builder, calls, runner, says};
use crate::handwritten::{echo, hang};

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
            .policy(toolwright::tool::ToolPolicy::default().with_timeout(Duration::from_hours(2)))
            .build(async |_: toolwright::ToolCall, _| {
                tokio::time::sleep(Duration::from_hours(1)).await;
                Ok::<_, toolwright::ToolError>("at last")
            });
        let inner = builder(
            [calls([("slow", "{}")]), says("summary")],
            [slow.expect("is a tool")],
        );
        let inner = inner.max_time(None).build().expect("builds");
        let mut policy = toolwright::tool::ToolPolicy::default();
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
    let approver = move |_: toolwright::approval::ApprovalRequest| async move {
        tokio::time::sleep(day).await;
        toolwright::approval::Decision::Approve
    };
    let asked = toolwright::dispatch::CallOptions::new()
        .with_approvals(toolwright::approval::ApprovalPolicy::All)
        .with_approver(approver);
    let inner = builder([calls([("echo", "{}")]), says("found")], [echo()]);
    let inner = inner.calls(asked).build().expect("builds");
    let outer = runner([asks("look_up"), says("end")], [agent(&inner, "look_up")]);
    let begun = tokio::time::Instant::now();
    let outcome = outer.run("?").await.expect("ends");
    assert_eq!((outcome.finish, &*outcome.text), (Finish::Answered, "end"));
    assert!(begun.elapsed() >= day);
}
