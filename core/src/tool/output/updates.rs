//! Results that come in pieces.

use futures_core::Stream;

/// A stream of partial results, for an `async` tool: each item replaces the one before, and the last
/// is the result. No item at all is an output without parts.
///
/// An item is a `Result`: of anything that is [`IntoToolOutput`](super::IntoToolOutput), or an error
/// that is `Into<ToolError>` or a text, and ends the call. Every item is published, as
/// [`CallUpdate::Partial`](crate::CallUpdate::Partial), to the caller that runs the call; the model
/// reads only the result. The stream may borrow from the context, and is dropped where it waits when
/// the call is cancelled.
///
/// ```
/// use std::{future::{Future, Ready, ready}, pin::Pin, task::{Context, Poll}};
/// use futures_core::Stream;
/// use toolwright::{ToolContext, ToolError, tool::{Deliver, Updates}};
///
/// /// Counts down.
/// struct Countdown(u32);
///
/// impl Stream for Countdown {
///     type Item = Result<String, ToolError>;
///
///     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
///         self.0 -= 1;
///         Poll::Ready((self.0 > 0).then(|| Ok(format!("{} to go", self.0))))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let output = Updates(Countdown(5)).deliver(&ToolContext::default()).await;
/// assert_eq!(output.unwrap().to_text(), "1 to go");
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Updates<S>(pub S);

impl<S: Stream> From<S> for Updates<S> {
    fn from(stream: S) -> Self {
        Self(stream)
    }
}
