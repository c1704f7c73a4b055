//! The calls of a response that may run, and the errors that answer the others.

use std::collections::BTreeMap;

use super::{
    Limit, RunConfig,
    agents::refuse_transfers,
    allowed,
    faults::{Fault, has},
    spent::Spent,
};
use crate::{
    ToolError,
    conversation::{not_executed, why_none_ran},
    model::{ModelResponse, ToolChoice},
    tool::{ToolCall, ToolPolicy},
};

/// The calls of a response that may run, and the errors that answer the others.
#[derive(Debug)]
pub(super) struct Admitted {
    /// The errors of the calls that do not run, by their places.
    pub(super) refused: BTreeMap<usize, ToolError>,
    /// The number of calls that run and that limits count: an answer is none.
    pub(super) counted: u32,
    /// The limit that some of the others are over.
    pub(super) over: Option<Limit>,
}

/// The calls of a response where no limit is reached: all but those that the choice forbids, that hand over twice, or that
/// are too many.
pub(super) fn admit(
    config: &RunConfig,
    spent: &Spent,
    choice: &ToolChoice,
    calls: &[ToolCall],
    policies: &[ToolPolicy],
) -> Admitted {
    let mut refused = allowed::refusals(choice, calls);
    refuse_transfers(config, &mut refused, calls, policies);
    let mut over = refuse_answers(config, &mut refused, calls);
    let left = spent.calls_left(&config.limits);
    let max = config.limits.max_calls_per_response;
    let limit = match config.limits.max_tool_calls {
        Some(max_calls) if left < max => Limit::ToolCalls { max: max_calls },
        _ => Limit::CallsPerResponse { max },
    };
    let mut counted = 0;
    for (index, call) in calls.iter().enumerate() {
        let is_answer = config.takes_answer(&call.name) && !has(Fault::CountsAnswers);
        if is_answer || refused.contains_key(&index) {
            continue;
        }
        if counted < left.min(max) || has(Fault::IgnoresToolCalls) {
            counted += 1;
        } else {
            refused.insert(index, not_executed(&limit.to_string()));
            over = Some(limit);
        }
    }
    Admitted {
        refused,
        counted,
        over,
    }
}

/// The errors of the calls of a response where a limit is reached: of all but the answer, which no limit holds back.
pub(super) fn over_limit(
    config: &RunConfig,
    choice: &ToolChoice,
    calls: &[ToolCall],
    limit: Limit,
) -> BTreeMap<usize, ToolError> {
    let why = not_executed(&limit.to_string());
    let mut refused = allowed::refusals(choice, calls);
    refuse_answers(config, &mut refused, calls);
    for (index, call) in calls.iter().enumerate() {
        if !config.takes_answer(&call.name) || has(Fault::DropsAnswer) {
            refused.entry(index).or_insert_with(|| why.clone());
        }
    }
    refused
}

/// The errors of all calls of a response of which none runs: those that are known, and for the others the reason of its
/// end.
pub(super) fn none(
    mut refused: BTreeMap<usize, ToolError>,
    response: &ModelResponse,
) -> BTreeMap<usize, ToolError> {
    let why = not_executed(why_none_ran(response.finish_reason));
    for index in 0..response.tool_calls.len() {
        refused.entry(index).or_insert_with(|| why.clone());
    }
    refused
}

/// Adds the errors of the calls with the answer that are too many for one response, and gives the limit that these are
/// over. No other limit counts them.
fn refuse_answers(
    config: &RunConfig,
    refused: &mut BTreeMap<usize, ToolError>,
    calls: &[ToolCall],
) -> Option<Limit> {
    let max = config.limits.max_calls_per_response;
    let limit = Limit::CallsPerResponse { max };
    let answers = calls.iter().enumerate();
    let answers = answers
        .filter(|(index, call)| !refused.contains_key(index) && config.takes_answer(&call.name));
    let over: Vec<_> = answers.skip(max as usize).map(|(index, _)| index).collect();
    for index in &over {
        refused.insert(*index, not_executed(&limit.to_string()));
    }
    (!over.is_empty()).then_some(limit)
}
