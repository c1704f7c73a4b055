//! An attempt of a call, and what of its outcome leaves the call.

use std::sync::Arc;

use super::{Finishing, Outcome, Until, execute};
use crate::{
    ToolError,
    tool::{Tool, ToolCall, ToolContext, ToolPolicy},
};

impl Finishing {
    /// Runs an attempt of a call: runs its tool as [`execute`] does, and redacts and cuts what came of
    /// it. A tool that is not there is an outcome like others.
    pub(crate) async fn run(
        &self,
        tool: &Result<Arc<dyn Tool>, Box<ToolError>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        cx: &ToolContext,
        until: &Until,
    ) -> Outcome {
        let outcome = match tool {
            Ok(tool) => execute(tool, policy, call, cx, until).await,
            Err(error) => Err(ToolError::clone(error)),
        };
        self.finish(call, policy, outcome).await
    }
}
