//! Conditions that end a run.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use super::faults::{Fault, has};
use crate::tool::{ToolCall, ToolPolicy, ToolResult};

/// A condition that ends a run when a round is over. It is no [limit](super::Limits): no further request is sent, and
/// the caller uses the results.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, ToolCall, testing::ScriptedModel, tool, toolset};
/// use toolwright::run::{Finish, StopReason, StopWhen};
///
/// /// Hand in the report.
/// #[tool]
/// async fn hand_in(text: String) {}
///
/// let call = ToolCall::new("1", "hand_in", r#"{"text": "Oslo is sunny."}"#);
/// let model = ScriptedModel::new([ModelResponse::from_calls([call])]);
/// let condition = StopWhen::ToolCalled("hand_in".to_owned());
/// let runner = Runner::builder(model).tools(toolset![hand_in]).stop_when([condition.clone()]).build()?;
/// let outcome = runner.run("Write a report.").await?;
/// assert_eq!(outcome.finish, Finish::Stopped(StopReason::Condition(condition)));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopWhen {
    /// The tool of this name was called in the round.
    ToolCalled(String),
    /// So many rounds of tool calls are over.
    Rounds(u32),
}

/// What stopped a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// A condition of [`RunConfig::stop_when`](super::RunConfig::stop_when).
    Condition(StopWhen),
    /// The hook before a request, with its words.
    Hook(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Condition(StopWhen::ToolCalled(name)) => write!(f, "`{name}` was called"),
            Self::Condition(StopWhen::Rounds(1)) => f.write_str("1 round is over"),
            Self::Condition(StopWhen::Rounds(rounds)) => write!(f, "{rounds} rounds are over"),
            Self::Hook(why) => f.write_str(why),
        }
    }
}

/// The condition that holds after so many rounds, the last of which had these calls, if one does.
pub(super) fn stop_after(
    conditions: &[StopWhen],
    rounds: u32,
    calls: &[ToolCall],
) -> Option<StopReason> {
    let holds = |condition: &&StopWhen| match condition {
        StopWhen::ToolCalled(name) => calls.iter().any(|call| call.name == *name),
        StopWhen::Rounds(max) => rounds >= *max,
    };
    let first = conditions
        .iter()
        .find(holds)
        .filter(|_| !has(Fault::IgnoresStop));
    first.cloned().map(StopReason::Condition)
}

/// The answer of the first tool of a round that ends the run, if one has succeeded.
pub(super) fn answer_of<'a>(
    policies: impl Iterator<Item = &'a ToolPolicy>,
    results: &[ToolResult],
) -> Option<String> {
    let ends = policies.zip(results);
    let mut ends = ends.filter(|(policy, _)| policy.ends_run);
    ends.find_map(|(_, result)| result.to_answer().map(Cow::into_owned))
}
