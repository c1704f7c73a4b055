//! Runs the tools and models of [toolwright](https://docs.rs/toolwright) on tokio: the dispatch of calls, the runner,
//! and the store in memory.
//!
//! Depend on `toolwright`, which re-exports this crate.

pub mod store;
pub mod testing;

mod budget;
mod contained;
mod dispatch;
mod fallback;
mod guardrail;
mod limit;
mod random;
mod retry;
mod runner;

#[doc(hidden)]
pub use dispatch::Redactions;
pub use dispatch::{
    Admission, Approver, CallOptions, Credentials, Dispatch, DispatchEvent, DispatchOptions,
    DispatchStream, OversizedOutput, RateLimiter, Redact, Reservation, Secrets, dispatch_fn,
    dispatch_stream_fn, redact_fn,
};
#[cfg(feature = "regex")]
pub use dispatch::{PatternError, RedactPatterns};
pub use fallback::Fallback;
pub use guardrail::{AnswerRefusal, Guarded};
pub use limit::TimeLimit;
pub use retry::Retry;
#[doc(hidden)]
pub use runner::misuse;
pub use runner::{
    Agent, AgentError, Answer, AnswerError, BuildError, CallOrigin, ConversationTurn, DetachedRun,
    Durability, InputRefusal, IntoToolset, NextRequest, NotWaiting, OnChanged, OwnsConversation,
    Printer, Recovered, Resumable, ResumeRequest, RunControl, RunEvent, RunHandle, RunIsOver,
    RunOptions, RunReader, RunRequest, Runner, RunnerBuilder, SharedConversation, SubAgent,
    SubAgentError, TypedAnswer, UserInput, WhenBusy, Within,
};
