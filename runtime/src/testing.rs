//! For tests of tools and of programs that use them: no network, no key, no waiting.
//!
//! [`check`] looks for what the compiler cannot see of the tools of a program, all at once: one test of a
//! program calls it.
//! [`call`] runs one tool as a model would call it, [`observe`] keeps what it says meanwhile, [`context`] is what a tool is handed, and
//! [`ScriptedModel`] is a model that says what a test wants. [`assert_prompt_lock!`] fails when the
//! definitions of the tools differ from a file. [`Recording`] keeps a run with a real model in a file, and
//! runs it again offline.

#[cfg(feature = "runtime")]
mod call;
mod check;
mod difference;
#[cfg(feature = "runtime")]
mod observe;
mod played;
mod prompt_lock;
#[cfg(feature = "runtime")]
mod recording;
mod scripted;
mod update;
mod visible;

pub use crate::assert_prompt_lock;
#[cfg(feature = "runtime")]
pub use call::call;
pub use check::{CheckError, Violation, check};
#[cfg(feature = "runtime")]
pub use observe::{Observed, observe};
pub use played::ScriptedReply;
pub use prompt_lock::{PromptLock, PromptLockError, PromptTool};
#[doc(hidden)]
pub use prompt_lock::{
    assert_prompt_lock as __assert_prompt_lock, assert_prompt_lock_in as __assert_prompt_lock_in,
};
#[cfg(feature = "runtime")]
pub use recording::{Recording, RecordingError};
pub use scripted::ScriptedModel;
pub use update::Update;

use crate::tool::ToolContext;

/// A context for calling a tool by hand: a call id, nobody who cancels, no extensions.
pub fn context() -> ToolContext {
    ToolContext::new("test")
}
