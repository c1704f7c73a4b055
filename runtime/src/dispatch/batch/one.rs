//! A batch of one call.

use std::pin::pin;

use futures_util::future::{Either, select};

use super::{Attempt, Tools};
use crate::{
    budget::Budget,
    dispatch::{AttemptEnd, AttemptStart, CallRules, DispatchOptions, Time, wait},
};
use toolwright_core::{
    Leniency,
    driver::CallPlace,
    tool::{ToolCall, ToolResult},
};

/// Returns the rules of the only call of a batch, if it needs no batch: nothing is to be waited for or decided before its
/// one attempt.
pub(super) fn needs_no_batch<'a>(
    calls: &'a [ToolCall],
    options: &DispatchOptions,
    tools: Tools<'a>,
) -> Option<CallRules<'a>> {
    let [call] = calls else { return None };
    let rules = tools.rules(call);
    let waits = tools.asks(rules) || rules.policy.rate_limit.is_some();
    let is_prepared = rules.options.leniency != Leniency::Off;
    let may_repeat = rules.policy.allowed_retries() > 0;
    let may_be_late = options.deadline.is_some() || options.context.deadline().is_some();
    let needs_batch =
        waits || is_prepared || may_repeat || may_be_late || options.context.is_cancelled();
    (!needs_batch).then_some(rules)
}

/// Awaits the attempt of a call. When it is to stop, it has its grace.
pub(super) async fn result<'a, F: Future<Output = AttemptEnd>>(
    rules: CallRules<'a>,
    options: &'a DispatchOptions,
    start: impl FnOnce(Attempt<'a>) -> F,
) -> ToolResult {
    let ending = options.ending();
    let place = CallPlace {
        round: options.context.round(),
        index: 0,
        attempt: 1,
    };
    let cx = options.context_of_calls().of_call(place);
    let first = AttemptStart {
        cx: cx.with_progress(|others| options.progress(0, others)),
        time: Time::new(rules.timeout(), &ending),
        failed: None,
        asks: None,
    };
    let attempt = pin!(start(Attempt {
        index: 0,
        rules,
        edited: None,
        start: match rules.asks_in_place() {
            Some(asks) => asks.begin(first),
            None => first,
        },
    }));
    let stop = pin!(async {
        options.context.cancelled().await;
        wait(options.calls.grace).await;
        ending.abort();
    });
    let end = match select(attempt, stop).await {
        Either::Left((end, _)) => end,
        Either::Right(((), attempt)) => attempt.await,
    };
    // Calls that never wait must not keep other tasks waiting.
    Budget::new().step().await;
    ToolResult::of(rules.call.id.as_str(), end.outcome)
}
