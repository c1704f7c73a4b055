//! The runner's builder, the events of a run, and a printer of them.
//!
//! [`Runner`](crate::Runner) is the entry point.

pub use toolwright_runtime::{
    Agent, AgentError, Answer, AnswerError, BuildError, ConversationTurn, DetachedRun, NextRequest,
    NotWaiting, OwnsConversation, Printer, Resumable, ResumeRequest, RunControl, RunEvent,
    RunHandle, RunIsOver, RunOptions, RunRequest, RunnerBuilder, SharedConversation, SubAgent,
    SubAgentError, TypedAnswer, Within,
};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Durability, OnChanged, Recovered, RunReader, WhenBusy};
