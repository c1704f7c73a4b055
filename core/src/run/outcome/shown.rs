//! An outcome as it is printed.

use std::fmt;

use super::{Finish, RunOutcome};

/// The text, and in square brackets why that is no answer, or why there is none: a run that was cancelled, is suspended
/// or reached a limit never prints an empty line.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let runner = Runner::builder(model).build()?;
/// assert_eq!(runner.run("Say hello.").await?.to_string(), "Hello.");
///
/// let handle = runner.start("Say hello.");
/// handle.cancel();
/// assert_eq!(handle.outcome().await?.to_string(), "[no answer: it was cancelled]");
/// # Ok(()) }
/// ```
impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_text = !self.text.trim().is_empty();
        if has_text {
            f.write_str(&self.text)?;
        }
        match &self.finish {
            Finish::Answered | Finish::InputRefused | Finish::Refused if has_text => Ok(()),
            Finish::Answered => f.write_str("[an answer without text]"),
            finish if has_text => write!(f, "\n[{finish}]"),
            finish => write!(f, "[no answer: {finish}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Conversation,
        run::{Limit, Run, RunConfig, RunId, Signal, StopReason},
    };

    #[test]
    fn what_is_no_answer_says_so() {
        let config = RunConfig::default();
        let (mut run, _) = Run::start(RunId::new("a"), config, Conversation::new(), "Hello.");
        run.handle_unread(Signal::Cancel);
        let mut outcome = run.into_outcome().expect("it is over");
        let limit = Limit::Rounds { max: 5 };
        let ends = [
            (Finish::Answered, "[an answer without text]", "A fjord."),
            (
                Finish::Suspended,
                "[no answer: calls wait for people or for the application]",
                "A fjord.\n[calls wait for people or for the application]",
            ),
            (
                Finish::Cancelled,
                "[no answer: it was cancelled]",
                "A fjord.\n[it was cancelled]",
            ),
            (
                Finish::Limit {
                    limit,
                    summarized: true,
                },
                "[no answer: the limit of 5 rounds of tool calls is reached]",
                "A fjord.\n[the limit of 5 rounds of tool calls is reached]",
            ),
            (
                Finish::Stopped(StopReason::Hook("enough".into())),
                "[no answer: enough]",
                "A fjord.\n[enough]",
            ),
            (
                Finish::Refused,
                "[no answer: the model refused]",
                "A fjord.",
            ),
            (
                Finish::InputRefused,
                "[no answer: a check of the application refused the message]",
                "A fjord.",
            ),
            (
                Finish::Filtered,
                "[no answer: the provider's filter stopped the response]",
                "A fjord.\n[the provider's filter stopped the response]",
            ),
            (
                Finish::Truncated,
                "[no answer: the limit of output tokens cut the response off]",
                "A fjord.\n[the limit of output tokens cut the response off]",
            ),
            (
                Finish::Empty,
                "[no answer: the response was empty]",
                "A fjord.\n[the response was empty]",
            ),
        ];
        for (finish, without, with) in ends {
            outcome.finish = finish;
            for (text, shown) in [("", without), (" \n", without), ("A fjord.", with)] {
                text.clone_into(&mut outcome.text);
                assert_eq!(outcome.to_string(), shown);
            }
        }
    }
}
