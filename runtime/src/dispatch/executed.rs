//! An attempt of a call, and what of its outcome leaves the call.

use std::sync::Arc;

use super::{Ended, Finished, Finishing, Handed, Lingering, execute, until::Until};
use crate::{
    ToolError,
    tool::{Tool, ToolCall, ToolContext, ToolPolicy},
};

/// What came of an attempt of a call.
#[derive(Debug)]
pub(crate) struct Executed {
    pub(crate) outcome: Handed,
    /// What of the attempt runs on.
    pub(crate) lingering: Option<Lingering>,
}

impl Finishing {
    /// Runs an attempt of a call: runs its tool as [`execute`] does, and redacts and cuts what came of
    /// it. A tool that is not there is an outcome like others.
    pub(crate) async fn run(
        &self,
        tool: Result<&Arc<dyn Tool>, Box<ToolError>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        cx: &ToolContext,
        until: &Until,
    ) -> Executed {
        let Ended { outcome, lingering } = match tool {
            Ok(tool) => execute(tool, policy, call, cx, until).await,
            Err(error) => Ended::with(Err(error)),
        };
        let outcome = match self.finish(call, policy, until, outcome) {
            Finished::Now(outcome) => outcome,
            Finished::Later(cut) => cut.await,
        };
        Executed { outcome, lingering }
    }
}

/// Nothing of it runs on.
impl From<Handed> for Executed {
    fn from(outcome: Handed) -> Self {
        Self {
            outcome,
            lingering: None,
        }
    }
}
