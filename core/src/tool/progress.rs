//! Updates from a running call, before its result.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::{Deserialize, Serialize};

use super::{FromContext, ToolContext, ToolOutput};
use crate::{ToolError, panics::caught};

/// A handle for a running call to say how far it is. It is a `#[context]` parameter, or
/// [`ToolContext::progress`].
///
/// Cheap to clone; clones are the same call. Nothing waits and nothing fails: without a listener, and
/// once the call has its result, a report goes nowhere.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use toolwright::tool::Progress;
///
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let listener = seen.clone();
/// let progress = Progress::new(move |update| listener.lock().unwrap().push(update));
/// progress.step(3, 10, "three files read");
/// assert_eq!(seen.lock().unwrap().len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Line>>);

struct Line {
    listener: Box<dyn Fn(CallUpdate) + Send + Sync>,
    ended: AtomicBool,
    /// The handle that ends together with this one.
    below: Progress,
}

/// An update from a running call, before its result. It is not stored: only the result counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallUpdate {
    /// The progress of the call.
    Progress(ProgressReport),
    /// The output so far, which replaces the output of earlier updates.
    Partial(#[serde(serialize_with = "super::output::stored::serialize")] ToolOutput),
}

impl CallUpdate {
    /// The same update, with its texts and its output changed.
    #[doc(hidden)]
    pub fn with_texts(
        self,
        text: impl FnOnce(String) -> String,
        output: impl FnOnce(ToolOutput) -> ToolOutput,
    ) -> Self {
        match self {
            Self::Partial(partial) => Self::Partial(output(partial)),
            Self::Progress(mut report) => {
                report.message = text(report.message);
                Self::Progress(report)
            }
        }
    }
}

/// The progress of a call, with the meaning that the Model Context Protocol gives these words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProgressReport {
    /// The amount that is done, in any unit. It grows from report to report.
    pub progress: f64,
    /// The total amount, in the same unit; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A description of what the call is doing, for people; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl ProgressReport {
    /// A report without a total and a message.
    pub fn new(progress: f64) -> Self {
        Self {
            progress,
            total: None,
            message: String::new(),
        }
    }

    /// Says how much there is to do.
    pub fn with_total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Says what the call is doing.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    fn is_finite(&self) -> bool {
        self.progress.is_finite() && self.total.is_none_or(f64::is_finite)
    }
}

impl Progress {
    /// A handle whose reports go to a listener.
    ///
    /// The listener runs inside the tool's own report, on its thread: it has to be quick, and must
    /// not report to the handle it listens to. Several threads may report at once. If the listener
    /// panics, the report goes nowhere. When the call has its result, no further report is
    /// delivered; one that is being delivered is not waited for.
    pub fn new(listener: impl Fn(CallUpdate) + Send + Sync + 'static) -> Self {
        Self::over(Self::default(), listener)
    }

    /// A handle whose reports go to a listener, and whose end is also that of another one.
    #[doc(hidden)]
    pub fn over(below: Self, listener: impl Fn(CallUpdate) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Line {
            listener: Box::new(listener),
            ended: AtomicBool::new(false),
            below,
        })))
    }

    /// Says that a part of the whole is done: 0.5 is half of it.
    pub fn fraction(&self, fraction: f64, message: impl Into<String>) {
        self.report(
            ProgressReport::new(fraction)
                .with_total(1.0)
                .with_message(message),
        );
    }

    /// Says that so many of so many steps are done.
    #[expect(
        clippy::cast_precision_loss,
        reason = "nobody sees the difference beyond 2^53 steps"
    )]
    pub fn step(&self, done: u64, total: u64, message: impl Into<String>) {
        self.report(
            ProgressReport::new(done as f64)
                .with_total(total as f64)
                .with_message(message),
        );
    }

    /// Says how far the call is. A report with a number that is infinite or none goes nowhere.
    pub fn report(&self, report: ProgressReport) {
        if report.is_finite() {
            self.publish(|| CallUpdate::Progress(report));
        }
    }

    /// Returns true if there is a listener. It is for a tool whose reports are costly to make.
    pub fn is_heard(&self) -> bool {
        self.0.as_ref().is_some_and(|line| !line.has_ended())
    }

    /// Passes an update to the listener. It is made only if there is one.
    #[doc(hidden)]
    pub fn publish(&self, update: impl FnOnce() -> CallUpdate) {
        if let Some(line) = self.0.as_ref().filter(|line| !line.has_ended()) {
            // Who reports has no part in what becomes of the report. No lock is held meanwhile: a
            // listener that takes its time holds up neither the end of the call nor other reports.
            let _ = caught(|| (line.listener)(update()));
        }
    }

    /// A handle to the same listener that can be ended by itself.
    pub(crate) fn child(&self) -> Self {
        if self.0.is_none() {
            return Self(None);
        }
        let parent = self.clone();
        Self::new(move |update| parent.publish(|| update))
    }

    /// The call has its result: the listener gets no further report. Nobody waits for one that it
    /// is hearing.
    #[doc(hidden)]
    pub fn end(&self) {
        if let Some(line) = &self.0 {
            line.ended.store(true, Ordering::SeqCst);
            line.below.end();
        }
    }
}

impl Line {
    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
}

#[diagnostic::do_not_recommend]
impl<'cx> FromContext<'cx> for Progress {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.progress().clone())
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("is_heard", &self.is_heard())
            .finish()
    }
}
