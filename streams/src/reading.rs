//! A run as its readers follow it: what each event means for them, whatever the protocol.

mod below;
mod change;
mod draft;
mod new_parts;
mod waiting_below;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use change::{Change, End, Kind, PlaceInRun};

use toolwright_json::JsonText;

use crate::{answer, question::QuestionData, transfer::TransferData};
use below::Below;
use draft::{At, Draft};
use new_parts::{NewPart, Written};
use toolwright_core::{
    message::{Part, calls_of},
    model::ModelEvent,
    run::{CallId, Delay, Finish, PendingCall, Record, Resolution, Run, RunId},
    tool::{CallUpdate, Decision, ToolCall, ToolOutput, ToolResult},
};
use toolwright_runtime::RunEvent;
use waiting_below::WaitingBelow;

/// A run as its readers follow it.
#[derive(Debug, Default)]
pub(super) struct Reading {
    run: Option<Run>,
    /// The place of the next record.
    next: u64,
    /// What the conversation had of the run when it was looked at last.
    written: Written,
    /// The response under way.
    draft: Draft,
    at: StepAt,
    /// The calls whose arguments are not shown yet, since they are not JSON.
    unread: BTreeMap<CallId, ToolCall>,
    /// How often an approval was asked for before the last time, of each call that needed one.
    asked: BTreeMap<CallId, u32>,
    /// The decisions so far, by call and how often it was asked for before.
    decided: BTreeMap<(CallId, u32), Decision>,
    /// The calls of the run that wait, as they were when they began to.
    waiting: BTreeMap<CallId, PendingCall>,
    denied: BTreeSet<CallId>,
    finish: Option<Finish>,
    /// The texts and calls of sub-agents so far.
    below: BTreeMap<CallId, Below>,
    /// The calls of runs below that wait.
    waiting_below: WaitingBelow,
    /// Decisions about them, by their id for clients and how often they were asked about before.
    decided_below: BTreeMap<(String, u32), Decision>,
}

/// The step under way.
#[derive(Debug, Default)]
struct StepAt {
    /// The number of replies that are kept.
    number: u32,
    /// The number of rounds of calls.
    round: u32,
    /// A step was started and not ended: that of this number.
    open: Option<u32>,
}

impl Reading {
    /// The id of the run, once its first record was read.
    pub(super) fn run_id(&self) -> Option<&RunId> {
        self.run.as_ref().map(Run::id)
    }

    /// The run, once its first record was read.
    pub(super) fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The end of the run, if it is over.
    pub(super) fn finish(&self) -> Option<&Finish> {
        self.finish.as_ref()
    }

    /// The place of the last record that was read.
    pub(super) fn last(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }

    /// The calls that wait for people or for the application, in order, and those of runs below.
    pub(super) fn waiting(&self) -> Vec<PendingCall> {
        let waiting = self.waiting.values().chain(self.waiting_below.calls());
        waiting.cloned().collect()
    }

    /// The calls of runs below that were asked about and are not any more, by their id for clients and how often they were
    /// asked about before.
    pub(super) fn over_below(&self) -> impl Iterator<Item = &(String, u32)> {
        self.waiting_below.over()
    }

    /// The number of the step of the last response that is kept.
    pub(super) fn step(&self) -> u32 {
        self.at.number.saturating_sub(1)
    }

