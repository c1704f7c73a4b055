//! For tests of tools and of programs that use them: no network, no key, no waiting.

mod check;
pub(crate) mod difference;
mod prompt_lock;
mod update;

pub use crate::assert_prompt_lock;
pub use check::{CheckError, Violation, check};
pub use prompt_lock::{PromptLock, PromptLockError, PromptTool};
#[doc(hidden)]
pub use prompt_lock::{
    assert_prompt_lock as __assert_prompt_lock, assert_prompt_lock_in as __assert_prompt_lock_in,
};
pub use update::Update;

use crate::tool::ToolContext;

/// A context for calling a tool by hand: with a call id, without a cancel and without extensions.
pub fn context() -> ToolContext {
    ToolContext::new("test")
}
