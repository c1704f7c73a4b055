//! What a tool function may return.

use serde::Serialize;

use super::ToolOutput;
use crate::{ToolError, tool::output::text::text_or_json};

/// What a tool may return: any `Serialize` value, `String` and `&str` (sent as they are, everything
/// else as JSON), `()`, [`ToolOutput`], and a `Result` of one of these.
///
/// Implement it for a type of your own that is not `Serialize` and has a better form for a model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "a tool returns something that can be shown to the model",
    note = "derive `serde::Serialize` for `{Self}`, or return `String`, `()`, `ToolOutput`, or a `Result` of these"
)]
pub trait IntoToolOutput: Sized {
    /// Turns the value into what the model reads.
    ///
    /// # Errors
    ///
    /// When the value does not serialise.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoToolOutput for T {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        text_or_json(&self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}