    /// Returns true if a call waits for people or for the application.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || self.waiting_below.is_suspended()
    }

    /// The decisions so far, by call and how often it was asked for before.
    pub(super) fn decisions(&self) -> &BTreeMap<(CallId, u32), Decision> {
        &self.decided
    }

    /// Takes what was said to calls of runs below, of which the log of the run has nothing. Of several decisions the first
    /// counts.
    pub(super) fn said_below(&mut self, said: &[Resolution]) {
        for said in said {
            let Some(decision) = said.decision() else {
                continue;
            };
            let call = format!("{}:{}", said.run_id(), said.id());
            let known = self.decided_below.entry((call, said.asked()));
            known.or_insert_with(|| decision.clone());
        }
    }

    /// The decisions about calls of runs below that are known.
    pub(super) fn decided_below(&self) -> &BTreeMap<(String, u32), Decision> {
        &self.decided_below
    }

    /// Takes the next event.
    pub(super) fn read(&mut self, event: &RunEvent, out: &mut Vec<Change>) {
        match event {
            RunEvent::Recorded { sequence, record } if *sequence == self.next => {
                self.next += 1;
                self.record(record, out);
            }
            RunEvent::Delta(piece) => self.piece(piece, out),
            RunEvent::Update { call, update, .. } => {
                let (call, update) = (*call, update.clone());
                out.push(Change::Update { call, update });
            }
            RunEvent::ResponseSnapshot { after, pieces }
                if self.last() == Some(*after) && self.hears() =>
            {
                self.go_on_as(Draft::of_pieces(pieces), out);
            }
            RunEvent::ResponseReset { .. } => self.void(out),
            RunEvent::Nested {
                call, agent, event, ..
            } => {
                let below = self.below.entry(*call).or_default();
                if let Some(so_far) = below.read(agent, event) {
                    let update = CallUpdate::Partial(ToolOutput::text(so_far));
                    out.push(Change::Update {
                        call: *call,
                        update,
                    });
                }
            }
            // A record or a response that was read before says nothing new.
            _ => {}
        }
    }

    /// Returns true if the response that comes is one that the user reads.
    fn hears(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| !run.is_compacting()) && self.finish.is_none()
    }

    fn piece(&mut self, piece: &ModelEvent, out: &mut Vec<Change>) {
        if !self.hears() {
            return;
        }
        let Some(place) = self.draft.take(piece) else {
            return;
        };
        if self.draft.is_shown() || self.draft.has_news() {
            self.start_step(out);
            let at = self.place();
            self.draft.show_piece(place, at, out);
        }
    }

    fn record(&mut self, record: &Record, out: &mut Vec<Change>) {
        match &mut self.run {
            None => {
                self.run = Run::of_first(record);
                if let Some(run) = &self.run {
                    self.written = Written::before(run.written());
                }
                return;
            }
            // A log that does not follow is read as far as it does.
            Some(run) => {
                if run.read(record).is_err() {
                    return;
                }
            }
        }
        self.show_written(record, out);
        if ends_reply(record) {
            self.void(out);
        }
        match record {
            Record::ModelDelayed { .. } => out.push(Change::Retried(self.at.number)),
            Record::CallPrepared {
                call,
                arguments,
                changes,
            } if self.unread.contains_key(call) || !changes.is_empty() => {
                self.known(*call, arguments, out);
            }
            Record::CallDelayed { call, why } => self.delayed(*call, why, out),
            Record::CallDecided { call, decision, .. } => self.decided(*call, decision, out),
            Record::QuestionAnswered { call, decision, .. } => {
                self.waiting.remove(call);
                self.say_decided(*call, decision, out);
            }
            // Its question is another matter.
            Record::ApprovalRevoked { call }
                if (self.run.as_ref()).is_some_and(|run| run.pending_call(*call).is_some()) => {}
            Record::CallResumed { call }
            | Record::CallExpired { call }
            | Record::ApprovalRevoked { call } => {
                self.waiting.remove(call);
                self.waiting_below.goes_on(*call);
            }
            Record::CallFinished { call, result, .. } => self.call_finished(*call, result, out),
            Record::Transferred { call, from, to } => {
                let (from, to) = (from.clone(), to.clone());
                let data = TransferData { from, to };
                out.push(Change::Transferred { call: *call, data });
            }
            Record::Finished { finish } => self.finished(finish, out),
            _ => {}
        }
    }

    fn delayed(&mut self, call: CallId, why: &Delay, out: &mut Vec<Change>) {
        if let Delay::Below { calls, .. } = why {
            return self.waits_below(call, calls, out);
        }
        let run = self.run.as_ref();
        let Some(pending) = run.and_then(|run| run.pending_call(call)) else {
            return;
        };
        if pending.awaits_decision() {
            let asked = pending.asked;
            self.asked.insert(call, asked);
            out.push(Change::ApprovalAsked {
                call,
                asked,
                question: pending.question.as_ref().map(QuestionData::from),
            });
        }
        self.waiting.insert(call, pending);
    }

    fn waits_below(&mut self, call: CallId, calls: &[PendingCall], out: &mut Vec<Change>) {
        let asked = out.len();
        self.waiting_below.wait(call, calls, out);
        let below = self.below.entry(call).or_default();
        let new = out[asked..].iter().filter_map(|change| match change {
            Change::BelowAsked(waiting) => Some(below.wait(waiting)),
            _ => None,
        });
        // Before them, since a client takes them for the last part.
        if let Some(so_far) = new.last() {
            let update = CallUpdate::Partial(ToolOutput::text(so_far));
            out.insert(asked, Change::Update { call, update });
        }
    }

    fn decided(&mut self, call: CallId, decision: &Decision, out: &mut Vec<Change>) {
        self.waiting.remove(&call);
        if matches!(decision, Decision::Deny { .. }) {
            self.denied.insert(call);
        }
        // In this order: a chat client takes a call with new arguments for an undecided one.
        if let Decision::ApproveWith { arguments } = decision {
            self.known(call, arguments, out);
        }
        self.say_decided(call, decision, out);
    }

    fn say_decided(&mut self, call: CallId, decision: &Decision, out: &mut Vec<Change>) {
        let asked = self.asked.get(&call).copied().unwrap_or_default();
        self.decided.insert((call, asked), decision.clone());
        out.push(Change::Decided {
            call,
            asked,
            decision: decision.clone(),
        });
    }

    fn finished(&mut self, finish: &Finish, out: &mut Vec<Change>) {
        self.end_step(out);
        self.waiting.clear();
        self.finish = Some(finish.clone());
        let Some(run) = &self.run else { return };
        let outcome = run.outcome();
        out.push(Change::Finished(Box::new(End {
            finish: finish.clone(),
            answer: outcome
                .as_ref()
                .and_then(|outcome| answer::of(run, outcome)),
            failure: outcome.and_then(|outcome| outcome.user_failure()),
            usage: run.spent().1.clone(),
            warnings: run.warnings().to_vec(),
        })));
    }

    /// Shows what the conversation has since it was looked at last.
    fn show_written(&mut self, record: &Record, out: &mut Vec<Change>) {
        let Some(run) = &self.run else { return };
        for part in self.written.new_parts(run.written(), record) {
            match part {
                NewPart::Said { number, message } => {
                    // The response before it is not kept: what was shown of it is taken back in its
                    // step.
                    self.void(out);
                    self.end_step(out);
                    out.push(Change::Said { number, message });
                }
                NewPart::Reply(parts) => self.keep(&parts, &[], out),
                NewPart::Round(round) => self.keep(&round.reply, &round.results, out),
            }
        }
    }

    /// Shows a whole response, or the rest of it, with the results of its calls if there are any.
    fn keep(&mut self, parts: &[Part], results: &[ToolResult], out: &mut Vec<Change>) {
        self.start_step(out);
        self.go_on_as(Draft::of_parts(parts), out);
        let at = self.place();
        std::mem::take(&mut self.draft).finish(at, out);
        let ids = (0..).map(|index| CallId {
            round: at.round,
            index,
        });
        let calls: Vec<_> = ids.zip(calls_of(parts)).collect();
        for (id, call) in &calls {
            self.unread.insert(*id, (*call).clone());
            self.known(*id, &call.arguments, out);
        }
        out.push(Change::Kept(at.step));
        for ((id, _), result) in calls.iter().zip(results) {
            self.call_finished(*id, result, out);
        }
        self.at.round += u32::from(!calls.is_empty());
        self.at.number += 1;
    }

    fn call_finished(&mut self, call: CallId, result: &ToolResult, out: &mut Vec<Change>) {
        self.waiting.remove(&call);
        self.waiting_below.finish(call, out);
        self.below.remove(&call);
        if let Some(unread) = self.unread.remove(&call) {
            out.push(Change::CallUnreadable {
                call,
                name: unread.name,
                arguments: unread.arguments,
                error: result.to_user_text().into_owned(),
            });
        }
        out.push(Change::CallFinished {
            call,
            result: result.clone(),
            is_denied: self.denied.contains(&call),
        });
    }

    /// Tells the arguments of a call, if they can be read.
    fn known(&mut self, call: CallId, arguments: &str, out: &mut Vec<Change>) {
        let Some(arguments) = arguments_of(arguments) else {
            return;
        };
        let known = self.run.as_ref().and_then(|run| run.call(call));
        let name = match self.unread.remove(&call) {
            Some(unread) => unread.name,
            None => known.map_or_else(String::new, |call| call.name.clone()),
        };
        out.push(Change::CallKnown {
            call,
            name,
            arguments,
        });
    }

    /// Takes a response for the one under way, whether what was shown is its beginning or not.
    fn go_on_as(&mut self, reply: Draft, out: &mut Vec<Change>) {
        if reply.has_news() {
            self.start_step(out);
        }
        let at = self.place();
        let shown = std::mem::take(&mut self.draft);
        self.draft = match shown.going_on_as(reply, at, out) {
            Ok(draft) => draft,
            Err((shown, reply)) => {
                self.draft = shown;
                self.void(out);
                Draft::default()
                    .going_on_as(reply, at, out)
                    .unwrap_or_default()
            }
        };
    }

    /// Takes back what was shown of the response under way.
    fn void(&mut self, out: &mut Vec<Change>) {
        let mut draft = std::mem::take(&mut self.draft);
        if draft.is_shown() {
            let at = self.place();
            draft.close(at, out);
            out.push(Change::Void {
                step: at.step,
                calls: draft.opened(at.round),
            });
        }
    }

    fn place(&self) -> At {
        At {
            step: self.at.number,
            round: self.at.round,
        }
    }

    fn start_step(&mut self, out: &mut Vec<Change>) {
        if self.at.open != Some(self.at.number) {
            self.end_step(out);
            self.at.open = Some(self.at.number);
            out.push(Change::StepStarted(self.at.number));
        }
    }

    /// Ends the step that is open, if one is.
    pub(super) fn end_step(&mut self, out: &mut Vec<Change>) {
        if let Some(step) = self.at.open.take() {
            out.push(Change::StepEnded(step));
        }
    }
}

/// Arguments as JSON in one line, since a line break would end that of a server-sent event; `None` if they are no JSON. Of a
/// call without arguments they are an empty object.
pub(super) fn arguments_of(arguments: &str) -> Option<JsonText> {
    let text = if arguments.trim_ascii().is_empty() {
        "{}"
    } else {
        arguments
    };
    let arguments = JsonText::new(text).ok()?;
    Some(JsonText::new(arguments.to_compact()).unwrap_or(arguments))
}

/// Returns true if a response that was under way is not any more.
fn ends_reply(record: &Record) -> bool {
    matches!(
        record,
        Record::Replied { .. }
            | Record::ModelFailed { .. }
            | Record::ModelDelayed { .. }
            | Record::ResponseBrokenOff { .. }
            | Record::Resumed { suspended: false }
            | Record::CancelRequested
            | Record::TimeLimitReached
            | Record::Finished { .. }
    )
}
