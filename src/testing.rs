//! For tests of tools and of programs that use them: no network, no key, no waiting.
//!
//! [`check`] looks for what the compiler cannot see of the tools of a program, all at once: one test of a
//! program calls it.
//! [`call`] runs one tool as a model would call it, [`observe`] keeps what it says meanwhile, [`context`] is what a tool is handed, and
//! [`ScriptedModel`] is a model that says what a test wants. [`assert_prompt_lock!`] fails when the
//! definitions of the tools differ from a file.
//!
//! The package `toolwright-recording` keeps a run with a real model in a file, and runs it again offline.

pub use toolwright_core::testing::{
    CheckError, PromptLock, PromptLockError, PromptTool, Update, Violation, assert_prompt_lock,
    check, context,
};
#[cfg(feature = "runtime")]
pub use toolwright_runtime::testing::{Observed, ScriptedModel, ScriptedResponse, call, observe};
