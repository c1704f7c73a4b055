//! Two processes over one database whose clocks are an hour apart: one drives a run, and the other one wants it.

use std::time::SystemTime;

use toolwright::{
    ToolContext,
    run::{Finish, ResumeError, RunOutcome, StoreErrorKind},
    runner::RunEvent,
    store::{RunFilter, SqliteOptions},
};

use super::{
    processes::{Folder, Kind, Process, Signal, say},
    *,
};

/// The clock of the process that drives.
const CLOCK: &str = "TOOLWRIGHT_TEST_CLOCK";
const HOUR: Duration = Duration::from_secs(60 * 60);
/// Long enough for a process on a machine that has much to do.
const LEASE_TIME: Duration = Duration::from_secs(2);
/// Nobody waits for an hour.
const PATIENCE: Duration = Duration::from_secs(120);

/// By how much a clock differs.
#[derive(Debug, Clone, Copy)]
enum Clock {
    Right,
    Ahead,
}

impl Clock {
    fn time(self) -> fn() -> SystemTime {
        match self {
            Self::Right => SystemTime::now,
            Self::Ahead => || SystemTime::now() + HOUR,
        }
    }
}

/// A runner of this process, whose tool does what `looks` does.
async fn runner<F>(folder: &std::path::Path, clock: Clock, looks: fn() -> F) -> Runner
where
    F: Future<Output = &'static str> + Send + 'static,
{
    let options = SqliteOptions::new().as_another_process(clock.time());
    let store = options.open(folder.join("store")).await.expect("it opens");
    let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let tool = DynamicTool::builder("look", "Looks at something.").policy(policy);
    let tool = tool
        .build(move |_: ToolCall, _: ToolContext| async move { Ok::<_, ToolError>(looks().await) });
    let tools = Toolset::new().with(tool.expect("is sound"));
    // What is said before is in the log.
    let answers = [calls(&["look"]), ModelResponse::from_text("done")];
    let skipped = usize::from(
        store
            .list(Scope::All, &RunFilter::default())
            .await
            .is_ok_and(|runs| !runs.items.is_empty()),
    );
    Runner::builder(ScriptedModel::new(answers.into_iter().skip(skipped)))
        .tools(tools.expect("it is one"))
        .store("clocks", store)
        .lease_time(LEASE_TIME)
        .build()
        .expect("is sound")
}

#[tokio::test]
#[ignore = "other tests start it"]
async fn drives_a_run() {
    let clock = match &*std::env::var(CLOCK).expect("other tests name a clock") {
        "Ahead" => Clock::Ahead,
        _ => Clock::Right,
    };
    let runner = runner(&Folder::given(), clock, std::future::pending).await;
    let mut handle = runner.start("go");
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && matches!(record, Record::CallStarted { .. })
        {
            say!("driving {}", handle.id());
        }
    }
    // Somebody else goes on with it.
    handle.outcome().await.expect_err("it is lost");
}

/// Tries to take a run until it can.
async fn taken(runner: &Runner, run: &RunId) -> RunOutcome {
    let taken = async {
        loop {
            match runner.resume(run).start().await {
                Ok(handle) => return handle.outcome().await.expect("it answers"),
                Err(ResumeError::Store(error)) if error.kind == StoreErrorKind::Held => {
                    tokio::task::yield_now().await;
                }
                Err(error) => panic!("{error}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, taken)
        .await
        .expect("it is held for longer than its lease")
}

/// What becomes of the process that drives.
#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Killed,
    /// It lives, and does not extend its lease.
    Stopped,
}

async fn apart(drives: Clock, wants: Clock, end: End) {
    let folder = Folder::new(&format!("clocks-{drives:?}-{end:?}"));
    let clock = [(CLOCK, format!("{drives:?}"))];
    let (mut process, mut said) = Process::start(
        "clocks::drives_a_run",
        folder.path(),
        Kind::Sqlite,
        None,
        &clock,
    );
    let said = said.find_map(|line| line.strip_prefix("driving ").map(RunId::new));
    let run = said.expect("it begins");
    let runner = runner(folder.path(), wants, || std::future::ready("seen")).await;

    // It is driven for several times as long as a lease lasts.
    let since = std::time::Instant::now();
    while since.elapsed() < 2 * LEASE_TIME {
        let found = runner.recover().await.expect("it is read");
        assert!(found.is_empty(), "a live run was taken");
        let resumed = runner.resume(&run).start().await;
        let Err(ResumeError::Store(error)) = resumed else {
            panic!("a live run was taken");
        };
        assert_eq!(error.kind, StoreErrorKind::Held, "{error}");
    }

    process.signal(match end {
        End::Killed => Signal::Kill,
        End::Stopped => Signal::Stop,
    });
    let outcome = taken(&runner, &run).await;
    assert_eq!((outcome.finish, &*outcome.text), (Finish::Answered, "done"));
    if end == End::Stopped {
        process.signal(Signal::Continue);
        assert!(
            process.succeeds(),
            "it goes on with a run that is another's"
        );
    }
}

#[tokio::test]
async fn a_process_whose_clock_is_behind_takes_what_is_free_and_nothing_else() {
    for end in [End::Killed, End::Stopped] {
        apart(Clock::Ahead, Clock::Right, end).await;
    }
}

#[tokio::test]
async fn a_process_whose_clock_is_ahead_takes_what_is_free_and_nothing_else() {
    for end in [End::Killed, End::Stopped] {
        apart(Clock::Right, Clock::Ahead, end).await;
    }
}
