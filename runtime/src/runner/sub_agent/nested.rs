//! The run of a sub-agent, which is driven by its call, and its events among those of the run around it.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, ready},
};

use futures_core::Stream;

use crate::runner::{RunEvent, RunHandle, queue::EventQueue};
use toolwright_core::{
    run::{CallId, Record},
    tool::{Progress, ProgressReport, ToolContext},
};

/// Drives the run of the agent of this name to its end, and cancels it when its call is cancelled.
pub(super) async fn drive(
    handle: &mut RunHandle,
    cx: &ToolContext,
    name: &str,
    around: Option<(EventQueue, CallId)>,
) {
    let (mut cancelled, control) = (pin!(cx.cancelled()), handle.control());
    let mut is_told = false;
    if let Some((events, _)) = &around {
        events.seen_below().add(handle.id(), handle.seen());
    }
    let tells = around.is_none() && cx.progress().is_heard();
    let mut driven = Driven {
        handle,
        name,
        around,
        progress: tells.then(|| (cx.progress(), 0)),
    };
    poll_fn(|task| {
        if !is_told && cancelled.as_mut().poll(task).is_ready() {
            is_told = true;
            control.cancel();
        }
        driven.poll(task)
    })
    .await;
}

/// Drives the run of a sub-agent to its end. Its events are read through the parent run.
struct Driven<'a> {
    handle: &'a mut RunHandle,
    name: &'a str,
    /// The events of the run around it, and the call.
    around: Option<(EventQueue, CallId)>,
    /// What the call says of the run if no run is around it, and the number of calls that it has begun.
    progress: Option<(&'a Progress, u32)>,
}

impl Driven<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            match &self.around {
                Some((events, _)) if events.is_closed() => self.around = None,
                Some((events, call)) => {
                    ready!(events.poll_for_nested(*call, cx));
                    if !events.is_read() {
                        self.handle.pass_on();
                    }
                }
                None if self.progress.is_some() => self.handle.pass_on(),
                None => self.handle.read_no_more(),
            }
            let Some(event) = ready!(Pin::new(&mut *self.handle).poll_next(cx)) else {
                return Poll::Ready(());
            };
            if let Some((progress, begun)) = &mut self.progress
                && let RunEvent::Recorded { record, .. } = &event
                && let Record::CallStarted { name, .. } = record
            {
                *begun += 1;
                let report = ProgressReport::new(f64::from(*begun));
                progress.report(report.with_message(format!("calls {name}")));
            }
            if let Some((events, call)) = &self.around {
                let nested = |event| RunEvent::Nested {
                    call: *call,
                    agent: self.name.to_owned(),
                    run_id: self.handle.id().clone(),
                    event: Box::new(event),
                };
                if let Some(reset) = reset_before(&event).filter(|_| !events.is_read()) {
                    events.push_nested(*call, nested(reset));
                }
                events.push_nested(*call, nested(event));
            }
        }
    }
}

/// The event that comes before one that makes earlier text void, for readers that can discard text.
fn reset_before(event: &RunEvent) -> Option<RunEvent> {
    match event {
        RunEvent::Recorded {
            sequence,
            record: Record::ModelDelayed { .. } | Record::Resumed { suspended: false },
        } => Some(RunEvent::ResponseReset {
            after: sequence.saturating_sub(1),
        }),
        _ => None,
    }
}
