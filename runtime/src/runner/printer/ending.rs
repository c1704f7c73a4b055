//! The words for the end of a run.

use std::{borrow::Cow, fmt::Write};

use toolwright_core::run::{Finish, RunOutcome};

/// The reason why a run ended.
pub(super) fn reason(outcome: &RunOutcome) -> Cow<'static, str> {
    match &outcome.finish {
        Finish::Limit { limit, summarized } if *summarized => {
            format!("{limit}; the model answered from what there was").into()
        }
        Finish::Limit { limit, .. } => format!("{limit}; there is no answer").into(),
        Finish::Stopped(reason) => format!("stopped, {reason}").into(),
        Finish::Suspended => {
            format!("suspended, calls that wait: {}", outcome.pending.len()).into()
        }
        Finish::Cancelled => "cancelled".into(),
        Finish::Failed(failure) => format!("failed, {failure}").into(),
        finish => finish.to_string().into(),
    }
}

/// What a run has used.
pub(super) fn used(outcome: &RunOutcome) -> String {
    let mut used = format!(
        "rounds: {}, tool calls: {}, model calls: {}",
        outcome.rounds, outcome.tool_calls, outcome.model_calls,
    );
    if outcome.requests > outcome.model_calls {
        write!(used, " in {} requests", outcome.requests).expect("a text takes everything");
    }
    let (read, written) = (outcome.usage.input_tokens, outcome.usage.output_tokens);
    // Of a response that broke off, and by some servers of any, nothing is said.
    match (read, written, &outcome.finish) {
        (0, 0, _) => used.push_str(", tokens: unknown"),
        (_, _, Finish::Cancelled) => {
            write!(used, ", tokens: at least {read} in, {written} out")
                .expect("a text takes everything");
        }
        _ => write!(used, ", tokens: {read} in, {written} out").expect("a text takes everything"),
    }
    if let Some(cost) = outcome.cost {
        write!(used, ", cost: {cost}").expect("a text takes everything");
    }
    used
}
