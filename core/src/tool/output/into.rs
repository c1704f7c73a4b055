//! Values that a tool function may return.

use serde::Serialize;

use super::{OutputPart, ToolOutput};
use crate::{
    ToolError,
    document::{Audio, Document},
    image::Image,
    tool::output::text::text_or_json,
};

/// A value that a tool may return: any `Serialize` value, text as it is and everything else as JSON, `()`,
/// [`ToolOutput`], [`Image`], [`Json`](super::Json), and a `Result` of one of these. An `async` tool may
/// return [`Updates`](super::Updates) as well.
///
/// | Returned | The model reads |
/// | --- | --- |
/// | `String`, `&str`, `Cow<str>`, `Box<str>`, also in a newtype | the text |
/// | `()` | nothing |
/// | `Option` | JSON, `null` for `None`: a text in it has quotes, so that `null` is no text |
/// | any other `Serialize` value | its JSON |
/// | [`Json`](super::Json) | its JSON; programs read a schema |
/// | [`ToolOutput`], [`OutputPart`], [`Image`], [`Document`], [`Audio`] | the parts |
/// | `Ok` | what is in it |
/// | `Err` of a `ToolError`, or of what is `Into<ToolError>` | the error's text for the model |
/// | `Err` of a `String`, `&str`, `Cow<str>` or `Box<str>` | the text: its words are the author's own |
/// | `Err` of any other error | a fixed text; the log reads the error |
///
/// `Arc` and `Rc` are `Serialize` with serde's feature `rc`.
///
/// A `Result` in a `Result` is taken apart too. One inside something else, such as a list, is a value
/// like any other, and its errors are shown as serde writes them.
///
/// Implement it for a type of your own that is not `Serialize` and has a better form for a model:
///
/// ```
/// use toolwright::{ToolError, ToolOutput, tool::IntoToolOutput};
///
/// struct Table(Vec<[String; 2]>);
///
/// impl IntoToolOutput for Table {
///     fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
///         let rows: Vec<_> = self.0.iter().map(|row| row.join(" | ")).collect();
///         Ok(ToolOutput::text(rows.join("\n")))
///     }
/// }
/// # let table = Table(vec![["a".to_owned(), "b".to_owned()]]);
/// # assert_eq!(table.into_tool_output().unwrap().to_text(), "a | b");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "a tool returns something that can be shown to the model",
    note = "return what derives `serde::Serialize`, or `String`, `()`, `ToolOutput`, `Image`, or a `Result` of these; what gives a future is an `async fn`",
    note = "`Json` takes what derives both `serde::Serialize` and `ToolInput`; `Updates` needs an `async fn`"
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

#[diagnostic::do_not_recommend]
impl IntoToolOutput for OutputPart {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolOutput for Document {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolOutput for Audio {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl IntoToolOutput for Image {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self.into())
    }
}
