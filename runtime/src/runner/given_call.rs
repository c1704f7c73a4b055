//! A run of one call that the program gives, without a model.

use futures_util::stream;

use super::{Inner, RunRequest, Runner, RunnerBuilder};
use toolwright_core::{
    ChatModel, ToolCall,
    model::{ModelError, ModelErrorKind, ModelRequest, ModelStream, ToolChoice},
    run::{OnLimit, StopWhen},
};

impl Runner {
    /// Prepares a run of one call that the program gives in the place of a model: no request is sent. The call has all that
    /// calls of other runs have: limits, approvals, a log, and a place in the [store](RunnerBuilder::store), from which it is
    /// resumed.
    ///
    /// The run ends after the call with [`Finish::Stopped`](toolwright_core::Finish::Stopped). The result is in the only round
    /// of the outcome. The question is the name of the tool with the arguments, which the runner does not check as input.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{Runner, ToolCall, tool, toolset};
    ///
    /// /// Double a number.
    /// #[tool(read_only)]
    /// fn double(n: i64) -> i64 {
    ///     n * 2
    /// }
    ///
    /// let runner = Runner::without_model().tools(toolset![double]).build()?;
    /// let outcome = runner.call(ToolCall::new("1", "double", r#"{"n": 21}"#)).run().await?;
    /// let round = outcome.tool_rounds().next().expect("the call has run");
    /// assert_eq!(round.results[0].to_model_text(), "42");
    /// # Ok(()) }
    /// ```
    pub fn call(&self, call: ToolCall) -> RunRequest {
        let question = format!("{} {}", call.name, call.arguments);
        self.request(question).checked().giving(call)
    }

    /// Builds a runner without a model, for [calls](Self::call) that the program gives. Every other run of it fails.
    pub fn without_model() -> RunnerBuilder {
        Self::builder(NoModel)
    }
}

impl Inner {
    /// Makes a run with these settings one of this call alone.
    pub(super) fn give(&mut self, call: ToolCall) {
        let config = &mut self.config;
        config.stop_when = vec![StopWhen::Rounds(1)];
        // Nobody can be asked for a summary.
        config.limits.on_limit = OnLimit::Stop;
        (config.context_window, config.plans_requests) = (None, false);
        (config.agent, config.answer) = (None, None);
        for agent in &mut config.agents {
            agent.tool_choice = None;
        }
        // A tool that is looked up otherwise is there from the beginning.
        config.tool_choice = ToolChoice::Tool(call.name.clone()).into();
        config.tools = Some(vec![call.name.clone()]);
        config.given = Some(call);
    }
}

struct NoModel;

impl ChatModel for NoModel {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let message = "the runner has no model: give it calls, by `Runner::call`";
        let error = ModelError::new(ModelErrorKind::InvalidRequest, message);
        Box::pin(stream::iter([Err(error)]))
    }
}

#[cfg(test)]
mod tests;
