//! A run, printed for people.

mod activity;
mod calls;
mod ending;
mod harmless;
mod lines;

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, IsTerminal, Stdout, Write},
};

use super::{RunEvent, RunHandle};
use calls::Calls;
use lines::Lines;
use toolwright_core::{
    message::{Part, ProviderActivity},
    model::{ModelEvent, ModelResponse},
    run::{CallId, Record, RunError, RunId, RunOutcome},
};

/// Prints runs in a terminal: the text of the model as it arrives, a line for each call that starts, waits or has its
/// result, and at the end why the run ended and the tokens that it used.
///
/// Lines about calls begin with two spaces, and are cut to the width. They begin with the [`CallId`], since calls of
/// one tool may run side by side. Reasoning is not printed. The lines of a [sub-agent](super::SubAgent), with its text, begin
/// with two spaces and its name, and are cut to the width.
///
/// Models and tools may write anything. Control characters in the text of the model are replaced, so that a terminal obeys
/// none of them. In the other lines, what cannot be seen is [written out](toolwright_core::visible). A model can still write a line that looks like one of the printer: an approval is for who sees the whole call.
///
/// One printer prints one run after the other.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, runner::Printer, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello, you.")]);
/// let runner = Runner::builder(model).build()?;
/// let mut printed = Vec::new();
/// let outcome = Printer::new(&mut printed).run(runner.start("Say hello.")).await?;
/// assert_eq!(outcome.text, "Hello, you.");
/// assert!(String::from_utf8(printed)?.starts_with("Hello, you.\n  ended: the model answered\n"));
/// # Ok(()) }
/// ```
pub struct Printer<W> {
    lines: Lines<W>,
    calls: Calls,
    /// True if the progress of calls is printed where no line may be written over.
    has_progress: bool,
    /// True if some text of the response under way is printed.
    has_text: bool,
    /// The activities, images, documents and sounds of the response under way that were printed.
    activities: usize,
    /// The printers of the runs below, whose lines are printed as soon as they are whole.
    below: BTreeMap<(CallId, RunId), Printer<Vec<u8>>>,
}

impl Printer<Stdout> {
    /// A printer to the standard output, with times. If that is a terminal, the progress of calls is shown in a line
    /// that is written over.
    pub fn stdout() -> Self {
        let stdout = io::stdout();
        let rewrites = stdout.is_terminal();
        let mut printer = Self::new(stdout).with_times();
        printer.lines.rewrites = rewrites;
        printer
    }
}

impl<W: Write> Printer<W> {
    /// A printer of plain lines without times, such as for a file: the same run gives the same lines.
    pub fn new(writer: W) -> Self {
        Self {
            lines: Lines::new(writer),
            calls: Calls::default(),
            has_progress: false,
            has_text: false,
            activities: 0,
            below: BTreeMap::new(),
        }
    }

    /// Prints how long each call took, from its first attempt on.
    #[must_use = "the printer is changed by value"]
    pub fn with_times(mut self) -> Self {
        self.calls.are_timed = true;
        self
    }

    /// Prints each progress of a call in a line of its own where none is written over, such as in a file. Without it,
    /// no progress is printed there.
    #[must_use = "the printer is changed by value"]
    pub fn with_progress(mut self) -> Self {
        self.has_progress = true;
        self
    }

    /// Sets the width of lines in columns; 80 by default. The text of the model is not cut.
    #[must_use = "the printer is changed by value"]
    pub fn with_width(mut self, columns: usize) -> Self {
        self.lines.columns = columns;
        self
    }

    /// Prints a run to its end, and gives its outcome. What cannot be written is left out.
    ///
    /// # Errors
    ///
    /// When the run [failed](toolwright_core::Finish::Failed), which is printed as well.
    ///
    /// # Panics
    ///
    /// As [`RunHandle::next`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses its work. [`RunHandle::cancellation`] and [`RunHandle::control`]
    /// stop it without a loss.
    pub async fn run(&mut self, mut run: RunHandle) -> Result<RunOutcome, RunError> {
        self.follow(&run);
        while let Some(event) = run.next().await {
            self.print(&event).ok();
        }
        let result = run.outcome().await;
        self.end(result.as_ref().unwrap_or_else(|error| &error.outcome))
            .ok();
        result
    }

    /// Takes the earlier calls of a run from its handle. The events of a [resumed](super::Runner::resume) run do not
    /// name them: call this before you print the first event. [`run`](Self::run) does it for you.
    pub fn follow<A>(&mut self, run: &RunHandle<A>) {
        self.calls.follow(run.seen().clone());
    }

