//! For tests of tools and of programs that use them, with what runs calls.
//!
//! [`call`] runs one tool as a model would call it, and [`observe`] keeps what it says meanwhile.
//! [`ScriptedModel`] is a model that says what a test wants.

mod call;
mod observe;
mod played;
mod scripted;

pub use call::call;
pub use observe::{Observed, observe};
pub use played::ScriptedResponse;
pub use scripted::ScriptedModel;
