//! The runner's builder, the events of a run, and a printer of them.
//!
//! [`Runner`](crate::Runner) is the entry point.

pub use toolwright_runtime::{
    Agent, AgentError, Answer, AnswerError, BuildError, CallOrigin, ConversationTurn, DetachedRun,
    InputRefusal, NextRequest, NotWaiting, Printer, ResumeRequest, RunControl, RunEvent, RunHandle,
    RunIsOver, RunOptions, RunRequest, RunnerBuilder, SharedConversation, SubAgent, SubAgentError,
    UserInput,
};
// Bounds of methods, which nobody names.
#[cfg(feature = "runtime")]
pub use toolwright_runtime::{Durability, OnChanged, Recovered, RunReader, WhenBusy};
#[doc(hidden)]
pub use toolwright_runtime::{IntoToolset, OwnsConversation, Resumable, TypedAnswer, Within};