    /// Prints an event, if it is one that people look at.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn print(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::Delta(ModelEvent::Text(text) | ModelEvent::Refusal(text)) => self.text(text),
            RunEvent::Delta(ModelEvent::Activity(activity)) => self.activity(activity),
            RunEvent::Delta(ModelEvent::Media(part)) => self.media(part),
            RunEvent::Recorded { record, .. } => {
                self.calls.read(record);
                self.record(record)
            }
            RunEvent::Update {
                call, name, update, ..
            } if self.lines.rewrites || self.has_progress => {
                match Calls::update(*call, name, update) {
                    Some(line) if self.lines.rewrites => self.lines.pass(&line),
                    Some(line) => self.line(&line),
                    None => Ok(()),
                }
            }
            RunEvent::ResponseSnapshot { pieces, .. } => {
                self.begin_line()?;
                pieces.iter().try_for_each(|piece| match piece {
                    ModelEvent::Text(text) | ModelEvent::Refusal(text) => self.text(text),
                    _ => Ok(()),
                })
            }
            RunEvent::ResponseReset { .. } => self.begin_line(),
            RunEvent::Nested {
                call,
                agent,
                run_id,
                event,
            } => self.nested((*call, run_id), agent, event),
            RunEvent::Delta(_) | RunEvent::Update { .. } => Ok(()),
        }
    }

    /// Prints why a run ended, and the tokens that it used.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn end(&mut self, outcome: &RunOutcome) -> io::Result<()> {
        self.line(&format!("ended: {}", ending::reason(outcome)))?;
        self.line(&ending::used(outcome))
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        match record {
            Record::Started { .. } => {
                self.calls.begin();
                self.below.clear();
                (self.has_text, self.activities) = (false, 0);
                Ok(())
            }
            Record::Replied { response, .. } => {
                self.activities_of(response)?;
                self.replied(response.text_or_refusal())
            }
            Record::ResponseBrokenOff { partial, .. } => {
                self.activities_of(partial)?;
                self.replied(partial.text_or_refusal())?;
                self.line("the response broke off")
            }
            Record::ModelFailed { error } => {
                (self.has_text, self.activities) = (false, 0);
                self.line(&format!("the model failed: {error}"))
            }
            Record::ModelDelayed { error } => {
                (self.has_text, self.activities) = (false, 0);
                self.line(&format!("the model is asked again: {error}"))
            }
            Record::CompactionStarted { .. } => self.line("a summary of the conversation is made"),
            Record::ContextCompacted { .. } => self.line("less of the conversation is sent"),
            Record::CallStarted { call, name } => {
                let line = self.calls.started(*call, name);
                self.line(&line)
            }
            Record::CallDelayed { call, why } => self.lines.line(&self.calls.delayed(*call, why)),
            Record::CallDecided { call, decision, .. } => {
                self.lines.line(&self.calls.decided(*call, decision))
            }
            Record::QuestionAnswered { call, decision, .. } => {
                self.lines.line(&self.calls.answered(*call, decision))
            }
            Record::ApprovalRevoked { call } => self.lines.line(&self.calls.revoked(*call)),
            Record::CallInterrupted { call } => self.lines.line(&self.calls.interrupted(*call)),
            Record::CallFinished { call, result, .. } => {
                self.below.retain(|(of, _), _| of != call);
                let line = self.calls.finished(*call, result);
                self.line(&line)
            }
            Record::Transferred { from, to, .. } => {
                self.line(&format!("{from} hands over to {to}"))
            }
            Record::MessagePushed { .. } => self.line("the user says more"),
            Record::CancelAfterRound => self.line("the run is to stop after this round"),
            Record::Resumed { .. } => self.line("the run goes on"),
            Record::CancelRequested => self.line("the run is to stop"),
            Record::TimeLimitReached => self.line("the time of the run is up"),
            Record::SharedLimitReached { limit } => self.line(&limit.to_string()),
            // What a reader of the others knows.
            _ => Ok(()),
        }
    }

    /// Prints what an event of a run below has made a whole line of.
    fn nested(
        &mut self,
        (call, run): (CallId, &RunId),
        agent: &str,
        event: &RunEvent,
    ) -> io::Result<()> {
        let columns = self.lines.columns.saturating_sub(agent.len() + 4);
        let (are_timed, has_progress) = (self.calls.are_timed, self.has_progress);
        let below = self.below.entry((call, run.clone())).or_insert_with(|| {
            let mut below = Printer::new(Vec::new()).with_width(columns);
            (below.calls.are_timed, below.has_progress) = (are_timed, has_progress);
            below.calls.follow_below(&self.calls, run);
            below
        });
        below.print(event)?;
        let is_over = matches!(
            event,
            RunEvent::Recorded {
                record: Record::Finished { .. },
                ..
            }
        );
        if is_over {
            below.begin_line()?;
        }
        let whole = below.lines.take_whole();
        if is_over {
            self.below.remove(&(call, run.clone()));
        }
        whole
            .lines()
            .try_for_each(|line| self.line(&format!("{agent} | {line}")))
    }

    /// A response is whole. Its text is printed if it did not come in pieces.
    fn replied(&mut self, said: &str) -> io::Result<()> {
        if !self.has_text {
            self.text(said)?;
        }
        self.has_text = false;
        self.begin_line()
    }

    /// Prints the provider's activities for a response, and what the model made beside its text, as far as that did
    /// not come in pieces.
    fn activities_of(&mut self, response: &ModelResponse) -> io::Result<()> {
        let printed = std::mem::take(&mut self.activities);
        let is_shown = |part: &&Part| matches!(part, Part::Activity(_)) || part.is_media();
        let all = response.parts.iter().filter(is_shown);
        all.skip(printed).try_for_each(|part| match part {
            Part::Activity(activity) => self.activity(activity),
            part => self.media(part),
        })?;
        self.activities = 0;
        Ok(())
    }

    /// Prints that the model made an image, a document or sound.
    fn media(&mut self, part: &Part) -> io::Result<()> {
        self.activities += 1;
        self.line(&activity::of_media(part))
    }

    /// Prints a tool that the provider has run, and a source that it cites.
    fn activity(&mut self, activity: &ProviderActivity) -> io::Result<()> {
        self.activities += 1;
        match activity {
            ProviderActivity::Tool(tool) if tool.is_over || tool.failed => {
                self.line(&activity::of_tool(tool))
            }
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.has_text |= self.lines.text(text)?;
        Ok(())
    }

    /// Prints a line about the run.
    fn line(&mut self, line: &str) -> io::Result<()> {
        self.lines.line(line)
    }

    fn begin_line(&mut self) -> io::Result<()> {
        self.lines.begin()
    }
}

impl<W> fmt::Debug for Printer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer")
            .field("columns", &self.lines.columns)
            .field("is_timed", &self.calls.are_timed)
            .field("rewrites", &self.lines.rewrites)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
