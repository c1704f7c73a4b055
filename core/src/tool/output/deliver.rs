//! Values that an `async` tool may return.

use std::{
    future::{Future, poll_fn, ready},
    pin::pin,
    task::Poll,
};

use futures_core::Stream;

use super::{IntoToolOutput, ToolOutput, Updates, returned::ErrorForModel};
use crate::{
    ToolError,
    tool::{CallUpdate, ToolContext},
};

/// A value that an `async` tool may return: any [`IntoToolOutput`], or [`Updates`], a stream of partial
/// results.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "a tool returns something that can be shown to the model",
    note = "return what derives `serde::Serialize`, or `String`, `()`, `ToolOutput`, `Image`, or a `Result` of these; what gives a future is an `async fn`",
    note = "`Json` takes what derives both `serde::Serialize` and `ToolInput`; `Updates` takes a stream of `Result`s"
)]
pub trait Deliver: Sized {
    /// Publishes what there is to publish, and gives the result.
    ///
    /// # Errors
    ///
    /// When a value does not serialise, and the first error of the stream.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the stream.
    fn deliver(
        self,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send;
}

#[diagnostic::do_not_recommend]
impl<T: IntoToolOutput> Deliver for T {
    fn deliver(
        self,
        _: &ToolContext,
    ) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send {
        ready(self.into_tool_output())
    }
}

#[diagnostic::do_not_recommend]
impl<S, T, E> Deliver for Updates<S>
where
    S: Stream<Item = Result<T, E>> + Send,
    T: IntoToolOutput,
    E: ErrorForModel,
{
    async fn deliver(self, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut stream = pin!(self.0);
        let mut output = ToolOutput::default();
        loop {
            let next = poll_fn(|task| {
                let item = stream.as_mut().poll_next(task);
                item.map(|item| {
                    item.map(|item| {
                        item.map_err(ErrorForModel::into_tool_error)?
                            .into_tool_output()
                    })
                })
            });
            let Some(next) = next.await else {
                return Ok(output);
            };
            output = next?;
            let progress = cx.progress();
            progress.publish(|| CallUpdate::Partial(output.clone()));
            // A stream that never waits must not keep a reader, a cancel or other calls waiting.
            yield_once().await;
        }
    }
}

/// Lets other tasks have a turn, on any executor.
pub(crate) async fn yield_once() {
    let mut yielded = false;
    poll_fn(|task| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        task.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
